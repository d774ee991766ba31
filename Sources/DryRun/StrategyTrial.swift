import AuthorizationCore
import DeviceCore
import SimPrimitives
import Simulation

/// A dry run of one strategy: every hook in the situations in which an app can be.
///
/// The app is answered as a device would answer it, so that a hook meets what it has led to: a
/// screen that it shows is agreed to or not, a request granted or not, a position comes or fails,
/// and the timers that it sets fire.
public struct StrategyTrial {
    private let strategy: any Strategy
    private let features: [String]
    private let names: NameTable
    private var log: TrialLog
    private var coin = Coin()
    private var timers = TrialTimers()
    /// Of the timer in hand, from 1; 0 in other hooks.
    private var generation = 0
    private var generationMax = 0

    /// - Parameter names: the names of the block.
    public init(
        _ strategy: any Strategy, of scenario: Scenario, names: NameTable,
        limits: TrialLimits = TrialLimits()
    ) {
        (self.strategy, self.names) = (strategy, names)
        features = scenario.features
        log = TrialLog(limits)
    }

    /// The statuses of a long life, in an order in which a device can have them.
    private static let walk: [VisibleStatus] = [
        .notDetermined, .authorizedWhenInUse, .authorizedAlways, .denied, .authorizedWhenInUse,
        .notDetermined, .authorizedWhenInUse, .denied, .restricted, .notDetermined,
    ]

    public mutating func run(on versions: [IOSVersion]) -> TrialResult {
        var device: UInt32 = 0
        for ios in versions {
            for accuracy in Accuracy.allCases where accuracy == .fullAccuracy || ios >= .v14 {
                for draw in 0..<log.limits.draws {
                    live(ios, accuracy, device: device % BehaviorTrial.deviceCount, draw)
                    device += 1
                }
            }
        }
        return log.finished(strategy.hooks, of: HookName.strategy)
    }

    /// One device: each status by itself in a fresh app, then a long life through all of them.
    private mutating func live(
        _ ios: IOSVersion, _ accuracy: Accuracy, device: UInt32, _ draw: Int
    ) {
        generationMax =
            draw == 0 && accuracy == .fullAccuracy
            ? log.limits.timerChainMax : log.limits.timerChainLaterMax
        for status in VisibleStatus.allCases {
            for bySystem in [false, true] where !bySystem || status == .authorizedAlways {
                strategy.forget(indexInBlock: device)
                var app = Self.app(ios, accuracy, device, status, sessions: bySystem ? 0 : 1)
                (app.wasLaunchedBySystem, app.isFirstLaunch) = (bySystem, !bySystem)
                process(&app, UInt32(draw))
            }
        }
        strategy.forget(indexInBlock: device)
        var time = SimTime.start
        for (turn, status) in (Self.walk + Self.walk).enumerated() {
            var app = Self.app(ios, accuracy, device, status, sessions: UInt32(1 + turn * turn))
            app.isFirstLaunch = turn == 0
            app.time = max(time, .start + .hours(Int64(turn * 31)))
            process(&app, UInt32(turn))
            time = app.time
        }
        strategy.forget(indexInBlock: device)
    }

    private static func app(
        _ ios: IOSVersion, _ accuracy: Accuracy, _ device: UInt32, _ status: VisibleStatus,
        sessions: UInt32
    ) -> AppView {
        AppView(
            device: DeviceID(device), indexInBlock: device, ios: ios, status: status,
            accuracy: accuracy, allowsBackgroundUpdates: false, wasLaunchedBySystem: false,
            sessions: sessions, isFirstLaunch: false, time: .start)
    }

    /// What an app is told from its launch to the background.
    private mutating func process(_ app: inout AppView, _ occasion: UInt32) {
        tell(.launched, &app, occasion)
        change(&app, occasion)
        if app.wasLaunchedBySystem {
            fireTimers(&app, occasion)
        } else {
            tell(.enteredForeground, &app, occasion)
            fireTimers(&app, occasion)
            for feature in Array(features.indices) + Array(features.indices) {
                tell(.tapped(feature: feature), &app, occasion)
            }
            fireTimers(&app, occasion)
            tell(.enteredBackground, &app, occasion)
            fireTimers(&app, occasion)
        }
        timers.removeAll()
        strategy.processEnded(indexInBlock: app.indexInBlock)
    }

    /// The longest that a scenario lasts: what falls due later never fires.
    private static let timeMax = SimTime.start + .days(3_650)

    /// As many as a device can have pending, each at its instant.
    private mutating func fireTimers(_ app: inout AppView, _ occasion: UInt32) {
        for _ in 0..<AppTimer.countMax {
            guard log.canFireTimers, let due = timers.takeNext(generationMax: generationMax)
            else { return }
            guard due.instant <= Self.timeMax else { continue }
            app.time = max(app.time, due.instant)
            generation = due.generation + 1
            tell(
                .timer(due.number, isLast: due.isLast), &app,
                occasion &+ UInt32(truncatingIfNeeded: due.number))
            generation = 0
        }
    }

