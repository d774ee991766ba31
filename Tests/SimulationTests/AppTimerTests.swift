import AuthorizationCore
import DeviceCore
import SimPrimitives
import Simulation
import TestSupport
import Testing

@Suite("A timer of an app's")
struct AppTimerTests {
    /// An app that does this at its events, and notes at which second each timer fires, as a
    /// milestone: 0 for the first timer, and so on.
    private func fired(
        _ behavior: StoryBehavior, days: Int64 = 1, delays: SystemDelays = .exact,
        _ react: @escaping (AppEvent) -> [AppCall]
    ) -> [String] {
        var delays = delays
        delays.terminationMean = .days(3_000)
        let strategy = StoryStrategy { event, _ in
            if case .timer(let number, _) = event {
                return [.milestone(NameID(UInt16(number)))] + react(event)
            }
            return react(event)
        }
        return run(scenario(days: days, delays: delays), behavior, strategy).records.compactMap {
            guard case .milestone(let name) = $0.content else { return nil }
            let tenths = $0.time.microseconds / 100_000
            return "\(name.index) at \(tenths / 10).\(tenths % 10)"
        }
    }

    private func once(_ number: UInt64, _ seconds: Int64) -> AppCall {
        .setTimer(AppTimer(number: number, wait: .seconds(seconds)))
    }

    private func every(_ number: UInt64, _ seconds: Int64) -> AppCall {
        .setTimer(
            AppTimer(number: number, wait: .seconds(seconds), period: .seconds(seconds)))
    }

    @Test("fires when it is due, in the order of instants and then of numbers")
    func order() {
        let behavior = StoryBehavior(openings: [60])
        let fired = fired(behavior) {
            $0 == .launched ? [once(1, 9), once(2, 5), once(3, 5), every(0, 40)] : []
        }
        #expect(
            fired == [
                "2 at 65.0", "3 at 65.0", "1 at 69.0", "0 at 100.0", "0 at 140.0", "0 at 180.0",
            ])
    }

    @Test("waits while the process is suspended; what fell due then fires when it executes again")
    func suspension() {
        // In the foreground from 60 to 180 and from 1180 on, suspended from 185.
        let behavior = StoryBehavior(openings: [60, 1_000])
        let fired = fired(behavior) {
            $0 == .launched ? [once(0, 300), once(1, 1_200), every(2, 100)] : []
        }
        #expect(
            fired == [
                "2 at 160.0", "2 at 1180.0", "0 at 1180.0", "1 at 1260.0", "2 at 1260.0",
            ])
    }

    @Test(
        "dies with the process",
        arguments: [
            PhoneAct.forceQuit, .deleteApp, .reboot, .migrateDevice,
            .reinstall(after: .seconds(10)),
        ])
    func death(_ act: PhoneAct) {
        let scenario = scenario(days: 1)
        var told: [UInt64] = []
        let strategy = StoryStrategy { event, _ in
            if case .timer(let number, _) = event { told.append(number) }
            return event == .launched && told.isEmpty ? [self.once(0, 10), self.every(1, 20)] : []
        }
        let block = Block(
            devices: 0..<1, of: scenario, names: Block.startingNames(of: scenario),
            behaviors: [StoryBehavior(openings: [60, 1_000])], strategy: strategy)
        block.run(until: .start + .seconds(85))
        #expect(told == [0, 1])
        _ = block.intervene(Intervention(at: block.now, .act(act)), number: 0)
        #expect(strategy.ended.last == 0)
        block.run(until: .start + .days(1))
        #expect(told == [0, 1])
    }

    @Test("is cancelled, also by its own function, and as often as one likes")
    func cancelling() {
        let fired = fired(StoryBehavior(openings: [60])) { event in
            switch event {
            case .launched:
                [every(0, 10), every(1, 10), once(2, 30), .cancelTimer(2), .cancelTimer(2)]
            case .timer(0, _): [.cancelTimer(0), .cancelTimer(0), .cancelTimer(9)]
            case .timer(1, _): []
            default: []
            }
        }
        #expect(fired.prefix(3) == ["0 at 70.0", "1 at 70.0", "1 at 80.0"])
        #expect(fired.count == 13)
    }

    @Test("that sets the next at once comes after a tenth of a second: no instant lasts for ever")
    func floor() {
        var count: UInt64 = 0
        let fired = fired(StoryBehavior(openings: [60], sessionSeconds: 1)) { event in
            switch event {
            case .launched, .timer:
                count += 1
                return [.setTimer(AppTimer(number: count % 2, wait: .zero))]
            default: return []
            }
        }
        #expect(fired.prefix(3) == ["1 at 60.1", "0 at 60.2", "1 at 60.3"])
        #expect(fired.count == 59, "from 60 on, and before it is suspended at 66")
    }

    @Test("counts for the app from its hook on, before the hooks of the same instant end")
    func counted() {
        var counts: [Int] = []
        let strategy = StoryStrategy { event, app in
            counts.append(app.timerCount)
            switch event {
            case .launched: return [self.once(0, 10), self.every(1, 50), self.once(2, 30)]
            case .enteredForeground: return [.cancelTimer(2)]
            default: return []
            }
        }
        _ = run(scenario(days: 1), StoryBehavior(openings: [60], sessionSeconds: 70), strategy)
        #expect(
            strategy.events == [
                .launched, .didChangeAuthorization(isLegacy: false), .enteredForeground,
                .timer(0, isLast: true), .timer(1, isLast: false), .enteredBackground,
            ])
        #expect(counts == [0, 3, 3, 1, 1, 1])
    }

    @Test("is neither lost nor counted twice where the app is stopped for its endless callbacks")
    func endless() {
        var (counts, pending): ([Int], [UInt64]) = ([], [])
        let strategy = StoryStrategy { event, app in
            #expect(app.timerCount == pending.count)
            switch event {
            case .launched: return [.requestState(NameID(0))]
            case .didDetermineState where pending.count < 64:
                pending.append((pending.last ?? 0) + 1)
                return [.requestState(NameID(0)), self.once(pending[pending.count - 1], 500)]
            case .didDetermineState: return [.requestState(NameID(0))]
            case .tapped:
                counts.append(pending.count)
                defer { pending = [] }
                return [.requestState(NameID(0))] + pending.map { .cancelTimer($0) }
            default: return []
            }
        }
        let behavior = StoryBehavior(openings: [60], sessionSeconds: 100, taps: [30, 30])
        let (_, block) = run(scenario(days: 1), behavior, strategy)
        #expect(block.metrics(isFinal: true)[0].scriptFailures == 3)
        #expect(counts.count == 2 && counts.allSatisfy { $0 > 50 })
    }

    @Test("takes memory only where one is set")
    func memory() {
        let scenario = scenario(devices: 100)
        func bytes(_ calls: [AppCall]) -> UInt64 {
            let behavior = StoryBehavior(openings: [60], sessionSeconds: 86_400)
            let strategy = StoryStrategy { event, app in
                event == .launched && app.device.number == 0 ? calls : []
            }
            let block = Block(
                devices: 0..<100, of: scenario, names: Block.startingNames(of: scenario),
                behaviors: [behavior], strategy: strategy)
            block.run(until: .start + .seconds(70))
            return block.stateBytes
        }
        let none = bytes([])
        let some = bytes([once(0, 50)])
        #expect(some > none)
        #expect(some <= none + 100 * 8 + 32 + 32 + 96, "\(some - none) more")
    }
}
