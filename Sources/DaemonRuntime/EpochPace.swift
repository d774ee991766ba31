import SimPrimitives

/// How long the next epoch is to be.
///
/// An epoch aims at the longer of 50 ms of wall time and 32 events a device, and at no more than
/// 2 s; while records are kept, also at no more than `linesMax` of them, which bounds memory.
/// The result depends on none of this.
struct EpochPace {
    static let linesMax: UInt64 = 400_000
    private static let wallMinNanoseconds = 50e6
    private static let wallMaxNanoseconds = 2_000e6
    private static let eventsPerDevice = 32.0

    private(set) var epoch = SimDuration.hours(1)
    private var eventsBefore: UInt64 = 0

    /// - Parameters:
    ///   - events: so far in the run.
    ///   - lines: of the epoch that ended.
    mutating func adapt(wallNanoseconds: UInt64, events: UInt64, devices: UInt64, lines: UInt64) {
        let wall = max(Double(wallNanoseconds), 1)
        let perDevice = Double(events - eventsBefore) / Double(max(devices, 1))
        eventsBefore = events
        // By how much this epoch would have to be longer to reach each aim.
        let forWall = Self.wallMinNanoseconds / wall
        let forEvents = Self.eventsPerDevice / max(perDevice, 0.001)
        var factor = min(max(forWall, forEvents), Self.wallMaxNanoseconds / wall)
        if lines > 0 { factor = min(factor, Double(Self.linesMax) / Double(lines)) }
        factor = min(max(factor, 0.1), 4)
        let microseconds = Double(epoch.microseconds) * factor
        epoch = SimDuration(microseconds: Int64(min(max(microseconds, 1e6), 1e15)))
    }
}
