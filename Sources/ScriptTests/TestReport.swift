import AuthorizationCore
import JSONText
import Lint

/// The results of a run of tests, in the order in which they ended.
public struct TestReport {
    public private(set) var results: [TestResult] = []

    public init() {}

    public mutating func add(_ result: TestResult) { results.append(result) }

    /// Whether a test has run: else nothing is known, and nothing has passed.
    public var hasRun: Bool { results.contains { $0.outcome != .skipped } }
    public var isPassed: Bool { hasRun && !results.contains { $0.outcome.isBad } }

    /// Passed, failed or broken, and skipped.
    public var counts: (passed: Int, failed: Int, skipped: Int) {
        let failed = results.count { $0.outcome.isBad }
        let skipped = results.count { $0.outcome == .skipped }
        return (results.count - failed - skipped, failed, skipped)
    }

    /// Of a test that passes whatever it sees.
    static let checksNothing = "checks nothing: it never calls expect"

    /// The results of one test on all its versions.
    struct Group {
        var results: [TestResult]

        var first: TestResult { results[0] }
        var bad: [TestResult] { results.filter(\.outcome.isBad) }
        /// Where it has checked nothing on any version.
        var note: String? {
            results.allSatisfy(\.hasCheckedNothing) ? TestReport.checksNothing : nil
        }

        /// Those that went wrong in the same way, together.
        var causes: [[TestResult]] {
            var causes: [[TestResult]] = []
            for result in bad {
                if let place = causes.firstIndex(where: { $0[0].outcome == result.outcome }) {
                    causes[place].append(result)
                } else {
                    causes.append([result])
                }
            }
            return causes
        }
    }

    /// In the order in which they ran.
    var groups: [Group] {
        var groups: [Group] = []
        for result in results {
            if let last = groups.last?.first, (last.file, last.name) == (result.file, result.name) {
                groups[groups.count - 1].results.append(result)
            } else {
                groups.append(Group(results: [result]))
            }
        }
        return groups
    }
}

extension TestResult.Outcome {
    public var isBad: Bool {
        switch self {
        case .passed, .skipped: false
        case .failed, .broken: true
        }
    }

    /// The word of JSON.
    public var word: String {
        switch self {
        case .passed: "passed"
        case .failed: "failed"
        case .broken: "error"
        case .skipped: "skipped"
        }
    }

    /// Why it is bad, and where in the file; nil where it is not.
    public var cause: (message: String, line: Int?)? {
        switch self {
        case .passed, .skipped: nil
        case .failed(let message, let line), .broken(let message, let line): (message, line)
        }
    }
}

extension TestResult {
    /// `scripts/tests/x.lua:12`: where it went wrong, or where the test begins.
    public var place: String { "\(file):\(outcome.cause?.line ?? line)" }
}

// MARK: - For people

extension TestReport {
    /// - Parameter story: tells what a test's device went through, a line each.
    public func text(isColored: Bool, story: (TestResult) -> [String] = { _ in [] }) -> String {
        let (green, red, dim, plain) =
            isColored ? ("\u{1B}[32m", "\u{1B}[31m", "\u{1B}[2m", "\u{1B}[0m") : ("", "", "", "")
        var text = ""
        var file: String?
        for group in groups {
            if group.first.file != file {
                text += (file == nil ? "" : "\n") + "\(printable(group.first.file))\n"
                file = group.first.file
            }
            let bad = group.bad
            guard group.first.outcome != .skipped else {
                let name = printable(group.first.name)
                text += "  \(dim)- \(name)  (for other versions of iOS)\(plain)\n"
                continue
            }
            let mark = bad.isEmpty ? "\(green)✓\(plain)" : "\(red)✗\(plain)"
            let versions = VersionChoice.phrase(group.results.compactMap(\.ios))
            text += "  \(mark) \(printable(group.first.name))  \(dim)iOS \(versions)\(plain)\n"
            if let note = group.note { text += "      note: \(note)\n" }
            for cause in group.causes {
                let message = printable(cause[0].outcome.cause?.message ?? "")
                let isSome = cause.count < group.results.count
                let on = isSome ? "on iOS \(VersionChoice.phrase(cause.compactMap(\.ios))): " : ""
                text += "      \(printable(cause[0].place)): \(on)\(message)\n"
                for line in story(cause[0]) { text += "        \(line)\n" }
            }
            // What it printed on one version is enough to look at.
            for line in (bad.first ?? group.first).printed {
                text += "      | \(Self.printed(line))\n"
            }
        }
        return text + "\n" + summary + "\n"
    }

    /// A line that a script has printed: `print` puts tabs between values.
    static func printed(_ line: String) -> String {
        line.split(separator: "\t", omittingEmptySubsequences: false)
            .map { printable(String($0)) }.joined(separator: "\t")
    }

    var summary: String {
        let (passed, failed, skipped) = counts
        let tests = groups.count
        if !hasRun { return "nothing ran: \(skipped) skipped, for other versions of iOS" }
        var text = "\(tests) test\(tests == 1 ? "" : "s"): \(passed) passed"
        if passed + failed + skipped != tests {
            text =
                "\(tests) test\(tests == 1 ? "" : "s"), \(results.count) with their versions of "
                + "iOS: \(passed) passed"
        }
        if failed > 0 { text += ", \(failed) failed" }
        if skipped > 0 { text += ", \(skipped) skipped" }
        let unchecked = groups.count { $0.note != nil }
        if unchecked > 0 {
            text += "; \(unchecked) check\(unchecked == 1 ? "s" : "") nothing"
        }
        return text
    }
}
