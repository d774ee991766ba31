import SimPrimitives
import TestSupport
import Testing

@testable import Simulation

@Suite("The table of casts")
struct CastTableTests {
    private static let declared = [
        DeclaredOption(name: "calm", value: .number(0.5), min: 0, max: 1, unit: "share"),
        DeclaredOption(name: "polite", value: .boolean(true)),
    ]

    private func options(_ calm: Double, given: Bool = true) -> [ScriptOption] {
        [
            ScriptOption(name: "calm", value: .number(calm), isAssumed: false, isGiven: given),
            ScriptOption(name: "polite", value: .boolean(true), isAssumed: true),
        ]
    }

    /// Three personas: two play script 0, one script 1, which has no options; the app script 2.
    private func scenario() -> Scenario {
        var scenario = TestSupport.scenario()
        scenario.scripts = ["a.lua", "b.lua", "app.lua"].map { ScriptSource(name: $0, text: $0) }
        scenario.declarations = [Self.declared, [], Self.declared]
        scenario.personas = [
            .init(name: "x", weight: 1, behavior: 0, options: options(0.1)),
            .init(name: "y", weight: 1, behavior: 0, options: options(0.9, given: false)),
            .init(name: "z", weight: 1, behavior: 1, options: []),
        ]
        (scenario.app.strategy, scenario.app.options) = (2, options(0.3))
        return scenario
    }

    private func calm(
        _ value: Double, _ condition: DeviceCondition = .constant(true), share: Double = 1
    ) -> Intervention {
        Intervention(
            at: .start, condition: condition, share: share,
            .options([OptionSetting("calm", .number(value))]))
    }

    private func apply(
        _ intervention: Intervention, to table: inout CastTable, _ scenario: Scenario
    ) throws -> CastMoves {
        let moves = table.apply(intervention, arm: 0, in: scenario)
        return try #require(moves)
    }

    private let change = ScriptChange(
        ScriptSource(name: "new.lua", text: "new"), declared: Self.declared,
        options: [
            ScriptOption(name: "calm", value: .number(0.5), isAssumed: true),
            ScriptOption(name: "polite", value: .boolean(false), isAssumed: false, isGiven: true),
        ])

    @Test("begins with what each persona plays, and the app")
    func beginning() {
        let table = CastTable(scenario())
        #expect(table.behaviors.map(\.script) == [0, 0, 1])
        #expect(table.strategies == [Cast(script: 2, options: options(0.3))])
    }

