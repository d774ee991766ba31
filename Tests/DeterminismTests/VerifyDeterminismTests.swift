import Foundation
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
        #expect(program.out.hasPrefix("10 runs agree: 40 devices, 0.5 days\ndigest "))
        #expect(program.out.contains("  7 shards, merged\n"))
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
        let folder = try ScratchFolder()
        try folder.write(Self.holes.replacing("USE", with: use), to: "app.lua")
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
        let program = try Program.locfleet(["verify-determinism", scenario])
        #expect(program.status == 3, "\(program.error)\(program.out)")
        #expect(program.out.contains("are different runs.\n"), "\(program.out)")
        #expect(program.out.contains(due) && program.out.contains(place), "\(program.out)")
    }

    @Test("refuses what is wrong before it runs anything")
    func refuses() throws {
        let absent = try Program.locfleet(["verify-determinism", "absent.json5"])
        #expect(absent.status == 2 && absent.error.contains("there is no such file"))
        let option = try Program.locfleet(["verify-determinism", "x.json5", "--worker", "3"])
        #expect(option.status == 2 && option.error.contains("unknown option --worker"))
    }
}
