import AuthorizationCore
import DeviceCore
import SimPrimitives
import TestSupport
import Testing

@testable import Simulation

private let first = NameID(0), second = NameID(1)

@Suite("The sessions, monitor and live updates of a process")
struct LocationSessionTests {
    private static let region = CircularRegion(
        first, latitudeDegrees: 52.5, longitudeDegrees: 13.4, radiusMeters: 200)

    private func led(
        ios: String, always choice: Choice = .allowWhileUsing,
        _ react: @escaping (AppEvent, AppView) -> [AppCall]
    ) throws -> (LedDevice, StoryStrategy) {
        let strategy = StoryStrategy { event, app throws(HookError) in react(event, app) }
        let behavior = StoryBehavior(openings: [60, 600], taps: [10, 50], always: choice)
        return (try LedDevice(scenario(days: 1, ios: ios), behavior, strategy), strategy)
    }

    @Test("of service ask by being held, and say how they stand (N1, N4)")
    func serviceSession() throws {
        var views: [LocationObjectsView] = []
        var (led, strategy) = try led(ios: "18.5", always: .dontAllow) { event, app in
            views.append(app.objects ?? LocationObjectsView())
            return event == .enteredForeground
                ? [.holdServiceSession(.whenInUse, purpose: nil)] : []
        }
        try led.run(to: 130)
        let prompts = led.runner.records.filter {
            if case .prompt = $0.content { true } else { false }
        }
        #expect(prompts.count == 1)
        #expect(prompts.first?.note.rule == .n1, "and no call of the app's")
        #expect(views.last?.held == .whenInUseSession)
        #expect(views.last?.sessionDiagnostics == .authorizationDenied)
        #expect(
            strategy.events.count { $0 == .didReceiveServiceSessionDiagnostic } == 2,
            "a prompt on screen, and the refusal")
        try led.happen(.processEnded(.terminated))
        try led.run(to: 3_600)
        #expect(views.last?.held == .whenInUseSession, "the next process has made it again")
    }

    @Test("end when the app says so")
    func ending() throws {
        var held: [HeldObjects] = []
        let region = Self.region
        var (led, _) = try led(ios: "18.5") { event, app in
            switch event {
            case .enteredForeground: return [.requestWhenInUseAuthorization]
            case .didChangeAuthorization where app.status == .authorizedWhenInUse:
                return [
                    .holdServiceSession(.always, purpose: nil), .openMonitor(first),
                    .holdServiceSession(.whenInUse, purpose: nil), .addCondition(region),
                    .holdBackgroundActivitySession(true), .start(.liveUpdates),
                ]
            case .tapped:
                held.append(app.objects?.held ?? [])
                return [
                    .endServiceSession(.always), .holdBackgroundActivitySession(false),
                    .stop(.liveUpdates), .removeCondition(first),
                ]
            default: return []
            }
        }
        try led.run(to: 179)
        #expect(
            held == [
                [
                    .whenInUseSession, .alwaysSession, .backgroundActivitySession, .monitor,
                    .liveUpdates,
                ],
                [.whenInUseSession, .monitor],
            ])
    }

    @Test("of background activity go on where the process was ended, and start it again (K3)")
    func backgroundActivity() throws {
        var (led, strategy) = try led(ios: "17.6") { event, app in
            switch event {
            case .enteredForeground: [.requestWhenInUseAuthorization]
            case .didChangeAuthorization where app.status == .authorizedWhenInUse:
                [.holdBackgroundActivitySession(true), .start(.liveUpdates)]
            default: []
            }
        }
        try led.run(to: 200)
        #expect(led.device.phone.process == .background)
        led.device.timers[.open] = .never
        try led.happen(.processEnded(.terminated))
        led.device.timers[.fix] = .never
        led.runner.planFix(of: &led.device, at: led.now)
        let launches = strategy.events.count { $0 == .launched }
        led.device.timers[.open] = .never
        try led.run(to: 260)
        #expect(strategy.events.count { $0 == .launched } == launches + 1)
        #expect(led.device.phone.wasLaunchedBySystem)
    }

    @Test("hand over the events of conditions, those that waited too (M3, M5)")
    func monitor() throws {
        let region = Self.region
        var (led, strategy) = try led(ios: "17.6") { event, app in
            switch event {
            case .enteredForeground: [.requestWhenInUseAuthorization]
            case .didChangeAuthorization where app.status == .authorizedWhenInUse:
                [.openMonitor(second), .addCondition(region)]
            default: []
            }
        }
        try led.run(to: 80)
        try led.happen(.conditionChanged(RegionID(0), isSatisfied: true))
        let event = AppEvent.didReceiveMonitorEvent(condition: first, .satisfied, [])
        #expect(strategy.events.filter { $0.hook == .didReceiveMonitorEvent } == [event])
        #expect(led.runner.locationObjects[0]?.monitor == second)
    }

    @Test("crash a process that opens its monitor twice (M1)")
    func monitorTwice() throws {
        var (led, _) = try led(ios: "17.6") { event, _ in
            event == .enteredForeground ? [.openMonitor(first), .openMonitor(first)] : []
        }
        try led.run(to: 70)
        #expect(led.device.phone.process == .notRunning)
        #expect(led.runner.tallies[0].metrics.crashes == [.m1: 1])
    }

    @Test("that crash their process at a call leave nobody to be told of what the crash brings")
    func toldAfterCrash() throws {
        var counts: [Int] = []
        let strategy = StoryStrategy { event, app in
            counts.append(app.timerCount)
            switch event {
            case .launched: return [.setTimer(AppTimer(number: 1, wait: .seconds(500)))]
            case .tapped where app.accuracy == .reducedAccuracy:
                return [
                    .requestTemporaryFullAccuracyAuthorization(purpose: first), .openMonitor(first),
                    .openMonitor(first), .cancelTimer(1),
                    .setTimer(AppTimer(number: 2, wait: .seconds(5))),
                ]
            case .tapped: return [.requestWhenInUseAuthorization]
            default: return []
            }
        }
        let behavior = StoryBehavior(openings: [60], taps: [10, 50]) { _ in
            Reply(.allowWhileUsing, isPrecise: false)
        }
        var scenario = scenario(days: 1, ios: "18.5")
        scenario.app.temporaryPurposeKeys = scenario.features
        var led = try LedDevice(scenario, behavior, strategy)
        try led.run(to: 3_600)
        #expect(led.runner.tallies[0].metrics.crashes == [.m1: 1])
        #expect(strategy.events.last == .tapped(feature: 0), "\(strategy.events)")
        #expect(counts.allSatisfy { 0...1 ~= $0 }, "\(counts)")
        #expect(led.runner.timers.count(of: 0) == 0)
    }

    @Test(
        "carry positions, and on iOS 18 flags without one (L1, L3)",
        arguments: [("17.6", 0), ("18.5", 1)])
    func liveUpdates(_ ios: String, _ flagged: Int) throws {
        var (led, strategy) = try led(ios: ios) { event, app in
            switch event {
            case .enteredForeground: [.requestWhenInUseAuthorization]
            case .didChangeAuthorization where app.status == .authorizedWhenInUse:
                [.start(.liveUpdates)]
            default: []
            }
        }
        try led.run(to: 100)
        let updates = strategy.events.filter { $0.hook == .didReceiveLiveUpdate }
        #expect(!updates.isEmpty)
        #expect(
            updates.allSatisfy { $0 == .didReceiveLiveUpdate(horizontalAccuracyMeters: 10, []) })
        #expect(!strategy.events.contains { $0.hook == .didUpdateLocations })
        try led.happen(.settingsChanged(.never))
        let flags = strategy.events.filter {
            $0 == .didReceiveLiveUpdate(horizontalAccuracyMeters: nil, .authorizationDenied)
        }
        #expect(flags.count == flagged)
    }
}
