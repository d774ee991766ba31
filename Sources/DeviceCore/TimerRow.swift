import SimPrimitives

/// A device's pending instants: at most one for each slot.
///
/// The next event is the least of the row. Setting a timer again replaces it, and cancelling one
/// is writing `.never`: no heap, and no stale entries. A device waits for a handful of things at a
/// time, so the row has lanes for that many, each with its instant and slot in one word; the rare
/// others lie in an array beside it.
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
        /// A timer of the app's that executes.
        case appTimer
        case tap
        case close
        case open
        /// The person's instant of the local day.
        case day
        /// A deleted app comes back.
        case reinstall
        /// The end of an App Clip's grant, or its removal (X1, X2). `AppClipClock` keeps both.
        case appClip
        /// The next thing that comes to the device at random.
        case hazard
    }

    public static let slotCount = 19

    /// Instant times 32 plus slot, so that the least is due first; `unset`, which is of no slot.
    @usableFromInline var lanes = InlineArray<7, Int64>(repeating: Self.unset)
    @usableFromInline var spilled: [Int64] = []
    /// The slots that are set, a bit each: most of what is cancelled was not.
    @usableFromInline var present: UInt32 = 0

    @usableFromInline static let laneCount = 7
    @usableFromInline static let unset = Int64.max

    @inlinable public init() {}

    @inlinable
    public subscript(slot: Slot) -> SimTime {
        get {
            guard present >> UInt32(slot.rawValue) & 1 == 1 else { return .never }
            for index in 0..<Self.laneCount
            where Self.slot(of: lanes[index]) == slot.rawValue {
                return Self.instant(of: lanes[index])
            }
            guard !spilled.isEmpty else { return .never }
            return spilled.first { Self.slot(of: $0) == slot.rawValue }.map(Self.instant) ?? .never
        }
        set {
            let bit = UInt32(1) << UInt32(slot.rawValue)
            guard newValue != .never else {
                if present & bit != 0 { remove(slot) }
                return
            }
            let word = newValue.microseconds << 5 | Int64(slot.rawValue)
            if present & bit == 0 {
                present |= bit
                for index in 0..<Self.laneCount where lanes[index] == Self.unset {
                    lanes[index] = word
                    return
                }
                spilled.append(word)
            } else {
                for index in 0..<Self.laneCount
                where Self.slot(of: lanes[index]) == slot.rawValue {
                    lanes[index] = word
                    return
                }
                spill(word, slot)
            }
        }
    }

    /// The earliest instant before `limit` and its slot, or nil when there is none.
    @inlinable
    public func next(before limit: SimTime) -> (time: SimTime, slot: Slot)? {
        let least = self.least
        guard Self.instant(of: least) < limit else { return nil }
        return (Self.instant(of: least), Slot(rawValue: Self.slot(of: least))!)  // As above.
    }

    /// Takes out the earliest instant before `limit`.
    @inlinable
    public mutating func popNext(before limit: SimTime) -> (time: SimTime, slot: Slot)? {
        if !spilled.isEmpty { return popNextOfMany(before: limit) }
        var (least, lane) = (lanes[0], 0)
        for index in 1..<Self.laneCount where lanes[index] < least {
            (least, lane) = (lanes[index], index)
        }
        guard Self.instant(of: least) < limit else { return nil }
        let slot = Self.slot(of: least)
        present &= ~(1 << UInt32(slot))
        lanes[lane] = Self.unset
        return (Self.instant(of: least), unsafeBitCast(UInt8(slot), to: Slot.self))
    }

    @usableFromInline
    @inline(never)
    mutating func popNextOfMany(before limit: SimTime) -> (time: SimTime, slot: Slot)? {
        guard let next = next(before: limit) else { return nil }
        remove(next.slot)
        return next
    }

    /// Before what `slot`, which must be unset, would be the next to fire; at most `limit`.
    @inlinable
    public func bound(of slot: Slot, before limit: SimTime) -> SimTime {
        let least = self.least
        guard least != Self.unset else { return limit }
        let instant = Self.instant(of: least)
        let isFirst = slot.rawValue < Self.slot(of: least)
        return min(limit, isFirst ? SimTime(microseconds: instant.microseconds + 1) : instant)
    }

    /// The earliest instant; `.never` when nothing is due.
    @inlinable
    public var earliest: SimTime { Self.instant(of: least) }

    /// Cancels a timer that mostly is not set.
    @inlinable
    @inline(__always)
    public mutating func cancel(_ slot: Slot) {
        if present >> UInt32(slot.rawValue) & 1 == 1 { self[slot] = .never }
    }

    /// Whether it is set.
    @inlinable
    @inline(__always)
    public func isSet(_ slot: Slot) -> Bool { present >> UInt32(slot.rawValue) & 1 == 1 }

    /// Cancels two timers that mostly are not set.
    @inlinable
    @inline(__always)
    public mutating func cancel(_ first: Slot, _ second: Slot) {
        let bits = UInt32(1) << UInt32(first.rawValue) | 1 << UInt32(second.rawValue)
        guard present & bits != 0 else { return }
        self[first] = .never
        self[second] = .never
    }

    /// Cancels every timer.
    @inlinable
    public mutating func removeAll() { self = TimerRow() }

    /// What lies beside the row now.
    public var boxBytes: Int { arrayBytes(spilled) }

    @usableFromInline
    @inline(__always)
    var least: Int64 {
        var least = lanes[0]
        for index in 1..<Self.laneCount { least = min(least, lanes[index]) }
        if !spilled.isEmpty { least = min(least, spilled.min()!) }  // It is not empty.
        return least
    }

    @usableFromInline
    @inline(__always)
    mutating func remove(_ slot: Slot) {
        present &= ~(1 << UInt32(slot.rawValue))
        for index in 0..<Self.laneCount where Self.slot(of: lanes[index]) == slot.rawValue {
            lanes[index] = Self.unset
            if !spilled.isEmpty { refill(index) }
            return
        }
        if !spilled.isEmpty { unspill(slot) }
    }

    /// Something lies beside the row only while all lanes are taken.
    @usableFromInline
    @inline(never)
    mutating func refill(_ lane: Int) {
        lanes[lane] = spilled.removeLast()
        if spilled.isEmpty { spilled = [] }
    }

    @usableFromInline
    @inline(never)
    mutating func unspill(_ slot: Slot) {
        spilled.removeAll { Self.slot(of: $0) == slot.rawValue }
        if spilled.isEmpty { spilled = [] }
    }

    @usableFromInline
    @inline(never)
    mutating func spill(_ word: Int64, _ slot: Slot) {
        spilled.removeAll { Self.slot(of: $0) == slot.rawValue }
        spilled.append(word)
    }

    @usableFromInline
    @inline(__always)
    static func slot(of word: Int64) -> Int { Int(truncatingIfNeeded: word & 31) }

    @usableFromInline
    @inline(__always)
    static func instant(of word: Int64) -> SimTime {
        word == unset ? .never : SimTime(microseconds: word >> 5)
    }
}
