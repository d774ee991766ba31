import Bundles
import Foundation
import Testing

/// Every kind of bad input and the message that a person gets.
///
/// `LOCFLEET_GOLDEN=rewrite swift test --filter BundlesTests` rewrites the list; read the diff.
@Suite("Bad input")
struct GoldenTests {
    static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Golden/bad-inputs.txt")

    private func message(_ input: BadInput) throws -> String {
        let workplace = try Workplace()
        defer { workplace.remove() }
        try workplace.write("x.json5", input.text)
        for (name, bytes) in input.files { try workplace.write(name, bytes) }
        let name = input.path ?? "x.json5"
        let path = name == "." ? workplace.folder.path : "\(workplace.folder.path)/\(name)"
        do throws(BundleError) {
            _ = try Workplace.reader.read(scenarioPath: path, overrides: input.overrides)
            return "accepted"
        } catch {
            return workplace.anonymous("\(error.code.rawValue): \(error)")
        }
    }

    @Test("gets one clear line each, as the golden list has it")
    func golden() throws {
        var text = "# Rewritten by LOCFLEET_GOLDEN=rewrite swift test --filter BundlesTests\n"
        for input in BadInput.all {
            text += "\n\(input.title)\n    \(try message(input))\n"
        }
        if ProcessInfo.processInfo.environment["LOCFLEET_GOLDEN"] == "rewrite" {
            try Data(text.utf8).write(to: Self.file)
        }
        let golden = String(decoding: try Data(contentsOf: Self.file), as: UTF8.self)
        let (found, due) = (text.split(separator: "\n"), golden.split(separator: "\n"))
        for (found, due) in zip(found, due) { #expect(found == due) }
        #expect(found.count == due.count)
    }

    @Test("is told in one line without the paths of this machine, and never accepted")
    func shape() throws {
        let titles = BadInput.all.map(\.title)
        #expect(Set(titles).count == titles.count)
        #expect(titles.count >= 45)
        for input in BadInput.all {
            let message = try message(input)
            #expect(message != "accepted", "\(input.title)")
            #expect(!message.contains("\n"), "\(input.title)")
            #expect(!message.contains(FileManager.default.temporaryDirectory.path + "/locfleet"))
        }
    }
}
