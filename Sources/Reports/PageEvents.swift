import AuthorizationCore

/// An event as the page names it, and the Info.plist under which it happens.
struct PageEvent {
    /// Events of one subject that share a row do not repeat it.
    let subject: String
    let detail: String
    let event: AuthorizationEvent
    let context: AuthorizationContext
    /// Only events of one family share a row.
    var family = ""

    var name: String { detail.isEmpty ? subject : "\(subject) \(detail)" }

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
        _ subject: String, _ detail: String, _ event: AuthorizationEvent,
        _ change: (inout AppCapabilities) -> Void = { _ in }
    ) -> PageEvent {
        var context = context
        change(&context.capabilities)
        return PageEvent(subject: subject, detail: detail, event: event, context: context)
    }

    /// Every state that can be reached, in the order in which they are found, and what each event
    /// does in each.
    func explore() -> (states: [Authorization], transitions: [Authorization.Transition]) {
        var states = [Authorization()]
        var seen = Set(states)
        var transitions: [Authorization.Transition] = []
        let replies = PromptKind.allCases.flatMap { answers(to: $0) }
        let events =
            ofApp(under: .allowOnce) + ofAccuracy + replies + duringPrompts + ofDevice
            + besideTheApp
        var next = 0
        while next < states.count {
            for event in events {
                let transition = event.play(states[next])
                transitions.append(transition)
                // Another Info.plist is another app: it is shown, and not gone on with.
                guard event.context == context else { continue }
                if seen.insert(transition.state).inserted { states.append(transition.state) }
            }
            next += 1
        }
        return (states, transitions)
    }

    // MARK: - The events of each kind of section

    private static let whenInUse = "`requestWhenInUseAuthorization()`"
    private static let always = "`requestAlwaysAuthorization()`"
    private static let fullAccuracy = "`requestTemporaryFullAccuracyAuthorization`"

    private var requests: [PageEvent] {
        [
            event(Self.whenInUse, "in use", .requested(.whenInUse, isInUse: true)),
            event(Self.always, "in use", .requested(.always, isInUse: true)),
        ]
    }

    private var fullAccuracyRequest: [PageEvent] {
        guard ios >= .v14 else { return [] }
        return [
            event(
                Self.fullAccuracy, "in the foreground",
                .requestedTemporaryFullAccuracy(isPurposeKnown: true, isForeground: true))
        ]
    }

    private var settings: [PageEvent] {
        SettingsRow.allCases.filter { context.offers($0) }.map {
            event("Settings:", $0.pageName, .settingsChanged($0))
        }
    }

    private var systemPrompts: [PageEvent] {
        let confirm = event("an idle moment for the second prompt", "", .confirmFellDue)
        return (ios < .v13 ? [] : [confirm])
            + [event("an idle moment while a reminder is due", "", .reminderFellDue)]
    }

    private var useEnd: PageEvent { event("out of use, and the grace period over", "", .useEnded) }

    /// What an app, its person and the system do under a decision while no prompt is on screen.
    var ofApp: [PageEvent] {
        let held = event("an event that needs Always, out of use", "", .provisionalEventHeld)
        return requests + settings + (ios < .v13 ? [] : [held]) + systemPrompts
    }

    /// Allow Once alone ends with the use of the app.
    func ofApp(under decision: TrueStatus) -> [PageEvent] {
        decision == .allowOnce ? ofApp + [useEnd] : ofApp
    }

    /// What does not depend on which access was granted.
    var ofAccuracy: [PageEvent] {
        guard ios >= .v14 else { return [] }
        return fullAccuracyRequest + [
            event(
                Self.fullAccuracy, "for an unknown purpose",
                .requestedTemporaryFullAccuracy(isPurposeKnown: false, isForeground: true)),
            event(
                Self.fullAccuracy, "out of the foreground",
                .requestedTemporaryFullAccuracy(isPurposeKnown: true, isForeground: false)),
            event("Settings:", "Precise on", .preciseSwitched(true)),
            event("Settings:", "Precise off", .preciseSwitched(false)),
            useEnd, event("the process ends", "", .processEnded),
        ]
    }

    func answers(to kind: PromptKind) -> [PageEvent] {
        kind.choices(on: ios).flatMap { choice -> [PageEvent] in
            let name = kind.label(of: choice)
            let answer = AuthorizationEvent.answered(choice, isPrecise: true)
            guard ios >= .v14, kind == .whenInUse, choice != .dontAllow else {
                return [event(name, "", answer)]
            }
            return [
                event(name, "", answer),
                event(name, "with Precise off", .answered(choice, isPrecise: false)),
                event(name, "with reduced accuracy by default", answer) {
                    $0.isReducedByDefault = true
                },
            ]
        }
    }

    var duringPrompts: [PageEvent] {
        requests + fullAccuracyRequest + settings + [
            event("the manager that asked goes away", "", .promptLostItsApp(.j1)),
            event("the app leaves the foreground", "", .promptLostItsApp(.j2)),
            event("the process ends", "", .promptLostItsApp(.j3)),
            event("the device restarts", "", .promptLostItsApp(.q8)),
        ] + systemPrompts
    }

    /// The location button, widgets and App Clips.
    var besideTheApp: [PageEvent] {
        guard ios >= .v14 else { return [] }
        let isClip: (inout AppCapabilities) -> Void = { $0.isAppClip = true }
        let button = "a tap on the location button"
        let taps =
            ios < .v15
            ? []
            : [
                event(button, "", .tappedLocationButton(isReadable: true)),
                event(button, "that cannot be read", .tappedLocationButton(isReadable: false)),
            ]
        let events =
            taps + [
                event("a widget is placed", "", .placedWidget),
                event(Self.always, "as an App Clip", .requested(.always, isInUse: true), isClip),
                event("the day of an App Clip's grant ends", "", .appClipGrantEnded, isClip),
                event("an App Clip is removed", "", .appClipRemoved, isClip),
            ]
        return events.map { event in
            var event = event
            event.family = event.subject
            return event
        }
    }

    /// What does not ask for the decision.
    var ofDevice: [PageEvent] {
        [
            event(Self.whenInUse, "out of use", .requested(.whenInUse, isInUse: false)),
            event(Self.always, "out of use", .requested(.always, isInUse: false)),
            event(Self.whenInUse, "without its text", .requested(.whenInUse, isInUse: true)) {
                $0 = AppCapabilities()
            },
            event(Self.always, "without its text", .requested(.always, isInUse: true)) {
                ($0.hasLegacyAlwaysText, $0.hasAlwaysText) = (false, false)
            },
            event("Settings:", "Always, without its text", .settingsChanged(.always)) {
                ($0.hasLegacyAlwaysText, $0.hasAlwaysText) = (false, false)
            },
            event("the app starts a service", "", .usedLocation),
            event("Location Services switched off", "", .locationServicesSwitched(false)),
            event("Location Services switched on", "", .locationServicesSwitched(true)),
            event("a restriction is set", "", .restrictionSwitched(true)),
            event("the restriction is lifted", "", .restrictionSwitched(false)),
            event("Reset Location & Privacy", "", .locationPrivacyReset),
            event("a developer tool resets the app", "", .appLocationReset),
            event("deleted and installed again", "", .reinstalled),
            event("moved to a new phone", "", .migrated),
            event("updated,", "now without the Always text", .appUpdated) {
                ($0.hasLegacyAlwaysText, $0.hasAlwaysText) = (false, false)
            },
            event("updated,", "now without any text", .appUpdated) { $0 = AppCapabilities() },
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
