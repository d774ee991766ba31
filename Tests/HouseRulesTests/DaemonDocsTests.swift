import ControlProtocol
import Foundation
import Simulation
import TestSupport
import Testing

@Suite("config/daemon.md")
struct DaemonDocsTests {
    @Test("names every method, refusal and record type")
    func everything() throws {
        let page = try String(
            contentsOf: projectRoot.appending(path: "config/daemon.md"), encoding: .utf8)
        let words =
            ControlMethod.allCases.map(\.name) + ControlError.Code.allCases.map(\.rawValue)
            + RecordType.allCases.map(\.rawValue)
        for word in words { #expect(page.contains("`\(word)`"), "\(word) is not there") }
    }
}
