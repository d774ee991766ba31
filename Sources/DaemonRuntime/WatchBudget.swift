import SimPrimitives

/// How much of its wall time a fleet that runs as fast as it can gives to those who watch it.
///
/// The first records are told for nothing, so that small fleets, and steps of larger ones, are told
/// whole. Then those of most epochs are only counted, and now and then an epoch is told, as long as
/// there is credit. It is told what took how long, so it has no clock of its own. The result
/// depends on none of it.
public struct WatchBudget {
    /// Of the wall time of epochs that are not told.
    public static let sharePercent = 2
    /// Records that are told for nothing after each start.
    public static let freeRecords = 30_000
    /// The most that is saved.
    private static let creditMax = 300e6
    /// From which credit on an epoch is told: a short one costs almost as much as a longer one.
    private static let leastNanoseconds = 20e6
    /// By how much an epoch may be longer than the one before: what is to come is not known.
    private static let growthMax = 4.0
    /// By how much one piece may have more than its share.
    private static let unevenness = 2

    private var freeLeft = freeRecords
    private var credit = 0.0
    /// What it costs to tell a record.
    private var recordNanoseconds = 3_000.0
    /// Records in a simulated microsecond.
    private var density = 0.0
    private var spanBefore = 250e3
    /// What an epoch costs for each of its records where none is told.
    private var quietNanoseconds = 0.0

    /// How many records the next epoch tells; 0: they are only counted.
    private var recordsMax: Int {
        if freeLeft > 0 { return freeLeft }
        guard credit >= Self.leastNanoseconds else { return 0 }
        return Int(min(credit / recordNanoseconds, Double(EpochPace.linesMax)))
    }

    /// Whether there was an epoch whose records were only counted.
    var hasBeenQuiet: Bool { quietNanoseconds > 0 }

    /// How many each of so many pieces of a fleet tells.
    func recordsMax(ofPieces pieces: Int) -> Int { recordsMax * Self.unevenness / pieces + 1 }

    /// How long the next epoch is to be, as far as is known, so that it has no more; nil: its
    /// records are only counted.
    var span: SimDuration? {
        let records = recordsMax
        guard records > 0 else { return nil }
        let span = min(Double(records) / max(density, 1e-9), spanBefore * Self.growthMax)
        return SimDuration(microseconds: Int64(min(max(span, 1), 1e15)))
    }

    /// What an epoch came to.
    struct Epoch {
        let span: SimDuration
        let records: UInt64
        /// Those that somebody wants.
        let wanted: UInt64
        let told: UInt64
        /// Of the workers.
        let workNanoseconds: UInt64
        /// Of handing its records out, with the workers at rest.
        let tellNanoseconds: UInt64
    }

    /// An epoch was told.
    mutating func told(_ epoch: Epoch) {
        learn(epoch)
        let quiet = quietNanoseconds * Double(epoch.records)
        let cost = max(Double(epoch.workNanoseconds) - quiet, 0) + Double(epoch.tellNanoseconds)
        if freeLeft > 0 {
            freeLeft = max(0, freeLeft - Int(epoch.told))
        } else {
            credit -= cost
        }
        if epoch.told > 0 { recordNanoseconds = max(cost / Double(epoch.told), 100) }
    }

    /// The records of an epoch were only counted.
    mutating func counted(_ epoch: Epoch) {
        learn(epoch)
        let nanoseconds = Double(epoch.workNanoseconds)
        if epoch.records > 0 { quietNanoseconds = nanoseconds / Double(epoch.records) }
        let more = Double(Self.sharePercent) / 100 * nanoseconds
        credit = min(credit + more, Self.creditMax)
    }

    private mutating func learn(_ epoch: Epoch) {
        spanBefore = Double(epoch.span.microseconds)
        density = Double(epoch.wanted) / Double(max(epoch.span.microseconds, 1))
    }
}
