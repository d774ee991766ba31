import ControlProtocol
import SimPrimitives
import Simulation
import Synchronization

/// What people ask of a fleet. Each comes back with the state that it leads to, or why it cannot.
extension Fleet {
    /// Which fleets most commands are for.
    static let living = "ready, running and paused ones"

    public typealias Reply = @Sendable (Result<FleetState, ControlError>) -> Void

    /// From `ready` on.
    public func start(_ reply: @escaping Reply) {
        change(from: .ready, to: .running, "does not start; 'ready' ones do", reply)
    }

    /// At once: workers leave the epoch between two devices, and its rest is run when it resumes.
    public func pause(_ reply: @escaping Reply) {
        change(from: .running, to: .paused, "cannot pause; running ones can", reply)
    }

    public func resume(_ reply: @escaping Reply) {
        change(from: .paused, to: .running, "cannot resume; paused ones can", reply)
    }

    private func change(
        from old: FleetState, to new: FleetState, _ complaint: String, _ reply: @escaping Reply
    ) {
        queue.async { [self] in
            guard core.state == old else { return reply(.failure(wrongState(complaint))) }
            leaveSchedule()
            if new == .paused { halt() }
            do throws(ControlError) {
                try keep(new)
            } catch {
                unhalt()
                reply(.failure(error))
                return proceed()
            }
            if new == .paused { cutGoal("the fleet was paused") } else { runAgain() }
            core.state = new
            if core.isPublished { publishState() } else { publishFigures() }
            reply(.success(new))
            proceed()
        }
    }

    /// For good: the results are those of the last border. During a replay, when that is over.
    public func stop(_ reply: @escaping Reply) {
        queue.async { [self] in
            if core.replay != nil, core.runner != nil, !core.state.isFinal {
                core.stops.append(reply)
            } else {
                stopNow(reply)
            }
        }
    }

    private func stopNow(_ reply: @escaping Reply) {
        guard !core.state.isFinal else { return reply(.failure(cannotStop)) }
        if !core.isPublished, !core.isWorking { publishFigures() }
        do throws(ControlError) {
            try kept { () throws(ControlError) in try keeper?.keep(stopMark, result: status) }
        } catch { return reply(.failure(error)) }
        core.state = .stopped
        halt()
        publish { ($0.end, $0.replayUntil) = (.interrupted, nil) }
        publishState()
        cutGoal("the fleet was stopped")
        if !core.isWorking { release() }
        reply(.success(.stopped))
    }

    var cannotStop: ControlError {
        core.isLeaving
            ? ControlError(.shuttingDown, "the daemon is shutting down")
            : wrongState("cannot stop any more; \(Self.living) can")
    }

    /// What had to wait for the end of the replay.
    func stopAfterReplay() {
        guard core.replay == nil, !core.stops.isEmpty else { return }
        let stops = core.stops
        core.stops = []
        for reply in stops { stopNow(reply) }
    }

    /// Ends the fleet, of which nothing is kept any more.
    public func discard(_ then: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            if !core.state.isFinal {
                core.state = .stopped
                halt()
                publish { ($0.end, $0.replayUntil) = (.interrupted, nil) }
                publishState()
                cutGoal("the fleet was deleted")
                if !core.isWorking { release() }
            }
            then()
        }
    }

    private var stopMark: FleetMark {
        FleetMark(
            state: .stopped, rate: core.rate, at: status.figures.at, digest: status.figures.digest)
    }

    func runAgain() {
        core.watchBudget = WatchBudget()
        unhalt()
    }

    private func unhalt() {
        core.haltedNanoseconds = nil
        isHalted.store(false, ordering: .relaxed)
    }

    /// Workers leave the epoch between two devices.
    func halt() {
        (core.haltedNanoseconds, core.haltSeconds) = core.isWorking ? (Self.now, nil) : (nil, 0)
        isHalted.store(true, ordering: .relaxed)
    }

    public func setRate(_ rate: FleetRate, _ reply: @escaping Reply) {
        queue.async { [self] in
            guard !core.state.isFinal else {
                return reply(.failure(wrongState("has no rate any more; \(Self.living) have")))
            }
            do throws(ControlError) {
                try keep(core.state, rate: rate, goal: core.goal?.kept)
            } catch { return reply(.failure(error)) }
            leaveSchedule()
            core.rate = rate
            core.waitNumber += 1  // A wait at the rate before is out of date.
            publishState()
            reply(.success(core.state))
            proceed()
        }
    }

    /// At the end of the epoch in progress, or at once between two: the reply says when. During a
    /// replay, when that is over.
    public func intervene(
        _ request: InterventionRequest,
        _ reply: @escaping @Sendable (Result<InterventionEffect, ControlError>) -> Void
    ) {
        queue.async { [self] in
            guard core.runner != nil, !core.state.isFinal else {
                return reply(
                    .failure(wrongState("takes no intervention any more; \(Self.living) do")))
            }
            core.interventions.append((request, reply))
            if core.epoch == nil { intervene() }
            proceed()
        }
    }

    // MARK: - Its end

    /// Calls `body` once when the fleet has come to its end, or at once where it has already.
    ///
    /// - Parameter key: by which it is taken off again, unique among those of this fleet.
    public func atEnd(_ key: String, _ body: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            if core.runner == nil { body() } else { core.followers[key] = body }
        }
    }

    /// Calls `body` once when what is replayed has been, or the fleet has come to its end.
    public func afterReplay(_ body: @escaping @Sendable (FleetState, SimTime) -> Void) {
        queue.async { [self] in
            if core.replay == nil || core.runner == nil {
                body(core.state, status.figures.at)
            } else {
                core.replayFollowers.append(body)
            }
        }
    }

    public func forgetAtEnd(_ key: String) {
        queue.async { [self] in core.followers[key] = nil }
    }
}