    @Test("lets a new script keep what its predecessor was given, and gives it its own defaults")
    func given() throws {
        var scenario = scenario()
        let all = Intervention(at: .start, .behavior(change))
        scenario.take([all])
        #expect(scenario.scripts[3].name == "new.lua")
        var table = CastTable(scenario)
        let moves = try apply(all, to: &table, scenario)
        func value(_ old: Int, _ option: Int) -> ScriptOption.Value? {
            moves.nextBehaviors[old].map { table.behaviors[$0].options[option].value }
        }
        #expect(value(0, 0) == .number(0.1))
        #expect(value(1, 0) == .number(0.5), "0.9 was nobody's setting")
        #expect(value(2, 0) == .number(0.5))
        #expect(value(0, 1) == .boolean(false))
        #expect(
            moves.nextBehaviors[1] == moves.nextBehaviors[2],
            "the same script and options are one cast")
        #expect(moves.nextStrategies.isEmpty)
    }

    @Test("numbers no cast for whom an intervention rules out")
    func narrow() throws {
        let scenario = scenario()
        var table = CastTable(scenario)
        var moves = try apply(calm(0.2, .persona([true, false, false])), to: &table, scenario)
        #expect(moves.nextBehaviors == [0: 3])
        moves = try apply(
            calm(0.4, .option(OptionTest("calm", .less, .number(0.5)))), to: &table, scenario)
        #expect(moves.nextBehaviors == [3: 4], "nobody has cast 0 any more")
        moves = try apply(calm(0.4, .arm([false, true])), to: &table, scenario)
        #expect(moves.nextBehaviors.isEmpty)
        #expect(table.behaviors.count == 5)
        moves = try apply(calm(0.6, .not(.day(.less, 3))), to: &table, scenario)
        #expect(moves.nextBehaviors.keys.sorted() == [1, 4])
    }

    @Test("keeps those who may not be drawn, or may have no app that is updated")
    func kept() throws {
        var scenario = scenario()
        let update = Intervention(at: .start, .strategy(change))
        scenario.take([update])
        var table = CastTable(scenario)
        _ = table.apply(calm(0.2, share: 0.5), arm: 0, in: scenario)
        var moves = try apply(calm(0.3), to: &table, scenario)
        #expect(moves.nextBehaviors.keys.sorted() == [0, 1, 3])
        _ = table.apply(update, arm: 0, in: scenario)
        let other = Intervention(
            at: .start, .appOptions([OptionSetting("calm", .number(0.7))]))
        moves = try apply(other, to: &table, scenario)
        #expect(moves.nextStrategies == [0: 2, 1: 3])
    }

    @Test("takes thousands of changes one after the other, and refuses what would be too many")
    func limit() {
        let scenario = scenario()
        var table = CastTable(scenario)
        var taken = 0
        while table.apply(calm(Double(taken) / 10_000), arm: 0, in: scenario) != nil { taken += 1 }
        #expect(taken > 4_000)
        let before = table.behaviors.count
        #expect(before <= CastTable.countMax)
        #expect(table.apply(calm(0.999_9), arm: 0, in: scenario) == nil)
        #expect(table.behaviors.count == before, "a refusal changes nothing")
        #expect(table.apply(calm(0.000_1), arm: 0, in: scenario) != nil, "there is one like it")
    }

    @Test("names an option that somebody who is meant has not, or has otherwise")
    func misfits() throws {
        let scenario = scenario()
        let table = CastTable(scenario)
        func message(_ intervention: Intervention) -> String? {
            table.misfit(of: intervention, arm: 0, in: scenario)?
                .message(place: "", nearest: { _, names in names.first })
        }
        let forX = DeviceCondition.persona([true, true, false])
        #expect(message(calm(0.2, forX)) == nil)
        #expect(
            message(calm(0.2)) == """
                persona "z" plays b.lua, which has no option "calm"; it has none; with where one \
                says whom it means, such as 'persona != "z"'
                """)
        #expect(
            message(calm(1.5, forX)) == """
                persona "x" plays a.lua, whose option "calm" is a number, 0 to 1 (share), not \
                1.5
                """)
        let kind = Intervention(at: .start, .appOptions([OptionSetting("polite", .number(1))]))
        #expect(
            message(kind)
                == "the app plays app.lua, whose option \"polite\" is true or false, not 1")
        let name = Intervention(at: .start, .appOptions([OptionSetting("clam", .number(1))]))
        #expect(
            message(name) == """
                the app plays app.lua, which has no option "clam"; did you mean "calm"?
                """)
    }

    @Test("is of scripts that have names of their own: one called like another is numbered")
    func names() {
        var scenario = scenario()
        func bring(_ name: String, _ text: String) -> Intervention {
            Intervention(at: .start, .strategy(ScriptChange(ScriptSource(name: name, text: text))))
        }
        let journal = [
            bring("late.lua", "1"), bring("late.lua", "2"), bring("late.lua", "1"),
            bring("late.lua", "3"), bring("a.lua", "a.lua"), bring("a.lua", "4"),
        ]
        scenario.take(journal)
        #expect(
            scenario.scripts.map(\.name) == [
                "a.lua", "b.lua", "app.lua", "late.lua", "late.lua (2)", "late.lua (3)",
                "a.lua (2)",
            ])
        #expect(
            journal.map { scenario.index(of: $0.action.change!.source) } == [3, 4, 3, 5, 0, 6])
        var again = scenario
        again.take(journal)
        #expect(again.scripts == scenario.scripts)
    }
}

@Suite("What a condition says of all who have a persona and options")
struct ConditionVerdictTests {
    private let options = [ScriptOption(name: "calm", value: .number(0.5), isAssumed: false)]

    // swift-format-ignore
    static let rows: [(DeviceCondition, Bool?)] = [
        (.constant(true), true), (.persona([true, false]), true), (.persona([false, true]), false),
        (.arm([true, false]), false), (.arm([false, true]), true), (.visible(1), nil), (.day(.less, 3), nil),
        (.option(OptionTest("calm", .greater, .number(0.4))), true), (.option(OptionTest("calm", .greater, .number(0.5))), false),
        (.option(OptionTest("clam", .equal, .number(0.5))), false), (.option(OptionTest("clam", .notEqual, .number(0.5))), false),
        (.all([.constant(false), .visible(1)]), false), (.all([.constant(true), .visible(1)]), nil), (.all([]), true),
        (.any([.constant(true), .visible(1)]), true), (.any([.constant(false), .visible(1)]), nil), (.any([]), false),
        (.not(.visible(1)), nil), (.not(.persona([true, false])), false), (.not(.not(.constant(true))), true),
    ]

    @Test("is sure where nothing else of a device matters", arguments: rows)
    func verdicts(_ condition: DeviceCondition, _ expected: Bool?) {
        #expect(condition.verdict(persona: 0, arm: 1, options: options) == expected)
    }
}
