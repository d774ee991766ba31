import Foundation
import TestSupport
import Testing

/// Timers and tasks of an app pass in `locfleet test` as in a fleet.
@Suite("Timers under locfleet test")
struct TestVerbTimerTests {
    /// What stands in `launched`, what a test does, and what happened by then.
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let launched: String
        let acts: String
        let milestones: [String]

        init(_ name: String, _ launched: String, _ acts: String, _ milestones: [String]) {
            (testDescription, self.launched, self.acts) = (name, launched, acts)
            self.milestones = milestones
        }
    }

    private static let note = "function(self, app) app:milestone(\"fired\") end"
    private static let ticks = """
        self.ticks = 0
        self.timer = app:every(5, function(self, app)
          self.ticks = self.ticks + 1
          app:milestone("tick " .. self.ticks)
          if self.ticks == 3 then self.timer:cancel() end
        end)
        """

    static let rows = [
        Row("nothing before it is due", "app:after(3, \(note))", "device:wait(2)", []),
        Row("after", "app:after(3, \(note))", "device:wait(3)", ["fired"]),
        Row("after, once", "app:after(3, \(note))", "device:wait(60)", ["fired"]),
        Row(
            "every, and cancel in the own callback", ticks, "device:wait(60)",
            ["tick 1", "tick 2", "tick 3"]),
        Row("cancel", "local t = app:after(3, \(note)) t:cancel()", "device:wait(60)", []),
        Row(
            "wait in a task, in order of time",
            """
            app:start(function(self, app)
              for place = 1, 2 do wait(4) app:milestone("task " .. place) end
            end)
            \(ticks)
            """, "device:wait(9)", ["task 1", "tick 1", "task 2"]),
        Row(
            "one that another sets", "app:after(1, function(self, app) app:after(1, \(note)) end)",
            "device:wait(2)", ["fired"]),
        Row(
            "not after the end of the process", "app:after(3, \(note))",
            "device:terminate() device:wait(60)", []),
        Row(
            "not after an upgrade of iOS", "app:after(3, \(note))",
            "device:upgrade_os(\"26.0\") device:wait(60)", []),
        Row(
            "those of the new process alone", "app:after(3, \(note))",
            "device:wait(2) device:terminate() device:launch() device:wait(2)", []),
        Row(
            "not while the app is suspended", "app:after(60, \(note))",
            "device:leave() device:wait(\"1h\") expect(device.process):to_be(\"suspended\")", []),
        Row(
            "at once when it executes again, what it missed once", ticks,
            "device:leave() device:wait(\"1h\") device:launch()",
            ["tick 1"]),
    ]

    @Test("fire when they are due while the process executes", arguments: rows)
    func due(_ row: Row) throws {
        let list = row.milestones.map { "\"\($0)\"" }.joined(separator: ", ")
        let program = try Self.run(
            row.launched,
            "device:launch() \(row.acts)\nexpect(device.milestones):to_equal { \(list) }")
        #expect(program.status == 0, "\(program.out)\(program.error)")
    }

    @Test("fire where a behavior lives with the device")
    func lived() throws {
        let program = try Self.run(
            "app:after(3, \(Self.note))",
            "device:run(\"3d\") expect(device.milestones):to_contain(\"fired\")",
            file: "strategy = \"s.lua\", behavior = \"archetype.lua\"")
        #expect(program.status == 0, "\(program.out)\(program.error)")
    }

    @Test(
        "fail the test that they fail in, with their own line",
        arguments: [
            "app:after(3, function(self, app)\napp:milestonee(\"x\") end)",
            "app:every(3, function(self, app)\napp:milestonee(\"x\") end)",
            "app:start(function(self, app) wait(3)\napp:milestonee(\"x\") end)",
        ])
    func failing(_ launched: String) throws {
        let program = try Self.run(launched, "device:launch() device:wait(60)")
        #expect(program.status == 3)
        #expect(program.out.contains("s.lua:3: an app has no field 'milestonee'"), "\(program.out)")
        #expect(program.out.contains("(hook timer)"), "\(program.out)")
    }

    private static func run(
        _ launched: String, _ body: String, file: String = "strategy = \"s.lua\""
    ) throws -> Program {
        let test = try ScriptTestRun("[\"test\"] = function(device) \(body) end,", file: file)
        try test.folder.write(
            "return { launched = function(self, app)\n\(launched)\nend }", to: "s.lua")
        return try test.run()
    }
}
