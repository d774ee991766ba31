/// An instant on the simulated clock.
///
/// Whole microseconds since the scenario began. It never comes from a wall clock and never from
/// floating point, so equal seeds give equal instants on every machine. Wall-clock code uses the
/// standard library's `Duration` instead; the two types do not convert by accident.
public struct SimTime: Hashable, Comparable, Sendable {
    public let microseconds: Int64

    public static let start = SimTime(microseconds: 0)
    /// Later than every instant that comes: what a timer holds when it is not set.
    @inlinable
    public static var never: SimTime { SimTime(microseconds: .max) }

    @inlinable
    public init(microseconds: Int64) {
        precondition(microseconds >= 0, "simulated time begins at zero")
        self.microseconds = microseconds
    }

    @inlinable
    public static func < (left: SimTime, right: SimTime) -> Bool {
        left.microseconds < right.microseconds
    }

    /// Traps on overflow: a scenario that outlives 292,000 years has a bug.
    @inlinable
    public static func + (time: SimTime, span: SimDuration) -> SimTime {
        SimTime(microseconds: time.microseconds + span.microseconds)
    }

    /// How long after `earlier` this is.
    ///
    /// - Precondition: `earlier` is not later.
    @inlinable
    public static func - (time: SimTime, earlier: SimTime) -> SimDuration {
        SimDuration(microseconds: time.microseconds - earlier.microseconds)
    }
}

/// A length of simulated time, in whole microseconds. Never negative.
public struct SimDuration: Hashable, Comparable, Sendable {
    public let microseconds: Int64

    public static let zero = SimDuration(microseconds: 0)
    /// The longest that a scenario or a script may name: a hundred years of 365 days.
    public static let max = SimDuration(microseconds: 36_500 * 86_400 * 1_000_000)

    @inlinable
    public init(microseconds: Int64) {
        precondition(microseconds >= 0, "a simulated duration is never negative")
        self.microseconds = microseconds
    }

    /// `seconds` rounded down to whole microseconds, or nil unless it lies in 0 ... `max`.
    @inlinable
    public init?(seconds: Double) {
        guard seconds >= 0, seconds <= 36_500 * 86_400 else { return nil }  // Refuses NaN too.
        microseconds = Int64(seconds * 1_000_000)
    }

    public static func milliseconds(_ count: Int64) -> SimDuration {
        SimDuration(microseconds: count * 1_000)
    }

    @inlinable
    public static func seconds(_ count: Int64) -> SimDuration {
        SimDuration(microseconds: count * 1_000_000)
    }

    public static func minutes(_ count: Int64) -> SimDuration { seconds(count * 60) }
    public static func hours(_ count: Int64) -> SimDuration { seconds(count * 3_600) }
    public static func days(_ count: Int64) -> SimDuration { seconds(count * 86_400) }

    /// For figures and scripts. Whatever decides the order of events stays in microseconds.
    @inlinable
    public var seconds: Double { Double(microseconds) / 1_000_000 }

    @inlinable
    public static func < (left: SimDuration, right: SimDuration) -> Bool {
        left.microseconds < right.microseconds
    }
}

/// Names one simulated device. Dense: a fleet of `n` devices uses 0 ..< n.
public struct DeviceID: Hashable, Comparable, Sendable {
    public let number: UInt32

    @inlinable
    public init(_ number: UInt32) {
        self.number = number
    }

    @inlinable
    public static func < (left: DeviceID, right: DeviceID) -> Bool {
        left.number < right.number
    }
}
