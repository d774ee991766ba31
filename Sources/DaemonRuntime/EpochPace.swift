import SimPrimitives

/// How long the next epoch is to be.
///
/// An epoch aims at the longer of 50 ms of wall time and 32 events a device, and at no more than
/// 2 s; while records are kept, also at no more than `linesMax` of them, which bounds memory.
/// The result depends on none of this.
///
/// One in which a fleet becomes busier may take longer: where it ends was settled before, and some
/// devices have been there. The next is as much shorter.
struct EpochPace {
    static let linesMax: UInt64 = 400_000
    private static let wallMinNanoseconds = 50e6
    private static let wallMaxNanoseconds = 2_000e6
    private static let eventsPerDevice = 32.0
    /// By how much an epoch may be longer than the one before: what is to come is not known.
    private static let growthMax = 4.0
    private static let microseconds = 1e3...1e15

    /// Short at first: how busy the fleet is, is not known yet.
    private(set) var epoch = SimDuration.seconds(1)
    private var eventsBefore: UInt64 = 0

    /// Passes over an epoch that tells nothing of how long others may be.
    ///
    /// - Parameter events: so far in the run.
    mutating func skip(events: UInt64) { eventsBefore = events }

    /// - Parameters:
    ///   - span: simulated time of the epoch that ended. Where something else cut it short, such as
    ///     an intervention or the wall clock, it tells nothing of longer ones.
    ///   - events: so far in the run.
    ///   - lines: of the epoch that ended.
    mutating func adapt(
        span: SimDuration, wallNanoseconds: UInt64, events: UInt64, devices: UInt64, lines: UInt64
    ) {
        let wall = max(Double(wallNanoseconds), 1)
        let perDevice = Double(events - eventsBefore) / Double(max(devices, 1))
        eventsBefore = events
        // By how much this epoch would have to be longer to reach each aim.
        let forWall = Self.wallMinNanoseconds / wall
        let forEvents = Self.eventsPerDevice / max(perDevice, 0.001)
        var factor = min(max(forWall, forEvents), Self.wallMaxNanoseconds / wall)
        if lines > 0 { factor = min(factor, Double(Self.linesMax) / Double(lines)) }
        let most = span < epoch ? 1 : Self.growthMax
        let due = min(Double(span.microseconds) * factor, Double(epoch.microseconds) * most)
        let range = Self.microseconds
        epoch = SimDuration(microseconds: Int64(min(max(due, range.lowerBound), range.upperBound)))
    }
}
