import Foundation
import TestSupport
import Testing

/// One digest and one report, byte for byte, however a scenario is run. What is asked while it
/// runs is in `DaemonTests`; debug against release in `scripts/dev/soak`.
@Suite("However it is run, a scenario is the same run")
struct MatrixTests {
    struct Row: CustomTestStringConvertible {
        let name: String
        let words: [String]
        var testDescription: String { name }
    }

    static let rows = [
        Row(
            name: "arms",
            words: [
                "config/scenarios/progressive.json5", "--devices", "120", "--days", "2", "--by",
                "persona", "--arm", "ask_on_launch.lua",
            ]),
        Row(
            name: "an upgrade",
            words: [
                "config/scenarios/immediate-upgrade.json5", "--devices", "90", "--days", "5",
            ]),
        Row(name: "interventions, failures and metrics", words: ["matrix.json5", "--by", "ios"]),
    ]

    /// What happens to all, thresholds that count devices, and a script that counts and fails.
    private static func folder() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try folder.write(
            """
            return { launched = function(self, app)
              metric.count("launches", rng.integer(1, 1000000000))
              metric.observe("draw", rng.normal(0, 1e6))
              metric.observe("whole", rng.integer(-500, 500))
              app:milestone("m" .. rng.integer(1, 9))
              if rng.chance(0.1) then error("unlucky " .. rng.integer(1, 1000)) end
              app.manager:requestWhenInUseAuthorization()
            end }
            """, to: "app.lua")
        try folder.write(
            """
            { devices: 110, duration: "40h", ios: [["17.6", 1], ["18.5", 2]],
              personas: [{ name: "p", behavior: "archetype.lua", weight: 2 },
                { name: "q", behavior: "archetype.lua", options: { grant_share: 0.9 } }],
              app: { info_plist: "apps/store-finder/Info.plist", strategy: "app.lua",
                features: ["f"] },
              interventions: [
                { at: "0s", do: "precise", value: false, share: 0.3 },
                { at: "7h", do: "upgrade_os", value: "26.0", where: "persona == 'p'" },
                { at: "20h", do: "delete_app", share: 0.2 },
                { at: "30h", do: "reinstall", where: "device < 60" }],
              script_failures: { end_run_after: 1000000 },
              thresholds: ["share(status == 'denied') < 0.9 and count(persona == 'q') > 2",
                "count(device < 50 and ios >= '26') >= 1", "p50(opened) >= 0"] }
            """, to: "matrix.json5")
        return folder
    }

    private struct Outcome: Equatable {
        var report: String
        var digests: [String]
    }

    /// Files of one test, and the scenario that it runs.
    private struct Bench {
        let words: [String]
        let folder: ScratchFolder

        init(_ row: Row) throws {
            let folder = try MatrixTests.folder()
            self.folder = folder
            words = row.words.map { $0 == "matrix.json5" ? folder.path($0) : $0 }
        }

        func run(_ words: [String]) throws -> String {
            let program = try Program.locfleet(["run"] + self.words + words)
            #expect(program.status == 0 || program.status == 3, "\(words): \(program.error)")
            return program.out
        }

        func outcome(_ words: [String]) throws -> Outcome {
            let digests = folder.path("digests")
            let out = try run(words + ["--json", "--digests", digests])
            return Outcome(report: Self.report(out), digests: try lines(digests))
        }

        func lines(_ path: String) throws -> [String] {
            try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
                .map(String.init)
        }

        /// Without what it says of the machine.
        static func report(_ json: String) -> String {
            let parts = json.components(separatedBy: "\"machine\":")
            #expect(parts.count == 2, "the report has a machine part")
            return parts[0]
        }
    }

    @Test(
        "with 1, 2, 3 and 7 workers, in epochs short and long, fast and paced, with a log or none",
        arguments: rows)
    func epochs(_ row: Row) throws {
        let bench = try Bench(row)
        let due = try bench.outcome(["--workers", "1"])
        #expect(Set(due.digests).count == due.digests.count && due.digests.count > 80)
        var log: Data?
        let runs =
            [1, 2, 3, 7].flatMap { workers in
                ["97m", "3650d"].map { (workers, $0, "max") } + [(workers, "97m", "1000000x")]
            } + [(1, "1s", "max"), (3, "1s", "1000000x"), (2, "3650d", "700000x")]
        for (index, (workers, epoch, rate)) in runs.enumerated() {
            for hasLog in [true, false] where epoch != "1s" || hasLog == (index % 2 == 0) {
                let file = bench.folder.path("log")
                let words = ["--workers", "\(workers)", "--epoch", epoch, "--rate", rate]
                let outcome = try bench.outcome(words + (hasLog ? ["--log", file] : []))
                #expect(outcome == due, "\(words), log: \(hasLog)")
                guard hasLog else { continue }
                let written = try Data(contentsOf: URL(filePath: file))
                #expect(log == nil || log == written, "\(words)")
                log = written
            }
        }
        #expect(try #require(log).count > 10_000)
    }

    @Test("in shards: 1/1, halves, sevenths and fiftieths, merged in any order", arguments: rows)
    func shards(_ row: Row) throws {
        let bench = try Bench(row)
        let due = try bench.outcome([])
        for count in [1, 2, 7, 50] {
            var (parts, digests, lines) = ([String](), [String](), [String]())
            for index in 1...count {
                let part = bench.folder.path("part\(count)-\(index).json")
                // Each shard in another way: none of it may be seen.
                let (epoch, workers) = (["97m", "3650d", "5h"][index % 3], 1 + index % 3)
                var words = ["--epoch", epoch, "--workers", "\(workers)"]
                if index % 2 == 0 { words += ["--log", bench.folder.path("log")] }
                if index % 5 == 1 { words += ["--rate", "1000000x"] }
                digests.append(bench.folder.path("digests"))
                words += ["--digests", digests[index - 1]]
                _ = try bench.run(words + ["--shard", "\(index)/\(count)", "-o", part])
                lines += try bench.lines(digests[index - 1])
                parts.append(part)
            }
            // A whole run tells arm after arm, and shards tell all of theirs.
            #expect(lines.sorted() == due.digests.sorted(), "in \(count)")
            let half = parts.count / 2
            let orders = [parts.reversed(), Array(parts[half...] + parts[..<half])]
            for order in orders {
                let merged = try Program.locfleet(["merge", "--json"] + order)
                #expect(merged.status == 0 || merged.status == 3, "\(merged.error)")
                #expect(Bench.report(merged.out) == due.report, "in \(count)")
            }
            guard count == 7 else { continue }
            let csv = try Program.locfleet(["merge", "--csv"] + parts)
            #expect(csv.out == (try bench.run(["--csv"])))
            let text = try Program.locfleet(["merge"] + parts).out.components(
                separatedBy: "  machine ")
            #expect(text[0] == (try bench.run([])).components(separatedBy: "  machine ")[0])
        }
    }
}
