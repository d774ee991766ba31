import DaemonRuntime
import Foundation
import TestSupport
import Testing

@testable import Commands

@Suite("locfleet doctor")
struct DoctorTests {
    /// A machine on which nothing is wrong.
    private static func healthy(_ change: (inout DoctorFacts) -> Void = { _ in }) -> DoctorFacts {
        var facts = DoctorFacts()
        facts.descriptors = (65_536, 1 << 20)
        (facts.availableBytes, facts.memoryLimitBytes) = (8 << 30, nil)
        (facts.processors, facts.processorQuota) = (8, nil)
        facts.stateFolder = "/var/lib/locfleet"
        facts.disk = Machine.Disk(
            folder: "/var/lib", freeBytes: 100 << 30, isWritable: true, kind: nil)
        facts.socket = "/run/locfleet.sock"
        facts.answer = .daemon(facts.clientVersion)
        facts.clockSeconds = 1e-9
        facts.locale = "C.UTF-8"
        change(&facts)
        return facts
    }

    @Test("finds nothing where nothing is wrong")
    func fine() {
        for finding in Self.healthy().findings {
            #expect(finding.verdict == .ok || finding.verdict == .note, "\(finding)")
            #expect(finding.needs == nil && finding.advice == nil, "\(finding)")
        }
    }

    struct Row: Sendable {
        let finding: String
        let verdict: DoctorFinding.Verdict
        let change: @Sendable (inout DoctorFacts) -> Void

        init(
            _ finding: String, _ verdict: DoctorFinding.Verdict,
            _ change: @escaping @Sendable (inout DoctorFacts) -> Void
        ) {
            (self.finding, self.verdict, self.change) = (finding, verdict, change)
        }
    }

    static let rows = [
        Row("descriptors", .ok) { $0.descriptors = (1_024, 1 << 20) },
        Row("descriptors", .warning) { $0.descriptors = (1_024, 1_024) },
        Row("descriptors", .fails) { $0.descriptors = (20, 20) },
        Row("memory", .ok) { $0.scenario = ("s", 1_000, 1, 1 << 20) },
        Row("memory", .warning) { $0.scenario = ("s", 1_000_000, 1, 7 << 30) },
        Row("memory", .fails) { $0.scenario = ("s", 1_000_000, 2, 9 << 30) },
        Row("memory", .fails) { $0.scenario = ("s", 1_000_000, 2, .max >> 8) },
        Row("processors", .warning) { $0.processorQuota = 1.5 },
        Row("processors", .warning) { $0.processorQuota = 0.1 },
        Row("processors", .ok) { $0.processorQuota = 8 },
        Row("state folder", .fails) { ($0.stateFolder, $0.disk) = (nil, nil) },
        Row("state folder", .fails) { $0.disk = nil },
        Row("state folder", .fails) { $0.disk?.isWritable = false },
        Row("state folder", .fails) { $0.disk?.freeBytes = 100 },
        Row("state folder", .warning) { $0.disk?.freeBytes = 100 << 20 },
        Row("state folder", .warning) { $0.disk?.kind = "tmpfs" },
        Row("state folder", .warning) { $0.disk?.kind = "nfs" },
        Row("daemon", .fails) { $0.socket = "/" + String(repeating: "s", count: 107) },
        Row("daemon", .warning) { $0.answer = .daemon("0.0.9") },
        Row("daemon", .note) { $0.answer = .nobody("no daemon") },
        Row("daemon", .fails) { $0.answer = .trouble("no answer in time") },
        Row("clock", .warning) { $0.clockSeconds = 0.004 },
        Row("clock", .fails) { $0.clockSeconds = nil },
        Row("locale", .note) { $0.locale = "C" },
    ]

    @Test("says what is, what is needed and what to do", arguments: rows.indices)
    func findings(_ index: Int) throws {
        let row = Self.rows[index]
        let findings = Self.healthy(row.change).findings
        let finding = try #require(findings.first { $0.name == row.finding })
        #expect(finding.verdict == row.verdict, "\(finding)")
        if row.verdict == .fails || row.verdict == .warning {
            #expect(finding.needs != nil && finding.advice != nil, "\(finding)")
        }
        let others = findings.filter { $0.name != row.finding }
        #expect(others.allSatisfy { $0.verdict == .ok || $0.verdict == .note })
    }

    @Test("names a number of devices that fits, in every arm")
    func advice() throws {
        let facts = Self.healthy { $0.scenario = ("s", 40_000_000, 2, 40_000_000 * 500) }
        let finding = try #require(facts.findings.first { $0.name == "memory" })
        let most = try #require(
            finding.advice?.firstMatch(of: /--devices (\d+)/).flatMap { UInt64($0.1) })
        #expect(most * 2 * 500 < 8 << 30 && most * 2 * 500 > 7 << 30)
    }

    private func doctor(_ words: [String], _ environment: [String: String] = [:]) throws -> Program
    {
        let folder = try ScratchFolder()
        return try Program.locfleet(
            ["doctor"] + words,
            environment: [
                "LOCFLEET_SOCKET": folder.path("s"), "XDG_STATE_HOME": folder.path("state"),
                "STATE_DIRECTORY": "",
            ].merging(environment) { $1 })
    }

    @Test("runs without a daemon, and ends with 3 where something would fail")
    func statuses() throws {
        let fine = try doctor(["config/scenarios/progressive.json5", "--devices", "10"])
        #expect(fine.status == 0, "\(fine.out)\(fine.error)")
        #expect(fine.out.contains("for 10 devices of") && fine.out.contains("nobody answers"))
        // Whatever this machine has, that process may have 4 GB.
        let large = try Program.started(
            [
                "-c", "ulimit -v 4000000; exec \"$0\" doctor \"$@\"",
                Program.url("locfleet").path(percentEncoded: false),
                "config/scenarios/progressive.json5", "--devices", "100000000",
            ], executable: URL(filePath: "/bin/sh")
        ).wait()
        #expect(large.status == 3 && large.out.contains("fails    memory"), "\(large.out)")
        let json = try doctor(["--json"], ["XDG_STATE_HOME": "/proc"])
        let object = try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any]
        #expect((object?["findings"] as? [Any])?.count ?? 0 > 7)
        #expect(object?["fit"] as? Bool == (json.status == 0))
        #expect(try doctor(["none.json5"]).status == 2)
    }
}
