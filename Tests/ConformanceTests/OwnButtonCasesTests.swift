import Conformance
import Foundation
import TestSupport
import Testing

/// Combinations that the shipped cases leave out, reasoned from the rules that each names.
@Suite("Cases of our own: the location button, widgets and App Clips")
struct OwnButtonCasesTests {
    @Test("pass on every version they list")
    func pass() throws {
        let file = projectRoot.appending(path: "Tests/ConformanceTests/Data/own-buttons.jsonl")
        let cases = try ConformanceFile.read(
            Array(Data(contentsOf: file)), name: "own-buttons.jsonl")
        let summary = ConformanceSummary(running: cases)
        #expect(summary.isPassed, "\(summary.text)")
        #expect(cases.count == 36 && summary.total.passed == 197)
    }
}
