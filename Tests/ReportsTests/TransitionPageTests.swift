import Foundation
import Reports
import TestSupport
import Testing

@Suite("The page of transitions")
struct TransitionPageTests {
    /// Rewritten by `LOCFLEET_GOLDEN=rewrite`, to be read as a diff, like other golden files.
    @Test("is what the rules do")
    func golden() throws {
        let file = projectRoot.appending(path: "Sources/AuthorizationCore/TRANSITIONS.md")
        let page = TransitionPage.markdown()
        if ProcessInfo.processInfo.environment["LOCFLEET_GOLDEN"] == "rewrite" {
            try Data(page.utf8).write(to: file)
        }
        let kept = try String(contentsOf: file, encoding: .utf8)
        let pairs = zip(page.split(separator: "\n"), kept.split(separator: "\n"))
        if let (now, before) = pairs.first(where: { $0 != $1 }) {
            Issue.record("the rules now do\n\(now)\nand the page has\n\(before)")
        }
        #expect(page.utf8.count == kept.utf8.count, "LOCFLEET_GOLDEN=rewrite writes it anew")
    }

    @Test("stays short enough to be read")
    func length() {
        let lines = TransitionPage.markdown().split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count < 1_500)
    }
}
