/// A time zone over the span of one scenario: when it changes, and by how much it is ahead of UTC.
///
/// Resolved once, into the bundle, so that a later edition of the time zone database cannot change
/// a run.
public struct Zone: Hashable, Sendable {
    public struct Offset: Hashable, Sendable {
        /// From this instant on. The first offset of a zone begins at `.start`.
        public let from: SimTime
        public let secondsFromUTC: Int32

        public init(from: SimTime, secondsFromUTC: Int32) {
            self.from = from
            self.secondsFromUTC = secondsFromUTC
        }
    }

    public let name: String
    /// The scenario's start, in seconds since 1970-01-01T00:00:00Z.
    public let startUnixSeconds: Int64
    /// In order of time; never empty.
    public let offsets: [Offset]

    /// - Precondition: `offsets` begins at `.start` and is in order of time.
    public init(name: String, startUnixSeconds: Int64, offsets: [Offset]) {
        precondition(offsets.first?.from == .start, "a zone has an offset at the start")
        self.name = name
        self.startUnixSeconds = startUnixSeconds
        self.offsets = offsets
    }

    /// UTC, starting on 2026-01-05: what tests use.
    public static let utc = Zone(
        name: "UTC", startUnixSeconds: 1_767_571_200,
        offsets: [Offset(from: .start, secondsFromUTC: 0)])

    /// - Complexity: O(number of changes): two a year.
    @inlinable
    public func secondsFromUTC(at time: SimTime) -> Int32 {
        var index = offsets.count - 1
        while index > 0 && time < offsets[index].from { index -= 1 }
        return offsets[index].secondsFromUTC
    }

    /// Microseconds since 1970 on the local clock.
    @inlinable
    public func localMicroseconds(at time: SimTime) -> Int64 {
        (startUnixSeconds + Int64(secondsFromUTC(at: time))) * 1_000_000 + time.microseconds
    }

    /// The local calendar day, counted from the one on which the scenario starts: 0, 1, 2 …
    public func day(at time: SimTime) -> Int64 {
        dayOf(localMicroseconds(at: time)) - dayOf(localMicroseconds(at: .start))
    }

    /// The day of the local week, from 1 for Monday to 7 for Sunday, as ISO 8601 numbers them.
    public func weekday(at time: SimTime) -> Int64 {
        let day = (dayOf(localMicroseconds(at: time)) + 3) % 7  // 1970 began on a Thursday.
        return (day < 0 ? day + 7 : day) + 1
    }

    /// The hour of the local day, with its fraction, in 0 ..< 24.
    public func hour(at time: SimTime) -> Double {
        Double(timeOfDay(at: time)) / 3_600_000_000
    }

    /// Microseconds since local midnight, by the clock on the wall: 0 ..< 86,400,000,000.
    @inlinable
    public func timeOfDay(at time: SimTime) -> Int64 {
        let rest = localMicroseconds(at: time) % Self.dayMicroseconds
        return rest < 0 ? rest + Self.dayMicroseconds : rest
    }

    /// The first instant of local day `day`: midnight, by the offset that holds then.
    ///
    /// A day before the start begins at `.start`. Where a change of the clock skips or repeats
    /// midnight, the offset in force just before it decides.
    public func start(ofDay day: Int64) -> SimTime {
        let firstDay = dayOf(localMicroseconds(at: .start))
        let local = (firstDay + day) * Self.dayMicroseconds
        var result: Int64 = 0
        for offset in offsets {
            let instant =
                local - (startUnixSeconds + Int64(offset.secondsFromUTC)) * 1_000_000
            if offset.from.microseconds <= max(instant, 0) { result = instant }
        }
        return SimTime(microseconds: max(result, 0))
    }

    @usableFromInline static let dayMicroseconds: Int64 = 86_400_000_000

    private func dayOf(_ local: Int64) -> Int64 {
        let (day, rest) = local.quotientAndRemainder(dividingBy: Self.dayMicroseconds)
        return rest < 0 ? day - 1 : day
    }
}

extension Zone {
    /// A stretch of simulated time on one local day with one offset from UTC.
    public struct DayStretch: Hashable, Sendable {
        /// Its first instant, below 0 where the day began before the scenario; and the first after.
        @usableFromInline let from, end: Int64
        /// What to add to simulated microseconds to have those since local midnight.
        @usableFromInline let shift: Int64

        @usableFromInline init(from: Int64, end: Int64, shift: Int64) {
            (self.from, self.end, self.shift) = (from, end, shift)
        }

        /// Covers nothing.
        @inlinable public init() { self.init(from: 0, end: 0, shift: 0) }

        @inlinable
        @inline(__always)
        public func covers(_ time: SimTime) -> Bool {
            time.microseconds >= from && time.microseconds < end
        }

        /// Microseconds since local midnight at an instant that it covers.
        @inlinable
        @inline(__always)
        public func timeOfDay(at time: SimTime) -> Int64 { time.microseconds + shift }
    }

    /// The longest stretch around `time`.
    ///
    /// - Complexity: O(number of changes): two a year.
    public func dayStretch(at time: SimTime) -> DayStretch {
        let shift = timeOfDay(at: time) - time.microseconds
        var (from, end) = (-shift, -shift + Self.dayMicroseconds)
        for change in offsets {
            if change.from <= time {
                from = max(from, change.from.microseconds)
            } else {
                end = min(end, change.from.microseconds)
            }
        }
        return DayStretch(from: from, end: end, shift: shift)
    }
}
