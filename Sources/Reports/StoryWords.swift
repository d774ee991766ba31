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
        default: "\(spoken) (in truth \(trueStatus.spoken))"
        }
    }
}

extension TrueStatus {
    /// Without what the app sees: `provisional Always`.
    var spoken: String {
        switch self {
        case .allowOnce: "Allow Once"
        case .provisionalAlways: "provisional Always"
        case .notDetermined, .restricted, .denied, .whenInUse, .always: visible.spoken
        }
    }
}

extension Accuracy {
    var spoken: String { self == .fullAccuracy ? "full" : "reduced" }
}

extension LocationEvent {
    /// One that needs Always.
    var spoken: String {
        switch self {
        case .significantChange: "a significant change"
        case .visit: "a visit"
        case .region: "the crossing of a region"
        case .condition: "the change of a condition"
        case .heading: "a heading"
        case .beacons: "beacons"
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
    /// The words on the button (section 4 of the specification). X1: an App Clip's first choice
    /// says how long it lasts; the wording is not verified.
    func label(on kind: PromptKind, ofAppClip isAppClip: Bool) -> String {
        switch self {
        case .allowWhileUsing where isAppClip: "Allow While Using App Until Tomorrow"
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
    func label(on ios: IOSVersion) -> String {
        switch self {
        case .never: "Never"
        case .askNextTime:  // S4
            ios < .v15 ? "Ask Next Time" : "Ask Next Time Or When I Share"
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
        case .notInstalled: "the app is not installed"
        case .notInAppSwitcher: "the app is not in the app switcher"
        case .notOnScreen: "it is not in sight"
        case .notOnThisIOS: "this iOS has no such thing"
        case .notNewer: "the phone runs that version or a newer one"
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

extension PrimerAnswer {
    var spoken: String {
        switch self {
        case .continue: "Continue"
        case .notNow: "Not Now"
        }
    }
}
