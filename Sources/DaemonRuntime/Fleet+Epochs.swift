import ControlProtocol
import Dispatch
import SimPrimitives
import Simulation
import Synchronization

/// The loop of a fleet: from border to border. All of it on the fleet's queue.
extension Fleet {
    static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// Begins or resumes what is due: an epoch, a wait for the next one, or nothing.
    func proceed() {
        guard !core.isWorking, let runner = core.runner else { return }
        if core.epoch != nil {
            // A client waits for the border even of a fleet that is paused.
            let isWanted =
                core.state == .running || core.replay != nil || !core.interventions.isEmpty
            if isWanted, !core.isLeaving { work() }
            return
        }
        if core.replay != nil { return begin(until: runner.nextLimit()) }
        guard core.state == .running else { return }
        switch core.rate {
        case .max:
            core.scheduleBegin = nil
            begin(until: runner.nextLimit(judging: judgesGoal))
        case .ratio(let ratio): beginPaced(runner, ratio)
        }
    }

    private func beginPaced(_ runner: FleetRunner, _ ratio: Double) {
        let schedule =
            core.schedule
            ?? PacedSchedule(ratio: ratio, from: core.scheduleBegin ?? runner.now, at: Self.now)
        core.schedule = schedule
        switch schedule.step(at: Self.now, from: runner.now, epoch: runner.pace.epoch) {
        case .wait(let seconds): wait(seconds: seconds)
        case .run(let span): begin(until: runner.nextLimit(epoch: span, judging: judgesGoal))
        }
    }

    /// Stops the schedule: it goes on from where it is when the fleet runs again.
    ///
    /// The runner is a little ahead of it, and what it is behind is forgiven.
    func leaveSchedule() {
        guard let schedule = core.schedule, let runner = core.runner else { return }
        core.scheduleBegin = min(schedule.target(at: Self.now), runner.now)
        core.schedule = nil
    }

    private func wait(seconds: Double) {
        core.waitNumber += 1
        let number = core.waitNumber
        // An hour at most at a time, so that no number is too large for the clock.
        queue.asyncAfter(deadline: .now() + min(max(seconds, 0.001), 3_600)) { [weak self] in
            guard let self, core.waitNumber == number else { return }
            proceed()
        }
    }

    private func begin(until limit: SimTime) {
        guard let runner = core.runner else { return }
        var limit = limit
        if let replay = core.replay { limit = min(limit, replay.until) }
        if core.replay == nil, case .instant(let instant)? = core.goal?.place {
            limit = min(limit, instant)
        }
        let lines = makeLines(runner)
        if lines?.isInBudget == true, let span = core.watchBudget.span {
            limit = min(limit, runner.now + span)
        }
        core.epoch = FleetCore.Epoch(
            limit: limit, pending: Array(0..<runner.pieceCount), lines: lines)
        work()
    }

    /// Hands the pieces that are left to the workers.
    private func work() {
        guard let runner = core.runner, let epoch = core.epoch else { return }
        core.isWorking = true
        isHalted.store(false, ordering: .relaxed)
        let (pieces, limit, lines) = (epoch.pending, epoch.limit, epoch.lines)
        let unfinished = Unfinished()
        let began = Self.now
        // Safe: the pool runs each piece once, and nobody else touches the runner meanwhile.
        nonisolated(unsafe) let shared = runner
        pool.perform(pieces.count, for: tenant) { index in
            let piece = pieces[index]
            let isDone = shared.runPiece(piece, until: limit) {
                self.isHalted.load(ordering: .relaxed)
            }
            if !isDone {
                unfinished.add(piece)
            } else if let lines {
                shared.fill(&lines.parts[piece], fromPiece: piece)
            }
        } then: {
            self.queue.async { self.come(back: unfinished.pieces, since: began) }
        }
    }

