import Foundation
import JSONText
import TestSupport
import Testing

@Suite("Verifying determinism")
struct VerifyDeterminismTests {
    @Test("tells in how many ways a scenario gave the same run")
    func agrees() throws {
        let program = try Program.locfleet([
            "verify-determinism", "config/scenarios/progressive.json5", "--devices", "40", "--days",
            "0.5", "--arm", "ask_on_launch.lua",
        ])
        #expect(program.status == 0, "\(program.error)\(program.out)")
        #expect(program.out.hasPrefix("11 runs agree: 40 devices, 0.5 days\ndigest "))
        #expect(program.out.contains("  paced at 43200x\n"))
        #expect(program.out.contains("  7 shards, merged\n"))
    }

    private func tree(_ json: String) throws -> JSONNode {
        try JSONReader.read(Array(json.utf8), as: .json)
    }

    @Test("tells a machine which runs there were and that they agree")
    func agreesAsJSON() throws {
        let words = ["config/scenarios/progressive.json5", "--devices", "40", "--days", "0.5"]
        let program = try Program.locfleet(["verify-determinism", "--json"] + words)
        #expect(program.status == 0, "\(program.error)\(program.out)")
        let verdict = try tree(program.out)
        let alone = try tree(try Program.locfleet(["run", "--json"] + words).out)
        let digest = try #require(alone["digest"]?.string)
        #expect(verdict["agree"]?.bool == true)
        #expect(verdict["digest"]?.string == digest)
        #expect(verdict["devices"]?.number == "40")
        #expect(verdict["duration_seconds"]?.number == "43200")
        #expect(verdict["difference"]?.text == "null")
        let runs = try #require(verdict["runs"]?.array)
        #expect(runs.count == 11)
        #expect(runs.allSatisfy { $0["digest"]?.string == digest })
        #expect(Set(runs.map { $0["name"]?.string }).count == 11)
        #expect(runs.contains { $0["options"]?.string == "--workers 1 --epoch 1s" })
        #expect(Set(runs.map { $0["shards"]?.number }) == ["1", "2", "7"])
        #expect(runs.filter { $0["log"]?.bool == true }.count == 4)
    }

    /// `#` of a list with holes, where tables are keys: their places follow from addresses.
    static let holes = """
        local function draw()
          local t, keys, r = {}, {}, 0
          for i = 1, 1500 do
            local c = rng.integer(1, 10)
            if c <= 4 then t[rng.integer(1, 12)] = 1
            elseif c <= 7 then t[rng.integer(1, 12)] = nil
            elseif c == 8 then local k = {} t[k] = 1 keys[rng.integer(1, 3)] = k
            else local p = rng.integer(1, 3) local k = keys[p] if k then t[k] = nil keys[p] = nil end end
            r = (r * 31 + #t) % 1000003
            if i % 100 == 0 then t = {} keys = {} end
          end
          return r
        end
        return { launched = function(self, app)
          self.r = 0
          app:every(1, function(self, app) self.r = (self.r * 31 + draw()) % 1000003 end)
          app:after(40, function(self, app) USE end)
        end }
        """

    /// A scenario in which `use` shows such a number.
    private static func holes(_ use: String) throws -> (scenario: String, folder: ScratchFolder) {
        let folder = try ScratchFolder()
        try folder.write(holes.replacing("USE", with: use), to: "app.lua")
        try folder.write(
            """
            return { answer_prompt = function(self, prompt) return prompt.choices[1] end,
              next_open = function(self) if not self.o then self.o = 1 return 10 end end,
              session_length = function() return 1000 end }
            """, to: "person.lua")
        let scenario = try folder.write(
            """
            { devices: 4, duration: "1h", ios: [["18.0", 1]],
              personas: [{ name: "p", behavior: "person.lua" }],
              app: { info_plist: "apps/store-finder/Info.plist", strategy: "app.lua", features: ["f"] } }
            """, to: "holes.json5")
        return (scenario, folder)
    }

    @Test(
        "finds a script that another process plays otherwise, and names device and record",
        arguments: [
            (
                #"app:milestone("m" .. self.r)"#, "First device that differs: device ",
                "\"name\":\"m"
            ),
            (#"metric.count("r", 1 + self.r)"#, "All devices have the same records", "\"r\""),
        ])
    func finds(_ use: String, _ due: String, _ place: String) throws {
        let files = try Self.holes(use)
        let program = try Program.locfleet(["verify-determinism", files.scenario])
        #expect(program.status == 3, "\(program.error)\(program.out)")
        #expect(program.out.contains("are different runs.\n"), "\(program.out)")
        #expect(program.out.contains(due) && program.out.contains(place), "\(program.out)")
    }

    @Test("tells a machine the first device and the first record that differ")
    func findsRecord() throws {
        let files = try Self.holes(#"app:milestone("m" .. self.r)"#)
        let program = try Program.locfleet(["verify-determinism", "--json", files.scenario])
        #expect(program.status == 3, "\(program.error)\(program.out)")
        let verdict = try tree(program.out)
        #expect(verdict["agree"]?.bool == false)
        #expect(verdict["digest"]?.text == "null")
        let runs = try #require(verdict["runs"]?.array)
        let difference = try #require(verdict["difference"])
        let names = difference["runs"]?.array?.map(\.string)
        #expect(names == [runs.first?["name"]?.string, runs.last?["name"]?.string])
        #expect(runs.first?["digest"]?.string != runs.last?["digest"]?.string)
        #expect(difference["arm"]?.string == "base")
        let device = try #require(difference["device"]?.number)
        let records = try #require(difference["records"]?.array)
        #expect(records.count == 2 && records[0].text != records[1].text)
        for record in records {
            #expect(record["device"]?.number == device)
            #expect(record["type"]?.string == "milestone")
        }
        #expect(records[0]["us"]?.number == records[1]["us"]?.number)
    }

    @Test("tells a machine where the reports differ though all records are the same")
    func findsLines() throws {
        let files = try Self.holes(#"metric.count("r", 1 + self.r)"#)
        let program = try Program.locfleet(["verify-determinism", "--json", files.scenario])
        #expect(program.status == 3, "\(program.error)\(program.out)")
        let difference = try #require(try tree(program.out)["difference"])
        for absent in ["arm", "device", "records"] {
            #expect(difference[absent]?.text == "null", "\(absent)")
        }
        let lines = try #require(difference["report_lines"]?.array)
        #expect(lines.count == 2 && lines[0].string != lines[1].string)
        #expect(lines[0].string?.contains("\"r\"") == true)
    }

    @Test("refuses what is wrong before it runs anything")
    func refuses() throws {
        let absent = try Program.locfleet(["verify-determinism", "absent.json5"])
        #expect(absent.status == 2 && absent.error.contains("there is no such file"))
        let option = try Program.locfleet(["verify-determinism", "x.json5", "--worker", "3"])
        #expect(option.status == 2 && option.error.contains("unknown option --worker"))
    }
}
