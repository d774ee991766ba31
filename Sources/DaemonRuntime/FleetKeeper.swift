import ControlProtocol
import SimPrimitives
import Simulation

/// Keeps what must outlive the daemon of one fleet. What throws has kept nothing.
///
/// Called on the fleet's queue, before anybody is told that it is done.
public protocol FleetKeeper: Sendable {
    /// Whether the next daemon finds what was kept so far.
    var isThere: Bool { get }

    /// - Parameter isDurable: false: it need not outlive the machine.
    func keep(_ mark: FleetMark, isDurable: Bool) throws(ControlError)

    /// Adds to the journal, all or none.
    ///
    /// - Parameters:
    ///   - at: when they take effect.
    ///   - number: of the first of them, from 1.
    func append(
        _ requests: [InterventionRequest], at: SimTime, from number: Int
    ) throws(ControlError)

    /// The fleet has ended.
    func keep(_ mark: FleetMark, result: FleetStatus) throws(ControlError)
}

/// Where a fleet stands, and what it is to do after a restart of the daemon.
public struct FleetMark: Equatable, Sendable {
    public var state: FleetState
    public var rate: FleetRate
    public var at: SimTime
    /// Of the records up to `at`, where it is known.
    public var digest: RecordDigest?
    /// Where it is to pause: see `FleetGoal`.
    public var goal: String?

    public init(
        state: FleetState, rate: FleetRate, at: SimTime, digest: RecordDigest? = nil,
        goal: String? = nil
    ) {
        (self.state, self.rate, self.at) = (state, rate, at)
        (self.digest, self.goal) = (digest, goal)
    }
}

/// An intervention with the words in which a client asked for it.
public struct InterventionRequest: Sendable {
    public var intervention: Intervention
    /// JSON.
    public var text: String
    /// The files that it names, by hash.
    public var blobs: [String: [UInt8]]

    public init(_ intervention: Intervention, text: String = "", blobs: [String: [UInt8]] = [:]) {
        (self.intervention, self.text, self.blobs) = (intervention, text, blobs)
    }
}

/// What a fleet is made of again after a restart, or as a fork.
public struct FleetPast: Sendable {
    /// What clients asked for so far.
    public var requests: [InterventionRequest]
    /// The replay goes so far, as fast as it can, and tells nobody of its records.
    public var until: SimTime
    /// What the replay must come to, where it is known.
    public var digest: RecordDigest?
    /// The state that it goes on in.
    public var state: FleetState

    public init(
        requests: [InterventionRequest] = [], until: SimTime = .start, digest: RecordDigest? = nil,
        state: FleetState = .ready
    ) {
        (self.requests, self.until, self.digest) = (requests, until, digest)
        self.state = state
    }
}
