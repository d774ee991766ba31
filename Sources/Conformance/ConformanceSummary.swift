import AuthorizationCore
import JSONText

/// How all cases of a file went.
public struct ConformanceSummary: Sendable {
    public struct Count: Hashable, Sendable {
        public var passed = 0
        public var failed = 0
    }

    public private(set) var cases = 0
    public private(set) var total = Count()
    /// By family, the part of an id before its number.
    public private(set) var families: [String: Count] = [:]
    /// One for each case-version that failed: its first failure.
    public private(set) var failures: [ConformanceFailure] = []

    /// Runs every case on every version that it lists.
    ///
    /// - Parameters:
    ///   - rules: the settings that stand.
    ///   - keepsDelays: as for `ConformanceRunner.run`.
    public init(
        running cases: [ConformanceCase], under rules: SystemRules = SystemRules(),
        keepsDelays: Bool = false
    ) {
        self.cases = cases.count
        for test in cases {
            for version in test.versions {
                add(
                    ConformanceRunner.run(
                        test, on: version, under: rules, keepsDelays: keepsDelays))
            }
        }
    }

    private mutating func add(_ outcome: ConformanceOutcome) {
        if let failure = outcome.failures.first {
            total.failed += 1
            families[outcome.family, default: Count()].failed += 1
            failures.append(failure)
        } else {
            total.passed += 1
            families[outcome.family, default: Count()].passed += 1
        }
    }

    public var isPassed: Bool { failures.isEmpty }

    /// A line for each failure, a table of families, and a line with the sum.
    public var text: String {
        var text = failures.map { "FAILED \($0)\n" }.joined()
        if !failures.isEmpty { text += "\n" }
        let names = families.keys.sorted()
        let width = max(6, names.map { printable($0).count }.max() ?? 0)
        text += Self.row("family", "passed", "failed", width)
        for name in names {
            let count = families[name] ?? Count()
            text += Self.row(printable(name), "\(count.passed)", "\(count.failed)", width)
        }
        return text
            + "\n\(cases) cases, \(total.passed + total.failed) case-versions: "
            + "\(total.passed) passed, \(total.failed) failed\n"
    }

    private static func row(_ name: String, _ passed: String, _ failed: String, _ width: Int)
        -> String
    {
        func right(_ text: String) -> String {
            String(repeating: " ", count: max(0, 8 - text.count)) + text
        }
        return name + String(repeating: " ", count: width - name.count) + right(passed)
            + right(failed) + "\n"
    }

    /// One JSON object.
    public var json: String {
        var text = "{\n  \"cases\": \(cases), \"case_versions\": \(total.passed + total.failed), "
        text += "\"passed\": \(total.passed), \"failed\": \(total.failed),\n  \"families\": {"
        text += families.keys.sorted().map { name in
            let count = families[name] ?? Count()
            return "\n    \(quoted(name)): "
                + "{ \"passed\": \(count.passed), \"failed\": \(count.failed) }"
        }.joined(separator: ",")
        text += "\n  },\n  \"failures\": ["
        text += failures.map { failure in
            "\n    { \"case\": \(quoted(failure.id)), \"ios\": \"\(failure.version)\", "
                + "\"step\": \(failure.step), \"expected\": \(quoted(failure.expected)), "
                + "\"seen\": \(quoted(failure.seen)) }"
        }.joined(separator: ",")
        return text + (failures.isEmpty ? "]\n}\n" : "\n  ]\n}\n")
    }
}