    /// The workers are done with what they had.
    private func come(back unfinished: [Int], since began: UInt64) {
        core.isWorking = false
        let nanoseconds = Self.now - began
        core.busyNanoseconds += nanoseconds
        core.epoch?.nanoseconds += nanoseconds
        core.epoch?.pending = unfinished
        if let halted = core.haltedNanoseconds {
            core.haltedNanoseconds = nil
            core.haltSeconds = Double((Self.now - halted) / 1_000) / 1e6
            publishState()
        }
        if core.state.isFinal || core.isLeaving {
            release()
        } else if unfinished.isEmpty {
            finishEpoch()
        } else {
            proceed()
        }
    }

    private func finishEpoch() {
        guard let runner = core.runner, let epoch = core.epoch else { return }
        core.epoch = nil
        core.epochNanosecondsMax = max(core.epochNanosecondsMax, epoch.nanoseconds)
        let span = epoch.limit - runner.now
        // Short and told: the pace is that of the others.
        let isCut = epoch.lines?.isInBudget == true && core.watchBudget.hasBeenQuiet
        // The budget bounds the lines of a fleet that has one.
        let lines = epoch.lines.map { $0.isInBudget == nil ? $0.lineCount : 0 } ?? 0
        let end = runner.finishEpoch(
            at: epoch.limit, wallNanoseconds: isCut ? nil : epoch.nanoseconds, lines: lines)
        if let lines = epoch.lines { tellWatchers(lines, of: epoch, span, runner) }
        core.isPublished = false
        endReplay(runner)
        if core.state.isFinal { return }
        if let end {
            finish(end)
            return
        }
        stopAfterReplay()
        if core.state.isFinal { return }
        checkGoal()
        intervene()
        let isDue = Self.now - core.publishedNanoseconds >= Self.publishNanoseconds
        if isDue || core.state != .running { publishFigures() }
        keepProgress()
        proceed()
    }

    private func tellReplayFollowers() {
        let followers = core.replayFollowers
        core.replayFollowers = []
        for tell in followers { tell(core.state, status.figures.at) }
    }

    /// Where the replay is over: it must have come to what there was.
    private func endReplay(_ runner: FleetRunner) {
        guard let replay = core.replay, runner.now >= replay.until else { return }
        core.replay = nil
        publishFigures()
        publish { $0.replayUntil = nil }
        tellReplayFollowers()
        guard let due = replay.digest, due != status.figures.digest else { return }
        finish(
            .logFailed(
                "the replay came to digest \(status.figures.digest), and there was \(due): the "
                    + "fleet was made by another version of locfleet, or its state is damaged; "
                    + "its state is left as it was"), isKept: false)
    }

    /// Lets what clients asked for act at this border, once it is kept.
    func intervene() {
        guard let runner = core.runner, core.epoch == nil, core.replay == nil,
            !core.interventions.isEmpty
        else { return }
        let pending = core.interventions
        core.interventions = []
        var outcomes: [Result<InterventionEffect, ControlError>] = []
        for group in Self.groups(pending.map(\.request)) {
            outcomes += take(group, runner)
        }
        core.isPublished = false
        publishFigures()
        for ((_, reply), outcome) in zip(pending, outcomes) { reply(outcome) }
    }

    /// Those that are kept at once: whether one that changes scripts or options can be taken is
    /// known when all before it have acted.
    private static func groups(_ requests: [InterventionRequest]) -> [[InterventionRequest]] {
        var groups: [[InterventionRequest]] = []
        for request in requests {
            let isAlone = request.intervention.action.recasts
            if let last = groups.last?.last, !isAlone, !last.intervention.action.recasts {
                groups[groups.count - 1].append(request)
            } else {
                groups.append([request])
            }
        }
        return groups
    }

