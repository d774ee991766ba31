import Check
import Foundation
import TestSupport
import Testing

@Suite("locfleet new, as a user runs it")
struct NewVerbTests {
    static func run(_ words: [String], in folder: ScratchFolder) throws -> Program {
        try Program.started(words, folder: folder.url).wait()
    }

    @Test("writes what passes the check, and runs")
    func passes() throws {
        let folder = try ScratchFolder()
        for kind in StartingPoint.Kind.allCases {
            let name = "my-\(kind.rawValue)"
            let made = try Self.run(["new", kind.rawValue, name], in: folder)
            #expect(made.status == 0 && made.out.hasPrefix("wrote \(name)."), "\(made)")
            #expect(made.out.contains("\nnext: locfleet "))
            let file = name + (kind == .scenario ? ".json5" : ".lua")
            let checked = try Self.run(["check", file, "--strict"], in: folder)
            #expect(checked.status == 0, "\(checked.out)")
            #expect(checked.out.hasPrefix("\(file): nothing to mend\n"), "\(checked.out)")
            #expect(
                try String(contentsOfFile: folder.path(file), encoding: .utf8).contains(name))
        }
        let words = [
            "run", "my-scenario.json5", "--devices", "200", "--days", "10", "--json",
            "--set", "personas.*.behavior=./my-behavior.lua", "--arm", "./my-strategy.lua",
        ]
        let run = try Self.run(words, in: folder)
        #expect(run.status == 0, "\(run.error)")
        #expect(!run.out.contains("\"script_failures\": [{"))
    }

    @Test("is clean on every version of iOS")
    func versions() throws {
        let folder = try ScratchFolder()
        for kind in ["behavior", "strategy"] {
            _ = try Self.run(["new", kind, kind], in: folder)
            let found = try Self.run(["check", "\(kind).lua", "--ios", "9..26"], in: folder)
            #expect(found.out.hasPrefix("\(kind).lua: nothing to mend\n"), "\(found.out)")
        }
    }

    @Test("never writes over a file")
    func keeps() throws {
        let folder = try ScratchFolder()
        try folder.write("mine", to: "x.lua")
        let made = try Self.run(["new", "strategy", "x"], in: folder)
        #expect(made.status == 2)
        #expect(
            made.error
                == "locfleet: x.lua: this file is there already, and stays as it is; give another "
                + "name\n")
        #expect(try String(contentsOfFile: folder.path("x.lua"), encoding: .utf8) == "mine")
    }

    // swift-format-ignore
    static let refusals: [(words: [String], says: String)] = [
        ([], "what to write is missing: behavior, strategy, scenario"),
        (["behaviour", "x"], "nothing new is called 'behaviour'; did you mean 'behavior'?"),
        (["behavior"], "NAME is missing; see 'locfleet help new'"),
        (["behavior", "x", "y"], "one NAME is taken, not also 'y'"),
        (["behavior", "../x"], "a name has a-z, 0-9, _ and -, begins with a letter and has at most 64 characters, not \"../x\"; the ending is added, and --in names a folder"),
        (["behavior", "x.lua"], "a name has a-z, 0-9, _ and -, begins with a letter and has at most 64 characters, not \"x.lua\"; the ending is added, and --in names a folder"),
        (["behavior", "x", "--in", ""], "--in: a folder is due, not \"\""),
        (["behavior", "x", "--in", "/proc"], "/proc/x.lua: no file can be made in this folder; name another"),
        (["behavior", "x", "--in", "/dev/null"], "/dev/null/x.lua: this is in no folder but in a file; name a folder"),
        (["behavior", "link"], "link.lua: a link that leads to no file has this name; give another name"),
        (["behavior", "x", "--in", "nowhere"], "nowhere/x.lua: there is no such folder; make it, or name another"),
    ]

    @Test("says what is wrong and what would be accepted", arguments: refusals.map(\.says))
    func refuses(_ says: String) throws {
        let row = try #require(Self.refusals.first { $0.says == says })
        let folder = try ScratchFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link.lua"), withDestinationPath: "nothing")
        let made = try Self.run(["new"] + row.words, in: folder)
        #expect(made.status == 2)
        #expect(made.error == "locfleet: \(says)\n")
    }

    @Test("puts it into a folder")
    func folder() throws {
        let folder = try ScratchFolder()
        try folder.write("", to: "apps/keep")
        let made = try Self.run(["new", "strategy", "x", "--in", "apps/"], in: folder)
        #expect(
            made.out
                == "wrote apps/x.lua\nnext: locfleet check apps/x.lua, then locfleet run SCENARIO "
                + "--arm ./apps/x.lua\n")
    }
}
