import AuthorizationCore
import Bundles
import DaemonRuntime
import Foundation
import Lint
import Reports
import ScriptTests
import SimPrimitives
import Simulation

extension Verb {
    static let test = Verb(
        name: "test",
        usage: "FILE.lua… [options]",
        summary: "run unit tests of behaviors and strategies, on any version of iOS",
        options: [
            .value("--ios", "VERSIONS", "only these, such as 18, 13.4..26 or 15,16..18"),
            .value("--filter", "TEXT", "only tests with this in 'FILE: NAME'"),
            .value("--seed", "S", "of chance, in the place of the files' own"),
            .flag("--story", "with each failure, what its device went through"),
            .flag("--tap", "print TAP 14"),
            .flag("--json", "print the results as JSON"),
            .value("--junit", "FILE", "write JUnit XML there as well"),
        ],
        examples: [
            "locfleet test scripts/tests/*.lua",
            "locfleet test scripts/tests/progressive.lua --ios 13..26 --filter 'Allow Once'",
            "locfleet test mine.lua --story",
            "locfleet test scripts/tests/*.lua --tap --junit tests.xml",
        ],
        run: { arguments, terminal throws(CommandError) in try test(arguments, terminal) })

    private static func test(
        _ arguments: Arguments, _ terminal: Terminal
    ) throws(CommandError) -> ExitStatus {
        guard !arguments.operands.isEmpty else {
            throw CommandError("a file of tests is missing; see 'locfleet help test'")
        }
        if arguments.has("--tap"), arguments.has("--json") {
            throw CommandError("--tap and --json both print; one of them is taken")
        }
        let choice = try choice(arguments)
        let junit = try arguments.value("--junit").map(openJUnit)
        defer { junit?.discard() }
        let suites = try suites(arguments.operands, terminal)
        guard suites.contains(where: { !$0.chosen(choice).isEmpty }) else {
            throw CommandError(
                "--filter \(choice.filter ?? ""): no test has this in 'FILE: NAME'")
        }
        var report = TestReport()
        for suite in suites { suite.run(choice) { report.add($0) } }
        if let junit { try write(report.junit, to: junit) }
        if arguments.has("--json") {
            try terminal.print(report.json)
        } else if arguments.has("--tap") {
            try terminal.print(report.tap)
        } else {
            let isTold = arguments.has("--story")
            try terminal.print(
                report.text(isColored: terminal.hasColor) { result in
                    isTold ? story(of: result, terminal) : []
                })
        }
        guard report.hasRun else {
            throw CommandError(
                "--ios \(arguments.value("--ios") ?? ""): nothing ran, for every test that was "
                    + "chosen is for other versions")
        }
        return report.isPassed ? .done : .verdictIsNo
    }

    private static func choice(_ arguments: Arguments) throws(CommandError) -> TestChoice {
        var choice = TestChoice(filter: arguments.value("--filter"))
        choice.seed = try arguments.number("--seed", in: UInt64.min...UInt64.max)
        guard let text = arguments.value("--ios") else { return choice }
        do throws(VersionChoice.Failure) {
            choice.ios = try VersionChoice.read(text)
        } catch { throw CommandError("--ios: \(error.message)") }
        return choice
    }

    /// Tells all that is wrong with the files before it gives up: nothing runs then.
    private static func suites(
        _ paths: [String], _ terminal: Terminal
    ) throws(CommandError) -> [TestSuite] {
        let library = Library.roots(
            executable: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath())
        var suites: [TestSuite] = []
        var errors: [BundleError] = []
        var seen: Set<String> = []
        for path in paths where seen.insert(path).inserted {
            do throws(BundleError) {
                suites.append(try TestSuite(TestFiles(path, library: library)))
            } catch { errors.append(error) }
        }
        guard let last = errors.popLast() else { return suites }
        for error in errors { terminal.complain("locfleet: \(error)") }
        throw CommandError("\(last)")
    }

    private static func story(of result: TestResult, _ terminal: Terminal) -> [String] {
        guard let story = result.story else { return [] }
        let writer = StoryWriter(
            scenario: story.scenario,
            facts: StoryWriter.Facts(
                device: DeviceID(0), persona: "person", ios: story.scenario.iosMix[0].value),
            isColored: terminal.hasColor, width: max(40, terminal.outWidth - 8))
        let lines = writer.story(of: story.records, names: story.names)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return Array(lines.prefix(through: lines.lastIndex { !$0.isEmpty } ?? 0))
    }

    /// Before anything runs: a place that cannot be written is known at once.
    private static func openJUnit(_ path: String) throws(CommandError) -> RecordLog {
        guard path != "-" else {
            throw CommandError(
                "--junit - would share standard output with the results; name a file")
        }
        do throws(LogError) { return try RecordLog(path: path, option: "--junit") } catch {
            throw CommandError(error.message)
        }
    }

    private static func write(_ text: String, to log: RecordLog) throws(CommandError) {
        do throws(LogError) {
            try log.write(Array(text.utf8))
            try log.finish()
        } catch { throw CommandError(error.message, status: .failed) }
    }
}
