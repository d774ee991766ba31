import Foundation
import TestSupport
import Testing

@Suite("The README")
struct ReadmeTests {
    /// Its lines that begin with `locfleet`, up to a pipe, with a small fleet for a test's sake.
    static func commands() throws -> [[String]] {
        let text = try String(contentsOf: projectRoot.appending(path: "README.md"), encoding: .utf8)
        return text.split(separator: "\n").filter { $0.hasPrefix("locfleet ") }.map { line in
            var words = shellWords(line.split(separator: " | ")[0].dropFirst("locfleet ".count))
            // Of an export it takes no number.
            if let place = words.firstIndex(of: "--devices"), place + 1 < words.count {
                words[place + 1] = "60"
            }
            guard words.contains(where: { $0.hasSuffix(".json5") }) else { return words }
            if !words.contains("--devices") { words += ["--devices", "60"] }
            return words + ["--days", "2"]
        }
    }

    /// Words as a shell has them: what stands in single quotes is one.
    private static func shellWords(_ text: Substring) -> [String] {
        text.split(separator: "'", omittingEmptySubsequences: false).enumerated()
            .flatMap { index, part in
                index % 2 == 1
                    ? [String(part)] : part.split(separator: " ").map(String.init)
            }
    }

    @Test("has commands that do what they say, one after the other, with a daemon")
    func commands() throws {
        let folder = try ScratchFolder()
        let environment = [
            "LOCFLEET_SOCKET": folder.path("s"), "XDG_STATE_HOME": folder.path("state"),
        ]
        let daemon = try Program.started(
            [], environment: environment, executable: Program.url("locfleetd"))
        defer { daemon.process.terminate() }
        let deadline = Date.now + 20
        while !FileManager.default.fileExists(atPath: folder.path("s")), Date.now < deadline {
            usleep(10_000)
        }
        let commands = try Self.commands()
        #expect(commands.count >= 12)
        for words in commands {
            // What a command leaves behind lies in the test's own folder.
            let words = words.map { $0 == "plan.export" ? folder.path($0) : $0 }
            let program = try Program.locfleet(words, environment: environment)
            #expect(program.status == 0, "\(words): \(program.error)")
            #expect(!program.out.isEmpty, "\(words)")
        }
        let ended = daemon.wait()  // The last command is `daemon stop`.
        #expect(ended.status == 0, "\(ended.error)")
    }
}
