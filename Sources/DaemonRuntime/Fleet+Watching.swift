import ControlProtocol
import SimPrimitives
import Simulation

/// Who is told a fleet's records. On the fleet's queue, where workers wait for it: what nobody
/// takes costs little.
extension Fleet {
    /// Tells `watcher` every record from the next epoch on.
    ///
    /// - Parameter reply: takes the number by which it is taken off again.
    public func watch(
        _ watcher: FleetWatcher, _ reply: @escaping @Sendable (Result<UInt64, ControlError>) -> Void
    ) {
        queue.async { [self] in
            guard core.runner != nil, !core.state.isFinal else {
                return reply(.failure(wrongState("has no records to come; \(Self.living) have")))
            }
            guard core.watchers.count < Self.watchersMax else {
                return reply(
                    .failure(
                        ControlError(
                            .limitReached, "at most \(Self.watchersMax) may watch one fleet",
                            limit: .fleetWatchers)))
            }
            core.lastWatcher += 1
            core.watchers[core.lastWatcher] = watcher
            reply(.success(core.lastWatcher))
        }
    }

    public func unwatch(_ number: UInt64) {
        queue.async { [self] in core.watchers[number] = nil }
    }

    /// How far a paced fleet may lag and still tell whatever it likes.
    private static let lagSecondsMax = 1.0

    /// For the lines of an epoch that begins now; nil: nobody watches.
    ///
    /// None are made for whom has no room now, so that a reader that has stopped costs no more than
    /// a count; and none where the fleet runs as fast as it can and has told enough.
    func makeLines(_ runner: FleetRunner) -> EpochLines? {
        // Of what is replayed nobody is told again.
        guard core.replay == nil, !core.watchers.isEmpty else {
            keep(nil, runner)
            return nil
        }
        let isFree = core.rate != .max && lagSeconds <= Self.lagSecondsMax
        let isInBudget = isFree ? nil : core.watchBudget.span != nil
        // What one with a condition misses is counted line by line.
        let audience = core.watchers.sorted { $0.key < $1.key }.map { number, watcher in
            let canTake = watcher.condition != .constant(true) || watcher.hasRoom()
            return (number: number, isTold: canTake && isInBudget != false)
        }
        let wanted = core.watchers.values.reduce(into: RecordTypes()) { $0.formUnion($1.types) }
        let kept = audience.filter(\.isTold).reduce(into: RecordTypes()) { kept, entry in
            kept.formUnion(core.watchers[entry.number]?.types ?? [])
        }
        if core.recordKeeping == nil, isFree { runner.restartPace() }
        let countMax = isFree ? .max : core.watchBudget.recordsMax(ofPieces: runner.pieceCount)
        keep(RecordKeeping(types: kept, countMax: countMax), runner)
        return EpochLines(
            count: runner.pieceCount, audience: audience, wanted: wanted, isInBudget: isInBudget)
    }

    private func keep(_ keeping: RecordKeeping?, _ runner: FleetRunner) {
        guard core.recordKeeping != keeping else { return }
        core.recordKeeping = keeping
        runner.keepRecords(keeping)
    }

    /// Hands the lines of an epoch to whom they concern.
    func tellWatchers(
        _ lines: EpochLines, of epoch: FleetCore.Epoch, _ span: SimDuration, _ runner: FleetRunner
    ) {
        let (began, counts) = (Self.now, lines.counts)
        for entry in lines.audience where !entry.isTold {
            guard let watcher = core.watchers[entry.number] else { continue }
            let count = Int(counts.total(of: watcher.types))
            if count > 0 { watcher.lose(count, lines.isInBudget == false ? .budget : .noRoom) }
        }
        tell(lines, counts, runner)
        guard let isInBudget = lines.isInBudget else { return }
        let told = WatchBudget.Epoch(
            span: span, records: counts.total(), wanted: counts.total(of: lines.wanted),
            told: lines.lineCount,
            workNanoseconds: epoch.nanoseconds, tellNanoseconds: Self.now - began)
        if isInBudget { core.watchBudget.told(told) } else { core.watchBudget.counted(told) }
    }

