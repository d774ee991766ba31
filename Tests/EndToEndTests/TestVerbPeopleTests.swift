import Foundation
import TestSupport
import Testing

/// What tests see of people, and of what scripts count.
@Suite("People and figures under locfleet test")
struct TestVerbPeopleTests {
    /// A behavior with this in `each_day`.
    private static func run(_ day: String, _ body: String) throws -> Program {
        let test = try ScriptTestRun(
            "[\"test\"] = function(device, person) \(body) end,", file: "behavior = \"b.lua\"")
        try test.folder.write(
            """
            return { answer_prompt = function(self, prompt) return prompt.choices[1] end,
              each_day = function(self, person) \(day) end }
            """, to: "b.lua")
        return try test.run()
    }

    /// Each thing that a behavior does, and what `person.acts` says of it.
    static let acts = [
        ("phone.settings(\"never\")", "settings never"), ("phone.precise(false)", "precise false"),
        ("phone.location_services(false)", "location_services false"),
        ("phone.restrict_location(true)", "restrict_location true"),
        ("phone.background_app_refresh(false)", "background_app_refresh false"),
        ("phone.force_quit()", "force_quit"), ("phone.delete_app()", "delete_app"),
        ("phone.reinstall(3600)", "reinstall 3600"),
        ("phone.reinstall(\"1500ms\")", "reinstall 1.5"),
        ("phone.reset_location_privacy()", "reset_location_privacy"), ("phone.reboot()", "reboot"),
        ("phone.upgrade_os(\"26.0\")", "upgrade_os 26.0"),
        ("phone.migrate_device()", "migrate_device"), ("phone.place_widget()", "place_widget"),
        ("phone.tap_location_button()", "tap_location_button"),
        // Nothing is done to the phone.
        ("metric.count(\"x\")", nil), ("metric.observe(\"x\", 1)", nil),
        ("funnel.step(\"x\")", nil),
    ]

    @Test(
        "acts tell what was done to the phone, with its argument, and nothing else", arguments: acts
    )
    func acting(_ call: String, _ said: String?) throws {
        let list = said.map { "\"\($0)\"" } ?? ""
        let program = try Self.run(
            call, "person:each_day() expect(person.acts):to_equal { \(list) }")
        #expect(program.status == 0, "\(program.out)\(program.error)")
    }

    private static let figures = """
        metric.count("days") metric.count("steps", 2) funnel.step("lived")
        metric.observe("hour", person.local_hour)
        """

    @Test("figures are there by name, of a person who is asked")
    func personFigures() throws {
        let program = try Self.run(
            Self.figures,
            """
            expect(person.counters):to_equal {}
            expect(person.local_hour):to_be(12)
            person:each_day()
            person.local_hour = 20.25
            person:each_day()
            expect(person.local_hour):to_be(20.25)
            expect(person.counters):to_equal { days = 2, steps = 4 }
            expect(person.observed):to_equal { hour = { 12, 20.25 } }
            expect(person.milestones):to_equal { "lived", "lived" }
            """)
        #expect(program.status == 0, "\(program.out)\(program.error)")
    }

    @Test("figures are there by name, of both scripts of a device")
    func deviceFigures() throws {
        let test = try ScriptTestRun(
            """
            ["test"] = function(device)
              expect(device.counters):to_equal {}
              expect(device.observed):to_equal {}
              device:run("2d")
              expect(device.counters):to_equal { days = 2, steps = 4, launches = 1 }
              expect(device.observed.version):to_equal { 18 }
              expect(device.observed.hour):to_have_length(2)
              expect(device.milestones):to_equal { "launched", "lived", "lived" }
            end,
            """, file: "behavior = \"b.lua\", strategy = \"s.lua\"")
        try test.folder.write(
            """
            return { answer_prompt = function(self, prompt) return prompt.choices[1] end,
              next_open = function(self)
                if not self.is_open then self.is_open = true return 1 end
              end,
              each_day = function(self, person) \(Self.figures) end }
            """, to: "b.lua")
        try test.folder.write(
            """
            return { launched = function(self, app) metric.count("launches")
              metric.observe("version", 18) funnel.step("launched") end }
            """, to: "s.lua")
        let program = try test.run()
        #expect(program.status == 0, "\(program.out)\(program.error)")
    }

    @Test(
        "a day has hours from 0 to below 24, each on that day",
        arguments: ["0", "7.5", "23.9999999999999"])
    func hours(_ hour: String) throws {
        let program = try Self.run(
            "metric.observe(\"day\", person.day) metric.observe(\"hour\", person.local_hour)",
            """
            person.day, person.local_hour = 5, \(hour)
            person:each_day()
            expect(person.observed.day):to_equal { 5 }
            expect(person.observed.hour[1]):to_be_near(\(hour), 0.001)
            """)
        #expect(program.status == 0, "\(program.out)\(program.error)")
    }
}
