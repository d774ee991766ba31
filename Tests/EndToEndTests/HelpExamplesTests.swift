import Foundation
import TestSupport
import Testing

@Suite("The examples of help")
struct HelpExamplesTests {
    static let tests = """
        return { strategy = "progressive.lua", tests = { ["x"] = function(device) device:launch() end } }
        """

    /// A folder with all that the examples name: what ships, and files of one's own.
    private func workplace(_ verb: String) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        for name in ["scripts", "config"] {
            try FileManager.default.copyItem(
                at: projectRoot.appending(path: name), to: folder.url.appending(path: name))
        }
        _ = try Program.started(["new", "scenario", "my"], folder: folder.url).wait()
        if verb == "test" {
            try folder.write(Self.tests, to: "mine.lua")
        } else {
            _ = try Program.started(["new", "strategy", "mine"], folder: folder.url).wait()
        }
        return folder
    }

    @Test(
        "do what they say, up to a pipe",
        arguments: ["check", "test", "new", "api", "verify-determinism"])
    func run(_ verb: String) throws {
        let folder = try workplace(verb)
        let help = try Program.locfleet(["help", verb]).out
        let examples = help.split(separator: "\n").filter { $0.hasPrefix("  locfleet ") }
        #expect(examples.count > 1)
        let tools = Program.url("locfleet").deletingLastPathComponent().path(percentEncoded: false)
        for example in examples where !example.contains("--watch") {
            let command = String(example.split(separator: " | ")[0])
            let program = try Program.started(
                ["-c", "PATH='\(tools)':$PATH; \(command)"], executable: URL(filePath: "/bin/sh"),
                folder: folder.url
            ).wait()
            #expect(program.status == 0, "\(command): \(program.out)\(program.error)")
        }
    }

    @Test("api prints what it knows, and then says what it does not know")
    func api() throws {
        let program = try Program.locfleet(["api", "after", "wait", "aftr"])
        #expect(program.status == 2)
        #expect(
            program.out.contains("app:after(seconds, fn)") && program.out.contains("wait(seconds)"))
        #expect(program.error == "locfleet: scripts have no 'aftr'; did you mean 'after'?\n")
    }

    @Test("a file of the library that hides one of the current folder is named")
    func hidden() throws {
        let folder = try ScratchFolder()
        try folder.write("return {}", to: "progressive.lua")
        _ = try Program.started(["new", "scenario", "my", "--in", "."], folder: folder.url).wait()
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "sub"), withIntermediateDirectories: true)
        try FileManager.default.moveItem(
            at: folder.url.appending(path: "my.json5"),
            to: folder.url.appending(path: "sub/my.json5"))
        let small = ["run", "sub/my.json5", "--devices", "20", "--days", "36h", "--arm"]
        let library = try Program.started(small + ["progressive.lua"], folder: folder.url).wait()
        #expect(library.status == 0)
        #expect(library.error.hasPrefix("locfleet: note: progressive.lua is /"), "\(library.error)")
        #expect(library.error.contains("./progressive.lua is that one\n"))
        let own = try Program.started(small + ["./progressive.lua"], folder: folder.url).wait()
        #expect(own.status == 0 && !own.error.contains("note"), "\(own.error)")
        let other = try Program.started(small + ["ask_on_launch.lua"], folder: folder.url).wait()
        #expect(other.status == 0 && !other.error.contains("note"), "\(other.error)")
    }
}
