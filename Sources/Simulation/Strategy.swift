import AuthorizationCore
import DeviceCore
import SimPrimitives

/// The app in hand, as its script sees it. Valid during one call.
public struct AppView: Sendable {
    public var device: DeviceID
    /// The device's number within its block: whose saved storage.
    public var indexInBlock: UInt32
    public var ios: IOSVersion
    public var status: VisibleStatus
    public var accuracy: Accuracy
    public var allowsBackgroundUpdates: Bool
    public var wasLaunchedBySystem: Bool
    /// Times the app has come to the foreground since it was installed, this one included.
    public var sessions: UInt32
    /// True in the first process since the app was installed.
    public var isFirstLaunch: Bool
    public var time: SimTime
    /// Timers that are pending: one with a period counts too while it fires.
    public var timerCount: Int
    /// Which manager the hook is about: its slot, 0 for the app's own.
    public var manager: UInt8
    /// What else of CoreLocation the process holds; nil: nothing, as with most apps.
    public var objects: LocationObjectsView?

    public init(
        device: DeviceID, indexInBlock: UInt32, ios: IOSVersion, status: VisibleStatus,
        accuracy: Accuracy, allowsBackgroundUpdates: Bool, wasLaunchedBySystem: Bool,
        sessions: UInt32, isFirstLaunch: Bool, time: SimTime, timerCount: Int = 0,
        manager: UInt8 = 0, objects: LocationObjectsView? = nil
    ) {
        (self.device, self.indexInBlock, self.ios) = (device, indexInBlock, ios)
        (self.status, self.accuracy) = (status, accuracy)
        self.allowsBackgroundUpdates = allowsBackgroundUpdates
        self.wasLaunchedBySystem = wasLaunchedBySystem
        (self.sessions, self.isFirstLaunch, self.time) = (sessions, isFirstLaunch, time)
        self.timerCount = timerCount
        (self.manager, self.objects) = (manager, objects)
    }
}

/// When and how an app asks. A port: the script bridge implements it, and so do test doubles.
///
/// One strategy serves one block. What the app calls is appended to `calls`, to be carried out
/// after the hook, in order: on a phone, too, a request returns at once and its effects follow.
/// An event whose hook is absent from `hooks` is never handed over.
public protocol Strategy: AnyObject {
    var hooks: HookSet { get }

    func handle(
        _ event: AppEvent, _ app: borrowing AppView, random: inout RandomStream,
        calls: inout [AppCall]
    ) throws(HookError)

    /// Erases the saved storage of a device's app: it was deleted.
    func forget(indexInBlock: UInt32)
    /// The app's process on a device has ended, and its timers with it.
    func processEnded(indexInBlock: UInt32)
}

/// What the app is told.
public enum AppEvent: Hashable, Sendable {
    case launched
    case enteredForeground
    case enteredBackground
    /// Index into `Scenario.features`.
    case tapped(feature: Int)
    case primerAnswered(id: NameID, PrimerAnswer)
    case settingsAlertAnswered(SettingsAlertAnswer)
    /// The new callback from iOS 14 on, else the deprecated one: `isLegacy` (C6, C8).
    case didChangeAuthorization(isLegacy: Bool)
    case didUpdateLocations(horizontalAccuracyMeters: Double)
    case didFailWithError(LocationError)
    /// A region could not be monitored (RG1, RG3, RG9).
    case monitoringDidFail(region: NameID, LocationError)
    /// The region was registered.
    case didStartMonitoringFor(region: NameID)
    case didEnterRegion(NameID)
    case didExitRegion(NameID)
    /// At a crossing, and as the answer to `requestState` (RG5).
    case didDetermineState(RegionState, region: NameID)
    case didVisit(isArrival: Bool)
    case didUpdateHeading
    case didPauseLocationUpdates
    case didResumeLocationUpdates
    /// Nil: without an error, whether full accuracy was granted or not (T1, T2).
    case didCompleteTemporaryFullAccuracyAuthorization(LocationError?)
    /// The flags are those of iOS 18 and later.
    case didReceiveMonitorEvent(condition: NameID, ConditionState, DiagnosticFlags)
    /// Without an accuracy there is no position in it, but flags alone (L3).
    case didReceiveLiveUpdate(horizontalAccuracyMeters: Double?, DiagnosticFlags)
    /// What the service sessions say has changed: `LocationObjectsView.sessionDiagnostics`.
    case didReceiveServiceSessionDiagnostic
    /// A timer of that number fell due. It fires no more where it `isLast`.
    case timer(UInt64, isLast: Bool)

