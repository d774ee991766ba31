import Foundation
import JSONText
import TestSupport
import Testing

/// The large ones are in `scripts/dev/soak-large`.
@Suite("At the edges: one device, no event, ten years, and instants at the end of the range")
struct EdgesTests {
    private static let nobody =
        "return { answer_prompt = function(_, prompt) return prompt.choices[1] end,"

    /// A scenario of three devices with such people and such an app.
    private func bench(
        people: String, app: String = "return {}", _ more: String = ""
    ) throws -> (scenario: String, folder: ScratchFolder) {
        let folder = try ScratchFolder()
        try folder.write(people, to: "people.lua")
        try folder.write(app, to: "app.lua")
        let path = try folder.write(
            """
            { devices: 3, duration: "3650d", personas: [{ name: "p", behavior: "people.lua" }],
              app: { info_plist: "apps/store-finder/Info.plist", strategy: "app.lua",
                features: ["f"] }, \(more) }
            """, to: "edge.json5")
        return (path, folder)
    }

    private func report(_ words: [String]) throws -> JSONNode {
        let program = try Program.locfleet(["run", "--json"] + words)
        try #require(program.status == 0, "\(words): \(program.error)")
        return try JSONReader.read(Array(program.out.utf8), as: .json)
    }

    private func count(_ node: JSONNode?) -> Int { Int(node?.number ?? "") ?? -1 }

    @Test(
        "one device, alone and in ten years, is the same run in one epoch and in many",
        arguments: ["progressive", "reference-workload"])
    func oneDevice(_ name: String) throws {
        let words = [
            "config/scenarios/\(name).json5", "--devices", "1", "--days", "3650", "--set",
            "arms=[]",
        ]
        let whole = try report(words + ["--epoch", "3650d"])
        #expect(whole["devices"]?.number == "1")
        #expect(count(whole["machine"]?["events"]) > 3_650)
        #expect(try report(words)["digest"]?.string == whole["digest"]?.string)
    }

    @Test("a scenario in which nothing ever happens is a run, and every output says so")
    func nothing() throws {
        let bench = try bench(people: Self.nobody + " next_open = function() return nil end }")
        let report = try report([bench.scenario])
        #expect(report["ended_by"]?.string == "duration")
        #expect(count(report["machine"]?["events"]) == 0)
        let funnel = try #require(report["arms"]?.array?.first?["funnel"]?.array)
        #expect(count(funnel[0]["reached"]) == 3 && count(funnel[1]["reached"]) == 0)
        #expect(count(funnel[1]["not_yet"]) == 3)
        #expect(funnel[2]["of_previous"]?.text == "null")
        let text = try Program.locfleet(["run", bench.scenario])
        #expect(text.status == 0 && text.out.contains("0 events in "), "\(text.error)")
        #expect(text.out.contains("Prompts\n  none\n"))
        let why = try Program.locfleet(["why", bench.scenario, "--device", "2"])
        #expect(why.out.contains("after 1 record and 0 sessions"), "\(why.out)\(why.error)")
        let log = try Program.locfleet(["run", bench.scenario, "--log", "-"])
        #expect(log.out.split(separator: "\n").count == 3)
        #expect(try Program.locfleet(["run", bench.scenario, "--csv"]).status == 0)
    }

    /// The longest that a script may name: a hundred years, from the last second of ten.
    private static let longest = 3_153_600_000

    @Test("what would come after the end of the run never comes")
    func pastTheEnd() throws {
        let bench = try bench(
            people: Self.nobody + """
                 next_open = function(self)
                   self.n = (self.n or 0) + 1
                   return self.n == 1 and 315359999 or \(Self.longest)
                 end,
                 session_length = function() return \(Self.longest) end }
                """,
            app: """
                return { launched = function(self, app)
                  app:after(\(Self.longest), function() error("late") end)
                  app:every(\(Self.longest), function() error("late") end)
                  app:start(function() wait(\(Self.longest)) error("late") end)
                  app:milestone("here")
                end }
                """)
        let program = try Program.locfleet(["run", bench.scenario, "--log", "-"])
        #expect(program.status == 0, "\(program.error)")
        #expect(program.error.contains("Script failures\n  none\n"))
        let here = program.out.split(separator: "\n").filter { $0.contains("milestone") }
        #expect(here.count == 3)
        #expect(here.allSatisfy { $0.hasPrefix("{\"us\":315359999000000,") })
    }

    @Test(
        "a number of seconds that is no time fails its call alone, and says what would do",
        arguments: ["1e300", "math.huge", "-math.huge", "0/0", "2^63", "-1", "\(longest + 1)"])
    func noTime(_ number: String) throws {
        let bench = try bench(
            people: """
                return { answer_prompt = function(_, prompt)
                    return prompt.choices[1], { after = \(number) } end,
                  next_open = function(self)
                    self.n = (self.n or 0) + 1
                    if self.n == 1 then return 10 end
                    return \(number)
                  end,
                  session_length = function() return \(number) end }
                """,
            app: """
                return { launched = function(self, app)
                  local calls = {
                    function() app:after(\(number), function() end) end,
                    function() app:every(\(number), function() end) end }
                  for i, call in ipairs(calls) do
                    local ok, message = pcall(call)
                    app:milestone(ok and "taken" or "refused")
                  end
                  app:after(1, function(self, app)
                    app:start(function() wait(\(number)) end)
                  end)
                end, entered_foreground = function(self, app)
                  app.manager:requestWhenInUseAuthorization()
                end }
                """)
        let program = try Program.locfleet(["run", bench.scenario, "--days", "20", "--json"])
        #expect(program.status == 0, "\(program.error)")
        let arm = try JSONReader.read(Array(program.out.utf8), as: .json)["arms"]?.array?.first
        let failures = try #require(arm?["script_failures"]).text
        for what in ["\"next_open\"", "\"session_length\"", "\"answer_prompt\"", "wait takes"] {
            #expect(failures.contains(what), "\(number): \(failures)")
        }
        #expect(failures.contains("seconds in 0 ... 3153600000 (a hundred years)"), "\(failures)")
        let why = try Program.locfleet(["why", bench.scenario, "--device", "0", "--json"])
        #expect(!why.out.contains("taken") && why.out.contains("refused"))
    }

