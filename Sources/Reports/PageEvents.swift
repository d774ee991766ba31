import AuthorizationCore

/// An event as the page names it, and the Info.plist under which it happens.
struct PageEvent {
    let name: String
    let event: AuthorizationEvent
    let context: AuthorizationContext

    func play(_ state: Authorization) -> Authorization.Transition {
        Authorization.reduce(state, event, in: context)
    }
}

/// The events of the page, in the order in which a section lists them.
struct PageEvents {
    let context: AuthorizationContext
    private var ios: IOSVersion { context.ios }

    init(_ ios: IOSVersion) {
        context = AuthorizationContext(ios: ios, capabilities: Self.allTexts)
    }

    private static let allTexts: AppCapabilities = {
        var capabilities = AppCapabilities()
        capabilities.hasWhenInUseText = true
        capabilities.hasLegacyAlwaysText = true
        capabilities.hasAlwaysText = true
        return capabilities
    }()

    func play(_ event: AuthorizationEvent, in state: Authorization) -> Authorization.Transition {
        Authorization.reduce(state, event, in: context)
    }

    private func event(
        _ name: String, _ event: AuthorizationEvent, _ change: (inout AppCapabilities) -> Void = { _ in }
    ) -> PageEvent {
        var context = context
        change(&context.capabilities)
        return PageEvent(name: name, event: event, context: context)
    }

    /// In the order in which they are found.
    var reachable: [Authorization] {
        var states = [Authorization()]
        var seen = Set(states)
        var next = 0
        let events = ofApp + PromptKind.allCases.flatMap { answers(to: $0) } + duringPrompts + ofDevice
        while next < states.count {
            for event in events where event.context == context {
                let state = event.play(states[next]).state
                if seen.insert(state).inserted { states.append(state) }
            }
            next += 1
        }
        return states
    }

    // MARK: - The events of each kind of section

    private static let whenInUse = "`requestWhenInUseAuthorization()`"
    private static let always = "`requestAlwaysAuthorization()`"
    private static let fullAccuracy = "`requestTemporaryFullAccuracyAuthorization`"

    private var requests: [PageEvent] {
        [
            event("\(Self.whenInUse) in use", .requested(.whenInUse, isInUse: true)),
            event("\(Self.always) in use", .requested(.always, isInUse: true)),
        ]
            + (ios < .v14
                ? []
                : [
                    event(
                        "\(Self.fullAccuracy) in the foreground",
                        .requestedTemporaryFullAccuracy(isPurposeKnown: true, isForeground: true))
                ])
    }

    private var settings: [PageEvent] {
        SettingsRow.allCases.filter { context.offers($0) }.map {
            event("Settings: \($0.pageName)", .settingsChanged($0))
        }
    }

    private var systemPrompts: [PageEvent] {
        (ios < .v13
            ? []
            : [event("an idle moment for the second prompt", .confirmFellDue)])
            + [event("an idle moment for a reminder", .reminderFellDue)]
    }

    private var precise: [PageEvent] {
        guard ios >= .v14 else { return [] }
        return [true, false].map { event("Settings: Precise \($0 ? "on" : "off")", .preciseSwitched($0)) }
    }

    /// What an app, its person and the system do while no prompt is on screen.
    var ofApp: [PageEvent] {
        var events = requests
        if ios >= .v14 {
            events += [
                event(
                    "\(Self.fullAccuracy), unknown purpose",
                    .requestedTemporaryFullAccuracy(isPurposeKnown: false, isForeground: true)),
                event(
                    "\(Self.fullAccuracy) out of the foreground",
                    .requestedTemporaryFullAccuracy(isPurposeKnown: true, isForeground: false)),
            ]
        }
        events += settings + precise
        if ios >= .v13 {
            events += [
                event("an event that needs Always, out of use", .provisionalEventHeld),
                event("out of use, and the grace period over", .useEnded),
            ]
        }
        if ios >= .v14 { events.append(event("the process ends", .processEnded)) }
        return events + systemPrompts
    }

