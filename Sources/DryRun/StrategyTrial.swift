import AuthorizationCore
import DeviceCore
import SimPrimitives
import Simulation

/// A dry run of one strategy: every hook in the situations in which an app can be.
public struct StrategyTrial {
    private let strategy: any Strategy
    private let features: [String]
    private let names: NameTable
    private var log: TrialLog
    /// What the app has called so far decides what it can be told: answers come to what it showed.
    private var primers: [NameID] = []
    private var regions: [NameID] = []
    private var showsAlert = false

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
        for round in 0..<Self.rounds {
            var device: UInt32 = 0
            for ios in versions {
                for accuracy in Accuracy.allCases where accuracy == .fullAccuracy || ios >= .v14 {
                    for draw in 0..<log.limits.draws {
                        live(ios, accuracy, device: device % BehaviorTrial.deviceCount, draw)
                        device += 1
                    }
                }
            }
            let isComplete = round > 0 && wasKnown == known
            wasKnown = known
            if isComplete { break }
        }
        for id in primers { log.notePrimer(names[id]) }
        return log.finished(strategy.hooks, of: HookName.strategy)
    }

    /// Times that the sample is tried, until no new screen, region or alert turns up.
    private static let rounds = 3
    private var wasKnown = 0
    private var known: Int { primers.count + regions.count + (showsAlert ? 1 : 0) }

    /// One device: each status by itself in a fresh app, then a long life through all of them.
    private mutating func live(
        _ ios: IOSVersion, _ accuracy: Accuracy, device: UInt32, _ draw: Int
    ) {
        for status in VisibleStatus.allCases {
            for bySystem in [false, true] where !bySystem || status == .authorizedAlways {
                strategy.forget(indexInBlock: device)
                var app = Self.app(ios, accuracy, device, status, sessions: bySystem ? 0 : 1)
                (app.wasLaunchedBySystem, app.isFirstLaunch) = (bySystem, !bySystem)
                process(app, UInt32(draw))
            }
        }
        strategy.forget(indexInBlock: device)
        for (turn, status) in (Self.walk + Self.walk).enumerated() {
            var app = Self.app(ios, accuracy, device, status, sessions: UInt32(1 + turn * turn))
            app.isFirstLaunch = turn == 0
            app.allowsBackgroundUpdates = ios >= .v9 && status == .authorizedAlways && draw > 0
            app.time = .start + .hours(Int64(turn * 31))
            process(app, UInt32(turn))
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

    /// What an app is told from its launch to the background, as far as its status allows.
    private mutating func process(_ app: AppView, _ occasion: UInt32) {
        tell(.launched, app, occasion)
        change(app, occasion)
        if !app.wasLaunchedBySystem { tell(.enteredForeground, app, occasion) }
        for feature in features.indices where !app.wasLaunchedBySystem {
            tell(.tapped(feature: feature), app, occasion)
            outcome(app, occasion)
        }
        for id in primers {
            for answer in PrimerAnswer.allCases {
                tell(.primerAnswered(id: id, answer), app, occasion)
                change(app, occasion)
                outcome(app, occasion)
            }
        }
        if showsAlert {
            for answer in SettingsAlertAnswer.allCases {
                tell(.settingsAlertAnswered(answer), app, occasion)
            }
        }
        for region in regions {
            let error: LocationError =
                app.status == .authorizedAlways
                ? .regionMonitoringFailure : .regionMonitoringDenied
            tell(.monitoringDidFail(region: region, error), app, occasion)
        }
        if !app.wasLaunchedBySystem { tell(.enteredBackground, app, occasion) }
    }

    /// C6, C8: the new callback from iOS 14 on where the app has it, else the deprecated one.
    private mutating func change(_ app: AppView, _ occasion: UInt32) {
        let isNew =
            app.ios >= .v14
            && strategy.hooks.contains(.locationManagerDidChangeAuthorization)
        tell(.didChangeAuthorization(isLegacy: !isNew), app, occasion)
    }

    private mutating func outcome(_ app: AppView, _ occasion: UInt32) {
        if app.status.isAuthorized {
            let meters = app.accuracy == .fullAccuracy ? 5.0 : 3_000
            tell(.didUpdateLocations(horizontalAccuracyMeters: meters), app, occasion)
            tell(.didFailWithError(.locationUnknown), app, occasion)
        } else if app.status != .notDetermined {
            tell(.didFailWithError(.denied), app, occasion)
        }
    }

    // MARK: - The call

    private mutating func tell(_ event: AppEvent, _ app: AppView, _ occasion: UInt32) {
        guard strategy.hooks.contains(event.hook) else { return }
        var random = RandomStream(
            seed: UInt64(event.hook.index), device: app.device, purpose: .app, occasion: occasion)
        var calls: [AppCall] = []
        let (strategy, names, features) = (strategy, names, features)
        log.attempt(
            event.hook, on: app.ios,
            { Self.phrase(event, names, features) + Self.phrase(app) }
        ) { () throws(HookError) in
            try strategy.handle(event, app, random: &random, calls: &calls)
        }
        for call in calls { learn(from: call) }
    }

    private mutating func learn(from call: AppCall) {
        switch call {
        case .showPrimer(let id): if !primers.contains(id) { primers.append(id) }
        case .startMonitoring(let region):
            if !regions.contains(region.id) { regions.append(region.id) }
        case .showSettingsAlert: showsAlert = true
        case .milestone(let name): log.noteMilestone(names[name])
        default: break
        }
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
