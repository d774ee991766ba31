import AuthorizationCore
import DeviceCore
import SimPrimitives

/// What an app can start. Raw values are words of the command line and of JSON.
public enum LocationService: String, CaseIterable, Sendable {
    case updates
    case significantChange = "significant_change"
    case visits
    case regions
    case liveUpdates = "live_updates"
    case monitors
    case ranging
    case backgroundFetch = "background_fetch"

    /// F7, F8: what came with iOS 17.
    func exists(on ios: IOSVersion) -> Bool {
        switch self {
        case .liveUpdates, .monitors: ios >= .v17
        case .updates, .significantChange, .visits, .regions, .ranging, .backgroundFetch: true
        }
    }

    /// I7: goes on in the background by the mode `location` alone.
    var needsLocationMode: Bool { self == .updates || self == .liveUpdates }

    /// AC8: comes under reduced accuracy too, for an area. Other services are silent then.
    public var isCoarseWhenReduced: Bool {
        switch self {
        case .updates, .significantChange, .visits, .liveUpdates: true
        case .regions, .monitors, .ranging, .backgroundFetch: false
        }
    }

    /// F3 to F5, F7: what the system keeps for the app, and with Always starts it for.
    var isKeptBySystem: Bool {
        switch self {
        case .significantChange, .visits, .regions, .monitors: true
        case .updates, .liveUpdates, .ranging, .backgroundFetch: false
        }
    }
}

/// How far a service reaches under one grant. Raw values are words of JSON.
public enum ServiceReach: String, CaseIterable, Sendable {
    /// This version has no such service.
    case absent
    /// The grant cannot be had.
    case ungranted
    /// Granted, and nothing comes.
    case never
    /// Nothing comes for want of the background mode.
    case noMode = "no_mode"
    /// While the app is in use: in the foreground, or under the indicator of updates.
    case inUse = "in_use"
    /// Also whenever it executes in the background for another reason.
    case executing
    /// It keeps the app running in the background.
    case background
    /// It wakes a suspended app, and starts an ended one.
    case wakes
    /// Run time only, without location.
    case runTime = "run_time"

    /// Whether anything about the place comes at all.
    public var deliversLocation: Bool {
        switch self {
        case .absent, .ungranted, .never, .noMode, .runTime: false
        case .inUse, .executing, .background, .wakes: true
        }
    }
}

/// One phone, asked what it does.
struct Trial {
    private(set) var phone = Phone()
    private var timers = TimerRow()
    private var now = SimTime.start
    let context: AuthorizationContext
    private static let region = RegionID(0)

    /// A phone on which the app stands in the foreground with `access`; nil where neither a prompt
    /// nor a row in Settings can give it.
    init?(granted access: Access, in context: AuthorizationContext) {
        self.context = context
        play(.opened)
        if access == .whenInUse { ask(access, due: .whenInUse) }
        let due: TrueStatus = access == .always ? .always : .whenInUse
        if phone.authorization.decision != due {
            play(.started(.updates))
            play(.settingsChanged(access == .always ? .always : .whileUsing))
            play(.stopped(.updates))
        }
        if phone.authorization.decision != due { ask(access, due: due) }
        guard phone.authorization.decision == due else { return nil }
    }

    /// A phone on which nothing has been asked.
    init(in context: AuthorizationContext) {
        self.context = context
        play(.opened)
    }

    /// The same phone, with the app's switch Precise Location there (iOS 14).
    func precise(_ isOn: Bool) -> Trial {
        var trial = self
        trial.play(.preciseSwitched(isOn))
        return trial
    }

    private mutating func ask(_ access: Access, due: TrueStatus) {
        play(.requested(access))
        guard let prompt = phone.authorization.prompt else { return }
        let asked = phone
        for choice in prompt.choices(on: context.ios) {
            phone = asked
            play(.answered(choice, isPrecise: true))
            if phone.authorization.decision == due { return }
        }
    }

    @discardableResult
    mutating func play(_ event: PhoneEvent) -> PhoneEffects {
        phone.handle(event, at: now, timers: &timers, in: context)
    }

    /// Starts `service`, leaves the app, and ends its process: how far are its events heard?
    mutating func reach(of service: LocationService, setsProperty: Bool) -> ServiceReach {
        let mode = context.capabilities.hasLocationBackgroundMode
        let registered = start(service, setsProperty: setsProperty && mode)
        let isRefused = registered.contains { if case .failed = $0 { true } else { false } }
        guard !isRefused, hears(service) else { return .never }
        play(.left)
        pass(seconds: 3_600)
        var ended = self
        ended.play(.processEnded(.terminated))
        ended.pass(seconds: 3_600)
        if ended.hears(service) { return .wakes }
        var alive = self
        if alive.hears(service) { return .background }
        play(.woken)
        return hears(service) ? .executing : .inUse
    }

    private mutating func start(
        _ service: LocationService, setsProperty: Bool
    ) -> PhoneEffects {
        switch service {
        case .updates:
            if setsProperty { play(.allowedBackgroundUpdates(true)) }
            return play(.started(.updates))
        case .significantChange: return play(.started(.significantChange))
        case .visits: return play(.started(.visits))
        // F7, M6: the conditions of a monitor are kept and delivered as regions are.
        case .regions, .monitors:
            return play(.startedMonitoring(MonitoredRegion(Self.region, radiusMeters: 200)))
        case .liveUpdates:
            // K1: without the mode such a session does nothing.
            if context.capabilities.hasLocationBackgroundMode { play(.heldBackgroundSession(true)) }
            return play(.started(.liveUpdates))
        case .ranging: return play(.started(.ranging))
        case .backgroundFetch: return PhoneEffects()
        }
    }

    /// Whether an event of `service` reaches the app, or starts it.
    private mutating func hears(_ service: LocationService) -> Bool {
        let event: PhoneEvent =
            switch service {
            case .updates, .liveUpdates, .backgroundFetch: .fixed
            case .significantChange: .movedSignificantly
            case .visits: .visited(isArrival: true)
            case .regions, .monitors: .crossed(Self.region, isEntry: true)
            case .ranging: .beaconsRanged
            }
        return play(event).contains { effect in
            switch effect {
            case .delivered, .happened, .processStarted: true
            default: false
            }
        }
    }

    /// Lets what falls due in that time fall due.
    private mutating func pass(seconds: Int64) {
        let end = now + .seconds(seconds)
        while let (time, slot) = timers.popNext(before: end) {
            now = time
            if slot == .suspension { play(.suspensionFellDue) }
            if slot == .useEnd { play(.useEndFellDue) }
        }
        now = end
    }
}
