import AuthorizationCore
import Bundles
import Foundation
import SimPrimitives
import Simulation
import Testing

@Suite("What a command line lays over a scenario")
struct OverridesTests {
    let workplace: Workplace

    init() throws { workplace = try Workplace() }

    private let people = """
        {
          devices: 10,
          ios: [["17.6", 1], ["18.5", 1]],
          personas: [{ name: "a", options: { grant_share: 0.1 } }, { name: "b" }],
          app: {
            info_plist: "apps/store-finder/Info.plist", strategy: "progressive.lua",
            options: { upgrade_after_uses: 5 },
          },
          arms: [{ name: "late", set: { "app.options.upgrade_after_uses": 9 } }],
        }
        """

    private func scenario(_ sets: (key: String, value: String)...) throws -> Scenario {
        defer { workplace.remove() }
        return try workplace.read(people, Overrides(sets: sets)).scenario
    }

    @Test("is the number of devices, the days and the seed")
    func plainOptions() throws {
        defer { workplace.remove() }
        let overrides = Overrides(devices: 7, days: 0.25, seed: .max)
        let scenario = try workplace.read(people, overrides).scenario
        #expect(scenario.deviceCount == 7)
        #expect(scenario.duration == .hours(6))
        #expect(scenario.seed == .max)
    }

    @Test(
        "is refused in the words of the option",
        arguments: [
            (
                Overrides(devices: 0),
                "--devices: the number of devices is a whole number, 1 to 100,000,000, not 0"
            ),
            (
                Overrides(days: 0),
                "--days: a fleet lives for more than 0 and at most 3,650 days, not 0"
            ),
            (
                Overrides(days: .nan),
                "--days: a fleet lives for more than 0 and at most 3,650 days, not nan"
            ),
            (
                Overrides(days: 1e-12),
                "--days: duration: a duration is at least 1ms and at most 3650d, not \"0.000000s\""
            ),
        ])
    func refused(overrides: Overrides, message: String) throws {
        defer { workplace.remove() }
        #expect(try workplace.complaints(people, overrides) == [message])
    }

    @Test("reaches options, rules, delays and elements of lists by name, index and star")
    func paths() throws {
        let scenario = try scenario(
            ("personas.a.options.grant_share", "0.3"), ("personas.1.weight", "2.5"),
            ("personas.*.options.once_share", ".05"), ("rules.allow_once_grace_seconds", "0x10"),
            ("rules.prompt_on_leave", "stay"), ("delays.answer", "1m"), ("ios.1.1", "9"),
            ("app.options.primer", "'Hello, you'"), ("app.features", "[]"),
            ("app.features", "['map', \"b\"]"), ("name", "other"), ("zone", "Europe/Berlin"),
            ("start", "2026-02-01T08:00:00"))
        #expect(
            scenario.personas[0].options.map(\.value).prefix(2) == [.number(0.3), .number(0.05)])
        #expect(
            scenario.personas[1].options.map(\.value).prefix(2) == [.number(0.6), .number(0.05)])
        #expect(scenario.personas[1].weight == 2.5)
        #expect(scenario.rules.allowOnceGraceSeconds == 16)
        #expect(scenario.rules.promptOnLeave == .stay)
        #expect(scenario.delays.answer == .minutes(1))
        #expect(scenario.iosMix[1].weight == 9)
        #expect(scenario.app.options[2].value == .string("Hello, you"))
        #expect(scenario.features == ["map", "b"])
        #expect(scenario.name == "other")
        #expect(scenario.zone.name == "Europe/Berlin")
    }

    @Test("with another strategy leaves out options that only the one before has")
    func otherStrategy() throws {
        #expect(try scenario(("app.strategy", "ask_on_launch.lua")).app.options.isEmpty)
    }

    @Test("with another strategy still refuses options given along with it")
    func otherStrategyOptions() throws {
        defer { workplace.remove() }
        let sets = [("app.strategy", "ask_on_launch.lua"), ("app.options.upgrade_after_uses", "1")]
        let complaints = try workplace.complaints(
            people, Overrides(sets: sets.map { (key: $0.0, value: $0.1) }))
        #expect(
            complaints == [
                "--set app.options.upgrade_after_uses: there is no option \"upgrade_after_uses\" in "
                    + "ask_on_launch.lua; there are none; options belong to a script: take out those "
                    + "of another"
            ])
    }

    @Test("reaches into arms, and empties them")
    func arms() throws {
        defer { workplace.remove() }
        let none = try workplace.read(people, Overrides(sets: [(key: "arms", value: "[]")]))
        #expect(none.arms.map(\.name) == ["base"])
        let given = try workplace.read(
            people, Overrides(sets: [(key: "end_when", value: "day > 3")]))
        #expect(given.arms.map(\.name) == ["base", "late"])
        #expect(given.arms.allSatisfy { $0.scenario.endWhen != nil })
    }

    @Test("blames the arm that is not there, or not run, where a threshold names one")
    func armsOfThresholds() throws {
        defer { workplace.remove() }
        let sets = [(key: "thresholds", value: "['arm = late or day > 0']")]
        #expect(try workplace.read(people, Overrides(sets: sets, arms: ["late"])).arms.count == 2)
        let nope = try workplace.complaints(people, Overrides(sets: sets, arms: ["nope"]))
        #expect(
            nope.first
                == "--arm: there is no arm \"nope\"; there are: late; the file of a strategy ends "
                + "in .lua", "\(nope)")
        let file = try workplace.complaints(
            people, Overrides(sets: sets, arms: ["ask_on_launch.lua"]))
        let blamed = file.first ?? ""
        #expect(blamed.contains("arm \"late\" is not run here; --arm late runs it, too"), "\(file)")
    }

    @Test("chooses among the scenario's arms, and makes one of a strategy's file")
    func chosenArms() throws {
        defer { workplace.remove() }
        let named = try workplace.read(people, Overrides(arms: ["late"]))
        #expect(named.arms.map(\.name) == ["base", "late"])
        let file = try workplace.read(people, Overrides(arms: ["ask_on_launch.lua"]))
        #expect(file.arms.map(\.name) == ["base", "ask_on_launch"])
        let strategy = file.arms[1].scenario.app.strategy
        #expect(file.arms[1].scenario.scripts[strategy].name == "ask_on_launch.lua")
        #expect(file.sha256 != named.sha256)
        #expect(
            try workplace.complaints(people, Overrides(arms: ["b", "late", "late", "no.lua"])).map {
                String($0.split(separator: ";")[0])
            } == [
                "--arm: there is no arm \"b\"",
                "--arm: there are two arms called \"late\"",
                "--arm: app.strategy: in arm \"no\": \"no.lua\": there is no such file",
            ])
    }
}
