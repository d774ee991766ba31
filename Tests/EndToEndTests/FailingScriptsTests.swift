import Foundation
import TestSupport
import Testing

/// What becomes of a run whose scripts fail.
@Suite("A run whose scripts fail")
struct FailingScriptsTests {
    /// People of whom those of one persona do as `hook` says.
    private func run(_ hook: String, _ more: String = "", _ words: [String] = []) throws -> Program
    {
        let folder = try ScratchFolder()
        try folder.write(
            """
            return { answer_prompt = function(self, prompt) return "dont_allow" end,
              next_open = function(self, person)
                if person.persona == "hostile" then \(hook) end
                return rng.exponential(40000)
              end }
            """, to: "own.lua")
        let path = try folder.write(
            """
            { name: "own", devices: 60, duration: "10d",
              personas: [{ name: "hostile", behavior: "own.lua", weight: 20 },
                         { name: "others", behavior: "own.lua", weight: 80 }],
              app: { info_plist: "apps/store-finder/Info.plist", strategy: "progressive.lua",
                     features: ["store_finder"] }, \(more) }
            """, to: "own.json5")
        return try Program.locfleet(["run", path, "--json"] + words)
    }

    private struct Report: Decodable {
        struct Arm: Decodable {
            struct Failures: Decodable { let count: UInt64 }
            let script_failures: Failures
        }
        let ended_by: String
        let arms: [Arm]
        let digest: String
    }

    private func report(_ program: Program) throws -> Report {
        try JSONDecoder().decode(Report.self, from: Data(program.out.utf8))
    }

    @Test("goes on with the fallback, and counts, when nothing else is said")
    func goesOn() throws {
        let program = try run("while true do end")
        #expect(program.status == 0, "\(program.error)")
        let report = try report(program)
        #expect(report.ended_by == "duration")
        #expect(report.arms[0].script_failures.count > 5)
    }

    @Test("ends after so many failures as the scenario allows, and says so by its status")
    func ends() throws {
        let program = try run("error('no')", "script_failures: { end_run_after: 5 }")
        #expect(program.status == 1)
        let report = try report(program)
        #expect(report.ended_by == "script_failures")
        #expect(report.arms[0].script_failures.count > 5)
        let calm = try run("return 60000", "script_failures: { end_run_after: 5 }")
        #expect(try self.report(calm).ended_by == "duration")
    }

    @Test(
        "recommends a command that shows the first failure, with its message and what was printed")
    func recommended() throws {
        let folder = try ScratchFolder()
        try folder.write(
            """
            return { answer_prompt = function(self, prompt) return "dont_allow" end,
              each_day = function(self, person)
                print("day", person.day, person.weekday)
                if person.day == 2 then error("too early") end
              end }
            """, to: "own.lua")
        let path = try folder.write(
            """
            { devices: 60, duration: "4d", personas: [{ name: "own", behavior: "own.lua" }],
              app: { info_plist: "apps/store-finder/Info.plist", strategy: "progressive.lua",
                     features: ["store_finder"] } }
            """, to: "it's own.json5")
        let options = ["--seed", "9", "--set", "personas.*.name=some body", "--devices", "40"]
        let run = try Program.locfleet(["run", path] + options)
        #expect(run.status == 0, "\(run.error)")
        let line = try #require(run.out.split(separator: "\n").first { $0.contains("see it: ") })
        let command = try #require(line.components(separatedBy: "see it: locfleet ").last)
        let why = try Program.started(
            ["-c", "'\(Program.url("locfleet").path)' " + command],
            executable: URL(filePath: "/bin/sh")
        ).ended()
        #expect(why.status == 0, "\(command): \(why.error)")
        #expect(why.out.contains("persona some body"))
        #expect(why.out.contains("own.lua:4 failed in each_day (runtime): too early"))
        #expect(why.out.contains("; nothing of it was"))
        let days = why.out.components(separatedBy: "print: day").dropFirst().map { $0.prefix(4) }
        #expect(days == [" 0 1", " 1 2", " 2 3", " 3 4"])
    }

    @Test("counts failures alike for any number of workers")
    func workers() throws {
        let folder = try ScratchFolder()
        try folder.write(
            """
            return { answer_prompt = function(self, prompt) return "dont_allow" end,
              next_open = function() return 3000 end,
              session_length = function(self, person)
                local n = rng.integer(1, 9)
                if n == 1 then error("a " .. person.device) end
                if n == 2 then return "for " .. person.device end
                if n == 3 then phone.settings("row " .. person.device) end
                return 60
              end }
            """, to: "own.lua")
        let path = try folder.write(
            """
            { devices: 34000, duration: "2h", personas: [{ name: "own", behavior: "own.lua" }],
              app: { info_plist: "apps/store-finder/Info.plist", strategy: "progressive.lua",
                     features: ["store_finder"] } }
            """, to: "own.json5")
        let reports = try ["1", "2", "5"].map { workers in
            let program = try Program.locfleet(["run", path, "--json", "--workers", workers])
            #expect(program.status == 0, "\(program.error)")
            return program.out.components(separatedBy: "\"machine\"")[0]
        }
        #expect(Set(reports).count == 1)
        #expect(reports[0].components(separatedBy: #""hook": "session_length""#).count == 5)
    }

    @Test("ends without a result when a script fills its memory, whatever the number of workers")
    func memory() throws {
        let bomb = "for i = 1, 60 do self[#self + 1] = (#self .. 'x'):rep(2500) end"
        for workers in ["1", "3"] {
            let program = try run(
                bomb, "script_failures: { end_run_after: 1000000 }", ["--workers", workers])
            #expect(program.status == 1)
            #expect(program.out.isEmpty, "a report of a run that has no result")
            let due = "script_memory_exhausted: scripts have used up their memory in next_open"
            #expect(program.error.contains(due), "\(program.error)")
            #expect(program.error.contains("device "), "\(program.error)")
        }
    }

    @Test("leaves everybody else as they would be without the failures")
    func isolation() throws {
        let folder = try ScratchFolder()
        func log(_ hook: String) throws -> [String: [Substring]] {
            let path = folder.path("log-\(hook.utf8.count)")
            let program = try run(hook, "", ["--log", path])
            #expect(program.status == 0, "\(program.error)")
            let text = try String(contentsOfFile: path, encoding: .utf8)
            return Dictionary(grouping: text.split(separator: "\n")) { line in
                line.range(of: "\"device\":").map {
                    String(line[$0.upperBound...].prefix { $0.isNumber })
                } ?? ""
            }
        }
        let calm = try log("self.x = 1")
        let hostile = try log("pcall(function() while true do end end)")
        let failed = hostile.filter { $0.value.contains { $0.contains("\"script_failure\"") } }
        #expect(failed.count > 5 && failed.count < 30)
        #expect(calm.count == 60)
        for (device, lines) in calm where failed[device] == nil {
            #expect(hostile[device] == lines, "device \(device)")
        }
    }
}