    func answers(to kind: PromptKind) -> [PageEvent] {
        kind.choices(on: ios).flatMap { choice -> [PageEvent] in
            let name = kind.label(of: choice)
            let answer = AuthorizationEvent.answered(choice, isPrecise: true)
            guard ios >= .v14, kind == .whenInUse, choice != .dontAllow else {
                return [event(name, answer)]
            }
            return [
                event(name, answer),
                event("\(name), Precise off", .answered(choice, isPrecise: false)),
                event("\(name), reduced by default", answer) { $0.isReducedByDefault = true },
            ]
        }
    }

    var duringPrompts: [PageEvent] {
        requests + settings + [
            event("the manager that asked goes away", .promptLostItsApp(.j1)),
            event("the app leaves the foreground", .promptLostItsApp(.j2)),
            event("the process ends", .promptLostItsApp(.j3)),
            event("the device restarts", .promptLostItsApp(.q8)),
        ] + systemPrompts
    }

    /// What does not ask for the decision.
    var ofDevice: [PageEvent] {
        [
            event("\(Self.whenInUse) out of use", .requested(.whenInUse, isInUse: false)),
            event("\(Self.always) out of use", .requested(.always, isInUse: false)),
            event("\(Self.whenInUse) without its text", .requested(.whenInUse, isInUse: true)) {
                $0 = AppCapabilities()
            },
            event("\(Self.always) without its text", .requested(.always, isInUse: true)) {
                ($0.hasLegacyAlwaysText, $0.hasAlwaysText) = (false, false)
            },
            event("Settings: Always, without its text", .settingsChanged(.always)) {
                ($0.hasLegacyAlwaysText, $0.hasAlwaysText) = (false, false)
            },
            event("the app starts a service", .usedLocation),
            event("Location Services switched off", .locationServicesSwitched(false)),
            event("Location Services switched on", .locationServicesSwitched(true)),
            event("a restriction is set", .restrictionSwitched(true)),
            event("the restriction is lifted", .restrictionSwitched(false)),
            event("Reset Location & Privacy", .locationPrivacyReset),
            event("a developer tool resets the app", .appLocationReset),
            event("deleted and installed again", .reinstalled),
            event("updated, now without the Always text", .appUpdated) {
                ($0.hasLegacyAlwaysText, $0.hasAlwaysText) = (false, false)
            },
            event("updated, now without any text", .appUpdated) { $0 = AppCapabilities() },
        ]
    }
}

// MARK: - Apple's words

extension TrueStatus {
    var pageName: String {
        switch self {
        case .notDetermined: "Not Determined"
        case .restricted: "Restricted"
        case .denied: "Denied"
        case .whenInUse: "When In Use"
        case .allowOnce: "Allow Once"
        case .provisionalAlways: "Provisional Always"
        case .always: "Always"
        }
    }
}

extension SettingsRow {
    fileprivate var pageName: String {
        switch self {
        case .never: "Never"
        case .askNextTime: "Ask Next Time"
        case .whileUsing: "While Using the App"
        case .always: "Always"
        case .whileUsingOrWidgets: "While Using the App or Widgets"
        }
    }
}

extension PromptKind {
    var pageName: String {
        switch self {
        case .whenInUse: "the When In Use prompt"
        case .always: "the Always prompt"
        case .alwaysUpgrade: "the upgrade to Always"
        case .alwaysConfirm: "the second prompt of a provisional Always"
        case .backgroundReminder: "the reminder of background use"
        case .temporaryFullAccuracy: "temporary full accuracy"
        case .locationButton: "the location button's prompt"
        case .widget: "the widget's prompt"
        case .servicesOff: "Turn On Location Services"
        }
    }

    /// The label of a button, as far as it is known.
    fileprivate func label(of choice: Choice) -> String {
        switch choice {
        case .dontAllow: "Don’t Allow"
        case .allowOnce: "Allow Once"
        case .allowWhileUsing: "Allow While Using App"
        case .keepOnlyWhileUsing: "Keep Only While Using"
        case .changeToAlwaysAllow: "Change to Always Allow"
        case .changeToOnlyWhileUsing: "Change to Only While Using"
        case .alwaysAllow: "Always Allow"
        case .onlyWhileUsing: "Only While Using the App"
        case .allow: self == .temporaryFullAccuracy ? "Allow Once" : "Allow"
        case .cancel: "Cancel"
        case .settings: "Settings"
        }
    }
}
