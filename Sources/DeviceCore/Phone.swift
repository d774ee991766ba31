import AuthorizationCore
import SimPrimitives

/// One phone with one app: the permission rules, the life of the app's process and the location
/// services it has started. Section 3 to 14 of the specification.
///
/// Pure: `handle` is told the event and the time and returns what to do. The instants it waits for
/// stand in the device's row of timers. Used by the simulation and by the conformance runner alike.
///
/// A small value: what few devices use is behind `extras`, which is nil for the others.
public struct Phone: Sendable {
    public internal(set) var authorization = Authorization()
    public internal(set) var process = ProcessState.notRunning
    /// Why the process runs: the system started it, not the person (Q7).
    public internal(set) var wasLaunchedBySystem = false
    /// `allowsBackgroundLocationUpdates` of the main manager: gone with the process (B17).
    public internal(set) var allowsBackgroundUpdates = false
    /// The services that the app has started and the process or the system still keeps.
    public internal(set) var services: ServiceSet = []
    /// Whether a request for one position is pending (B9).
    public internal(set) var isLocationRequested = false
    var flags: PhoneFlags = []
    /// What the main manager's delegate was last told in this process (C3).
    var toldStatus = VisibleStatus.notDetermined
    var toldAccuracy = Accuracy.fullAccuracy
    /// The newest event that a provisional Always holds back, and since when (V3, V7).
    var heldDelivery: Delivery?
    var heldSince = SimTime.never
    /// Regions, conditions and the like. Most devices have none.
    var extras: PhoneExtrasBox?

    public init() {}
}

/// What a phone remembers beside its public state, a bit each.
struct PhoneFlags: OptionSet, Hashable, Sendable {
    let rawValue: UInt16

    /// The last process was swiped away (Q3, Q4).
    static let wasForceQuit = PhoneFlags(rawValue: 1)
    /// Restarted, and not unlocked since (B15).
    static let isLocked = PhoneFlags(rawValue: 2)
    /// A position is known (SV2).
    static let hasCachedPosition = PhoneFlags(rawValue: 4)
    /// Standard updates began, or went on, in the foreground (B4).
    static let beganInForeground = PhoneFlags(rawValue: 8)
    /// `showsBackgroundLocationIndicator` (B6).
    static let showsIndicator = PhoneFlags(rawValue: 16)
    /// `pausesLocationUpdatesAutomatically` is off (B13).
    static let neverPauses = PhoneFlags(rawValue: 32)
    /// The system has paused standard updates at rest (B13).
    static let arePaused = PhoneFlags(rawValue: 64)
    /// A background activity session is held (K1).
    static let holdsActivity = PhoneFlags(rawValue: 128)
    /// The system ended the process that held one; the session goes on (K3).
    static let activityOutlivesProcess = PhoneFlags(rawValue: 256)
    /// A request for one position ran out while the process was suspended.
    static let isOneShotOverdue = PhoneFlags(rawValue: 512)
    /// The app does not start its services again in a new process (SV3).
    static let leavesServicesStopped = PhoneFlags(rawValue: 1024)
    /// Standard updates ask for `kCLLocationAccuracyReduced` (AC6).
    static let wantsReduced = PhoneFlags(rawValue: 2048)
    /// Live updates wait for the next movement (L1).
    static let isLivePaused = PhoneFlags(rawValue: 4096)
}

public enum ProcessState: String, CaseIterable, Sendable {
    case notRunning = "not_running"
    case foreground
    /// Executing out of the foreground.
    case background
    case suspended
}

/// Services that an app starts and stops. Raw values are the names of the conformance cases.
public struct ServiceSet: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let updates = ServiceSet(rawValue: 1)
    public static let significantChange = ServiceSet(rawValue: 2)
    public static let visits = ServiceSet(rawValue: 4)
    public static let liveUpdates = ServiceSet(rawValue: 8)
    public static let heading = ServiceSet(rawValue: 16)
}

/// Why a process ends.
public enum ProcessEnd: String, CaseIterable, Sendable {
    /// The system wants its memory back (Q1).
    case terminated
    /// The person swipes it away (Q2, Q3).
    case forceQuit = "force_quit"
    /// The app broke a rule that iOS punishes with a crash (B3).
    case crashed
    /// The app was deleted.
    case deleted
}