    @Test(
        "ten years from the last second in which a scenario may start, in zones with other clocks",
        arguments: ["UTC", "Europe/Berlin", "Pacific/Auckland", "America/Nuuk"])
    func start(_ zone: String) throws {
        let bench = try bench(
            people: Self.nobody + """
                 next_open = function() return "1d" end,
                 session_length = function() return 60 end }
                """, "start: \"2100-12-31T23:59:59\", zone: \"\(zone)\"")
        let program = try Program.locfleet(["run", bench.scenario, "--log", "-"])
        #expect(program.status == 0, "\(program.error)")
        let last = try #require(program.out.split(separator: "\n").last)
        #expect(last.contains("\"t\":\"2110-12-2"), "\(last)")
        for start in ["2101-01-01", "1999-12-31", "9999-12-31", "+292277026596-12-04"] {
            let program = try Program.locfleet(["run", bench.scenario, "--set", "start=\(start)"])
            #expect(program.status == 2)
            #expect(program.error.contains("2000 to 2100"), "\(program.error)")
        }
    }

    @Test("hazards and rhythms whose means reach past every run", arguments: ["36500d", "3650d"])
    func longMeans(_ mean: String) throws {
        let bench = try bench(
            people: Self.nobody + " next_open = function() return \"100d\" end }",
            """
            hazards: [{ interval_mean: "\(mean)", do: "reboot" },
              { interval_mean: "\(mean)", do: "settings", value: "never" }],
            interventions: [{ at: "3650d", do: "reboot" }, { at: "3649d", do: "reboot" }],
            check_every: "3650d", end_when: "count(status = denied) > 1000"
            """)
        let whole = try report([bench.scenario, "--devices", "300"])
        let short = try report([bench.scenario, "--devices", "300", "--epoch", "10h"])
        #expect(whole["digest"]?.string == short["digest"]?.string)
    }

    /// Rows of the tables of `rules` and `delays` in `config/README.md` that have a range.
    private static func ranges() throws -> [(key: String, least: String, most: String)] {
        let text = try String(
            contentsOf: projectRoot.appending(path: "config/README.md"), encoding: .utf8)
        var rows: [(String, String, String)] = []
        for part in ["rules", "delays"] {
            let section = text.components(separatedBy: "### `\(part)`\n")[1]
                .components(separatedBy: "\n### ")[0]
            for line in section.split(separator: "\n") where line.hasPrefix("| `") {
                let cells = line.split(separator: "|").map { $0.filter { !"`,".contains($0) } }
                let ends = cells[3].components(separatedBy: " to ")
                guard ends.count == 2 else { continue }
                let values = ends.map { end in
                    String(end.drop { $0 == " " }.prefix { $0 != " " })
                }
                let key = part + "." + cells[0].filter { $0 != " " }
                rows.append((key, values[0], values[1]))
            }
        }
        return rows
    }

    @Test("every delay and figure of the rules at its least, and at its most")
    func settings() throws {
        let rows = try Self.ranges()
        #expect(rows.count > 25, "\(rows.map(\.key))")
        for value in [\(key: String, least: String, most: String).least, \.most] {
            let sets = rows.flatMap { ["--set", "\($0.key)=\($0[keyPath: value])"] }
            for scenario in ["progressive", "reference-workload"] {
                let words = [
                    "config/scenarios/\(scenario).json5", "--devices", "20", "--days", "10",
                    "--set", "arms=[]",
                ]
                let whole = try report(words + sets + ["--epoch", "3650d"])
                let short = try report(words + sets + ["--epoch", "7m"])
                #expect(whole["digest"]?.string == short["digest"]?.string)
            }
        }
    }

    @Test("memory after a third of ten years is memory at their end")
    func memory() throws {
        func machine(_ days: Int) throws -> (resident: Int, each: Int, events: Int) {
            let report = try report([
                "config/scenarios/reference-workload.json5", "--devices", "15", "--days", "\(days)",
                "--workers", "1",
            ])
            let machine = report["machine"]
            return (
                count(machine?["resident_bytes"]), count(machine?["bytes_per_device"]),
                count(machine?["events"])
            )
        }
        let (third, whole) = (try machine(1_217), try machine(3_650))
        // Ten bytes an event would show in the process, and a hundredth of a byte in the engine's
        // own figure, in which the allocator rounds the room of arrays by chance.
        #expect(whole.events - third.events > 400_000)
        #expect(abs(whole.each - third.each) < 8)
        #expect(whole.resident < third.resident + 4 << 20)
    }
}
