import AuthorizationCore
import DeviceCore
import SimPrimitives
import Simulation
import TestSupport
import Testing

@Suite("An App Clip on a device")
struct AppClipTests {
    private func clipScenario(days: Int64 = 60) -> Scenario {
        var capabilities = AppCapabilities.everything
        capabilities.isAppClip = true
        return scenario(days: days, capabilities: capabilities)
    }

    private var asking: StoryStrategy {
        StoryStrategy { event, app in
            event == .enteredForeground && app.status == .notDetermined
                ? [.requestAlwaysAuthorization] : []
        }
    }

    /// Seconds, and what a story of clips turns on.
    private func told(_ records: [Record]) -> [String] {
        records.compactMap { record in
            let what: String? =
                switch record.content {
                case .installed: "installed"
                case .opened: "opened"
                case .prompt(let shown): "prompt \(shown.kind.rawValue)"
                case .status(_, let status, let rule): "\(status.rawValue) \(rule.rawValue)"
                case .world(let change): change.rawValue
                default: nil
                }
            return what.map { "\(record.time.microseconds / 1_000_000) \($0)" }
        }
    }

    @Test("never gets Always, and loses its grant at four in the morning of the next day")
    func grant() {
        let behavior = StoryBehavior(openings: [60], always: .allowWhileUsing)
        let (records, block) = run(clipScenario(days: 3), behavior, asking)
        #expect(
            told(records) == [
                "0 installed", "60 opened", "60 prompt when_in_use", "63 when_in_use P3",
                "\((24 + 4) * 3_600) not_determined X1",
            ])
        #expect(block.failure == nil)
    }

    @Test("is removed after thirty days out of use, and the next invocation brings a fresh one")
    func removal() {
        let away: Int64 = 40 * 86_400
        let behavior = StoryBehavior(openings: [60, away], sessionSeconds: 10, always: .dontAllow)
        let strategy = asking
        let (records, block) = run(clipScenario(), behavior, strategy)
        let removed = 70 + 30 * 86_400
        let back = 70 + away
        #expect(
            told(records) == [
                "0 installed", "60 opened", "60 prompt when_in_use", "63 denied P3",
                "\(removed) remove_app_clip", "\(removed) not_determined X2",
                "\(back) installed", "\(back) opened", "\(back) prompt when_in_use",
                "\(back + 3) denied P3",
            ])
        #expect(strategy.forgotten == [0])
        let metrics = block.metrics(isFinal: true)[0]
        #expect(metrics.installed == 1)
        #expect(metrics.visible.reduce(0, +) == 1)
    }

    @Test("that is removed stays away from a person who does not come back")
    func noReturn() {
        let behavior = StoryBehavior(openings: [60], sessionSeconds: 10, always: .dontAllow)
        let (_, block) = run(clipScenario(), behavior, asking)
        #expect(block.metrics(isFinal: true)[0].installed == 0)
        #expect(block.standings()[0].isInstalled == false)
    }

    @Test("used every other week stays")
    func use() {
        let behavior = StoryBehavior(
            openings: [60, 14 * 86_400, 14 * 86_400, 14 * 86_400], sessionSeconds: 10,
            always: .dontAllow)
        let (records, _) = run(clipScenario(), behavior, asking)
        #expect(!told(records).contains { $0.hasSuffix("remove_app_clip") })
    }

    @Test("stays one when an update brings another Info.plist, and places no widget")
    func update() {
        var scenario = clipScenario(days: 3)
        scenario.updates = [AppUpdate(capabilities: .everything, temporaryPurposeKeys: [])]
        let behavior = StoryBehavior(
            openings: [60, 100], sessionSeconds: 10, always: .allowWhileUsing)
        let block = Block(
            devices: 0..<1, of: scenario, names: Block.startingNames(of: scenario),
            behaviors: [behavior], strategy: asking, keepsRecords: true)
        block.run(until: .start + .seconds(30))
        #expect(block.intervene(Intervention(at: block.now, .updateApp(0)), number: 0).devices == 1)
        block.run(until: .start + .seconds(80))
        #expect(block.standings()[0].trueStatus == .whenInUse)
        #expect(
            block.intervene(Intervention(at: block.now, .act(.placeWidget)), number: 1).devices == 0
        )
        block.run(until: .start + .days(3))
        #expect(told(block.takeRecords()).contains("\(28 * 3_600) not_determined X1"))
    }

    @Test("is what a full app is not: that one keeps its grant and stays")
    func fullApp() {
        let behavior = StoryBehavior(openings: [60], always: .allowWhileUsing)
        let (records, _) = run(scenario(days: 60), behavior, asking)
        let lost = told(records).filter { $0.hasSuffix(" X1") || $0.hasSuffix(" X2") }
        #expect(lost.isEmpty)
    }
}
