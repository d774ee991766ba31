import AuthorizationCore
import SimPrimitives

/// What few devices use: regions, an event that a provisional Always holds back, and what iOS 17
/// and 18 brought, the conditions of a CLMonitor and the service sessions that the app holds.
/// Sections 5 and 10 of the specification.
///
/// A phone holds at most one, in an array that is empty otherwise: a box with value semantics.
struct PhoneExtras: Hashable, Sendable {
    var regions: [MonitoredRegion] = []
    var held: HeldEvent?
    /// A CLBackgroundActivitySession is held (K1, U4).
    var hasBackgroundSession = false
    /// That session has outlived the process that made it, and none has made it again (K3).
    var isSessionOrphaned = false
    /// Live updates have paused themselves at rest, until the next movement (L1).
    var areLiveUpdatesAtRest = false
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
    /// When a start of standard updates while Not Determined ends in an error (D11).
    var startErrorAt: SimTime?
    /// When the system monitors again what was registered before the device restarted (Q6).
    var monitoringFrom: SimTime?
    /// When live updates last came, for their rate (L1).
    var liveUpdateAt: SimTime?
}

extension Phone {
    /// Something that few apps use is there, or has been.
    public var hasExtras: Bool { !extras.isEmpty }

    /// The regions that the system watches for the app, in the order of registration (RG8).
    public internal(set) var regions: [MonitoredRegion] {
        get { extras.first?.regions ?? [] }
        set { changeExtras { $0.regions = newValue } }
    }

    /// A CLBackgroundActivitySession is held (K1, U4).
    public internal(set) var hasBackgroundSession: Bool {
        get { extras.first?.hasBackgroundSession ?? false }
        set {
            if newValue || !extras.isEmpty { changeExtras { $0.hasBackgroundSession = newValue } }
        }
    }

    /// The event that a provisional Always holds back, and since when (V3, V7).
    public internal(set) var held: HeldEvent? {
        get { extras.first?.held }
        set {
            if newValue == nil, extras.isEmpty { return }
            changeExtras { $0.held = newValue }
        }
    }

    /// That session has outlived the process that made it, and none has made it again (K3).
    var isSessionOrphaned: Bool {
        get { extras.first?.isSessionOrphaned ?? false }
        set { if newValue || !extras.isEmpty { changeExtras { $0.isSessionOrphaned = newValue } } }
    }

    /// Live updates have paused themselves at rest, until the next movement (L1).
    var areLiveUpdatesAtRest: Bool {
        get { extras.first?.areLiveUpdatesAtRest ?? false }
        set {
            if newValue || !extras.isEmpty { changeExtras { $0.areLiveUpdatesAtRest = newValue } }
        }
    }

    /// What of the phone lies in boxes of its own now.
    public var boxBytes: Int {
        extras.reduce(arrayBytes(extras)) {
            $0 + arrayBytes($1.regions) + arrayBytes($1.conditions)
        }
    }

    /// Makes the box where there is none.
    mutating func changeExtras(_ change: (inout PhoneExtras) -> Void) {
        if extras.isEmpty { extras.append(PhoneExtras()) }
        change(&extras[0])
    }
}

/// An event that waits for the person's answer to the second prompt (V3).
public struct HeldEvent: Hashable, Sendable {
    public var event: LocationEvent
    public var since: SimTime
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
    /// The state that the system found last, whether the app was told of it or not (M3).
    var found = ConditionState.unsatisfied
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
