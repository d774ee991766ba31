import AuthorizationCore
import SimPrimitives

/// What iOS 17 and 18 brought and few devices use: the conditions of a CLMonitor, and the service
/// sessions that the app holds. Section 10.3 of the specification.
///
/// A phone holds at most one, in an array that is empty otherwise: a box with value semantics.
struct ModernServices: Hashable, Sendable {
    /// The sessions of this process, one of each level at most.
    var whenInUseSession: ServiceSession?
    var alwaysSession: ServiceSession?
    /// An Always session was held when the process ended, and none has made it again (N8).
    var isAlwaysSessionOrphaned = false
    /// The prompt for temporary full accuracy on screen is a session's: no completion waits for it.
    var hasSessionAskedForAccuracy = false
    /// This process has opened the monitor and awaits its events (M1, M5).
    var isMonitorOpen = false
    /// In the order of registration. They belong to the app, not to the process (M5).
    var conditions: [MonitoredCondition] = []
    /// When live updates last came, for their rate (L1).
    var liveUpdateAt: SimTime?
}

/// A CLServiceSession that is held.
struct ServiceSession: Hashable, Sendable {
    var purpose: SessionPurpose
    /// Its prompt for full accuracy was refused, or could not be shown (N5, T3).
    var isFullAccuracyDenied = false
}

/// The full-accuracy purpose key of a session (N5).
public enum SessionPurpose: Hashable, CaseIterable, Sendable {
    case none
    /// It stands in the Info.plist.
    case known
    case unknown
}

/// What a condition of a CLMonitor is, as far as the app knows (M2). Raw values are Apple's words.
public enum ConditionState: String, CaseIterable, Sendable {
    case unsatisfied, satisfied, unmonitored
}

/// A condition of the app's CLMonitor.
struct MonitoredCondition: Hashable, Sendable {
    var id: RegionID
    /// The state that the app was last told, or assumed when it added the condition (M3).
    var told = ConditionState.unsatisfied
    /// A change that waits for the app to open its monitor (M5).
    var pending: ConditionState?
    /// The system does not watch it (M4).
    var isOverLimit = false
}

/// Who reports diagnostic flags. Raw values are the names in the conformance cases.
public enum LocationConsumer: String, CaseIterable, Sendable {
    case serviceSession = "service_session"
    case liveUpdates = "live_updates"
    case monitor
}

/// What a service session, live updates or a monitor say of their state beside positions and
/// events, from iOS 18 on (L3, M4, M7, N4 to N6).
public struct DiagnosticFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let authorizationDenied = DiagnosticFlags(rawValue: 1)
    public static let authorizationDeniedGlobally = DiagnosticFlags(rawValue: 2)
    public static let authorizationRestricted = DiagnosticFlags(rawValue: 4)
    public static let authorizationRequestInProgress = DiagnosticFlags(rawValue: 8)
    public static let alwaysAuthorizationDenied = DiagnosticFlags(rawValue: 16)
    public static let fullAccuracyDenied = DiagnosticFlags(rawValue: 32)
    public static let accuracyLimited = DiagnosticFlags(rawValue: 64)
    public static let insufficientlyInUse = DiagnosticFlags(rawValue: 128)
    public static let serviceSessionRequired = DiagnosticFlags(rawValue: 256)
    public static let conditionLimitExceeded = DiagnosticFlags(rawValue: 512)

    /// Apple's words, in the order of the bits.
    public static let names = [
        "authorizationDenied", "authorizationDeniedGlobally", "authorizationRestricted",
        "authorizationRequestInProgress", "alwaysAuthorizationDenied", "fullAccuracyDenied",
        "accuracyLimited", "insufficientlyInUse", "serviceSessionRequired",
        "conditionLimitExceeded",
    ]

    public var names: [String] {
        Self.names.indices.filter { rawValue & 1 << $0 != 0 }.map { Self.names[$0] }
    }
}