    public var hook: HookName {
        switch self {
        case .launched: .launched
        case .enteredForeground: .enteredForeground
        case .enteredBackground: .enteredBackground
        case .tapped: .tapped
        case .primerAnswered: .primerAnswered
        case .settingsAlertAnswered: .settingsAlertAnswered
        case .didChangeAuthorization(isLegacy: false): .locationManagerDidChangeAuthorization
        case .didChangeAuthorization(isLegacy: true): .didChangeAuthorization
        case .didUpdateLocations: .didUpdateLocations
        case .didFailWithError: .didFailWithError
        case .monitoringDidFail: .monitoringDidFail
        case .didStartMonitoringFor: .didStartMonitoringFor
        case .didEnterRegion: .didEnterRegion
        case .didExitRegion: .didExitRegion
        case .didDetermineState: .didDetermineState
        case .didVisit: .didVisit
        case .didUpdateHeading: .didUpdateHeading
        case .didPauseLocationUpdates: .locationManagerDidPauseLocationUpdates
        case .didResumeLocationUpdates: .locationManagerDidResumeLocationUpdates
        case .didCompleteTemporaryFullAccuracyAuthorization:
            .didCompleteTemporaryFullAccuracyAuthorization
        case .didReceiveMonitorEvent: .didReceiveMonitorEvent
        case .didReceiveLiveUpdate: .didReceiveLiveUpdate
        case .didReceiveServiceSessionDiagnostic: .didReceiveServiceSessionDiagnostic
        case .timer: .timer
        }
    }
}

/// What the app does.
public enum AppCall: Hashable, Sendable {
    case requestWhenInUseAuthorization
    case requestAlwaysAuthorization
    /// One of these two off the main thread (J5).
    case requestOffMain(Access)
    case requestTemporaryFullAccuracyAuthorization(purpose: NameID)
    case requestLocation
    case start(ServiceSet)
    case stop(ServiceSet)
    case startMonitoring(CircularRegion)
    /// Apple's call takes a region and looks at its identifier alone.
    case stopMonitoring(NameID)
    case requestState(NameID)
    case setAllowsBackgroundLocationUpdates(Bool)
    case setPausesLocationUpdatesAutomatically(Bool)
    /// It shows in what the app reads of it, and nowhere else.
    case setShowsBackgroundLocationIndicator(Bool)
    case setDesiredAccuracy(DesiredAccuracy)
    /// The call that follows is of another manager than the app's own. A prefix, and not a case
    /// that holds a call: so calls are plain words, which cost nothing to copy.
    case by(manager: UInt8)
    /// Makes a manager in a slot that is free, or lets go of one (C1, J1).
    case createManager(slot: UInt8, NameID)
    case releaseManager(slot: UInt8)
    case holdServiceSession(Access, purpose: NameID?)
    case endServiceSession(Access)
    case holdBackgroundActivitySession(Bool)
    case openMonitor(NameID)
    case addCondition(CircularRegion)
    case removeCondition(NameID)
    case showPrimer(id: NameID)
    case showSettingsAlert
    case featureDone(NameID, outcome: NameID)
    case milestone(NameID)
    case setTimer(AppTimer)
    case cancelTimer(UInt64)
    case metric(ScriptMetric)
}

/// A CLCircularRegion, as an app hands it over. Its fields are in range when they arrive.
///
/// The phone watches `id` and `radiusMeters`; where the center lies matters once devices move.
public struct CircularRegion: Hashable, Sendable {
    public var id: NameID
    public var latitudeDegrees: Double
    public var longitudeDegrees: Double
    public var radiusMeters: Double

    public init(
        _ id: NameID, latitudeDegrees: Double, longitudeDegrees: Double, radiusMeters: Double
    ) {
        (self.id, self.radiusMeters) = (id, radiusMeters)
        (self.latitudeDegrees, self.longitudeDegrees) = (latitudeDegrees, longitudeDegrees)
    }
}
