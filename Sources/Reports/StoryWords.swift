import AuthorizationCore
import DeviceCore
import Simulation

extension VisibleStatus {
    /// As people say it.
    var spoken: String {
        switch self {
        case .notDetermined: "Not Determined"
        case .restricted: "Restricted"
        case .denied: "Denied"
        case .authorizedWhenInUse: "When In Use"
        case .authorizedAlways: "Always"
        }
    }

    /// Both views in one: what the app sees, and in brackets what is so where that says more.
    func spoken(with trueStatus: TrueStatus) -> String {
        switch trueStatus {
        case .allowOnce where self == .authorizedWhenInUse: "When In Use (Allow Once)"
        case .provisionalAlways where self == .authorizedAlways: "Always (provisional)"
        case _ where trueStatus.visible == self: spoken
        default: "\(spoken) (in truth \(trueStatus.visible.spoken(with: trueStatus)))"
        }
    }
}

extension PromptKind {
    var spoken: String {
        switch self {
        case .whenInUse: "When In Use prompt"
        case .always: "Always prompt"
        case .alwaysUpgrade: "prompt to upgrade to Always"
        case .alwaysConfirm: "prompt to confirm the provisional Always"
        case .backgroundReminder: "reminder of background use"
        case .temporaryFullAccuracy: "temporary full accuracy prompt"
        case .locationButton: "location button's prompt"
        case .widget: "widget's prompt"
        case .servicesOff: "offer to turn on Location Services"
        }
    }
}

extension Choice {
    /// The words on the button (section 4 of the specification).
    func label(on kind: PromptKind) -> String {
        switch self {
        case .dontAllow: "Don't Allow"
        case .allowOnce: "Allow Once"
        case .allowWhileUsing: "Allow While Using App"
        case .keepOnlyWhileUsing: "Keep Only While Using"
        case .changeToAlwaysAllow: "Change to Always Allow"
        case .changeToOnlyWhileUsing: "Change to Only While Using"
        case .alwaysAllow: "Always Allow"
        case .onlyWhileUsing: "Only While Using the App"
        case .allow: kind == .temporaryFullAccuracy ? "Allow Once" : "Allow"  // P12
        case .cancel: "Cancel"
        case .settings: "Settings"
        }
    }
}

extension SettingsRow {
    var label: String {
        switch self {
        case .never: "Never"
        case .askNextTime: "Ask Next Time Or When I Share"
        case .whileUsing: "While Using the App"
        case .always: "Always"
        case .whileUsingOrWidgets: "While Using the App or Widgets"
        }
    }
}

extension IgnoreReason {
    var spoken: String {
        switch self {
        case .alreadyDecided: "it is already decided"
        case .alreadyAskedForAlways: "Always has been asked for before"
        case .allowOnce: "the grant is Allow Once"
        case .missingUsageDescription: "a usage description is missing"
        case .notInUse: "the app is not in use"
        case .promptOnScreen: "a prompt is on screen"
        case .restricted: "a restriction forbids it"
        case .servicesOff: "Location Services are off"
        case .neverAsked: "the app has never asked"
        case .purposeUnknown: "the purpose key is unknown"
        case .alreadyFullAccuracy: "accuracy is full already"
        case .notAuthorized: "the app is not authorized"
        case .noPromptOnScreen: "no prompt is on screen"
        case .choiceNotOffered: "the prompt has no such button"
        case .nothingToDo: "there is nothing to do"
        case .offMainThread: "it was called off the main thread"
        }
    }
}

extension Closing {
    var sentence: String {
        switch self {
        case .background: "left the app"
        case .terminated: "the system ended the app's process"
        case .crashed: "the app crashed"
        case .deleted: "the app's process ended: it was deleted"
        case .forceQuit: "the app's process ended: it was swiped away"
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
}

extension PrimerAnswer {
    var spoken: String {
        switch self {
        case .continue: "Continue"
        case .notNow: "Not Now"
        }
    }
}
