import ControlProtocol
import SimPrimitives

/// Where a paced run should be: simulated time against the wall clock.
///
/// It is told the wall clock's nanoseconds, so it has no clock of its own. `locfleet run --rate`
/// and the daemon's fleets share it.
struct PacedSchedule {
    /// How much is computed ahead, in wall time.
    private static let quantumSeconds = 0.1

    /// What is due at an instant of the wall clock.
    enum Step: Equatable {
        case wait(seconds: Double)
        /// An epoch of at most so long.
        case run(SimDuration)
    }

    /// Simulated seconds in one of wall time.
    let ratio: Double
    /// Where the run was, or should have been, at `nanoseconds` of the wall clock.
    let time: SimTime
    let nanoseconds: UInt64

    init(ratio: Double, from time: SimTime, at nanoseconds: UInt64) {
        (self.ratio, self.time, self.nanoseconds) = (ratio, time, nanoseconds)
    }

    /// Nil where nothing waits for the wall clock.
    init?(_ rate: FleetRate, from time: SimTime, at nanoseconds: UInt64) {
        guard case .ratio(let ratio) = rate else { return nil }
        self.init(ratio: ratio, from: time, at: nanoseconds)
    }

    /// Where the run should be at `now`.
    func target(at now: UInt64) -> SimTime {
        let elapsed = Double(now - nanoseconds) / 1_000 * ratio
        return SimTime(microseconds: time.microseconds + Int64(min(elapsed, 9e15)))
    }

    /// - Parameters:
    ///   - reached: where the run is.
    ///   - epoch: what the pace has: behind schedule epochs are no longer than that.
    func step(at now: UInt64, from reached: SimTime, epoch: SimDuration) -> Step {
        let quantum = max(1, Int64(ratio * Self.quantumSeconds * 1e6))
        let ahead = reached.microseconds - target(at: now).microseconds
        guard ahead <= 0 else { return .wait(seconds: Double(ahead) / ratio / 1e6) }
        let most = max(epoch.microseconds, quantum)
        return .run(SimDuration(microseconds: min(quantum - ahead, most)))
    }

    /// By how much a run that has reached so far is behind, in seconds of wall time.
    func lagSeconds(at now: UInt64, of reached: SimTime) -> Double {
        max(0, Double(target(at: now).microseconds - reached.microseconds) / 1e6 / ratio)
    }
}