    private func tell(_ lines: EpochLines, _ counts: RecordCounts, _ runner: FleetRunner) {
        var audience = lines.audience.filter(\.isTold)
            .compactMap { core.watchers[$0.number] }.map(Listener.init)
        guard !audience.isEmpty else { return }
        let merge = LineMerge(parts: Array(lines.parts))
        let judge = LineJudge(audience.map(\.watcher), runner, parts: lines.parts.count)
        merge.forEach { line in
            var isHeard = false
            for index in audience.indices where !audience[index].isDeaf {
                isHeard = true
                guard judge.means(audience[index].watcher, line) else { continue }
                audience[index].take(line)
            }
            return isHeard
        }
        let lineCounts = lines.lineCounts
        for var listener in audience { listener.finish(counts, lineCounts) }
    }
}

/// One watcher while it is told an epoch.
private struct Listener {
    /// Records of one notification at most.
    private static let batchLines = 256
    /// Records that somebody without room misses before it is given up for the epoch: time enough
    /// for one who reads to make room.
    private static let missedMax = 1 << 13

    let watcher: FleetWatcher
    private var batch: [String] = []
    private var taken = 0
    private var missed = 0
    private var missedInARow = 0
    private var hasRoom: Bool

    init(_ watcher: FleetWatcher) {
        self.watcher = watcher
        hasRoom = watcher.hasRoom()
    }

    /// Whether the rest of the epoch is not for it. One with a condition never is: what it misses
    /// is counted line by line.
    var isDeaf: Bool {
        missedInARow >= Self.missedMax && watcher.condition == .constant(true)
    }

    mutating func take(_ line: LineMerge.Line) {
        guard hasRoom else {
            missed += 1
            missedInARow += 1
            if missedInARow % Self.batchLines == 0 {
                hasRoom = watcher.hasRoom()
                if hasRoom { missedInARow = 0 }
            }
            return
        }
        taken += 1
        batch.append(String(decoding: line.bytes.dropLast(), as: UTF8.self))
        if batch.count == Self.batchLines { deliver() }
    }

    private mutating func deliver() {
        guard !batch.isEmpty else { return }
        watcher.deliver(batch)
        batch = []
        hasRoom = watcher.hasRoom()
    }

    /// - Parameters:
    ///   - counts: of the epoch's records.
    ///   - lineCounts: of those that are lines.
    mutating func finish(_ counts: RecordCounts, _ lineCounts: RecordCounts) {
        deliver()
        let lines = lineCounts.total(of: watcher.types)
        // Whether somebody with a condition means what is no line, nobody knows.
        let untold = Int(counts.total(of: watcher.types) - lines)
        if isDeaf { missed = Int(lines) - taken }
        if missed > 0 { watcher.lose(missed, .noRoom) }
        if untold > 0 { watcher.lose(untold, .budget) }
    }
}

/// Which lines a watcher means.
private struct LineJudge {
    private let standings: [[DeviceStanding]]
    private let traits: TraitTable?
    private let casts: [CastTable]
    private let day: Int64
    private let blocksPerArm: Int

    init(_ watchers: [FleetWatcher], _ runner: FleetRunner, parts: Int) {
        let hasConditions = watchers.contains { $0.condition != .constant(true) }
        standings = hasConditions ? runner.standings() : []
        traits = hasConditions ? TraitTable(runner.scenario) : nil
        casts = runner.casts
        day = runner.scenario.zone.day(at: runner.now)
        blocksPerArm = parts / runner.arms.count
    }

    func means(_ watcher: FleetWatcher, _ line: LineMerge.Line) -> Bool {
        guard watcher.types.contains(line.type) else { return false }
        guard watcher.condition != .constant(true), let traits else { return true }
        let arm = line.part / blocksPerArm
        return watcher.condition.holds(
            line.device, standings[arm][Int(line.device)],
            persona: watcher.condition.asksForPersona ? traits.persona(of: line.device) : 0,
            arm: arm, day: day, casts: casts[arm])
    }
}