/// A call of the app's. Raw values are Apple's names.
public enum AppRequest: String, CaseIterable, Sendable {
    case requestWhenInUseAuthorization
    case requestAlwaysAuthorization
    case requestTemporaryFullAccuracyAuthorization
}

/// CLError codes that the model reports (section 14). Raw values are Apple's names.
public enum LocationError: String, CaseIterable, Sendable {
    case locationUnknown, denied, regionMonitoringDenied, regionMonitoringFailure
    case rangingUnavailable, promptDeclined
}

/// Something that has happened to the phone.
public enum PhoneEvent: Hashable, Sendable {
    // The person.
    /// Opens the app: a launch, or a return to the running process.
    case opened
    /// Leaves the app for the Home Screen.
    case left
    case answered(Choice, isPrecise: Bool)
    case settingsChanged(SettingsRow)
    case preciseSwitched(Bool)
    case locationServicesSwitched(Bool)
    // The system.
    case processEnded(ProcessEnd)
    /// Background run time for a reason unrelated to location (U7).
    case woken
    /// The instant of a timer in the row has come: `useEnd` or `suspension`.
    case useEndFellDue
    case suspensionFellDue
    /// An idle moment has come for a prompt of the system's own (V4, R6).
    case confirmFellDue
    case reminderFellDue
    case locationPrivacyReset
    case reinstalled
    /// A developer tool resets location for this app, and ends it (G15, D32).
    case appLocationReset
    /// The app, or the system under it, was updated; the context is the new one (G11, G12).
    case appUpdated
    case restrictionSwitched(Bool)
    case rebooted
    case unlocked
    /// The device has lain still for long: what may pause does (B13, L1).
    case cameToRest
    // Location.
    /// A position is there: for standard updates, or for `requestLocation`.
    case fixed
    case oneShotAnswered
    case oneShotFailed
    /// The place has changed significantly (SV1).
    case movedSignificantly
    case visited
    /// The thresholds of RG6 are met.
    case crossed(PlaceID, PlaceChange)
    /// A condition of a `CLMonitor` has changed.
    case conditionChanged(PlaceID, PlaceChange)
    case headingChanged
    // The app.
    case requested(Access)
    case requestedTemporaryFullAccuracy(isPurposeKnown: Bool)
    case requestedLocation
    case started(ServiceSet)
    case stopped(ServiceSet)
    case allowedBackgroundUpdates(Bool)
    case showedIndicator(Bool)
    case pausedAutomatically(Bool)
    /// Standard updates with `desiredAccuracy` reduced (AC6), or as fine as can be.
    case desiredReducedAccuracy(Bool)
    case startedRegion(Region)
    case stoppedRegion(PlaceID)
    case startedCondition(PlaceID)
    case stoppedCondition(PlaceID)
    case heldActivitySession(Bool)
    /// The manager whose request is on screen was deallocated (J1).
    case askingManagerReleased
    /// Whether the app starts its services again at each process start (SV3).
    case restartsServices(Bool)
}

/// What the caller must do or note, in order.
public enum PhoneEffect: Hashable, Sendable {
    /// The true status, the visible one or the accuracy changed, by this rule.
    case status(RuleID)
    /// The main manager's delegate hears of the present values. `isInitial`: the first of a
    /// process (C1).
    case callback(isInitial: Bool)
    case promptShown(Prompt, RuleID)
    /// The prompt on screen is gone without an answer.
    case promptClosed(PromptKind, RuleID)
    case requestIgnored(AppRequest, IgnoreReason, RuleID)
    case processStarted(bySystem: Bool)
    case processSuspended
    case processEnded(ProcessEnd)
    /// A position or an event reaches the app.
    case delivered(Delivery)
    /// `didFailWithError`.
    case failed(LocationError, RuleID)
    /// Completion of the request for temporary full accuracy; nil: without an error.
    case accuracyCompleted(LocationError?)
    /// The second prompt of a provisional Always is due: the caller sets its idle moment (V4).
    case confirmDue
    /// Permanent Always was used in the background: the caller sees to the reminder (R2, R4).
    case usedInBackground
}

public enum Delivery: String, CaseIterable, Sendable {
    case updates, requestLocation = "request_location", significantChange = "significant_change"
    case visits, region, monitor, liveUpdates = "live_updates", heading, ranging
}
