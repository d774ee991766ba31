import AuthorizationCore
import SimPrimitives

/// What the system waits for on behalf of an App Clip: the end of its grant (X1), and its removal
/// after disuse (X2).
///
/// Kept beside the phone, by whoever plays one with an App Clip: a phone with a full app pays
/// nothing.
public struct AppClipClock: Sendable {
    private var grantEnd = SimTime.never
    private var removal = SimTime.never
    private var isGranted = false
    private var isOpen = false

    public init() {}

    /// Call it after each event that `phone` has played.
    public mutating func note(
        _ phone: Phone, at time: SimTime, zone: Zone, in context: AuthorizationContext
    ) {
        let wasGranted = isGranted
        isGranted = phone.authorization.decision == .whenInUse
        if isGranted != wasGranted {
            grantEnd = isGranted ? Self.fourInTheMorning(after: time, zone) : .never
        }
        let wasOpen = isOpen
        isOpen = phone.process == .foreground
        if isOpen != wasOpen { removal = isOpen ? .never : time + context.clipRemovalDelay }
    }

    /// When the next event of the clip's is due; `.never` when none is.
    public var earliest: SimTime { min(grantEnd, removal) }

    /// The event that is due at `earliest`: it will not be due again.
    public mutating func take() -> PhoneEvent? {
        guard earliest != .never else { return nil }
        if grantEnd <= removal {
            grantEnd = .never
            return .appClipGrantEnded
        }
        removal = .never
        return .appClipRemoved
    }

    /// X1: of the next local day, by the clock that hangs on the wall then.
    private static func fourInTheMorning(after time: SimTime, _ zone: Zone) -> SimTime {
        let midnight = zone.start(ofDay: zone.day(at: time) + 1)
        let plain = midnight + .hours(4)
        let shift = Int64(zone.secondsFromUTC(at: midnight) - zone.secondsFromUTC(at: plain))
        return SimTime(microseconds: plain.microseconds + shift * 1_000_000)
    }
}

extension AuthorizationContext {
    /// X2: about 30 days (observed).
    var clipRemovalDelay: SimDuration {
        SimDuration(seconds: rules.appClipRemovalDays * 86_400) ?? .days(30)
    }
}
