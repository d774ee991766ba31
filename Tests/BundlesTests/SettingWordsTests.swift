import AuthorizationCore
import Bundles
import Foundation
import TestSupport
import Testing

@Suite("The words of a setting")
struct SettingWordsTests {
    @Test("are the default and the range that config/README.md gives for its key")
    func words() throws {
        let page = try String(
            contentsOf: projectRoot.appending(path: "config/README.md"), encoding: .utf8)
        let rules = try #require(page.split(separator: "### `rules`").last)
        let table = try #require(rules.split(separator: "###").first)
        var count = 0
        for line in table.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map {
                $0.trimmingCharacters(in: .whitespaces).filter { $0 != "`" }
            }
            let words = try #require(SystemRules.words(of: cells[0]), "\(cells[0])")
            #expect(words.standard == cells[2], "\(cells[0])")
            let accepted = words.accepted.replacing(" or ", with: ", ")
            let isDue = cells[3].hasPrefix(accepted) || words.accepted == "true or false"
            #expect(isDue, "\(cells[0]): \(cells[3])")
            count += 1
        }
        #expect(count > 45)
    }

    @Test("are none for a key that rules does not have")
    func unknown() {
        #expect(SystemRules.words(of: "no_such_key") == nil)
    }
}