    /// C6, C8: the new callback from iOS 14 on where the app has it, else the deprecated one.
    private mutating func change(_ app: inout AppView, _ occasion: UInt32, depth: Int = 0) {
        let isNew =
            app.ios >= .v14
            && strategy.hooks.contains(.locationManagerDidChangeAuthorization)
        tell(.didChangeAuthorization(isLegacy: !isNew), &app, occasion, depth: depth)
    }

    // MARK: - The call

    /// Answers to answers: an app that asks again in every callback would go on for ever.
    private static let depthMax = 8

    private mutating func tell(
        _ event: AppEvent, _ app: inout AppView, _ occasion: UInt32, depth: Int = 0
    ) {
        guard event.hook == .timer || strategy.hooks.contains(event.hook), depth <= Self.depthMax
        else { return }
        var random = RandomStream(
            seed: UInt64(event.hook.index), device: app.device, purpose: .app,
            occasion: occasion)
        var calls: [AppCall] = []
        app.timerCount = timers.count
        let (strategy, names, features, view) = (strategy, names, features, app)
        log.attempt(
            event.hook, on: app.ios,
            { Self.phrase(event, names, features) + Self.phrase(view) }
        ) { () throws(HookError) in
            try strategy.handle(event, view, random: &random, calls: &calls)
        }
        // First: a callback that another call leads to may cancel them.
        for call in calls {
            if case .setTimer(let timer) = call {
                timers.set(timer, at: view.time, generation: generation)
            }
            if case .cancelTimer(let number) = call { timers.cancel(number) }
        }
        for call in calls { answer(call, &app, occasion, depth: depth + 1) }
    }

    /// What comes of a call of the app's.
    private mutating func answer(
        _ call: AppCall, _ app: inout AppView, _ occasion: UInt32, depth: Int
    ) {
        switch call {
        case .showPrimer(let id):
            log.notePrimer(names[id])
            let answer: PrimerAnswer = coin.toss() ? .continue : .notNow
            tell(.primerAnswered(id: id, answer), &app, occasion, depth: depth)
        case .showSettingsAlert:
            let answer: SettingsAlertAnswer = coin.toss() ? .openSettings : .cancel
            tell(.settingsAlertAnswered(answer), &app, occasion, depth: depth)
        case .requestWhenInUseAuthorization, .requestOffMain(.whenInUse):
            guard app.status == .notDetermined else { return }
            app.status = coin.toss() ? .authorizedWhenInUse : .denied
            change(&app, occasion, depth: depth)
        case .requestAlwaysAuthorization, .requestOffMain(.always):
            guard app.status == .notDetermined || app.status == .authorizedWhenInUse,
                coin.toss()
            else { return }
            app.status = coin.toss() || app.status != .notDetermined ? .authorizedAlways : .denied
            change(&app, occasion, depth: depth)
        case .requestLocation: locate(&app, occasion, depth)
        case .start(let services) where services.contains(.updates):
            locate(&app, occasion, depth)
        case .start:
            if app.status == .authorizedAlways { locate(&app, occasion, depth) }
        case .startMonitoring(let region):
            guard coin.toss() else { return }
            let error: LocationError =
                app.status == .authorizedAlways
                ? .regionMonitoringFailure : .regionMonitoringDenied
            tell(.monitoringDidFail(region: region.id, error), &app, occasion, depth: depth)
        case .setAllowsBackgroundLocationUpdates(let isOn): app.allowsBackgroundUpdates = isOn
        case .milestone(let name): log.noteMilestone(names[name])
        default: break
        }
    }

    private mutating func locate(_ app: inout AppView, _ occasion: UInt32, _ depth: Int) {
        guard app.status.isAuthorized else {
            if app.status == .notDetermined { return }
            return tell(.didFailWithError(.denied), &app, occasion, depth: depth)
        }
        guard coin.toss() || coin.toss() else {
            return tell(.didFailWithError(.locationUnknown), &app, occasion, depth: depth)
        }
        let meters = app.accuracy == .fullAccuracy ? 5.0 : 3_000
        tell(
            .didUpdateLocations(horizontalAccuracyMeters: meters), &app, occasion, depth: depth)
    }

    private static func phrase(
        _ event: AppEvent, _ names: NameTable, _ features: [String]
    ) -> String {
        switch event {
        case .tapped(let feature): "feature '\(features[feature])'; "
        case .primerAnswered(let id, let answer): "'\(names[id])', \(answer.rawValue); "
        case .settingsAlertAnswered(let answer): "\(answer.rawValue); "
        case .didFailWithError(let error): "\(error.rawValue); "
        case .monitoringDidFail(let region, let error):
            "region '\(names[region])', \(error.rawValue); "
        default: ""
        }
    }

    private static func phrase(_ app: AppView) -> String {
        let launch =
            app.wasLaunchedBySystem
            ? "launched by the system" : app.isFirstLaunch ? "first launch" : "a later launch"
        return "iOS \(app.ios), status \(app.status.rawValue), \(app.accuracy.rawValue), "
            + "sessions \(app.sessions), \(launch)"
    }
}

/// Heads or tails, always in the same order.
private struct Coin {
    private var state: UInt64 = 1

    /// Source: Donald Knuth's MMIX generator; its high bits are the good ones.
    mutating func toss() -> Bool {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 63 == 1
    }
}
