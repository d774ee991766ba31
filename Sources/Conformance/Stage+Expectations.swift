import AuthorizationCore
import DeviceCore
import SimPrimitives

extension Stage {
    /// What was seen, where it is not what `expectation` says; nil: it holds.
    ///
    /// Keys that read a log consume it: each covers what happened since the key was last used.
    mutating func mismatch(_ expectation: ConformanceCase.Expectation) -> String? {
        let expected = expectation.value
        let seen: Value
        switch expectation.key {
        case "status": seen = .text(phone.authorization.visibleStatus.rawValue)
        case "accuracy": seen = .text(phone.authorization.accuracy(in: context).rawValue)
        case "initial_callback": seen = initialCallback.map(value) ?? .null
        case "callbacks":
            seen = .list(callbacks.map(value))
            callbacks = []
        case "manager_callbacks":
            guard case .object(let wanted) = expected else { return "no list of managers" }
            seen = .object(takeManagerCallbacks(of: wanted.keys.sorted()))
        case "prompt": seen = prompt
        case "delivered":
            seen = .list(delivered)
            delivered = []
        case "delivered_count":
            let count = count(of: expected)
            delivered = []
            return isWithin(count, expected) ? nil : "\(count)"
        case "location":
            guard let horizontalAccuracyMeters else { return "no position was delivered" }
            seen = .number(horizontalAccuracyMeters)
            let least = number("horizontal_accuracy_min", of: expected) ?? 0
            return horizontalAccuracyMeters >= least ? nil : seen.description
        case "errors":
            seen = .list(errors)
            errors = []
        case "completion":
            seen = completion ?? .text("none")
            completion = nil
        case "diagnostics": return diagnosticsMismatch(expected)
        case "launched_by_system":
            seen = .boolean(wasLaunchedBySystem ?? false)
            wasLaunchedBySystem = nil
        case "app": seen = .text(phone.process.rawValue)
        case "indicator": seen = .boolean(isIndicatorVisible)
        case "settings": seen = settings
        case "monitored":
            let names = phone.regions.map { regionNames[Int($0.id.number)] }.sorted()
            seen = .list(names.map { .text($0) })
            guard case .list(let list) = expected else { return seen.description }
            let wanted = list.map(\.description).sorted()
            return wanted == names.map { "\"\($0)\"" } ? nil : seen.description
        case "monitored_count": seen = .number(Double(phone.regions.count))
        case "widget_authorized":
            seen = .boolean(phone.authorization.isAuthorizedForWidgets(on: context.ios))
        case "services_enabled": seen = .boolean(phone.authorization.isLocationServicesOn)
        case "crashed": seen = .boolean(isCrashed)
        default: return "not modelled yet: \(expectation.key)"
        }
        return holds(expected, seen, key: expectation.key) ? nil : seen.description
    }

    /// Members that are not given are not compared, and choices compare as a set.
    private func holds(_ expected: Value, _ seen: Value, key: String) -> Bool {
        switch (expected, seen) {
        case (.object(let wanted), .object(let found)):
            return wanted.allSatisfy { name, value in
                found[name].map { holds(value, $0, key: name) } ?? false
            }
        case (.list(let wanted), .list(let found)) where key == "choices":
            return Set(wanted) == Set(found)
        case (.list(let wanted), .list(let found)):
            return wanted.count == found.count
                && zip(wanted, found).allSatisfy { holds($0, $1, key: key) }
        default: return expected == seen
        }
    }

    func value(_ callback: Callback) -> Value {
        .object([
            "status": .text(callback.status.rawValue),
            "accuracy": .text(callback.accuracy.rawValue),
        ])
    }

    private var prompt: Value {
        guard let prompt = phone.authorization.prompt else { return .null }
        let kind = prompt.kind
        let isFirst = kind == .whenInUse || kind == .always
        let hasMap = kind == .whenInUse && context.ios >= .v14 && showsMaps  // P4, S17
        var members: [String: Value] = [
            "kind": .text(kind.rawValue),
            "choices": .list(prompt.choices(on: context.ios).map { .text($0.rawValue) }),
            "precise_toggle": .boolean(hasPreciseSwitch),
            "map": .boolean(hasMap || kind == .backgroundReminder && context.ios >= .v13),
        ]
        if isFirst || kind == .alwaysUpgrade || kind == .alwaysConfirm {
            members["usage_key"] = .text(usageKey(of: kind))
        }
        return .object(members)
    }

    /// P4, I6.
    var hasPreciseSwitch: Bool {
        phone.authorization.prompt?.kind == .whenInUse && context.ios >= .v14
            && !context.capabilities.isReducedByDefault
    }

    /// I12.
    private func usageKey(of kind: PromptKind) -> String {
        if kind == .whenInUse { return "NSLocationWhenInUseUsageDescription" }
        return context.ios < .v11
            ? "NSLocationAlwaysUsageDescription" : "NSLocationAlwaysAndWhenInUseUsageDescription"
    }

    private var settings: Value {
        guard let line = phone.authorization.settingsLine(in: context) else { return .null }
        return .object([
            "selected": line.selected.map { .text($0.rawValue) } ?? .null,
            "choices": .list(line.choices.map { .text($0.rawValue) }),
        ])
    }

    /// B6: the app cannot hide it with When In Use; with Always it shows on demand, from 11 on.
    private var isIndicatorVisible: Bool {
        // B5: what Always lets begin in the background keeps the app running as well.
        guard phone.process == .background, phone.isKeptRunning(context) else { return false }
        if phone.authorization.visibleStatus == .authorizedWhenInUse { return true }
        return phone.hasBackgroundSession || context.ios >= .v11 && showsIndicator
    }

    // MARK: - Counts

    private func count(of expected: Value) -> Int {
        guard case .object(let members) = expected, let service = members["service"] else {
            return 0
        }
        return delivered.count { event in
            if case .object(let found) = event { found["service"] == service } else { false }
        }
    }

    private func isWithin(_ count: Int, _ expected: Value) -> Bool {
        Double(count) >= (number("min", of: expected) ?? 0)
            && Double(count) <= (number("max", of: expected) ?? .infinity)
    }

    private func number(_ name: String, of value: Value) -> Double? {
        guard case .object(let members) = value, case .number(let number)? = members[name] else {
            return nil
        }
        return number
    }
}
