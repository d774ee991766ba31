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

    /// For the lines of an epoch that begins now: none for whom has no room now, so that a reader
    /// that has stopped costs no more than a count.
    func makeLines(_ runner: FleetRunner) -> EpochLines {
        let watchers = core.watchers.sorted { $0.key < $1.key }
        // What one with a condition misses is counted line by line.
        let isDeaf = watchers.map { $0.value.condition == .constant(true) && !$0.value.hasRoom() }
        let audience = zip(watchers, isDeaf).filter { !$1 }.map(\.0)
        let deaf = zip(watchers, isDeaf).filter(\.1).map(\.0)
        let all = audience.contains { $0.value.types.isEmpty }
        let types: Set<RecordType> = audience.reduce(into: []) { $0.formUnion($1.value.types) }
        return EpochLines(
            count: runner.pieceCount,
            LineMerge.Choice(
                types: all ? nil : Array(types), counted: deaf.map { Array($0.value.types) }),
            audience: audience.map(\.key), deaf: deaf.map(\.key))
    }

    /// Hands the lines of an epoch to whom they concern.
    func tellWatchers(_ lines: EpochLines, _ runner: FleetRunner) {
        for (index, number) in lines.deaf.enumerated() {
            let count = lines.parts.reduce(0) { $0 + $1.counts[index] }
            if count > 0 { core.watchers[number]?.lose(count) }
        }
        var audience = lines.audience.compactMap { core.watchers[$0] }.map(Listener.init)
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
        let totals = audience.allSatisfy { !$0.isDeaf } ? [:] : merge.lineCounts
        for var listener in audience { listener.finish(totals) }
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

    /// - Parameter totals: of the epoch's lines; needed where somebody is deaf.
    mutating func finish(_ totals: [RecordType: Int]) {
        deliver()
        if isDeaf {
            let all = totals.reduce(0) { sum, entry in
                watcher.types.isEmpty || watcher.types.contains(entry.key)
                    ? sum + entry.value : sum
            }
            missed = all - taken
        }
        if missed > 0 { watcher.lose(missed) }
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
        guard watcher.types.isEmpty || watcher.types.contains(line.type) else { return false }
        guard watcher.condition != .constant(true), let traits else { return true }
        let arm = line.part / blocksPerArm
        return watcher.condition.holds(
            line.device, standings[arm][Int(line.device)],
            persona: watcher.condition.asksForPersona ? traits.persona(of: line.device) : 0,
            arm: arm, day: day, casts: casts[arm])
    }
}
