import SimPrimitives

/// A device's pending instants: a fixed row of slots, at most one instant in each.
///
/// The next event is the least of the row. Setting a timer again replaces it, and cancelling one
/// is writing `.never`: no heap, no stale entries, and two cache lines for a device.
public struct TimerRow: Sendable {
    /// What a device can be waiting for. At one instant the lower raw value comes first, so the
    /// order is part of the replay format: the system, then answers, then the app, then the person.
    public enum Slot: Int, CaseIterable, Sendable {
        /// Use has ended and the grace period with it: Allow Once lapses (O3, O5).
        case useEnd
        /// The process, out of use, is suspended; or a wake-up has run its time (B14).
        case suspension
        /// The system ends the suspended process to get its memory back (Q1).
        case termination
        /// An idle moment for the second prompt of a provisional Always (V4).
        case confirm
        /// An idle moment for the background-use reminder (R6).
        case reminder
        /// Always has been true for seven days: the funnel's last step.
        case alwaysWeek
        /// The person answers the prompt on screen.
        case answer
        /// The person answers the app's own screen: a primer or a settings alert.
        case ownScreenAnswer
        /// The answer to `requestLocation()`: a position, or a failure (B9).
        case oneShot
        /// The next position of standard updates (F1).
        case fix
        /// The next significant change of place (SV1).
        case significantChange
        case tap
        case close
        case open
        /// The person's instant of the local day.
        case day
        /// A deleted app comes back.
        case reinstall
        /// The end of an App Clip's grant, or its removal (X1, X2). `AppClipClock` keeps both.
        case appClip
    }

    public static let slotCount = 17

    /// One for each slot.
    @usableFromInline var instants = SIMD32<Int64>(repeating: .max)

    @inlinable public init() {}

    @inlinable
    public subscript(slot: Slot) -> SimTime {
        get { SimTime(microseconds: instants[slot.rawValue]) }
        set { instants[slot.rawValue] = newValue.microseconds }
    }

    /// The earliest instant before `limit` and its slot, or nil when there is none.
    @inlinable
    public func next(before limit: SimTime) -> (time: SimTime, slot: Slot)? {
        let least = instants.min()
        guard least < limit.microseconds else { return nil }
        var index = 0
        while instants[index] != least { index += 1 }
        return (SimTime(microseconds: least), Slot(rawValue: index)!)  // No more is set.
    }

    /// The earliest instant; `.never` when nothing is due.
    @inlinable
    public var earliest: SimTime { SimTime(microseconds: instants.min()) }

    /// Cancels every timer.
    @inlinable
    public mutating func removeAll() { instants = SIMD32(repeating: .max) }
}
