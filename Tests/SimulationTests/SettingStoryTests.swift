import AuthorizationCore
import DeviceCore
import SimPrimitives
import Simulation
import TestSupport
import Testing

/// The settings of section 15 in a fleet: an app meets them.
@Suite("A setting in a fleet")
struct SettingStoryTests {
    /// What an app that starts updates while undecided is told, and when, in seconds.
    private func undeterminedStart(
        _ set: (inout SystemRules) -> Void, interval: Int64 = 10
    ) -> [String] {
        var rules = SystemRules()
        set(&rules)
        var delays = SystemDelays.exact
        delays.updateInterval = .seconds(interval)
        var told: [String] = []
        let strategy = StoryStrategy { event, app in
            if case .didFailWithError(let error) = event {
                told.append("\(app.time.microseconds / 1_000_000) \(error.rawValue)")
            }
            return event == .enteredForeground ? [.start(.updates)] : []
        }
        _ = run(
            scenario(days: 1, ios: "10.3", rules: rules, delays: delays),
            StoryBehavior(openings: [60], sessionSeconds: 100), strategy)
        return told
    }

    @Test("undetermined_start: a start while Not Determined is silent, unknown or denied (D11)")
    func start() {
        #expect(undeterminedStart { _ in } == [])
        #expect(undeterminedStart { $0.undeterminedStart = .denied } == ["60 denied"])
        for interval: Int64 in [1, 10, 3_600] {
            let unknown = undeterminedStart(
                { $0.undeterminedStart = .locationUnknown }, interval: interval)
            #expect(unknown == ["70 locationUnknown"], "\(interval) s between positions")
        }
        let late = undeterminedStart {
            ($0.undeterminedStart, $0.undeterminedStartErrorSeconds) = (.locationUnknown, 25)
        }
        #expect(late == ["85 locationUnknown"])
    }

    @Test("undetermined_start: an app that starts again at every error does not stop the clock")
    func tireless() {
        var rules = SystemRules()
        (rules.undeterminedStart, rules.undeterminedStartErrorSeconds) = (.locationUnknown, 0)
        let strategy = StoryStrategy { event, _ in
            switch event {
            case .enteredForeground, .didFailWithError: [.start(.updates)]
            default: []
            }
        }
        let (_, block) = run(
            scenario(days: 1, rules: rules), StoryBehavior(openings: [60], sessionSeconds: 10),
            strategy)
        #expect(block.failure == nil)
        let count = strategy.events.count { $0 == .didFailWithError(.locationUnknown) }
        #expect(50...200 ~= count, "\(count) errors in ten seconds")
    }

    @Test("unauthorized_accuracy: what an undecided app reads with Precise off (D18)")
    func accuracy() {
        func read(_ answer: SystemRules.UnauthorizedAccuracy) -> [Accuracy] {
            var rules = SystemRules()
            rules.unauthorizedAccuracy = answer
            var read: [Accuracy] = []
            let strategy = StoryStrategy { event, app in
                guard event == .enteredForeground else { return [] }
                read.append(app.accuracy)
                return [.requestWhenInUseAuthorization]
            }
            let behavior = StoryBehavior(
                openings: [60, 86_400], sessionSeconds: 10,
                days: [0: [.settings(.askNextTime)], 1: [.settings(.askNextTime)]],
                answers: { _ in Reply(.allowOnce, isPrecise: false) })
            _ = run(scenario(days: 3, rules: rules), behavior, strategy)
            return read
        }
        #expect(read(.full) == [.fullAccuracy, .fullAccuracy])
        #expect(read(.preciseSwitch) == [.fullAccuracy, .reducedAccuracy])
    }

    @Test("off_main_request: a request off the main thread prompts, or is silent (D26)")
    func offMain() {
        func types(_ answer: SystemRules.OffMainRequest) -> [RecordType] {
            var rules = SystemRules()
            rules.offMainRequest = answer
            let strategy = StoryStrategy { event, _ in
                event == .enteredForeground ? [.requestOffMain(.whenInUse)] : []
            }
            return run(scenario(days: 1, rules: rules), StoryBehavior(), strategy).records
                .map(\.content.type)
        }
        #expect(types(.prompts).contains(.prompt) && !types(.prompts).contains(.requestIgnored))
        #expect(types(.silent).contains(.requestIgnored) && !types(.silent).contains(.prompt))
    }

    /// A block of one device whose app has Always and follows significant changes.
    private func follower(_ rules: SystemRules) -> Block {
        var delays = SystemDelays.exact
        delays.significantChangesPerDay = 1_000
        let scenario = scenario(rules: rules, delays: delays)
        let strategy = StoryStrategy { event, app in
            guard event == .enteredForeground || event == .launched else { return [] }
            return [.requestAlwaysAuthorization, .start(.significantChange)]
        }
        let block = Block(
            devices: 0..<1, of: scenario, names: Block.startingNames(of: scenario),
            behaviors: [
                StoryBehavior(
                    openings: [60], sessionSeconds: 60, days: [0: [.settings(.always)]],
                    answers: { _ in Reply(.allowWhileUsing) })
            ], strategy: strategy, keepsRecords: true)
        block.run(until: .start + .days(2))
        _ = block.takeRecords()
        return block
    }

    @Test("reboot_monitoring_delay_seconds: when the system first starts the app again (Q6)")
    func reboot() {
        for (seconds, least) in [(0.0, 0.0), (600, 600), (3_600, 3_600)] {
            var rules = SystemRules()
            rules.rebootMonitoringDelaySeconds = seconds
            let block = follower(rules)
            let at = block.now
            #expect(block.intervene(Intervention(at: at, .act(.reboot)), number: 0).devices == 1)
            block.run(until: at + .days(1))
            let opened = block.takeRecords().first { $0.content.type == .opened }
            let wait = opened.map { ($0.time - at).seconds } ?? .infinity
            #expect(least...least + 600 ~= wait, "\(wait) s after the restart")
        }
    }

    @Test("migration_keeps_decisions: a new phone keeps what was decided, or forgets it (G14)")
    func migration() {
        for keeps in [true, false] {
            var rules = SystemRules()
            rules.migrationKeepsDecisions = keeps
            let block = follower(rules)
            #expect(block.standings()[0].trueStatus == .always)
            let at = block.now
            #expect(
                block.intervene(Intervention(at: at, .act(.migrateDevice)), number: 0).devices == 1)
            #expect(block.standings()[0].trueStatus == (keeps ? .always : .notDetermined))
            block.run(until: at + .days(1))
            let records = block.takeRecords()
            let isMigration: (Record) -> Bool = {
                if case .world(.migrateDevice) = $0.content { true } else { false }
            }
            #expect(records.first.map(isMigration) == true)
            #expect(records.contains { $0.content.type == .opened } == keeps)
        }
    }
}
