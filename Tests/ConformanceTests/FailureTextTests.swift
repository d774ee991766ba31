import Conformance
import Foundation
import TestSupport
import Testing

@Suite("A case that fails")
struct FailureTextTests {
    private func summary() throws -> ConformanceSummary {
        let test = try ImpossibleStepsTests.test(
            #"""
            {"do":"launch"},{"do":"request_when_in_use"},{"answer":"allow_once"},{"do":"request_always"},{"expect":{"status":"denied","app":"foreground","prompt":{"kind":"always"}}},{"expect":{"crashed":true}}
            """#, on: ["16", "17.0"], members: #","title":"Once is no ground for Always""#)
        return ConformanceSummary(running: [test])
    }

    @Test("shows where it stands, all that is wrong, which rules acted last, and how things are")
    func text() throws {
        let text = try summary().text
        #expect(
            text.hasPrefix(
                #"""
                FAILED f:1: x-1: Once is no ground for Always
                  on iOS 16, 17.0, step 5: {"expect":{"status":"denied","app":"foreground","prompt":{"kind":"always"}}}
                    expected status "denied"
                    seen     "authorizedWhenInUse"
                    expected prompt {"kind": "always"}
                    seen     null
                  before it, step 4: {"do":"request_always"} → requestAlwaysAuthorization ignored: missing_usage_description (A13)
                  now: status authorizedWhenInUse (in truth allow_once); fullAccuracy; app foreground; no prompt
                  1 step after it failed too

                """#), "\(text)")
        #expect(text.hasSuffix("1 cases, 2 case-versions: 0 passed, 2 failed\n"))
    }

    @Test("says the same in JSON, once for each version")
    func json() throws {
        struct Report: Decodable {
            struct Failure: Decodable {
                struct Difference: Decodable { var key: String? }
                struct Before: Decodable {
                    var step: Int
                    var followed: [String]
                }
                var file: String
                var line: Int
                var title: String
                var ios: String
                var text: String
                var differences: [Difference]
                var before: Before
                var state: String
            }
            var failures: [Failure]
        }
        let failures = try JSONDecoder().decode(
            Report.self, from: Data(try summary().json.utf8)
        ).failures
        #expect(failures.map(\.ios) == ["16", "17.0"])
        let first = try #require(failures.first)
        #expect(first.file == "f" && first.line == 1)
        #expect(first.title == "Once is no ground for Always")
        #expect(first.text.hasPrefix(#"{"expect":{"status""#))
        #expect(first.differences.map(\.key) == ["status", "prompt"])
        #expect(first.before.step == 4)
        #expect(
            first.before.followed == [
                "requestAlwaysAuthorization ignored: missing_usage_description (A13)"
            ])
        #expect(first.state.hasPrefix("status authorizedWhenInUse (in truth allow_once)"))
    }
}

@Suite("The words of the cases")
struct VocabularyTests {
    private func text(_ path: String) throws -> String {
        try String(contentsOf: projectRoot.appending(path: path), encoding: .utf8)
    }

    @Test("stand in the README of the cases: every one of the vocabulary")
    func readme() throws {
        let readme = try text("config/conformance/README.md")
        #expect(ConformanceWords.all.count > 90)
        let words = Set(readme.matches(of: /[A-Za-z0-9_]+/).map { String($0.0) })
        for word in ConformanceWords.all { #expect(words.contains(word), "\(word)") }
    }

    @Test("leave out the settings that no case can show, and the table of settings says which")
    func settings() throws {
        let lines = try text("config/README.md").split(separator: "\n")
        let idle = ConformanceSetting.idle.map(\.key)
        for line in lines where line.hasPrefix("| `") && line.contains("*not in cases*") {
            #expect(idle.contains { line.hasPrefix("| `\($0)`") }, "\(line)")
        }
        for (keys, mark) in [(idle, "*not in cases*"), (ConformanceSetting.delays, "`--delays`")] {
            for key in keys {
                let row = try #require(lines.first { $0.hasPrefix("| `\(key)`") }, "\(key)")
                #expect(row.contains(mark), "\(row)")
            }
        }
    }
}
