import AuthorizationCore
import LuaScripting
import SimPrimitives
import Simulation
import Testing

/// The scripts of the contract, as they stand.
@Suite("The scripts of the contract")
struct ContractTests {
    func fixture() throws -> Fixture {
        let (behavior, strategy) = (
            try Fixture.data("behavior.lua"), try Fixture.data("strategy.lua")
        )
        let options = try ScriptOutline.read(
            source: behavior, name: "behavior.lua", kind: .behavior
        ).options
        let others = try ScriptOutline.read(
            source: strategy, name: "strategy.lua", kind: .strategy
        ).options
        return Fixture(
            behavior: behavior, strategy: strategy, behaviorOptions: options.map(\.asDefault),
            strategyOptions: others.map(\.asDefault))
    }

    @Test("are read with their hooks and options")
    func outlines() throws {
        let behavior = try ScriptOutline.read(
            source: try Fixture.data("behavior.lua"), name: "behavior.lua", kind: .behavior)
        #expect(HookName.behavior.allSatisfy { behavior.hooks.contains($0) })
        #expect(behavior.options.map(\.name) == ["grant_share", "once_share", "opens_per_day"])
        #expect(behavior.options.map(\.isAssumed) == [true, true, false])
        #expect(behavior.options[2].source == "airship-2020-opens")
        #expect(behavior.options[2].unit == "1/day")
        #expect(behavior.options[0].defaultValue == .number(0.6))
        let strategy = try ScriptOutline.read(
            source: try Fixture.data("strategy.lua"), name: "strategy.lua", kind: .strategy)
        #expect(strategy.options.map(\.isAssumed) == [false])
        #expect(!strategy.hooks.contains(.didChangeAuthorization))
        #expect(strategy.hooks.contains(.didFailWithError))
    }

    @Test("answer for a person through every hook")
    func behavior() throws {
        let fixture = try fixture()
        for device in 0..<50 as Range<UInt32> {
            let person = PersonView.person(device)
            try fixture.run(.born, person)
            for hook in HookName.behavior { try fixture.run(hook, person) }
            for kind in PromptKind.allCases where kind != .whenInUse {
                let reply = try fixture.ask(.of(kind, isPrimed: true), person)
                #expect(kind.choices(on: person.ios).contains(reply.choice))
            }
        }
    }

    @Test("act for an app through every hook")
    func strategy() throws {
        let fixture = try fixture()
        let why = try #require(fixture.names.id(of: "why"))
        #expect(try fixture.send(.launched) == [])
        #expect(try fixture.send(.tapped(feature: 0)) == [.showPrimer(id: why)])
        #expect(
            try fixture.send(.primerAnswered(id: why, .continue))
                == [.requestWhenInUseAuthorization])
        let declined = try fixture.send(.primerAnswered(id: why, .notNow))
        #expect(declined == [.milestone(try #require(fixture.names.id(of: "declined_primer")))])

        let denied = AppView.app(status: .denied)
        let finder = try #require(fixture.names.id(of: "store_finder"))
        let refused = try #require(fixture.names.id(of: "errorPermissions"))
        #expect(
            try fixture.send(.tapped(feature: 0), denied)
                == [.showSettingsAlert, .featureDone(finder, outcome: refused)])

        let granted = AppView.app(status: .authorizedWhenInUse)
        #expect(try fixture.send(.tapped(feature: 0), granted) == [.requestLocation])
        #expect(try fixture.send(.tapped(feature: 0), granted) == [.requestLocation])
        #expect(
            try fixture.send(.tapped(feature: 1), granted)
                == [.requestLocation, .requestAlwaysAuthorization])

        let always = AppView.app(status: .authorizedAlways)
        #expect(
            try fixture.send(.didChangeAuthorization(isLegacy: false), always)
                == [.setAllowsBackgroundLocationUpdates(true), .start(.significantChange)])
        let old = AppView.app(ios: "8.4", status: .authorizedAlways)
        #expect(try fixture.send(.didChangeAuthorization(isLegacy: false), old) == [])
        let done = try fixture.send(.didUpdateLocations(horizontalAccuracyMeters: 10), granted)
        let success = try #require(fixture.names.id(of: "success"))
        #expect(done == [.featureDone(finder, outcome: success)])
        #expect(try fixture.send(.didFailWithError(.denied), granted) == [])
        #expect(try fixture.send(.enteredForeground) == [])
        #expect(try fixture.send(.enteredBackground) == [])
    }
}

extension ScriptOutline.Option {
    /// The option at its default.
    var asDefault: ScriptOption {
        ScriptOption(name: name, value: defaultValue, isAssumed: isAssumed)
    }
}
