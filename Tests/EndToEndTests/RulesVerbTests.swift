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
        #expect(lines.contains { $0.hasPrefix("D3    Is there still") })
    }

    @Test(
        "fits into 80 columns where it is no terminal",
        arguments: [["rules"], ["rules", "--questions"], ["rules", "D3", "D28", "I4", "LI2"]])
    func width(_ words: [String]) throws {
        for line in try Program.locfleet(words).out.split(separator: "\n") {
            // A path of the library, to be copied, stays whole, and so does a key.
            let isOneWord = !line.drop { $0 == " " }.contains(" ")
            #expect(line.count <= 80 || isOneWord || line.hasPrefix("  replay"), "\(line)")
        }
    }

    @Test("explains an open question: what is known, what decides it, what hangs on it")
    func question() throws {
        let program = try Program.locfleet(["rules", "d3"])
        #expect(program.status == 0 && program.error.isEmpty)
        let words = [
            "D3  Is there still", "what is known", "rules.provisional_always", "\"from_13\" or",
            "\"from_13\" by default", "A6  Undecided",
        ]
        for word in words { #expect(program.out.contains(word), "\(word)") }
        #expect(try Program.locfleet(["rules", "A6"]).out.contains("D3  Is there still"))
        let list = try Program.locfleet(["rules", "--questions"]).out
        #expect(list.hasPrefix("open  question"))
        #expect(list.split(separator: "\n").count { $0.hasPrefix("D") } == 35)
        let unknown = try Program.locfleet(["rules", "D77"])
        #expect(unknown.status == 2 && unknown.error.contains("unknown rule 'D77'"))
        let both = try Program.locfleet(["rules", "--questions", "D3"])
        #expect(both.status == 2 && both.error.contains("--questions lists all"))
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
            struct Question: Decodable {
                var id: String
                var settings: [String]
                var rules: [String]
            }
            var rules: [Rule]
            var questions: [Question]
        }
        let out = try Program.locfleet(["rules", "A8", "LI3", "D2", "--json"]).out
        let answer = try JSONDecoder().decode(Answer.self, from: Data(out.utf8))
        #expect(answer.rules.map(\.id) == ["A8", "LI3"])
        #expect(answer.rules[0].cases.contains("always-11"))
        #expect(answer.questions.map(\.id) == ["D2"])
        #expect(answer.questions[0].settings == ["legacy_upgrade_prompt"])
        #expect(answer.questions[0].rules == ["A2", "P16"])
    }
}
