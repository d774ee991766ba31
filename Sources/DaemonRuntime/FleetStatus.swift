import ControlProtocol
import SimPrimitives
import Simulation

/// Where a fleet stands in its life. Raw values are the contract's words.
public enum FleetState: String, CaseIterable, Sendable {
    /// Created paused: nothing has happened yet.
    case ready
    case running, paused
    /// Its duration is over, or `end_when` came true.
    case finished
    /// By a person: final, and its results are kept.
    case stopped
    /// Results up to there are kept.
    case failed

    /// Whether nothing happens any more.
    public var isFinal: Bool { self == .finished || self == .stopped || self == .failed }
}

/// What a fleet tells about itself: as of its last border, so that nobody waits for an epoch.
public struct FleetStatus: Sendable {
    public var state: FleetState
    public var rate: FleetRate
    /// How the run has ended; nil while it goes on.
    public var end: FleetRunner.End?
    public var figures: FleetFigures
    /// By arm, in order of device number.
    public var standings: [[DeviceStanding]]
    /// By arm: what the standings mean.
    public var casts: [CastTable]
    /// By how much a paced fleet is behind its schedule, in seconds of wall time.
    public var lagSeconds: Double
    /// Wall time in which workers ran epochs of this fleet.
    public var busySeconds: Double
    /// Wall time of the longest epoch, pauses apart.
    public var epochSecondsMax: Double
    /// How long workers took to come to rest after the last pause or stop; nil while they do.
    public var haltSeconds: Double?
    /// The journal, with the words in which it was asked for.
    public var requests: [InterventionRequest]
    /// Where a replay that is under way ends; nil: there is none.
    public var replayUntil: SimTime?
    /// Where it is to pause by itself, in a client's words.
    public var goal: String?
    /// Why the fleet's progress or results could not be kept, as long as that is so.
    public var keepError: String?

    public init(
        state: FleetState, rate: FleetRate, end: FleetRunner.End? = nil, figures: FleetFigures,
        standings: [[DeviceStanding]], casts: [CastTable], busySeconds: Double = 0,
        requests: [InterventionRequest], replayUntil: SimTime? = nil
    ) {
        (self.state, self.rate, self.end, self.figures) = (state, rate, end, figures)
        (self.standings, self.casts, self.busySeconds) = (standings, casts, busySeconds)
        self.requests = requests
        (lagSeconds, epochSecondsMax, haltSeconds) = (0, 0, nil)
        (self.replayUntil, goal, keepError) = (replayUntil, nil, nil)
    }

    public var journal: [Intervention] { requests.map(\.intervention) }

    /// Whether every threshold of every arm is met so far; nil where there is none.
    public var thresholdsMet: Bool? {
        let judgements = figures.arms.flatMap(\.judgements)
        return judgements.isEmpty ? nil : judgements.allSatisfy(\.isMet)
    }
}

/// Why a watcher was not told.
public enum FleetWatcherLoss: Sendable {
    /// It had no room.
    case noRoom
    /// The fleet runs as fast as it can, and has told as much as `WatchBudget` gives.
    case budget
}

/// Somebody who is told the records of a fleet as they happen.
public struct FleetWatcher: Sendable {
    public var types: RecordTypes
    public var condition: DeviceCondition
    /// Takes lines of one epoch in record order, without their newlines, a batch at a time. Called
    /// on the fleet's queue: it must not wait.
    public var deliver: @Sendable ([String]) -> Void
    /// Whether lines have a chance to be taken: else they are not made.
    public var hasRoom: @Sendable () -> Bool
    /// So many records were not told, and why.
    public var lose: @Sendable (Int, FleetWatcherLoss) -> Void
    /// The fleet has come to its end: there are no more.
    public var end: @Sendable () -> Void

    public init(
        types: RecordTypes, condition: DeviceCondition,
        deliver: @escaping @Sendable ([String]) -> Void,
        hasRoom: @escaping @Sendable () -> Bool = { true },
        lose: @escaping @Sendable (Int, FleetWatcherLoss) -> Void = { _, _ in },
        end: @escaping @Sendable () -> Void
    ) {
        (self.types, self.condition) = (types, condition)
        (self.hasRoom, self.lose) = (hasRoom, lose)
        (self.deliver, self.end) = (deliver, end)
    }
}

/// What an intervention of a client's did.
public struct InterventionEffect: Sendable {
    /// When it took effect.
    public var at: SimTime
    /// By arm.
    public var reach: [InterventionReach]
    /// Its number in the journal, from 1.
    public var entry: Int
}
