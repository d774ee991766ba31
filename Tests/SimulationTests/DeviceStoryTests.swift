import AuthorizationCore
import DeviceCore
import SimPrimitives
import Simulation
import TestSupport
import Testing

/// A record in few words: seconds, type, and what a story turns on.
private func told(_ record: Record) -> String {
    let second = record.time.microseconds / 1_000_000
    let what =
        switch record.content {
        case .installed: "installed"
        case .opened(let launch): "opened by \(launch.rawValue)"
        case .closed(let closing): "closed to \(closing.rawValue)"
        case .tapped: "tapped"
        case .feature: "feature"
        case .primer(_, let answer): "primer \(answer.rawValue)"
        case .settingsAlert(let answer): "alert \(answer.rawValue)"
        case .prompt(let shown):
            "prompt \(shown.kind.rawValue) \(shown.ordinal)"
                + (shown.isPrimed ? " primed" : "") + (shown.isExpected ? " expected" : "")
        case .answer(let given): "answer \(given.choice.rawValue)"
        case .unanswered(let kind, let rule): "unanswered \(kind.rawValue) \(rule.rawValue)"
        case .status(_, let status, let rule): "status \(status.rawValue) \(rule.rawValue)"
        case .callback(let status, _): "callback \(status.rawValue)"
        case .requestIgnored(_, let reason, _): "ignored \(reason.rawValue)"
        case .settings: "settings"
        case .world(let change): "world \(change.rawValue)"
        case .upgraded(let version): "upgraded to \(version)"
        case .milestone: "milestone"
        case .scriptFailure(let place): "failure \(place.hook.rawValue) \(place.code.rawValue)"
        case .fix: "fix"
        case .recast(let recast, let script): "recast \(recast.rawValue) \(script)"
        case .crossing(_, let isEntry): "crossing \(isEntry ? "in" : "out")"
        }
    return "\(second) \(what)"
}

@Suite("A device's life")
struct DeviceStoryTests {
    /// Asks When In Use at the tap, after a primer.
    static func polite() -> StoryStrategy {
        StoryStrategy { event, app in
            switch event {
            case .tapped where app.status == .notDetermined: [.showPrimer(id: NameID(0))]
            case .primerAnswered(_, .continue): [.requestWhenInUseAuthorization]
            default: []
            }
        }
    }

