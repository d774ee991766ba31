import Foundation
import ScriptAPI
import TestSupport
import Testing

/// The Lua blocks of scripts/README.md, each a whole script.
@Suite("An example of the script API's page")
struct ScriptExampleTests {
    struct Example: CustomTestStringConvertible, Sendable {
        var line: Int
        var text: String
        var isBehavior: Bool { text.contains("answer_prompt = function") }
        var testDescription: String { "scripts/README.md:\(line)" }
    }

    static let examples: [Example] = {
        let path = projectRoot.appending(path: "scripts/README.md")
        let page = (try? String(contentsOf: path, encoding: .utf8)) ?? ""
        var examples: [Example] = []
        var block: (line: Int, lines: [Substring])?
        for (index, line) in page.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            if line == "```lua" {
                block = (index + 1, [])
            } else if line == "```", let done = block {
                let text = done.lines.joined(separator: "\n")
                // Files of tests are run by TestVerbTests.
                if !text.contains("tests = {") {
                    examples.append(Example(line: done.line, text: text))
                }
                block = nil
            } else {
                block?.lines.append(line)
            }
        }
        return examples
    }()

    @Test("runs on every iOS, without a script failure", arguments: examples)
    func runs(_ example: Example) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "locfleet-example-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let script = folder.appending(path: "example.lua")
        try Data(example.text.utf8).write(to: script)
        let setting =
            example.isBehavior
            ? #"personas=[{name:"one",behavior:"\#(script.path)"}]"#
            : #"app.strategy="\#(script.path)""#
        let program = try Program.locfleet(
            [
                "run", "config/scenarios/by-version.json5", "--devices", "300", "--json", "--set",
                setting,
            ] + (example.isBehavior ? [] : ["--set", "app.options={}"]))
        #expect(program.status == 0, "\(program.error)")
        #expect(program.out.contains("\"script_failures\": { \"count\": 0,"), "\(program.out)")
    }

    @Test("has every hook and every call in use")
    func complete() throws {
        let path = projectRoot.appending(path: "config/scripting/api.jsonl")
        let catalogue = try APICatalogue.read(Array(try Data(contentsOf: path)))
        let lua: Set = ["globals", "math", "string", "table", "coroutine"]
        let words = Set(
            Self.examples.flatMap { $0.text.split { !($0.isLetter || $0.isNumber || $0 == "_") } }
                .map(String.init))
        for entry in catalogue.entries where !lua.contains(entry.owner) {
            #expect(words.contains(entry.name), "\(entry.signature) is in no example")
        }
    }
}
