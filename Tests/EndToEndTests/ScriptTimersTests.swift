import Foundation
import TestSupport
import Testing

/// A scenario of a user's own, with timers, tasks and metrics on both sides.
@Suite("Timers, tasks and metrics of scripts")
struct ScriptTimersTests {
    static let strategy = """
        return {
          launched = function(self, app)
            metric.count("launches")
            self.tick = app:every("5m", function(self)
              self.ticks = (self.ticks or 0) + 1
              metric.count("ticks", 2)
              if self.ticks == 20 then self.tick:cancel() end
            end)
            app:start(function(self, app)
              for i = 1, 3 do
                wait(10 + rng.exponential(5))
                metric.observe("sessions at a wait", app.sessions)
              end
              funnel.step("waited")
              if rng.chance(0.1) then error("a task that fails") end
            end)
          end,
          tapped = function(self, app, feature)
            app:after(2, function(self, app) app:feature_done(feature, "success") end)
          end,
        }
        """
    static let behavior = """
        return {
          next_tap = function(self, person, features)
            metric.count("intents")
            return features[1], rng.exponential(30)
          end,
          each_day = function(self, person)
            funnel.step("lived a day")
            metric.observe("mood", rng.normal(0, 1))
            if rng.chance(0.1) then phone.force_quit() end
            if rng.chance(0.02) then phone.reinstall("3h") end
          end,
          answer_prompt = function(self, prompt) return prompt.choices[1] end,
        }
        """
    static let quiet = "return {}"
    static let scenario = """
        { name: "timers", devices: 17000, duration: "3d",
          personas: [{ name: "everyone", weight: 1, behavior: "people.lua" }],
          app: { name: "X", info_plist: "apps/foreground-only/Info.plist", strategy: "app.lua",
                 features: ["map"] },
          funnels: [{ name: "f", steps: ["opened", "milestone:waited", "feature:map"] }],
        }
        """

    private func folder() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        for (name, text) in [
            ("app.lua", Self.strategy), ("people.lua", Self.behavior), ("quiet.lua", Self.quiet),
            ("x.json5", Self.scenario),
        ] {
            try Data(text.utf8).write(to: URL(filePath: folder.path(name)))
        }
        return folder
    }

    private func report(_ folder: ScratchFolder, _ more: [String]) throws -> String {
        let program = try Program.locfleet(["run", folder.path("x.json5"), "--json"] + more)
        #expect(program.status == 0, "\(program.error)")
        return program.out.components(separatedBy: "\"machine\"")[0]
    }

    @Test("come to the same for 1, 2 and 7 workers, figures and records")
    func workers() throws {
        let folder = try folder()
        let logs = ["1", "2", "7"].map { folder.path("log\($0)") }
        let reports = try zip(["1", "2", "7"], logs).map {
            try report(folder, ["--workers", $0, "--days", "1", "--log", $1])
        }
        #expect(reports[1] == reports[0])
        #expect(reports[2] == reports[0])
        let records = try logs.map { try Data(contentsOf: URL(filePath: $0)) }
        #expect(records[0].count > 1_000_000)
        #expect(records[1] == records[0])
        #expect(records[2] == records[0])
        for word in [
            "\"launches\"", "\"ticks\"", "\"intents\"", "\"mood\"", "\"sessions at a wait\"",
        ] {
            #expect(reports[0].contains(word))
        }
        #expect(reports[0].contains("app.lua:15: a task that fails"))
        #expect(reports[0].contains("\"hook\": \"timer\""))
    }

    @Test("are counted for what they are: an intent each time, a day each day")
    func figures() throws {
        let folder = try folder()
        let program = try Program.locfleet(
            ["run", folder.path("x.json5"), "--json", "--devices", "500"])
        let read = try JSONSerialization.jsonObject(with: Data(program.out.utf8))
        let arms = try #require((read as? [String: Any])?["arms"] as? [[String: Any]])
        let counters = try #require(arms[0]["counters"] as? [String: Int])
        let histograms = try #require(arms[0]["histograms"] as? [String: [String: Double]])
        let milestones = try #require(arms[0]["milestones"] as? [String: Int])
        #expect(milestones["lived a day"] == 1_500)
        #expect(histograms["mood"]?["count"] == 1_500)
        #expect(abs(histograms["mood"]?["mean"] ?? 9) < 0.1)
        let waited = try #require(milestones["waited"])
        #expect(try waited < #require(counters["launches"]) && waited > 300)
        let values = try #require(histograms["sessions at a wait"])
        #expect(Int(values["count"] ?? 0) >= 3 * waited)
        #expect(values["min"] == 1)
        #expect(try #require(counters["ticks"]).isMultiple(of: 2))
    }

    @Test("are compared between arms, and absent where no script has them")
    func arms() throws {
        let folder = try folder()
        let text = try Program.locfleet(
            ["run", folder.path("x.json5"), "--devices", "300", "--arm", folder.path("quiet.lua")])
        #expect(text.status == 0, "\(text.error)")
        #expect(
            text.out.contains("Counters  against the base; of totals, not of pairs: no interval"))
        #expect(text.out.contains("×0"))
        let quiet = try report(
            folder,
            [
                "--devices", "300", "--set", "app.strategy=quiet.lua", "--set",
                "personas.*.behavior=archetype.lua",
            ])
        #expect(!quiet.contains("counters") && !quiet.contains("histograms"))
        #expect(!quiet.contains("\"compared\""))
    }

    @Test("tell their steps in a story, and what failed")
    func story() throws {
        let folder = try folder()
        let program = try Program.locfleet(["why", folder.path("x.json5"), "--device", "5"])
        #expect(program.status == 0, "\(program.error)")
        #expect(program.out.contains("milestone lived a day"))
        #expect(program.out.contains("milestone waited"))
    }
}
