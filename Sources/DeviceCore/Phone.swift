import AuthorizationCore
import SimPrimitives

/// One phone with one app: the permission rules, the life of the app's process and the location
/// services it has started. Section 3 to 14 of the specification.
///
/// Pure: `handle` is told the event and the time and returns what to do. The instants it waits for
/// stand in the device's row of timers. Used by the simulation and by the conformance runner alike.
///
/// A small value: what few devices use is in `extras`, empty for the others.
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
    /// Standard updates that run were begun, or gone on with, in the foreground (B4).
    var didBeginUpdatesInForeground = false
    /// The person swiped the app away and has not opened it since (Q3, Q4).
    public internal(set) var isForceQuit = false
    /// Background App Refresh is off for the app (Q5).
    var isBackgroundRefreshOff = false
    /// The device has not been unlocked since it started (B15).
    var isLocked = false
    /// `pausesLocationUpdatesAutomatically` of the main manager: gone with the process (B17).
    public internal(set) var pausesAutomatically = true
    /// The system has paused standard updates at rest, until the app starts them again (B13).
    var areUpdatesPaused = false
    /// A request for one position ran out while the process was suspended.
    var isOneShotOverdue = false
    /// What the main manager's delegate was last told in this process.
    var told: Told?
    /// Until when the app counts as in use after it left the foreground (U2).
    var graceEnd = SimTime.start
    /// What few apps use: empty until then, and one element from then on.
    var extras: [PhoneExtras] = []

    public init() {}

    struct Told: Hashable, Sendable {
        var status: VisibleStatus
        var accuracy: Accuracy
    }
}

/// An event of a service that reaches past the process: it can wake or start the app.
public enum LocationEvent: Hashable, Sendable {
    case significantChange
    case visit(isArrival: Bool)
    case region(RegionID, isEntry: Bool)
    /// The state of a monitor's condition (M3, M4).
    case condition(RegionID, ConditionState)
    /// These two wake nothing: they reach a process that executes (F6, F9).
    case heading
    case beacons
}

/// Names one region or condition of an app. The caller keeps the texts.
public struct RegionID: Hashable, Sendable {
    public let number: UInt16
    public init(_ number: UInt16) { self.number = number }
}

/// A circular region, as an app registers it.
public struct MonitoredRegion: Hashable, Sendable {
    public var id: RegionID
    public var radiusMeters: Double
    public var notifiesOnEntry: Bool
    public var notifiesOnExit: Bool

    public init(
        _ id: RegionID, radiusMeters: Double, notifiesOnEntry: Bool = true,
        notifiesOnExit: Bool = true
    ) {
        (self.id, self.radiusMeters) = (id, radiusMeters)
        (self.notifiesOnEntry, self.notifiesOnExit) = (notifiesOnEntry, notifiesOnExit)
    }
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
    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

    // Computed, for a stored one is made once, and asked each time whether it has been.
    @inlinable public static var updates: ServiceSet { ServiceSet(rawValue: 1) }
    @inlinable public static var significantChange: ServiceSet { ServiceSet(rawValue: 2) }
    @inlinable public static var visits: ServiceSet { ServiceSet(rawValue: 4) }
    @inlinable public static var liveUpdates: ServiceSet { ServiceSet(rawValue: 8) }
    @inlinable public static var heading: ServiceSet { ServiceSet(rawValue: 16) }
    @inlinable public static var ranging: ServiceSet { ServiceSet(rawValue: 32) }
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
    case restrictionSwitched(Bool)
    /// Taps the app's location button; `isReadable` false: colours or size hide what it is (X11).
    case tappedLocationButton(isReadable: Bool)
    case placedWidget
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
    case backgroundRefreshSwitched(Bool)
    case locationPrivacyReset
    /// A developer tool has reset this app alone (G15).
    case appLocationReset
    /// The person goes on with a new device, set up from a backup of this one (G14).
    case migrated
    /// Another version of the app is installed: the context has its Info.plist (G11).
    case appUpdated
    case reinstalled
    /// `AppClipClock` says when (X1, X2).
    case appClipGrantEnded
    case appClipRemoved
    /// The device restarts, and is unlocked for the first time after that (B15, Q8).
    case rebooted
    case unlocked
    // Location.
    /// A position is there: for standard updates, or for `requestLocation`.
    case fixed
    case oneShotAnswered
    case oneShotFailed
    /// `startErrorAt` has come (D11).
    case startTimedOut
    /// The place has changed significantly (SV1).
    case movedSignificantly
    case visited(isArrival: Bool)
    /// The device has crossed the boundary of a region, for long and far enough (RG6).
    case crossed(RegionID, isEntry: Bool)
    /// The system has found a condition of a monitor to hold, or not to hold (M3).
    case conditionChanged(RegionID, isSatisfied: Bool)
    case headingChanged
    /// Beacons of a constraint that the app ranges are there.
    case beaconsRanged
    /// The device lies still, and the system pauses what it may; or it moves again (B13, L1).
    case rested
    case moved
    // The app.
    case requested(Access)
    /// The same off the main thread, on a manager that was made on it (J5).
    case requestedOffMain(Access)
    case requestedTemporaryFullAccuracy(isPurposeKnown: Bool)
    case requestedLocation
    case started(ServiceSet)
    case stopped(ServiceSet)
    case allowedBackgroundUpdates(Bool)
    case heldBackgroundSession(Bool)
    case pausedAutomatically(Bool)
    case startedMonitoring(MonitoredRegion)
    case stoppedMonitoring(RegionID)
    /// Makes or ends a CLServiceSession of this level (N1).
    case heldServiceSession(Access, SessionPurpose)
    case endedServiceSession(Access)
    /// Opens its CLMonitor and awaits events; one turn hands over some of those that wait.
    case openedMonitor
    case awaitedMonitorEvents
    /// Adds a condition, which opens the monitor if need be, or removes one (M1, M3).
    case addedCondition(RegionID)
    case removedCondition(RegionID)
    /// The manager that raised the prompt on screen was let go of (J1).
    case askingManagerReleased
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
    /// The rule is the one that the app broke, where it crashed.
    case processEnded(ProcessEnd, RuleID? = nil)
    /// A position reaches the app.
    case delivered(Delivery)
    /// An event reaches the app.
    case happened(LocationEvent)
    /// `didFailWithError`.
    case failed(LocationError, RuleID)
    /// The system has paused standard updates, or the app has begun paused ones again (B13).
    case updatesPaused
    case updatesResumed
    /// Completion of the request for temporary full accuracy; nil: without an error.
    case accuracyCompleted(LocationError?)
    /// The second prompt of a provisional Always is due: the caller sets its idle moment (V4).
    case confirmDue
    /// Permanent Always was used in the background: the caller sees to the reminder (R2, R4).
    case usedInBackground
}

/// How a position came about. Raw values are the services of the conformance cases.
public enum Delivery: String, CaseIterable, Sendable {
    case updates
    case requestLocation = "request_location"
    case liveUpdates = "live_updates"
}
