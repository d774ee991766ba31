import AuthorizationCore
import Simulation

// What a person does to the phone, or would do and cannot.

extension SettingsVisit {
    func done(on ios: IOSVersion) -> String {
        switch self {
        case .row(let row): "in Settings: chose \(row.label(on: ios))"
        case .precise(let isOn): "in Settings: turned Precise Location \(isOn ? "on" : "off")"
        case .locationServices(let isOn):
            "in Settings: turned Location Services \(isOn ? "on" : "off")"
        }
    }

    func undone(on ios: IOSVersion) -> String {
        switch self {
        case .row(let row): "in Settings: could not choose \(row.label(on: ios))"
        case .precise(let isOn):
            "in Settings: could not turn Precise Location \(isOn ? "on" : "off")"
        case .locationServices(let isOn):
            "in Settings: could not turn Location Services \(isOn ? "on" : "off")"
        }
    }
}

extension WorldChange {
    var sentence: String {
        switch self {
        case .forceQuit: "swiped the app away"
        case .deleteApp: "deleted the app"
        case .reinstall: "installed the app again"
        case .restrictionOn: "Screen Time or a profile forbade changes of location"
        case .restrictionOff: "changes of location were allowed again"
        case .resetLocationPrivacy: "reset Location & Privacy in Settings"
        case .reboot: "the phone was restarted and unlocked"
        case .backgroundRefreshOn: "Background App Refresh was switched on for the app"
        case .backgroundRefreshOff: "Background App Refresh was switched off for the app"
        case .updateApp: "a new version of the app was installed"
        case .placeWidget: "placed a widget of the app's on the Home Screen"
        case .tapLocationButton: "tapped the location button"
        case .removeAppClip: "the system removed the App Clip, which had not been used for long"
        case .migrateDevice: "went on with a new phone, set up from a backup"
        }
    }

    /// Where it cannot be done. What the system does, and what is done to the whole phone, can.
    var undone: String {
        switch self {
        case .forceQuit: "could not swipe the app away"
        case .deleteApp: "could not delete the app"
        case .placeWidget: "could not place a widget of the app's"
        case .tapLocationButton: "could not tap the location button"
        case .backgroundRefreshOn: "could not switch Background App Refresh on for the app"
        case .backgroundRefreshOff: "could not switch Background App Refresh off for the app"
        case .reinstall, .restrictionOn, .restrictionOff, .resetLocationPrivacy, .reboot,
            .updateApp, .removeAppClip, .migrateDevice:
            "in vain: \(sentence)"
        }
    }
}

extension Recast {
    /// - Parameter script: its name.
    func sentence(_ script: String) -> String {
        switch self {
        case .strategy: "a new version of the app was installed: it plays \(script) from now on"
        case .behavior: "behaves as \(script) from now on"
        case .options: "options of \(script) have other values from now on"
        case .appOptions: "the app's options of \(script) have other values from now on"
        }
    }
}

extension IgnoreReason {
    /// Why an act cannot be done: by its rule where that says it, else in words of its own.
    func obstacle(by rule: RuleID?) -> String? {
        switch self {
        case .choiceNotOffered where rule == .x1 || rule == .x4:
            "an App Clip offers none"
        case .choiceNotOffered: "its page has no such row on this iOS, or for its texts"
        case .restricted, .neverAsked: rule?.phrase ?? spoken
        default: spoken
        }
    }
}

extension RuleID {
    /// `[S14: a restriction freezes the row]`
    func saying(_ phrase: String?) -> String {
        "[\(rawValue)\(phrase.map { ": \($0)" } ?? "")]"
    }

    /// Why what the person did changes nothing.
    var idlePhrase: String {
        switch self {
        case .s10: "it was chosen already"
        case .x5: "Always includes widgets, and only an authorized app's are given positions"
        case .x4: "Allow Once has nothing to share with a widget"
        case .p14: "widgets share the grant already"
        case .x8, .x9, .x11, .w8: phrase ?? ""
        case .g7, .g8: "a restriction forbids changes, or it is so already"
        default: "it was so already"
        }
    }

    /// Why a prompt went away.
    var closingPhrase: String? {
        switch self {
        case .g1: "Location Services are on again"
        case .g7, .g8: "a restriction takes the prompt away"
        case .g9, .g15: "a reset takes the prompt away"
        case .g10: "the app was deleted, and its prompt with it"
        case .x2: "the App Clip was removed, and its prompt with it"
        case .g14: "the phone was replaced, and the prompt stayed behind"
        case .q8: "the phone restarted, and the prompt went with it"
        case .s9, .s11, .s12, .o10, .v10: "a choice in Settings overtakes the prompt"
        default: phrase
        }
    }

    /// Why the status is another: which way a switch went.
    func statusPhrase(
        wasRestricted: Bool, now visible: VisibleStatus, _ trueStatus: TrueStatus
    ) -> String? {
        switch self {
        case .g1:
            visible == .denied && trueStatus != .denied
                ? "Location Services are off, and every app reads denied"
                : "Location Services are on again, and what was decided holds"
        case _ where [.g7, .g8].contains(self) && wasRestricted && visible != .restricted:
            "the restriction was lifted"
        case .g8: "a restriction makes decided apps restricted, too"
        default: phrase
        }
    }
}

extension RecordNote.Held {
    /// What became of an event when the second prompt was answered.
    func fate(by rule: RuleID) -> String? {
        switch (self, rule) {
        case (.delivered, _): "Always was confirmed: the held event is delivered"
        case (.dropped, .v7):
            "Always was confirmed, but the held event was too old or past delivery: dropped"
        case (.dropped, _): "Always was not confirmed: the held event is dropped"
        case (.waiting, _): nil
        }
    }
}
