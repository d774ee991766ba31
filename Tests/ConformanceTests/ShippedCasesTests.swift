import AuthorizationCore
import Conformance
import Foundation
import TestSupport
import Testing

@Suite("The shipped conformance cases")
struct ShippedCasesTests {
    static let families = ["when-in-use", "allow-once", "provisional", "always", "settings"]

    static func outcomes() throws -> [ConformanceOutcome] {
        let file = projectRoot.appending(path: "config/conformance/cases.jsonl")
        let cases = try ConformanceFile.read(Array(Data(contentsOf: file)), name: "cases.jsonl")
        return cases.flatMap { test in
            test.versions.map { ConformanceRunner.run(test, on: $0) }
        }
    }

    /// May only rise: a case that has passed must go on passing.
    @Test("pass as often as they have, and more")
    func count() throws {
        let outcomes = try Self.outcomes()
        let modern = outcomes.filter {
            Self.families.contains($0.family) && $0.version >= IOSVersion("13.0")!  // It exists.
        }
        #expect(modern.count == 420)
        let failed = modern.flatMap(\.failures).map(\.description).joined(separator: "\n")
        #expect(modern.count(where: \.isPassed) >= 420, "\(failed)")
        #expect(outcomes.count == 1_341)
        #expect(outcomes.count(where: \.isPassed) >= 1_280)
    }

    @Test("of monitors and sessions pass, ours of further combinations too")
    func sessions() throws {
        let name = "Tests/ConformanceTests/Data/own-sessions.jsonl"
        let file = projectRoot.appending(path: name)
        let ours = try ConformanceFile.read(Array(Data(contentsOf: file)), name: name).flatMap {
            test in test.versions.map { ConformanceRunner.run(test, on: $0) }
        }
        #expect(ours.count == 55)
        let theirs = try Self.outcomes().filter { ["monitor", "session"].contains($0.family) }
        #expect(theirs.count == 54)
        for failure in (ours + theirs).flatMap(\.failures) { Issue.record("\(failure)") }
    }

    @Test("fail for a reason that names case, version, step, expected and seen")
    func failures() throws {
        for failure in try Self.outcomes().flatMap(\.failures) {
            #expect(!failure.expected.isEmpty && !failure.seen.isEmpty, "\(failure)")
            #expect(failure.description.contains("\(failure.id) on iOS \(failure.version), step "))
        }
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
                #"x-1 on iOS 17.0, step 4: expected status "denied"; seen "authorizedWhenInUse""#,
                "x-1 on iOS 17.0, step 4: expected callbacks []; seen "
                    + #"[{"accuracy": "fullAccuracy", "status": "authorizedWhenInUse"}]"#,
            ])
    }
}