    @Test("goes from tap to primer to prompt to answer, and Allow Once lapses after the session")
    func allowOnce() {
        let behavior = StoryBehavior(taps: [10], answers: { _ in Reply(.allowOnce) })
        let (records, block) = run(scenario(days: 1), behavior, Self.polite())
        #expect(
            records.map(told).filter { !$0.hasSuffix("terminated") } == [
                "0 installed", "60 opened by person", "60 callback notDetermined", "70 tapped",
                "73 primer continue", "73 prompt when_in_use 1 primed expected",
                "76 answer allow_once", "76 status allow_once P3",
                "76 callback authorizedWhenInUse",
                "180 closed to background", "190 status not_determined O5",
            ])
        #expect(block.failure == nil)
    }

    @Test("lets Allow Once lapse when a session stops as the app leaves the foreground")
    func sessionStoppedOnLeaving() {
        let strategy = StoryStrategy { event, app in
            switch event {
            case .tapped: [.requestWhenInUseAuthorization]
            case .didChangeAuthorization where app.status == .authorizedWhenInUse:
                [.setAllowsBackgroundLocationUpdates(true), .start(.updates)]
            case .enteredBackground: [.stop(.updates)]
            default: []
            }
        }
        let behavior = StoryBehavior(taps: [10], always: .allowOnce)
        let (records, _) = run(scenario(days: 1), behavior, strategy)
        #expect(records.map(told).contains("190 status not_determined O5"))
    }

    @Test("numbers its records from 0 without a gap, in order of time")
    func ordinals() {
        let behavior = StoryBehavior(openings: [60, 600, 600], taps: [10, 30], always: .allowOnce)
        let (records, _) = run(scenario(), behavior, Self.polite())
        #expect(records.map(\.ordinal) == (0..<UInt32(records.count)).map { $0 })
        #expect(zip(records, records.dropFirst()).allSatisfy { $0.key < $1.key })
    }

    @Test("holds a tap back while a prompt covers the app")
    func modality() {
        let behavior = StoryBehavior(taps: [10, 1], always: .allowWhileUsing)
        let (records, _) = run(scenario(days: 1), behavior, Self.polite())
        let taps = records.map(told).filter { $0.hasSuffix(" tapped") }
        #expect(taps == ["70 tapped", "76 tapped"])
    }

    @Test("lets a prompt go unanswered when the person leaves first, and may be asked again")
    func unanswered() {
        let behavior = StoryBehavior(openings: [60, 600], sessionSeconds: 14, taps: [10]) { _ in
            Reply(.allowWhileUsing, after: .seconds(5))
        }
        let (records, block) = run(scenario(days: 1), behavior, Self.polite())
        let prompts = records.map(told).filter { $0.contains("when_in_use") }
        #expect(
            prompts == [
                "73 prompt when_in_use 1 primed expected", "74 unanswered when_in_use J2",
                "687 prompt when_in_use 2 primed expected", "688 unanswered when_in_use J2",
            ])
        let counts = block.metrics(isFinal: true)[0].prompts[PromptKind.whenInUse.index]
        #expect(counts.shown == 2 && counts.answered == 0 && counts.granted == 0)
    }

    @Test("goes to Settings and back when the alert sends it there, and the app hears once")
    func settingsAlert() {
        let strategy = StoryStrategy { event, app in
            switch event {
            case .tapped where app.status == .notDetermined: [.requestWhenInUseAuthorization]
            case .tapped: [.showSettingsAlert]
            default: []
            }
        }
        let behavior = StoryBehavior(
            taps: [10, 20], alert: (.openSettings, [.settings(.whileUsing)]))
        let (records, _) = run(scenario(days: 1), behavior, strategy)
        #expect(
            records.map(told).drop { !$0.contains("alert") }.prefix(6) == [
                "93 alert open_settings", "93 closed to background", "93 settings",
                "93 status when_in_use S9", "93 callback authorizedWhenInUse",
                "96 opened by person",
            ])
    }

    @Test("forgets everything when the app is deleted, and begins again when it comes back")
    func reinstall() {
        let behavior = StoryBehavior(
            openings: [60, 600, 600], taps: [10],
            days: [1: [.reinstall(after: .hours(1))]]
        ) { _ in Reply(.allowWhileUsing) }
        let strategy = Self.polite()
        let (records, block) = run(scenario(days: 3), behavior, strategy)
        let story = records.map(told)
        #expect(story.count { $0.hasSuffix(" installed") } == 2)
        #expect(story.contains { $0.hasSuffix("closed to deleted") || $0.contains("delete_app") })
        #expect(strategy.forgotten == [0])
        let metrics = block.metrics(isFinal: true)[0]
        #expect(metrics.installed == 1 && metrics.devices == 1)
        #expect(metrics.visible.reduce(0, +) == 1 && metrics.trueStatus.reduce(0, +) == 1)
    }

    @Test("tells an app by region which it may not monitor, and monitors the others")
    func regions() {
        let names = (0..<3).map { NameID(UInt16($0)) }
        let region = { (name: NameID, meters: Double) in
            AppCall.startMonitoring(
                CircularRegion(
                    name, latitudeDegrees: 52.5, longitudeDegrees: 13.4, radiusMeters: meters))
        }
        let strategy = StoryStrategy { event, app in
            switch event {
            case .enteredForeground: [region(names[0], 200)]
            case .tapped: [.requestWhenInUseAuthorization]
            case .didChangeAuthorization where app.status == .authorizedWhenInUse:
                [region(names[1], 2_000_000), region(names[2], 200), .stopMonitoring(names[2])]
            default: []
            }
        }
        _ = run(scenario(days: 1), StoryBehavior(taps: [10], always: .allowWhileUsing), strategy)
        let failures = strategy.events.filter { $0.hook == .monitoringDidFail }
        #expect(
            failures == [
                .monitoringDidFail(region: names[0], .regionMonitoringDenied),
                .monitoringDidFail(region: names[1], .regionMonitoringFailure),
            ])
        #expect(!strategy.events.contains { $0.hook == .didFailWithError })
    }

    @Test("stops an app that answers its own callbacks without end")
    func endlessApp() {
        let strategy = StoryStrategy { event, _ in
            switch event {
            case .enteredForeground, .didFailWithError: [.requestLocation]
            default: []
            }
        }
        let behavior = StoryBehavior(
            days: [0: [.settings(.never)]], answers: { _ in Reply(.dontAllow) })
        var denied = scenario(days: 2)
        denied.delays.positionFailureShare = 1
        denied.rules.oneShotTimeoutSeconds = 1
        let (records, block) = run(denied, behavior, strategy)
        #expect(block.failure == nil)
        #expect(records.count < 10_000)
    }

    @Test("falls back where a behavior fails, counts it, and goes on")
    func fallback() {
        let place = ScriptFailurePlace(script: 0, hook: .answerPrompt, code: .runtime, line: 3)
        let behavior = StoryBehavior(taps: [10]) { _ throws(HookError) in
            throw HookError.script(ScriptFailure(place: place, message: "no"))
        }
        let (records, block) = run(scenario(days: 1), behavior, Self.polite())
        #expect(records.map(told).contains("73 failure answer_prompt runtime"))
        #expect(records.map(told).contains("76 answer dont_allow"))
        let metrics = block.metrics(isFinal: true)[0]
        #expect(metrics.scriptFailures == 1)
        #expect(metrics.firstScriptFailure?.place == place)
    }

    @Test("ends the run where a behavior says that it cannot go on")
    func runFailure() {
        let failure = RunFailure(.scriptMemoryExhausted, device: 0, detail: "")
        let behavior = StoryBehavior(taps: [10]) { _ throws(HookError) in throw .run(failure) }
        let (_, block) = run(scenario(days: 1), behavior, Self.polite())
        #expect(block.failure == failure)
        #expect(block.now == .start)
    }
}

@Suite("A run depends on its scenario alone")
struct EngineDeterminismTests {
    @Test("and not on how its time is cut into epochs", arguments: [1, 7, 600, 86_400] as [Int64])
    func epochs(_ seconds: Int64) {
        func digest(_ step: SimDuration) -> String {
            let behavior = StoryBehavior(
                openings: [Int64](repeating: 3_600, count: 20), taps: [10, 30], always: .allowOnce)
            let scenario = scenario(days: 1)
            let block = Block(
                devices: 0..<1, of: scenario, names: Block.startingNames(of: scenario),
                behaviors: [behavior], strategy: DeviceStoryTests.polite())
            var now = SimTime.start
            while now < .start + scenario.duration {
                now = min(now + step, .start + scenario.duration)
                block.run(until: now)
            }
            return block.digest.description
        }
        #expect(digest(.seconds(seconds)) == digest(.days(1)))
    }
}
