import AuthorizationCore
import DeviceCore
import LuaScripting
import SimPrimitives
import Simulation

/// What a test sees of its device: the fields that `Prelude/tests.lua` lists.
extension TestBench {
    func look(at field: String, of stage: DeviceStage) -> TestValue {
        switch field {
        case "prompt": prompt(of: stage)
        case "status": .text(stage.status.rawValue)
        case "true_status": .text(stage.trueStatus.rawValue)
        case "accuracy": .optional(stage.accuracy?.rawValue)
        case "own_screen":
            stage.ownScreen.isUp ? .text(stage.ownScreen.primer ?? "settings_alert") : .none
        case "process": .text(stage.process.rawValue)
        case "installed": .flag(stage.isInstalled)
        case "sessions": .number(Double(stage.sessions))
        case "ios": .number(Double(Int(stage.ios.major) * 10 + Int(stage.ios.minor)) / 10)
        case "day": .number(Double(stage.day))
        case "time": .number(Double(stage.now.microseconds) / 1_000_000)
        case "features": features(of: stage)
        case "requests": requests(of: stage)
        case "counters": counters(stage.metrics)
        case "observed": observed(stage.metrics)
        case "calls": .list(stage.calls.compactMap { word(for: $0.call).map { .text($0) } })
        case "outcomes", "milestones", "callbacks", "prompts", "answers", "primers":
            .list(stage.records.compactMap { item(of: field, $0.content) })
        default: .none
        }
    }

    /// What is wrong with a word that a field is compared with; nil: nothing, or nobody knows.
    static func doubt(_ field: String, _ word: String) -> String? {
        let known: [String] =
            switch field {
            case "status": VisibleStatus.allCases.map(\.rawValue)
            case "true_status": TrueStatus.allCases.map(\.rawValue)
            case "accuracy": Accuracy.allCases.map(\.rawValue)
            case "process": ProcessState.allCases.map(\.rawValue)
            default: []
            }
        if known.isEmpty || known.contains(word) { return nil }
        return " (\(shown(word)) is no \(field)\(hint(word, among: known)))"
    }

    /// What `metric.count` has come to, by name.
    func counters(_ metrics: [ScriptMetric]) -> TestValue {
        var sums: [NameID: UInt64] = [:]
        for case .count(let name, let count) in metrics { sums[name, default: 0] += count }
        return byName(sums.map { ($0, .number(Double($1))) })
    }

    /// The values that `metric.observe` was given, by name, oldest first.
    func observed(_ metrics: [ScriptMetric]) -> TestValue {
        var values: [NameID: [TestValue]] = [:]
        for case .observe(let name, let value) in metrics {
            values[name, default: []].append(.number(value))
        }
        return byName(values.map { ($0, .list($1)) })
    }

    private func byName(_ members: [(name: NameID, value: TestValue)]) -> TestValue {
        .table(
            members.map { TestValue.Entry(.text(names[$0.name]), $0.value) }
                .sorted { ($0.key.text ?? "") < ($1.key.text ?? "") })
    }

    private func prompt(of stage: DeviceStage) -> TestValue {
        guard let (shown, choices, text) = stage.prompt else { return .none }
        return .named([
            "kind": .text(shown.kind.rawValue),
            "choices": .list(choices.map { .text($0.rawValue) }),
            "purpose": .text(text),
            "ordinal": .number(Double(shown.ordinal)),
            "primed": .flag(shown.isPrimed),
            "expected": .flag(shown.isExpected),
        ])
    }

    /// The latest outcome of each feature, by its name.
    private func features(of stage: DeviceStage) -> TestValue {
        var latest: [String: String] = [:]
        for record in stage.records {
            if case .feature(let feature, let outcome) = record.content {
                latest[names[feature]] = names[outcome]
            }
        }
        return .table(
            latest.sorted { $0.key < $1.key }.map {
                TestValue.Entry(.text($0.key), .text($0.value))
            })
    }

