import ControlProtocol
import Foundation
import TestSupport
import Testing

@testable import Commands

/// Manual pages, completions and tables of the pages: `locfleet help --generate config` makes them.
@Suite("What is made of the verbs and the methods")
struct GeneratedFilesTests {
    @Test("is in config as it is made now: else run scripts/dev/generate")
    func current() throws {
        let config = projectRoot.appending(path: "config")
        for (path, text) in GeneratedFiles.whole {
            let kept = try String(contentsOf: config.appending(path: path), encoding: .utf8)
            #expect(kept == text, "config/\(path) is not what is made now")
        }
        for page in GeneratedFiles.pages {
            let kept = try String(contentsOf: config.appending(path: page), encoding: .utf8)
            #expect(kept == ReferenceTables.renewed(kept), "config/\(page) is not as made now")
        }
        let pages = try GeneratedFiles.pages.map {
            try String(contentsOf: config.appending(path: $0), encoding: .utf8)
        }.joined()
        for (name, text) in ReferenceTables.parts {
            #expect(pages.contains("<!-- made: \(name) -->\n\(text)<!-- end of \(name) -->"))
        }
    }

    @Test("is written by one command, to any folder, and told")
    func written() throws {
        let folder = try ScratchFolder()
        let program = try Program.locfleet(["help", "--generate", folder.url.path])
        #expect(program.status == 0, "\(program.error)")
        #expect(program.out.split(separator: "\n").count == GeneratedFiles.whole.count)
        for (path, text) in GeneratedFiles.whole {
            #expect(try String(contentsOfFile: folder.path(path), encoding: .utf8) == text)
        }
        let refused = try Program.locfleet(["help", "--generate", "/dev/null/x"])
        #expect(refused.status == 1 && refused.out.isEmpty)
        #expect(try Program.locfleet(["help", "--generate"]).status == 2)
    }

    @Test("knows what a shell may offer for every option and operand")
    func placeholders() {
        for verb in Verb.all {
            for word in verb.operands + verb.options.compactMap(\.value) {
                #expect(Offer(placeholder: word) != nil, "\(verb.name): \(word)")
            }
        }
    }

    @Test("has a verb for every method that names one, and says the same of both")
    func methods() throws {
        let names = Set(Verb.all.map(\.name))
        for method in ControlMethod.allCases {
            guard let verb = method.verb else { continue }
            let name = verb.components(separatedBy: " --")[0]
            #expect(names.contains(name), "\(method.name): there is no verb \(name)")
            #expect(verb == name || Verb.all.contains { $0.name == name })
        }
        for method in ControlMethod.allCases {
            let help = try Program.locfleet(["help", method.name])
            #expect(help.status == 0, "\(method.name): \(help.error)")
            #expect(!help.out.isEmpty)
        }
    }

    /// Neither of the two programs is there on every machine: what is there is asked.
    @Test("has manual pages that troff takes without a word", arguments: ["groff", "mandoc"])
    func manual(_ tool: String) throws {
        guard Self.isThere(tool) else { return }
        for (path, _) in GeneratedFiles.whole where path.hasPrefix("man/") {
            let words =
                tool == "groff"
                ? ["-man", "-Tutf8", "-ww", "config/\(path)"]
                : ["-Tlint", "-Werror", "config/\(path)"]
            let program = try Program.started(
                words, executable: URL(filePath: "/usr/bin/\(tool)")
            ).wait()
            #expect(program.status == 0 && program.error.isEmpty, "\(path): \(program.error)")
            guard tool == "groff" else { continue }
            let plain = program.out.replacing(/\x1B\[[0-9;]*m|.\x08/, with: "")
            for title in ["NAME", "SYNOPSIS", "OPTIONS", "EXIT STATUS", "SEE ALSO"]
            where title != "OPTIONS" || !path.hasSuffix("locfleet.1") {
                #expect(plain.contains("\n\(title)\n"), "\(path): \(title)")
            }
        }
        let page = try String(
            contentsOf: projectRoot.appending(path: "config/man/locfleet.1"), encoding: .utf8)
        for verb in Verb.all {
            let name = verb.name.replacing("-", with: "\\-")
            #expect(page.contains("\n.SS \(name) "), "\(verb.name)")
        }
    }

    static func isThere(_ tool: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(tool)")
    }
}
