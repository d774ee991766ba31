import AuthorizationCore
import Conformance
import Foundation
import TestSupport
import Testing

@Suite("Conformance cases")
struct ShippedCasesTests {
    private func summary(_ path: String) throws -> ConformanceSummary {
        let file = projectRoot.appending(path: path)
        return ConformanceSummary(
            running: try ConformanceFile.read(
                Array(Data(contentsOf: file)), name: file.lastPathComponent))
    }

    @Test("pass on every version they list: the shipped ones")
    func shipped() throws {
        let summary = try summary("config/conformance/cases.jsonl")
        #expect(summary.isPassed, "\(summary.text)")
        #expect(summary.total.passed == 1_341)
    }

    /// The ranges of `config/conformance/README.md`: least and most of each.
    static let limits: [(path: WritableKeyPath<SystemRules, Double> & Sendable, [Double])] = [
        (\.allowOnceGraceSeconds, [2, 60]), (\.oneShotTimeoutSeconds, [5, 55]),
        (\.wakeRunSeconds, [5, 55]), (\.heldEventTTLSeconds, [120, 86_400]),
        (\.reminderFirstDays, [2 / 24.0, 3.5]), (\.reminderIntervalDays, [2 / 24.0, 3.5]),
        (\.regionDwellSeconds, [20, 500]), (\.regionCushionMeters, [50, 400]),
        (\.regionMaxRadiusMeters, [2_000, 20_000_000]),
        (\.reducedIntervalSeconds, [12 * 60, 60 * 60]),
    ]

    @Test("pass with every figure at both ends of the range that they allow")
    func ends() throws {
        let file = projectRoot.appending(path: "config/conformance/cases.jsonl")
        let cases = try ConformanceFile.read(Array(Data(contentsOf: file)), name: "cases.jsonl")
        for (path, values) in Self.limits {
            for value in values {
                var rules = SystemRules()
                rules[keyPath: path] = value
                let summary = ConformanceSummary(running: cases, under: rules)
                #expect(summary.isPassed, "\(path) \(value): \(summary.text)")
            }
        }
    }

    /// Reasoned from the rules that each names, in combinations that the shipped ones leave out.
    @Test(
        "pass on every version they list: our own of further combinations",
        arguments: [("buttons", 197), ("combinations", 3_885), ("sessions", 55)])
    func own(of subject: String, count: Int) throws {
        let summary = try summary("Tests/ConformanceTests/Data/own-\(subject).jsonl")
        #expect(summary.isPassed, "\(summary.text)")
        #expect(summary.total.passed == count)
    }

    @Test("notice a phone that does otherwise")
    func noticing() throws {
        let text = #"""
            {"id":"x-1","ios":["17.0"],"plist":{"NSLocationWhenInUseUsageDescription":"t"},"steps":[{"do":"launch"},{"do":"request_when_in_use"},{"answer":"allow_once"},{"expect":{"status":"denied","callbacks":[]}}]}
            """#
        let test = try #require(ConformanceFile.read(Array(text.utf8), name: "x").first)
        let outcome = ConformanceRunner.run(test, on: test.versions[0])
        #expect(
            outcome.failures.map(\.description) == [
                #"x-1 on iOS 17.0, step 4: expected status "denied", "#
                    + #"seen "authorizedWhenInUse"; expected callbacks [], seen "#
                    + #"[{"accuracy": "fullAccuracy", "status": "authorizedWhenInUse"}]"#
            ])
    }
}
