import ControlProtocol
import SimPrimitives
import Simulation
import Telemetry

/// Where a running fleet is to pause by itself.
public struct FleetGoal: Sendable {
    public enum Place: Sendable {
        /// So long from now; after a pause within an epoch, from the end of that epoch.
        case span(SimDuration)
        case instant(SimTime)
        /// Judged on the scenario's grid of `check_every`, of every arm.
        case condition(FleetCondition)
    }

    public var place: Place
    /// What a client wrote.
    public var text: String

    public init(_ place: Place, text: String) { (self.place, self.text) = (place, text) }

    /// How it came out.
    public enum Outcome: Sendable {
        case reached(SimTime)
        /// The fleet came to its end first.
        case ended(FleetState, SimTime)
        /// Somebody else did something to the fleet, in these words.
        case cut(String, SimTime)
    }
}

/// What a fleet is to do until it comes to a goal.
struct PendingGoal {
    var place: FleetGoal.Place
    /// What a client wrote.
    let text: String
    let tell: @Sendable (FleetGoal.Outcome) -> Void

    /// For the next daemon: an instant as "us:N", or the condition.
    var kept: String {
        if case .instant(let instant) = place { "us:\(instant.microseconds)" } else { text }
    }
}

extension PendingGoal {
    /// Between two epochs.
    func isReached(by runner: FleetRunner) -> Bool {
        switch place {
        case .span: false
        case .instant(let instant): runner.now >= instant
        case .condition(let condition): runner.isOnGrid && runner.holds(condition)
        }
    }
}

extension Fleet {
    /// Runs the fleet until it comes to `goal`, and pauses it there.
    ///
    /// - Parameters:
    ///   - reply: takes the instant where the goal is one.
    ///   - then: called once, on the fleet's queue: how it came out. Not called where `reply` is a
    ///     failure.
    public func run(
        to goal: FleetGoal, _ reply: @escaping @Sendable (Result<SimTime?, ControlError>) -> Void,
        then: @escaping @Sendable (FleetGoal.Outcome) -> Void
    ) {
        queue.async { [self] in
            guard let runner = core.runner, !core.state.isFinal else {
                return reply(.failure(wrongState("does not run any more; \(Self.living) do")))
            }
            // What the epoch in hand has begun cannot be taken back.
            let least = max(core.epoch?.limit ?? runner.now, core.replay?.until ?? .start)
            var pending = PendingGoal(place: goal.place, text: goal.text, tell: then)
            var due: SimTime?
            switch goal.place {
            case .condition: break
            case .span(let span):
                pending.place = .instant(least + span)
                due = min(least + span, runner.end)
            case .instant(let instant):
                guard instant >= least else {
                    return reply(.failure(tooEarly(instant, least)))
                }
                guard instant <= runner.end else {
                    return reply(.failure(tooLate(instant, runner.end)))
                }
                due = instant
            }
            do throws(ControlError) {
                try keep(.running, goal: pending.kept)
            } catch { return reply(.failure(error)) }
            cutGoal("another goal was set")
            core.goal = pending
            if core.state != .running {
                leaveSchedule()
                core.state = .running
                runAgain()
            }
            publishState()
            reply(.success(due))
            if core.epoch == nil { checkGoal() }
            proceed()
        }
    }

    /// Takes up a goal that was kept.
    public func resume(goal: FleetGoal, then: @escaping @Sendable (FleetGoal.Outcome) -> Void) {
        queue.async { [self] in
            core.goal = PendingGoal(place: goal.place, text: goal.text, tell: then)
            if core.epoch == nil { checkGoal() }
        }
    }

    private func tooEarly(_ instant: SimTime, _ least: SimTime) -> ControlError {
        let (wanted, reached) = LocalTime.apart(instant, least, in: arms[0].scenario.zone)
        return ControlError(
            .wrongState,
            "fleet \"\(name)\" has come to \(reached), which is after \(wanted); 'fleet fork' "
                + "goes back", parameter: "until")
    }

    private func tooLate(_ instant: SimTime, _ end: SimTime) -> ControlError {
        let zone = arms[0].scenario.zone
        let (wanted, last) = LocalTime.apart(instant, end, in: zone)
        return ControlError(
            .wrongState,
            "fleet \"\(name)\" ends at \(last), which is before \(wanted)", parameter: "until")
    }

    /// Whether a goal is judged at instants of the grid.
    var judgesGoal: Bool {
        if case .condition? = core.goal?.place { true } else { false }
    }

    /// At a border: pauses where the goal is reached.
    func checkGoal() {
        guard let runner = core.runner, core.epoch == nil, core.replay == nil, let goal = core.goal,
            goal.isReached(by: runner)
        else { return }
        core.goal = nil
        leaveSchedule()
        core.state = .paused
        core.haltSeconds = 0
        publishFigures()
        keepUnasked(isDurable: true)
        goal.tell(.reached(runner.now))
    }

    /// - Parameter why: for those who wait for it.
    func cutGoal(_ why: String) {
        guard let goal = core.goal else { return }
        core.goal = nil
        goal.tell(.cut(why, status.figures.at))
    }
}
