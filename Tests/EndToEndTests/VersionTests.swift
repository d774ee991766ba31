import Foundation
import JSONText
import TestSupport
import Testing

@testable import Commands

@Suite("What a program says of its version")
struct VersionTests {
    // swift-format-ignore
    @Test("is its version, its commit, and the versions of Lua and SQLite", arguments: ["locfleet", "locfleetd"])
    func version(_ name: String) throws {
        func run(_ words: [String]) throws -> Program {
            try Program.started(words, executable: Program.url(name)).ended()
        }
        let text = try run(["--version"])
        #expect(text.status == 0 && text.error.isEmpty)
        let lines = try #require(
            text.out.wholeMatch(
                of: /(\w+) 0\.1\.0\ncommit (unknown|[0-9a-f]{40})\nLua (5\.4\.\d+)\nSQLite (3\.[\d.]+)\n/))
        #expect(lines.1 == name)
        let json = try run(["--version", "--json"])
        let node = try JSONReader.read(Array(json.out.utf8), as: .json)
        #expect(node["program"]?.string == name)
        #expect(node["version"]?.string == "0.1.0")
        #expect((node["commit"]?.string ?? "unknown") == lines.2)
        #expect(node["lua"]?.string == String(lines.3))
        #expect(node["sqlite"]?.string == String(lines.4))
        let wrong = try run(["--version", "--jsn"])
        #expect(wrong.status == 2 && wrong.error.contains("nothing but --json, not '--jsn'"))
    }

    private static let hash = String(repeating: "4f", count: 20)
    private static let other = String(repeating: "17", count: 20)

    /// Files by path, and which commit a program at `bin/locfleet` is said to be of.
    private func commit(
        _ files: [String: String], of program: String = "bin/locfleet"
    ) throws -> String? {
        let folder = try ScratchFolder()
        for (path, text) in files { try folder.write(text, to: path) }
        return BuildCommit.of(executable: folder.url.appending(path: program))
    }

    @Test(
        "has the commit of an installed program from the file beside it, before any checkout above")
    func installed() throws {
        let file = "share/locfleet/commit"
        #expect(try commit([file: Self.hash + "\n"]) == Self.hash)
        #expect(try commit([file: Self.hash + "-dirty\n"]) == Self.hash + "-dirty")
        #expect(try commit([file: Self.hash, ".git/HEAD": Self.other]) == Self.hash)
        #expect(try commit([file: "main", ".git/HEAD": Self.other]) == Self.other)
    }

    @Test("has the commit that is checked out, also in a worktree, and with packed branches")
    func checkout() throws {
        let program = ".build/debug/locfleet"
        let onMain = [".git/HEAD": "ref: refs/heads/main\n"]
        for (files, due) in [
            ([".git/HEAD": Self.hash + "\n"], Self.hash as String?), (onMain, nil),
            (onMain.merging([".git/refs/heads/main": Self.hash + "\n"]) { $1 }, Self.hash),
            (
                onMain.merging([
                    ".git/packed-refs":
                        "# pack-refs\n\(Self.other) refs/heads/mainly\n\(Self.hash) refs/heads/main\n"
                ]) { $1 }, Self.hash
            ),
            ([".git": "gitdir: main/.git/worktrees/w\n"], nil),
            (
                [
                    ".git": "gitdir: main/.git/worktrees/w\n",
                    "main/.git/worktrees/w/HEAD": "ref: refs/heads/part/x\n",
                    "main/.git/worktrees/w/commondir": "../..\n",
                    "main/.git/refs/heads/part/x": Self.hash + "\n",
                ], Self.hash
            ),
            ([".git/HEAD": "ref: refs/heads/main\n", ".git/refs/heads/main": "no hash"], nil),
        ] {
            #expect(try commit(files, of: program) == due, "\(files)")
        }
    }
}
