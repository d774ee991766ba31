import AuthorizationCore

/// Background modes and services: LI10, and what a service cannot do.
extension Checks {
    mutating func checkServices() {
        checkLocationMode()
        checkFetchMode()
        for service in services {
            check(service)
            checkReduced(service)
        }
        if services.isEmpty { checkReducedAlone() }
    }

    private var propertyLine: Int? { strategy?.backgroundUpdatesLine }

    // MARK: - Modes

    /// One finding at most: where a misspelt mode is meant, LX3 has said so, and where the key has
    /// another type, LI6 has.
    private mutating func checkLocationMode() {
        guard !facts.capabilities.hasLocationBackgroundMode, !isMisspelt("location") else { return }
        let continuous = given.filter(\.needsLocationMode)
        if !facts.modes.isEmpty {
            noteOtherModes(isMeant: propertyLine != nil || !continuous.isEmpty)
        } else if propertyLine == nil, !continuous.isEmpty, !hasWrongModes {
            noteMissingMode(for: continuous)
        }
    }

    private func isMisspelt(_ mode: String) -> Bool {
        facts.modes.contains { $0 != mode && Self.likelyMode(for: $0) == mode }
    }

    private var hasWrongModes: Bool {
        facts.wrongTypes.contains { $0.key == .modes && $0.element == nil }
    }

    func adding(mode: String) -> String {
        let key = LocationKey.modes.rawValue
        return facts.has(.modes)
            ? "Add <string>\(mode)</string> to \(key)."
            : "Add <key>\(key)</key><array><string>\(mode)</string></array>."
    }

    /// LI10
    private mutating func noteOtherModes(isMeant: Bool) {
        let isGuess = strategy == nil && given.isEmpty && facts.capabilities.hasAlwaysText
        guard isMeant || isGuess else { return }
        let named = facts.modes.map { "'\($0)'" }.joined(separator: ", ")
        note(
            .otherMode, isMeant || facts.modes.contains("fetch") ? .warning : .information,
            outlooks.map(\.ios), path: [LocationKey.modes.rawValue],
            "The background modes are \(named), without 'location'. fetch gives run time only, "
                + "which is not use (U7), and no other mode lets updates go on (I11, B1).",
            mend: isMeant
                ? adding(mode: "location")
                : "If updates are to go on in the background, add <string>location</string>. "
                    + "Regions, visits and significant changes do not need it.")
    }

    private mutating func noteMissingMode(for services: [LocationService]) {
        let names = services.map(\.rawValue).joined(separator: " and ")
        var reason =
            "Without the background mode location, \(names) end when the app leaves the foreground "
            + "(I7, B7)"
        if services.contains(.updates) {
            reason +=
                ", and from iOS 9 on setting allowsBackgroundLocationUpdates ends the app (B3)"
        }
        if services.contains(.liveUpdates) {
            reason += ", and a CLBackgroundActivitySession does nothing (K1)"
        }
        note(
            .missingLocationMode, .warning,
            versions { outlook in
                services.contains { outlook[$0]?.precise.whenInUse == .inUse }
            },
            path: [LocationKey.modes.rawValue], reason + ".", mend: adding(mode: "location"))
    }

    /// I11
    private mutating func checkFetchMode() {
        guard services.contains(.backgroundFetch), !isMisspelt("fetch") else { return }
        note(
            .missingFetchMode, .warning,
            versions { $0[.backgroundFetch]?.precise.whenInUse == .noMode },
            path: [LocationKey.modes.rawValue],
            "Without the background mode fetch the system never wakes the app for background_fetch "
                + "(I11).", mend: adding(mode: "fetch"))
    }

    // MARK: - Services

