import ControlProtocol
import SimPrimitives
import Simulation

/// What of a fleet is kept for the next daemon. All of it on the fleet's queue.
extension Fleet {
    /// How often a paced fleet's progress is kept, in nanoseconds of wall time.
    static let keepNanoseconds: UInt64 = 1_000_000_000

    /// Keeps that the fleet is to be in `state`: before it is, and before anybody is told.
    func keep(
        _ state: FleetState, rate: FleetRate? = nil, goal: String? = nil
    ) throws(ControlError) {
        try kept { () throws(ControlError) in
            try keeper?.keep(mark(state, rate: rate, goal: goal), isDurable: true)
        }
    }

    /// Has `status` tell whether the fleet can be kept.
    func kept(_ body: () throws(ControlError) -> Void) throws(ControlError) {
        do throws(ControlError) {
            try body()
            publish { $0.keepError = nil }
        } catch {
            if error.code == .stateError { publish { $0.keepError = error.message } }
            throw error
        }
    }

    private func mark(_ state: FleetState, rate: FleetRate?, goal: String?) -> FleetMark {
        let figures = status.figures
        let now = core.runner?.now ?? figures.at
        // A replay that is under way comes to where the fleet stood, and is not that.
        if let replay = core.replay {
            return FleetMark(
                state: state, rate: rate ?? core.rate, at: max(now, replay.until),
                digest: replay.digest, goal: goal)
        }
        return FleetMark(
            state: state, rate: rate ?? core.rate, at: now,
            digest: figures.at == now && core.isPublished ? figures.digest : nil, goal: goal)
    }

    /// Keeps where the fleet stands. Nobody has asked, so nobody but `status` is told of trouble.
    func keepUnasked(isDurable: Bool) {
        guard let keeper else { return }
        core.keptNanoseconds = Self.now
        try? kept { () throws(ControlError) in
            try keeper.keep(
                mark(core.state, rate: nil, goal: core.goal?.kept), isDurable: isDurable)
        }
    }

    /// A paced fleet goes on from where it was, and not from its last pause.
    func keepProgress() {
        guard case .ratio = core.rate, Self.now - core.keptNanoseconds >= Self.keepNanoseconds
        else { return }
        keepUnasked(isDurable: false)
    }

    /// Keeps what the fleet has come to. Where that cannot be, a restart computes it again.
    func keepResult(_ end: FleetRunner.End, _ state: FleetState) {
        guard let keeper else { return }
        var status = self.status
        (status.end, status.state) = (end, state)
        let mark = FleetMark(
            state: status.state, rate: status.rate, at: status.figures.at,
            digest: status.figures.digest)
        do throws(ControlError) {
            try kept { () throws(ControlError) in try keeper.keep(mark, result: status) }
        } catch {
            guard keeper.isThere else { return }
            publish {
                $0.keepError = error.message + "; after a restart the fleet is computed again"
            }
        }
    }

    /// The daemon ends: what the fleet stands at is kept, and the next daemon goes on from there.
    ///
    /// - Parameter then: called when no worker has anything of it any more.
    public func leave(_ then: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            guard core.runner != nil, !core.state.isFinal else { return then() }
            leaveSchedule()
            if core.epoch == nil { publishFigures() }
            keepUnasked(isDurable: true)
            core.isLeaving = true
            core.goal = nil
            halt()
            core.followers["leave"] = then
            if !core.isWorking { release() }
        }
    }
}
