import AuthorizationCore

/// Background modes and services: LI10, and what a service cannot do.
extension Checks {
    mutating func checkServices() {
        checkModes()
        for service in services { check(service) }
    }

    private var line: Int? { strategy?.backgroundUpdatesLine }

    private mutating func checkModes() {
        guard !facts.capabilities.hasLocationBackgroundMode else { return }
        let continuous = given.filter(\.needsLocationMode)
        let others = facts.modes.filter { $0 != "location" }
        let isMeant = line != nil || !continuous.isEmpty
        let isGuess = strategy == nil && given.isEmpty && facts.capabilities.hasAlwaysText
        if !others.isEmpty, isMeant || isGuess {
            let named = others.map { "'\($0)'" }.joined(separator: ", ")
            note(
                .otherMode, isMeant || others.contains("fetch") ? .warning : .information,
                outlooks.map(\.ios), path: [LocationKey.modes.rawValue],
                "The background modes are \(named), without 'location'. fetch gives run time only, "
                    + "which is not use (U7), and no other mode lets updates go on (I11, B1).",
                mend: isMeant
                    ? "Add <string>location</string> to UIBackgroundModes."
                    : "If updates are to go on in the background, add <string>location</string>. "
                        + "Regions, visits and significant changes do not need it.")
        }
        guard line == nil, !continuous.isEmpty else { return }
        let names = continuous.map(\.rawValue).joined(separator: " and ")
        note(
            .missingLocationMode, .warning,
            versions { outlook in continuous.contains { outlook[$0]?.whenInUse == .inUse } },
            path: [LocationKey.modes.rawValue],
            "Without the background mode location, \(names) end when the app leaves the foreground "
                + "(I7, B7), and from iOS 9 on setting allowsBackgroundLocationUpdates ends the "
                + "app (B3).",
            mend: "Add <key>UIBackgroundModes</key><array><string>location</string></array>.")
    }

    private mutating func check(_ service: LocationService) {
        let place = strategy?.services.first { $0.service == service }?.line
        noteService(
            .absentService, .warning, versions { $0[service]?.whenInUse == .absent }, place,
            "There is no \(service.rawValue) before iOS 17 (F7, F8).",
            mend: "Guard it by version, and use regions or updates before.")
        guard service.isKeptBySystem else { return }
        let asks = strategy.map { $0.alwaysLine != nil } ?? true
        let lacksAlways = { (outlook: Outlook) in !asks || !outlook.canHaveAlways }
        let mend =
            asks
            ? "Add the texts that Always needs, and ask for it."
            : "Ask for Always, or do without the service."
        noteService(
            .needsAlways, .warning,
            versions { lacksAlways($0) && $0[service]?.whenInUse == .never }, place,
            "With When In Use nothing comes of \(service.rawValue), and Always is "
                + (asks ? "out of reach." : "never asked for."), mend: mend)
        noteService(
            .needsAlways, .information,
            versions { lacksAlways($0) && $0[service]?.whenInUse == .inUse }, place,
            "With When In Use \(service.rawValue) is heard only while the app is in use, and "
                + "Always is "
                + (asks ? "out of reach." : "never asked for."), mend: mend)
    }

    private mutating func noteService(
        _ code: Finding.Code, _ severity: Finding.Severity, _ versions: [IOSVersion],
        _ place: Int?, _ reason: String, mend: String
    ) {
        if let place {
            note(code, severity, versions, inStrategyAt: place, reason, mend: mend)
        } else {
            note(code, severity, versions, reason, mend: mend)
        }
    }
}