    private mutating func check(_ service: LocationService) {
        let isGuarded = strategy?.asksForIOS17 == true
        note(
            service, .absentService, isGuarded ? .information : .warning,
            versions { $0[service]?.whenInUse == .absent },
            "\(service.rawValue) came with iOS 17; before, there is no such call (F7, F8).",
            mend: isGuarded
                ? "The strategy asks for the version: see that it has regions or updates before."
                : "Guard it with app.available(\"17.0\"), and use regions or updates before.")
        guard service.isKeptBySystem else { return }
        let asks = strategy.map { $0.alwaysLine != nil } ?? true
        let lacksAlways = { (outlook: Outlook) in !asks || !outlook.canHaveAlways }
        let always = "Always is " + (asks ? "out of reach." : "never asked for.")
        let mend =
            asks
            ? "Add the texts that Always needs, and ask for it."
            : "Ask for Always, or do without the service."
        // What reduced accuracy takes away is another finding: so both are asked of Precise.
        note(
            service, .needsAlways, .warning,
            versions { lacksAlways($0) && $0[service]?.precise.whenInUse == .never },
            "With When In Use nothing comes of \(service.rawValue), and \(always)", mend: mend)
        note(
            service, .needsAlways, .information,
            versions { lacksAlways($0) && $0[service]?.precise.whenInUse == .inUse },
            "With When In Use, events of \(service.rawValue) come only while the app is in use, "
                + "and \(always)", mend: mend)
    }

    /// I6, AC7, AC8
    private mutating func checkReduced(_ service: LocationService) {
        let key = LocationKey.reduced.rawValue
        let (rule, other) = Self.wayBack(of: service)
        note(
            service, .reducedByDefault, .warning,
            versions { outlook in
                guard outlook.isReducedAtFirst, let found = outlook[service] else { return false }
                return found.atFirst.whenInUse == .never && found.precise.whenInUse != .never
            },
            "\(key) is true, so grants have reduced accuracy (I6), and nothing comes of "
                + "\(service.rawValue) (\(rule)), with Always either, until the person turns "
                + "Precise on in Settings\(other).",
            mend: "Take \(key) out, or lead people to Precise Location in Settings before the app "
                + "starts it.")
        note(
            service, .reducedByDefault, .information,
            versions { outlook in
                guard outlook.isReducedAtFirst, service.isCoarseWhenReduced,
                    let found = outlook[service]
                else { return false }
                return found.atFirst.whenInUse.deliversLocation
            },
            "\(key) is true, so grants have reduced accuracy (I6): what comes of "
                + "\(service.rawValue) stands for an area some kilometers wide (AC1, AC2, AC8) "
                + "until the person turns Precise on or grants full accuracy for a time (T1).",
            mend: "Keep the key where an area is enough; else take it out.")
    }

    /// The rule of the silence, and what ends it beside the switch.
    private static func wayBack(of service: LocationService) -> (rule: String, other: String) {
        let stays = "; full accuracy for a time does not bring it back (AC13)"
        let returns = " or grants full accuracy for a time (T1)"
        switch service {
        case .regions: return ("RG10", stays)
        case .monitors: return ("M7", stays)
        case .ranging: return ("AC7", returns)
        case .liveUpdates: return ("L2", returns)
        case .updates, .significantChange, .visits, .backgroundFetch: return ("AC7", returns)
        }
    }

    private mutating func checkReducedAlone() {
        let key = LocationKey.reduced.rawValue
        note(
            .reducedByDefault, .information, versions(where: \.isReducedAtFirst), path: [key],
            "Grants have reduced accuracy (I6): positions stand for an area (AC1, AC2), and "
                + "nothing comes of regions, monitors and ranging (AC7), until the person turns "
                + "Precise on.",
            mend: "Keep the key where an area is enough; else take it out.")
    }

    /// Notes it where the strategy starts the service, if it does.
    private mutating func note(
        _ service: LocationService, _ code: Finding.Code, _ severity: Finding.Severity,
        _ versions: [IOSVersion], _ reason: String, mend: String
    ) {
        if let line = strategy?.services.first(where: { $0.service == service })?.line {
            note(code, severity, versions, inStrategyAt: line, reason, mend: mend)
        } else {
            let path = code == .reducedByDefault ? [LocationKey.reduced.rawValue] : []
            note(code, severity, versions, path: path, reason, mend: mend)
        }
    }
}
