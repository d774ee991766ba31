import AuthorizationCore
import Bundles
import Foundation
import SimPrimitives
import Simulation
import Testing

@Suite("A bundle reader")
struct BundleReaderTests {
    @Test("accepts the contract's scenario as it stands")
    func contract() throws {
        let path = Workplace.data.appendingPathComponent("scenario.json5").path
        let bundle = try Workplace.reader.read(scenarioPath: path)
        let scenario = bundle.scenario
        #expect(scenario.name == "progressive-ask")
        #expect(scenario.deviceCount == 100_000)
        #expect(scenario.duration == .days(30))
        #expect(scenario.seed == 42)
        #expect(scenario.iosMix.map(\.value.description) == ["16.7", "17.6", "18.5"])
        #expect(scenario.iosMix.map(\.weight) == [1, 3, 6])
        #expect(scenario.personas.map(\.name) == ["accepts", "depends", "refuses"])
        #expect(scenario.personas.map(\.behavior) == [0, 0, 0])
        #expect(
            scenario.personas[1].options == [
                ScriptOption(name: "grant_share", value: .number(0.55), isAssumed: false),
                ScriptOption(name: "once_share", value: .number(0.2), isAssumed: false),
                ScriptOption(name: "opens_per_day", value: .number(1.2), isAssumed: false),
            ])
        #expect(scenario.scripts.map(\.name) == ["archetype.lua", "progressive.lua"])
        #expect(scenario.app.strategy == 1)
        #expect(scenario.app.capabilities.hasLocationBackgroundMode)
        #expect(scenario.app.capabilities.temporaryPurposeKeys == ["arrival", "parking"])
        #expect(
            scenario.app.usageTexts == [
                "", "Shows the stores around you.", "Tells you when you pass a store.",
            ])
        #expect(scenario.features == ["store_finder", "arrival_alerts"])
        #expect(scenario.funnels.map(\.name) == ["funnel", "alerts"])
        #expect(scenario.funnels[1].window == .days(14))
        #expect(scenario.zone.startUnixSeconds == 1_767_567_600)
        #expect(scenario.checkEvery == .hours(1))
        #expect(bundle.notYet.map(\.key) == ["arms", "interventions", "thresholds"])
        #expect(bundle.notYet[0].line == 32)
    }
}
