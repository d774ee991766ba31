import Bundles
import Foundation
import TestSupport
import Testing

/// As a user runs them: what cannot be merged is refused in one line that names the files.
@Suite("Merging parts")
struct MergeTests {
    static let scenario = ["config/scenarios/progressive.json5", "--devices", "40", "--days", "2"]

    private func part(
        _ shard: String, _ folder: ScratchFolder, _ name: String, _ more: [String] = []
    ) throws -> String {
        let path = folder.path(name)
        let program = try Program.locfleet(
            ["run"] + Self.scenario + more + ["--shard", shard, "-o", path])
        #expect(program.status == 0, "\(program.error)")
        return path
    }

    private func refused(_ files: [String], _ due: String...) throws {
        let program = try Program.locfleet(["merge", "--json"] + files)
        #expect(program.status == 2 && program.out.isEmpty)
        #expect(program.error.split(separator: "\n").count == 1, "\(program.error)")
        for due in due { #expect(program.error.contains(due), "\(program.error)") }
    }

    @Test("refuses other runs, what is twice and what is missing, and names the files")
    func mixed() throws {
        let folder = try ScratchFolder()
        let (one, two) = (try part("1/3", folder, "one"), try part("2/3", folder, "two"))
        let three = try part("3/3", folder, "three")
        try refused(
            [one, try part("2/3", folder, "seed", ["--seed", "7"]), three], "/seed", "seed 7")
        let other = try part("2/3", folder, "set", ["--set", "app.options.upgrade_after_uses=9"])
        try refused([one, other, three], "/set", "/one", "bundle")
        try refused(
            [one, try part("2/3", folder, "by", ["--by", "ios"]), three], "/by",
            "--by ios and absent")
        try refused([one, try part("2/2", folder, "half"), three], "/half", "shards 2 and 3")
        try refused([one, two, two, three], "are both shard 2/3")
        try refused([three, one], "of 3 shards 1 is missing: 2/3")
        try refused([one, folder.path("absent")], "/absent: cannot be read: there is no such file")
        try refused([one, folder.path("")], "it is no file")
        try refused([one, "README.md"], "README.md: is no part")
        try refused([], "parts are missing")
        #expect(try Program.locfleet(["merge", two, three, one]).status == 0)
    }

    @Test("refuses a file that was cut, flipped or lengthened, and never crashes")
    func damaged() throws {
        let folder = try ScratchFolder()
        let whole = try Data(contentsOf: URL(filePath: part("1/1", folder, "one")))
        func refused(_ bytes: Data, _ what: String) throws {
            let file = folder.path("damaged")
            try bytes.write(to: URL(filePath: file))
            let program = try Program.locfleet(["merge", file])
            #expect(program.status == 2, "\(what): \(program.error)")
            #expect(program.error.contains("/damaged: "), "\(what): \(program.error)")
        }
        for cut in [0, 1, 20, 21, 100, whole.count / 2, whole.count - 80, whole.count - 1] {
            try refused(whole.prefix(cut), "cut at \(cut)")
        }
        for place in stride(from: 3, to: whole.count, by: whole.count / 12) {
            var bytes = whole
            bytes[place] ^= 1
            try refused(bytes, "flipped at \(place)")
        }
        try refused(whole + Data("\n".utf8), "lengthened")
    }

    @Test("refuses counts that no run has, though the file's own sum is right")
    func forged() throws {
        let folder = try ScratchFolder()
        let whole = try String(contentsOfFile: part("1/1", folder, "one"), encoding: .utf8)
        let rows = [
            ("\"installed\": 40", "\"installed\": 41"), ("\"shown\": ", "\"shown\": -"),
            ("\"reached\": [40", "\"reached\": [41"), ("\"events\": ", "\"events\": 1e"),
            ("\"events\": ", "\"events\": 18446744073709551616"),
            ("\"devices\": 40,\n", "\"devices\": 41,\n"), ("\"of\": 1", "\"of\": 0"),
            ("\"locfleet\": \"0", "\"locfleet\": \"9"), ("\"by\": []", "\"by\": [\"ios\"]"),
            ("\"by\": []", "\"by\": [\"car\"]"), ("\"digest\": \"", "\"digest\": \"+"),
            ("\"hex\": \"", "\"hex\": \"00"), ("\"waits\": [{", "\"waits\": [7, {"),
            ("\"figures\": {", "\"figures\": 7, \"other\": {"),
            ("\"features\": [", "\"features\": [[], "),
        ]
        for (old, new) in rows {
            let range = try #require(whole.range(of: old), "\(old)")
            let text = whole.replacingCharacters(in: range, with: new)
            let body = text.components(separatedBy: "\"sha256\": ").dropLast()
                .joined(separator: "\"sha256\": ")
            let seal = "\"sha256\": \"\(sha256(Array(body.utf8)))\"\n}\n"
            let file = try folder.write(body + seal, to: "forged")
            let program = try Program.locfleet(["merge", file])
            #expect(program.status == 2, "\(new): \(program.error)")
            #expect(!program.error.contains("damaged"), "\(new): \(program.error)")
        }
    }

    @Test("a shard that cannot be is refused, and nothing is left of it")
    func refusedShards() throws {
        let folder = try ScratchFolder()
        let path = folder.path("part")
        let end = ["--set", "end_when=count(status == 'denied') > 3"]
        let rows: [(words: [String], due: String)] = [
            (["--shard", "1/2"], "needs -o FILE"), (["-o", path], "there is no --shard"),
            (["--shard", "1/41", "-o", path], "40 devices make at most as many shards"),
            (["--shard", "1/2", "-o", path, "--json"], "'locfleet merge' takes --json"),
            (["--shard", "1/2", "-o", path, "--log", path], "both name"),
            (["--shard", "auto", "-o", path], "none of SLURM"),
            (["--shard", "1/2", "-o", path] + end, "end_when is judged over all devices"),
            (["--shard", "1/2", "-o", folder.path("no/such/folder")], "No such file"),
            (["--epoch", "soon"], "--epoch is a span"),
        ]
        for (words, due) in rows {
            let program = try Program.locfleet(["run"] + Self.scenario + words)
            #expect(program.status == 2 && program.error.contains(due), "\(program.error)")
        }
        let full = try Program.locfleet(
            ["run"] + Self.scenario + ["--shard", "1/2", "-o", "/dev/full"])
        #expect(full.status == 1 && full.error.contains("-o /dev/full: No space left on device"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).isEmpty)
    }

    @Test("fails where scripts failed so often that the whole run would have ended early")
    func failures() throws {
        let folder = try ScratchFolder()
        try folder.write("return { launched = function() error('no') end }", to: "bad.lua")
        let scenario = try folder.write(
            """
            { devices: 10, duration: "2d", ios: [["18.0", 1]],
              personas: [{ name: "p", behavior: "archetype.lua" }],
              app: { info_plist: "apps/store-finder/Info.plist", strategy: "bad.lua", features: ["f"] },
              script_failures: { end_run_after: 1 } }
            """, to: "bad.json5")
        let parts = [folder.path("1"), folder.path("2")]
        for (index, part) in parts.enumerated() {
            let program = try Program.locfleet(
                ["run", scenario, "--shard", "\(index + 1)/2", "-o", part])
            #expect(program.status == 0, "\(program.error)")
        }
        let program = try Program.locfleet(["merge"] + parts)
        #expect(program.status == 1 && program.error.contains("run it without --shard"))
        let more = try Program.locfleet(["run", scenario, "--json"])
        #expect(more.status == 1 && more.out.contains("\"script_failures\""))
    }
}
