import Foundation
import TestSupport
import Testing

@Suite("locfleet rules")
struct RulesVerbTests {
    @Test("lists every rule with the number of cases that show it")
    func table() throws {
        let program = try Program.locfleet(["rules"])
        #expect(program.status == 0 && program.error.isEmpty)
        let lines = program.out.split(separator: "\n")
        #expect(lines.count > 280)
        #expect(lines.first?.hasPrefix("rule  iOS") == true)
        #expect(lines.contains { $0.hasPrefix("A8    13.4+      documented      4  With When") })
    }

    @Test("shows one in full, whatever its case, and a replay that works")
    func page() throws {
        let program = try Program.locfleet(["rules", "a2"])
        #expect(program.status == 0 && program.error.isEmpty)
        for word in ["A2  With When In Use", "8-10", "chosen: ", "rules.legacy_upgrade_prompt"] {
            #expect(program.out.contains(word), "\(word)")
        }
        let shown = try Program.locfleet(["rules", "P8"]).out
        let replay = try #require(shown.split(separator: "\n").last { $0.contains("locfleet ") })
        let words = replay.split(separator: " ").drop { $0 != "locfleet" }.dropFirst()
        let run = try Program.locfleet(words.map(String.init))
        #expect(run.status == 0, "\(run.error)")
        #expect(run.out.contains(" 0 failed"))
    }

    @Test("gives them as JSON")
    func json() throws {
        struct Answer: Decodable {
            struct Rule: Decodable {
                var id: String
                var cases: [String]
            }
            var rules: [Rule]
        }
        let out = try Program.locfleet(["rules", "A8", "LI3", "--json"]).out
        let answer = try JSONDecoder().decode(Answer.self, from: Data(out.utf8))
        #expect(answer.rules.map(\.id) == ["A8", "LI3"])
        #expect(answer.rules[0].cases.contains("always-11"))
    }
}
