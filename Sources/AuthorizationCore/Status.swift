/// What the app reads. Raw values are Apple's words.
public enum VisibleStatus: String, CaseIterable, Sendable {
    case notDetermined, restricted, denied, authorizedWhenInUse, authorizedAlways

    @inlinable
    public var isAuthorized: Bool { self == .authorizedWhenInUse || self == .authorizedAlways }
}

/// The status as the device keeps it. Finer than what the app is told: see `visible`.
///
/// Raw values are the names in records and reports.
public enum TrueStatus: String, CaseIterable, Sendable {
    case notDetermined = "not_determined"
    case restricted
    case denied
    case whenInUse = "when_in_use"
    case allowOnce = "allow_once"
    case provisionalAlways = "provisional_always"
    case always

    /// What the app reads (ST1: temporary counts as When In Use, provisional as Always).
    @inlinable
    public var visible: VisibleStatus {
        switch self {
        case .notDetermined: .notDetermined
        case .restricted: .restricted
        case .denied: .denied
        case .allowOnce, .whenInUse: .authorizedWhenInUse
        case .provisionalAlways, .always: .authorizedAlways
        }
    }
}

/// Raw values are Apple's words.
public enum Accuracy: String, CaseIterable, Sendable { case fullAccuracy, reducedAccuracy }

/// What an app asks for.
public enum Access: Hashable, CaseIterable, Sendable { case whenInUse, always }

/// The app's line in Settings. Raw values are the names in the conformance cases and in Lua.
public enum SettingsRow: String, CaseIterable, Sendable {
    case never
    case askNextTime = "ask_next_time"
    case whileUsing = "while_using"
    case always
    case whileUsingOrWidgets = "while_using_or_widgets"
}

extension VisibleStatus {
    /// The place in `allCases`.
    @inlinable
    public var place: Int {
        switch self {
        case .notDetermined: 0
        case .restricted: 1
        case .denied: 2
        case .authorizedWhenInUse: 3
        case .authorizedAlways: 4
        }
    }
}

extension TrueStatus {
    /// The place in `allCases`.
    @inlinable
    public var place: Int {
        switch self {
        case .notDetermined: 0
        case .restricted: 1
        case .denied: 2
        case .whenInUse: 3
        case .allowOnce: 4
        case .provisionalAlways: 5
        case .always: 6
        }
    }
}
