import ControlProtocol
import Dispatch
import LuaScripting
import SimPrimitives
import Simulation
import Synchronization

/// A fleet in the daemon: its runner, its state and its clock, on a serial queue of its own.
///
/// Everything that changes it happens on the queue, which never waits: epochs run on the workers of
/// the pool, and their end comes back as one more piece of work. Whoever only wants to know reads
/// `status`, which every border publishes. Pause and stop act between two devices.
public final class Fleet: Sendable {
    public let name: String
    public let arms: [Arm]
    public let groups: Groups
    let queue: DispatchQueue
    let pool: WorkerPool
    let tenant: WorkerPool.Tenant
    /// Asked by workers between devices.
    let isHalted = Atomic(false)
    private let published: Mutex<FleetStatus>
    /// Nil: nothing outlives the daemon.
    let keeper: (any FleetKeeper)?
    /// Safe: touched on `queue` alone.
    nonisolated(unsafe) var core: FleetCore

    /// Figures are published no more often than this, and at every stop.
    static let publishNanoseconds: UInt64 = 200_000_000
    /// Entries of a fleet's journal.
    public static let journalMax = 100_000
    /// Who watches the records of one fleet.
    public static let watchersMax = 64

    /// Loads the scripts and makes the devices: takes seconds for a large fleet.
    ///
    /// - Parameters:
    ///   - keeper: nil: nothing outlives the daemon.
    ///   - past: what is replayed first.
    /// - Throws: `ScriptError` when a script does not load.
    public init(
        name: String, arms: [Arm], groups: Groups, rate: FleetRate, pool: WorkerPool,
        keeper: (any FleetKeeper)? = nil, past: FleetPast = FleetPast()
    ) throws(ScriptError) {
        (self.name, self.arms, self.groups, self.pool) = (name, arms, groups, pool)
        self.keeper = keeper
        queue = DispatchQueue(label: "locfleet.fleet.\(name)")
        tenant = pool.makeTenant()
        let runner = try FleetRunner(
            arms, options: FleetRunner.Options(workers: pool.workers, groups: groups),
            journal: past.requests.map(\.intervention))
        core = FleetCore(runner: runner, rate: rate)
        core.state = past.state
        core.requests = past.requests
        if past.until > .start || !past.requests.isEmpty {
            core.replay = FleetCore.Replay(until: past.until, digest: past.digest)
        }
        published = Mutex(
            FleetStatus(
                state: past.state, rate: rate, figures: runner.figures(),
                standings: runner.standings(), casts: runner.casts, requests: past.requests,
                replayUntil: core.replay?.until))
    }

    /// One that has ended: there is only what it came to.
    public init(
        name: String, arms: [Arm], groups: Groups, ended status: FleetStatus, pool: WorkerPool
    ) {
        (self.name, self.arms, self.groups, self.pool) = (name, arms, groups, pool)
        keeper = nil
        queue = DispatchQueue(label: "locfleet.fleet.\(name)")
        tenant = pool.makeTenant()
        core = FleetCore(runner: nil, rate: status.rate)
        core.state = status.state
        published = Mutex(status)
    }

    /// Goes on with what was begun before: see `FleetPast`.
    public func goOn() {
        queue.async { self.proceed() }
    }

    deinit { pool.forget(tenant) }

    /// As of the last border. Waits for nothing.
    public var status: FleetStatus { published.withLock { $0 } }

    func publish(_ change: (inout FleetStatus) -> Void) { published.withLock { change(&$0) } }
}

/// What a fleet's queue works on.
struct FleetCore {
    /// An epoch that has begun.
    struct Epoch {
        let limit: SimTime
        /// Pieces that have not come to `limit`.
        var pending: [Int]
        var nanoseconds: UInt64 = 0
        let lines: EpochLines?
    }

    /// What has happened before, and happens again.
    struct Replay {
        let until: SimTime
        let digest: RecordDigest?
    }

    /// Nil once the fleet is at its end: its devices are gone.
    var runner: FleetRunner?
    var state = FleetState.ready
    var rate: FleetRate
    var epoch: Epoch?
    /// Workers have pieces of the epoch.
    var isWorking = false
    /// Of a paced fleet that runs; nil: from now on.
    var schedule: PacedSchedule?
    /// Where the next schedule begins; nil: where the runner is then.
    var scheduleBegin: SimTime?
    /// Counts the waits of a paced fleet, so that one that is out of date does nothing.
    var waitNumber: UInt64 = 0
    var publishedNanoseconds: UInt64 = 0
    var isPublished = true
    var busyNanoseconds: UInt64 = 0
    var epochNanosecondsMax: UInt64 = 0
    /// When workers were asked to leave the epoch, until they have.
    var haltedNanoseconds: UInt64?
    /// See `FleetStatus.haltSeconds`.
    var haltSeconds: Double?
    var watchers: [UInt64: FleetWatcher] = [:]
    var lastWatcher: UInt64 = 0
    /// What each block keeps for the watchers; nil: nothing.
    var recordKeeping: RecordKeeping?
    var watchBudget = WatchBudget()
    /// To be told of the end.
    var followers: [String: @Sendable () -> Void] = [:]
    /// To act at the end of the epoch in hand, with who is to be told.
    var interventions:
        [(
            request: InterventionRequest,
            reply: @Sendable (Result<InterventionEffect, ControlError>) -> Void
        )] = []
    /// Those of the journal.
    var requests: [InterventionRequest] = []
    /// Nil once it is over.
    var replay: Replay?
    /// To be told when it is over, or the fleet at its end.
    var replayFollowers: [@Sendable (FleetState, SimTime) -> Void] = []
    /// To act when it is over.
    var stops: [Fleet.Reply] = []
    var goal: PendingGoal?
    /// When the fleet's progress was last kept.
    var keptNanoseconds: UInt64 = 0
    /// The daemon ends, and the fleet is not at its end.
    var isLeaving = false

    init(runner: FleetRunner?, rate: FleetRate) { (self.runner, self.rate) = (runner, rate) }
}

/// The lines of an epoch that is watched. Workers fill one part each, and nobody reads them before
/// all have.
final class EpochLines: @unchecked Sendable {
    let parts: UnsafeMutableBufferPointer<LineMerge.Part>

    /// The watchers that were there at the epoch's begin, and whether each is told of it: what
    /// others wanted of it is lost to them.
    let audience: [(number: UInt64, isTold: Bool)]
    /// What somebody wants.
    let wanted: RecordTypes
    /// Nil: the fleet tells what it likes; else whether the budget had room for this epoch.
    let isInBudget: Bool?

    init(
        count: Int, audience: [(number: UInt64, isTold: Bool)], wanted: RecordTypes,
        isInBudget: Bool?
    ) {
        (self.audience, self.wanted, self.isInBudget) = (audience, wanted, isInBudget)
        parts = .allocate(capacity: count)
        parts.initialize(repeating: LineMerge.Part())
    }

    /// Of all records.
    var counts: RecordCounts { parts.reduce(into: RecordCounts()) { $0.add($1.counts) } }

    /// Of those that are lines.
    var lineCounts: RecordCounts {
        parts.reduce(into: RecordCounts()) { counts, part in
            for line in part.lines { counts.count(line.type) }
        }
    }

    var lineCount: UInt64 { parts.reduce(0) { $0 + UInt64($1.lines.count) } }

    deinit {
        parts.deinitialize()
        parts.deallocate()
    }
}