    private func take(
        _ requests: [InterventionRequest], _ runner: FleetRunner
    ) -> [Result<InterventionEffect, ControlError>] {
        let taken = requests.prefix(max(0, Self.journalMax - runner.journal.count))
        let refused = ControlError(
            .limitReached, "a fleet takes at most \(Self.journalMax) interventions",
            limit: .fleetInterventions)
        var outcomes: [Result<InterventionEffect, ControlError>] = []
        do throws(ControlError) {
            for request in taken { try runner.prepare(for: request.intervention) }
            if !taken.isEmpty {
                try kept { () throws(ControlError) in
                    try keeper?.append(
                        Array(taken), at: runner.now, from: runner.journal.count + 1)
                }
            }
            for request in taken {
                var request = request
                let reach = runner.intervene(request.intervention)
                if let entry = runner.journal.last { request.intervention = entry }
                core.requests.append(request)
                outcomes.append(
                    .success(
                        InterventionEffect(
                            at: runner.now, reach: reach, entry: runner.journal.count)))
            }
        } catch { outcomes = taken.map { _ in .failure(error) } }
        return outcomes + requests.dropFirst(taken.count).map { _ in .failure(refused) }
    }

    // MARK: - The end

    private func finish(_ end: FleetRunner.End, isKept: Bool = true) {
        let state: FleetState =
            switch end {
            case .duration, .endWhen: .finished
            case .interrupted: .stopped
            case .scriptFailures, .failed, .logFailed: .failed
            }
        core.replay = nil
        publishFigures()
        if isKept { keepResult(end, state) }
        core.state = state
        publish { ($0.end, $0.replayUntil) = (end, nil) }
        publishState()
        release()
    }

    /// Lets the devices go: what was published is what is kept.
    func release() {
        let isThere =
            core.state == .finished
            && core.runner.map { core.goal?.isReached(by: $0) ?? false } ?? false
        core.runner = nil
        queue.async { Machine.returnFreedMemory() }  // Whoever calls this still holds the runner.
        core.epoch = nil
        for (_, watcher) in core.watchers.sorted(by: { $0.key < $1.key }) { watcher.end() }
        core.watchers = [:]
        for (_, tell) in core.followers.sorted(by: { $0.key < $1.key }) { tell() }
        core.followers = [:]
        tellReplayFollowers()
        for (_, reply) in core.interventions {
            reply(
                .failure(
                    core.isLeaving
                        ? ControlError(.shuttingDown, "the daemon is shutting down")
                        : wrongState("takes no intervention any more; \(Self.living) do")))
        }
        core.interventions = []
        for reply in core.stops { reply(.failure(cannotStop)) }
        core.stops = []
        guard let goal = core.goal else { return }
        core.goal = nil
        let at = status.figures.at
        goal.tell(isThere ? .reached(at) : .ended(core.state, at))
    }

    func wrongState(_ what: String) -> ControlError {
        ControlError(.wrongState, "fleet \"\(name)\" is \(core.state.rawValue) and \(what)")
    }

    // MARK: - What is told

    /// Publishes the figures of the border at which the runner stands.
    func publishFigures() {
        guard let runner = core.runner, core.epoch == nil else { return publishState() }
        let (figures, standings) = (runner.figures(), runner.standings())
        let (requests, casts) = (core.requests, runner.casts)
        (core.isPublished, core.publishedNanoseconds) = (true, Self.now)
        publish { status in
            (status.figures, status.standings) = (figures, standings)
            (status.requests, status.casts) = (requests, casts)
        }
        publishState()
    }

    func publishState() {
        let (state, rate, busy) = (core.state, core.rate, Double(core.busyNanoseconds) / 1e9)
        let (lag, halt) = (lagSeconds, core.haltSeconds)
        let goal = core.state.isFinal ? nil : core.goal?.text
        let longest = Double(core.epochNanosecondsMax) / 1e9
        publish { status in
            (status.epochSecondsMax, status.haltSeconds) = (longest, halt)
            (status.state, status.rate, status.goal) = (state, rate, goal)
            (status.busySeconds, status.lagSeconds) = (busy, lag)
        }
    }

    var lagSeconds: Double {
        guard core.state == .running, let schedule = core.schedule, let runner = core.runner else {
            return 0
        }
        return schedule.lagSeconds(at: Self.now, of: runner.now)
    }
}

/// Pieces that were halted, as workers report them.
private final class Unfinished: Sendable {
    private let list = Mutex<[Int]>([])

    func add(_ piece: Int) { list.withLock { $0.append(piece) } }

    var pieces: [Int] { list.withLock { $0.sorted() } }
}
