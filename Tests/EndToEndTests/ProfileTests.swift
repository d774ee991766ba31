import Foundation
import JSONText
import Simulation
import TestSupport
import Testing

@Suite("A profile of a run")
struct ProfileTests {
    private static func profile(_ node: JSONNode?) -> [String: Double] {
        var shares: [String: Double] = [:]
        for member in node?["machine"]?["profile"]?["parts"]?.array ?? [] {
            shares[member["part"]?.string ?? ""] = Double(member["share"]?.number ?? "")
        }
        return shares
    }

    @Test("tells the share of every part and of hooks, and changes nothing of the result")
    func parts() throws {
        let words = [
            "run", "config/scenarios/reference-workload.json5", "--devices", "300", "--days", "10",
            "--json",
        ]
        let plain = try Program.locfleet(words)
        let profiled = try Program.locfleet(words + ["--profile"])
        #expect(profiled.status == 0, "\(profiled.error)")
        let report = try JSONReader.read(Array(profiled.out.utf8), as: .json)
        let bare = try JSONReader.read(Array(plain.out.utf8), as: .json)
        #expect(bare["machine"]?["profile"] == nil)
        #expect(report["digest"]?.string == bare["digest"]?.string)

        let shares = Self.profile(report)
        #expect(Set(shares.keys) == Set(WorkPart.allCases.map(\.rawValue)))
        #expect(abs(shares.values.reduce(0, +) - 1) < 0.001, "\(shares)")
        let hooks = report["machine"]?["profile"]?["hooks"]?.array ?? []
        let ofHooks = hooks.compactMap { Double($0["share"]?.number ?? "") }.reduce(0, +)
        #expect(abs(ofHooks - (shares["scripts"] ?? 0)) < 0.01, "\(hooks)")
        #expect(hooks.allSatisfy { $0["script"]?.string?.hasSuffix(".lua") == true })
    }

    @Test("finds the hook that takes long, in every arm")
    func slow() throws {
        let folder = try ScratchFolder()
        let script = """
            return { entered_foreground = function(self, app)
              local sum = 0
              for i = 1, 20000 do sum = sum + i end
            end }
            """
        try script.write(toFile: folder.path("slow.lua"), atomically: true, encoding: .utf8)
        let program = try Program.locfleet([
            "run", "config/scenarios/progressive.json5", "--devices", "50", "--days", "10",
            "--arm", folder.path("slow.lua"), "--profile",
        ])
        #expect(program.status == 0, "\(program.error)")
        let lines = program.out.split(separator: "\n").map(String.init)
        let heading = try #require(lines.firstIndex { $0.hasPrefix("Where the time went: ") })
        let scripts = try #require(lines[heading...].firstIndex { $0.hasPrefix("  scripts") })
        let busiest = lines[scripts + 1]
        #expect(busiest.hasPrefix("    entered_foreground "), "\(busiest)")
        #expect(busiest.hasSuffix("slow.lua"), "\(busiest)")
    }

    @Test("is refused where the report has no place for it")
    func csv() throws {
        let program = try Program.locfleet([
            "run", "config/scenarios/progressive.json5", "--devices", "50", "--profile", "--csv",
        ])
        #expect(program.status == 2)
        #expect(program.error.contains("--profile has no place"), "\(program.error)")
    }

    @Test("is refused for a part of a run, which has no report")
    func shards() throws {
        let folder = try ScratchFolder()
        let program = try Program.locfleet([
            "run", "config/scenarios/progressive.json5", "--devices", "50", "--shard", "1/2", "-o",
            folder.path("part.json"), "--profile",
        ])
        #expect(program.status == 2)
        #expect(program.error.contains("--profile belongs to a report"), "\(program.error)")
    }
}
