/// The type of a record. Raw values are the words of logs: append, never rename.
public enum RecordType: String, CaseIterable, Sendable {
    case installed, opened, closed, tapped, feature, primer, prompt, answer, status, callback
    case settings, world, milestone, fix, crossing
    case settingsAlert = "settings_alert"
    case requestIgnored = "request_ignored"
    case scriptFailure = "script_failure"
}

extension RecordContent {
    public var type: RecordType {
        switch self {
        case .installed: .installed
        case .opened: .opened
        case .closed: .closed
        case .tapped: .tapped
        case .feature: .feature
        case .primer: .primer
        case .settingsAlert: .settingsAlert
        case .prompt: .prompt
        case .answer, .unanswered: .answer
        case .status: .status
        case .callback: .callback
        case .requestIgnored: .requestIgnored
        case .settings: .settings
        case .world, .upgraded, .recast: .world
        case .milestone: .milestone
        case .scriptFailure: .scriptFailure
        case .fix: .fix
        case .crossing: .crossing
        }
    }
}
