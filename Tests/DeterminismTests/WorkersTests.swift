import Foundation
import TestSupport
import Testing

/// Runs the shipped scenario as a user would and compares bytes: two blocks and a bit, so that
/// workers have something to share.
@Suite("The same bundle is the same run")
struct WorkersTests {
    static let arguments = [
        "run", "config/scenarios/progressive.json5", "--devices", "33000", "--days", "2",
    ]

    /// The report without what it says of the machine, and the log.
    static func outcome(_ more: [String], log: Bool = true) throws -> (report: String, log: Data) {
        let folder = try ScratchFolder()
        let path = folder.path("records.ndjson")
        let program = try Program.locfleet(
            arguments + ["--json"] + (log ? ["--log", path] : []) + more)
        #expect(program.status == 0, "\(program.error)")
        let report = program.out.components(separatedBy: "\"machine\"")[0]
        #expect(report.count < program.out.count, "the report has a machine part")
        return (report, log ? try Data(contentsOf: URL(filePath: path)) : Data())
    }

    @Test("for 1, 2, 3 and 7 workers, with and without a log")
    func workers() throws {
        let one = try Self.outcome(["--workers", "1"])
        #expect(one.log.count > 1_000_000)
        for workers in ["2", "3", "7"] {
            let other = try Self.outcome(["--workers", workers])
            #expect(other.report == one.report, "\(workers) workers")
            #expect(other.log == one.log, "\(workers) workers")
        }
        #expect(try Self.outcome(["--workers", "2"], log: false).report == one.report)
    }

    @Test("and another seed is another run")
    func seed() throws {
        let (one, other) = (try Self.digest([]), try Self.digest(["--seed", "43"]))
        #expect(one != other)
        #expect(one.count == 32)
    }

    static func digest(_ more: [String]) throws -> String {
        let report = try Program.locfleet(
            ["run", "config/scenarios/progressive.json5", "--devices", "500", "--json"] + more
        ).out
        return report.components(separatedBy: "\"digest\": \"").last?
            .components(separatedBy: "\"").first ?? ""
    }
}