    /// What the app has asked for, and why it was ignored where it was.
    ///
    /// Of several equal requests at one instant the last are those that were ignored: what a first
    /// one brings about is what stands in the way of the next.
    private func requests(of stage: DeviceStage) -> TestValue {
        var ignored: [Ignored] = stage.records.compactMap { record in
            guard case .requestIgnored(let request, let reason, let rule) = record.content else {
                return nil
            }
            return Ignored(time: record.time, request: request, reason: reason, rule: rule)
        }
        var asked: [TestValue] = []
        for (time, call) in stage.calls.reversed() {
            guard let request = request(of: call) else { continue }
            let place = ignored.lastIndex { $0.time == time && $0.request == request }
            let found = place.map { ignored.remove(at: $0) }
            asked.append(
                .named([
                    "call": .text(request.rawValue), "ignored": .optional(found?.reason.rawValue),
                    "rule": .optional(found?.rule.rawValue),
                ]))
        }
        return .list(asked.reversed())
    }

    private struct Ignored {
        let time: SimTime
        let request: AppRequest
        let reason: IgnoreReason
        let rule: RuleID
    }

    private func request(of call: AppCall) -> AppRequest? {
        switch call {
        case .requestWhenInUseAuthorization, .requestOffMain(.whenInUse):
            .requestWhenInUseAuthorization
        case .requestAlwaysAuthorization, .requestOffMain(.always): .requestAlwaysAuthorization
        case .requestTemporaryFullAccuracyAuthorization:
            .requestTemporaryFullAccuracyAuthorization
        default: nil
        }
    }

    /// Apple's name of a call; nil for what is not CoreLocation's.
    private func word(for call: AppCall) -> String? {
        switch call {
        case .requestWhenInUseAuthorization, .requestAlwaysAuthorization, .requestOffMain,
            .requestTemporaryFullAccuracyAuthorization:
            request(of: call)?.rawValue
        case .requestLocation: "requestLocation"
        case .start(let service): service.appleWord.map { "start\($0)" }
        case .stop(let service): service.appleWord.map { "stop\($0)" }
        case .startMonitoring: "startMonitoring"
        case .stopMonitoring: "stopMonitoring"
        case .setAllowsBackgroundLocationUpdates(let on):
            "allowsBackgroundLocationUpdates = \(on)"
        case .requestState: "requestState"
        case .setPausesLocationUpdatesAutomatically(let on):
            "pausesLocationUpdatesAutomatically = \(on)"
        case .setShowsBackgroundLocationIndicator(let on):
            "showsBackgroundLocationIndicator = \(on)"
        case .setDesiredAccuracy(let accuracy): "desiredAccuracy = \(accuracy.rawValue)"
        case .createManager: "CLLocationManager"
        case .holdServiceSession, .endServiceSession: "CLServiceSession"
        case .holdBackgroundActivitySession: "CLBackgroundActivitySession"
        case .openMonitor: "CLMonitor"
        case .addCondition: "add"
        case .removeCondition: "remove"
        case .by, .releaseManager, .showPrimer, .showSettingsAlert, .featureDone, .milestone,
            .setTimer,
            .cancelTimer, .metric:
            nil
        }
    }

    /// What a record adds to the list `field`; nil: nothing.
    private func item(of field: String, _ content: RecordContent) -> TestValue? {
        switch (field, content) {
        case ("milestones", .milestone(let name)): .text(names[name])
        case ("callbacks", .callback(let status, _)): .text(status.rawValue)
        case ("prompts", .prompt(let shown)): .text(shown.kind.rawValue)
        case ("outcomes", .feature(let feature, let outcome)):
            .named(["feature": .text(names[feature]), "outcome": .text(names[outcome])])
        case ("answers", .answer(let answer)):
            .named([
                "kind": .text(answer.kind.rawValue), "choice": .text(answer.choice.rawValue),
                "precise": .flag(answer.isPrecise),
            ])
        case ("primers", .primer(let id, let answer)):
            .named(["id": .text(names[id]), "answer": .text(answer.rawValue)])
        case ("primers", .settingsAlert(let answer)):
            .named(["id": .text("settings_alert"), "answer": .text(answer.rawValue)])
        default: nil
        }
    }
}

extension ServiceSet {
    fileprivate var appleWord: String? {
        switch self {
        case .updates: "UpdatingLocation"
        case .significantChange: "MonitoringSignificantLocationChanges"
        case .visits: "MonitoringVisits"
        case .heading: "UpdatingHeading"
        default: nil
        }
    }
}
