import ControlProtocol
import Dispatch
import SimPrimitives
import Simulation
import Synchronization

/// The loop of a fleet: from border to border. All of it on the fleet's queue.
extension Fleet {
    /// How much of a paced fleet is computed ahead, in wall time.
    private static let quantumSeconds = 0.1

    static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// Begins or resumes what is due: an epoch, a wait for the next one, or nothing.
    func proceed() {
        guard !core.isWorking, let runner = core.runner else { return }
        if core.epoch != nil {
            // A client waits for the border even of a fleet that is paused.
            guard core.state == .running || !core.interventions.isEmpty else { return }
            work()
            return
        }
        guard core.state == .running else { return }
        switch core.rate {
        case .max:
            core.anchorTime = nil
            begin(until: runner.nextLimit())
        case .ratio(let ratio): beginPaced(runner, ratio)
        }
    }

    private func beginPaced(_ runner: FleetRunner, _ ratio: Double) {
        let (anchor, time) = (core.anchorNanoseconds ?? Self.now, core.anchorTime ?? runner.now)
        (core.anchorNanoseconds, core.anchorTime) = (anchor, time)
        let target = Self.target(ratio, since: anchor, time)
        let quantum = max(1, Int64(ratio * Self.quantumSeconds * 1e6))
        let ahead = runner.now.microseconds - target.microseconds
        guard ahead <= 0 else {
            wait(seconds: Double(ahead) / ratio / 1e6)
            return
        }
        // Behind schedule the epochs are as long as the pace has them.
        let epoch = min(quantum - ahead, max(runner.pace.epoch.microseconds, quantum))
        begin(until: runner.nextLimit(epoch: SimDuration(microseconds: epoch)))
    }

    /// Where a paced fleet should be now.
    private static func target(_ ratio: Double, since anchor: UInt64, _ time: SimTime) -> SimTime {
        let elapsed = Double(now - anchor) / 1_000 * ratio
        return SimTime(microseconds: time.microseconds + Int64(min(elapsed, 9e15)))
    }

    /// Stops the schedule: it goes on from where it is when the fleet runs again.
    ///
    /// The runner is a little ahead of it, and what it is behind is forgiven.
    func dropAnchor() {
        guard case .ratio(let ratio) = core.rate, let anchor = core.anchorNanoseconds,
            let time = core.anchorTime, let runner = core.runner
        else {
            (core.anchorNanoseconds, core.anchorTime) = (nil, nil)
            return
        }
        core.anchorTime = min(Self.target(ratio, since: anchor, time), runner.now)
        core.anchorNanoseconds = nil
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
        if core.keepsRecords != !core.watchers.isEmpty {
            core.keepsRecords.toggle()
            runner.keepRecords(core.keepsRecords)
        }
        core.epoch = FleetCore.Epoch(
            limit: limit, pending: Array(0..<runner.pieceCount),
            lines: core.keepsRecords ? EpochLines(count: runner.pieceCount) : nil)
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
        if core.state.isFinal {
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
        let lines = epoch.lines.map { lines in
            lines.parts.reduce(0) { $0 + UInt64($1.lines.count) }
        }
        let end = runner.finishEpoch(
            at: epoch.limit, wallNanoseconds: epoch.nanoseconds, lines: lines ?? 0)
        if let lines = epoch.lines { tellWatchers(lines, runner) }
        core.isPublished = false
        if let end {
            finish(end)
            return
        }
        intervene()
        let isDue = Self.now - core.publishedNanoseconds >= Self.publishNanoseconds
        if isDue || core.state != .running { publishFigures() }
        proceed()
    }

    /// Lets what clients asked for act at this border.
    func intervene() {
        guard let runner = core.runner, core.epoch == nil else { return }
        for (intervention, reply) in core.interventions {
            guard runner.journal.count < Self.journalMax else {
                reply(
                    .failure(
                        ControlError(
                            .limitReached,
                            "a fleet takes at most \(Self.journalMax) interventions")))
                continue
            }
            let reach = runner.intervene(intervention)
            core.isPublished = false
            reply(
                .success(
                    InterventionEffect(
                        at: runner.now, reach: reach, entry: runner.journal.count)))
        }
        guard !core.interventions.isEmpty else { return }
        core.interventions = []
        publishFigures()
    }

    // MARK: - The end

    private func finish(_ end: FleetRunner.End) {
        switch end {
        case .duration, .endWhen: core.state = .finished
        case .interrupted: core.state = .stopped
        case .scriptFailures, .failed, .logFailed: core.state = .failed
        }
        publishFigures()
        publish { $0.end = end }
        release()
    }

    /// Lets the devices go: what was published is what is kept.
    func release() {
        core.runner = nil
        queue.async { Machine.returnFreedMemory() }  // Whoever calls this still holds the runner.
        core.epoch = nil
        for (_, watcher) in core.watchers.sorted(by: { $0.key < $1.key }) { watcher.end() }
        core.watchers = [:]
        for (_, tell) in core.followers.sorted(by: { $0.key < $1.key }) { tell() }
        core.followers = [:]
        for (_, reply) in core.interventions {
            reply(.failure(wrongState("takes no intervention any more; \(Self.living) do")))
        }
        core.interventions = []
    }

    func wrongState(_ what: String) -> ControlError {
        ControlError(.wrongState, "fleet \"\(name)\" is \(core.state.rawValue) and \(what)")
    }

    // MARK: - What is told

    /// Publishes the figures of the border at which the runner stands.
    func publishFigures() {
        guard let runner = core.runner, core.epoch == nil else { return publishState() }
        let (figures, standings) = (runner.figures(), runner.standings())
        let journal = runner.journal
        (core.isPublished, core.publishedNanoseconds) = (true, Self.now)
        publish { status in
            (status.figures, status.standings) = (figures, standings)
            status.journal = journal
        }
        publishState()
    }

    func publishState() {
        let (state, rate, busy) = (core.state, core.rate, Double(core.busyNanoseconds) / 1e9)
        let lag = lagSeconds
        publish { status in
            (status.state, status.rate) = (state, rate)
            (status.busySeconds, status.lagSeconds) = (busy, lag)
        }
    }

    private var lagSeconds: Double {
        guard case .ratio(let ratio) = core.rate, core.state == .running,
            let anchor = core.anchorNanoseconds, let time = core.anchorTime,
            let runner = core.runner
        else { return 0 }
        let target = Self.target(ratio, since: anchor, time)
        return max(0, Double(target.microseconds - runner.now.microseconds) / 1e6 / ratio)
    }
}

/// Pieces that were halted, as workers report them.
private final class Unfinished: Sendable {
    private let list = Mutex<[Int]>([])

    func add(_ piece: Int) { list.withLock { $0.append(piece) } }

    var pieces: [Int] { list.withLock { $0.sorted() } }
}
