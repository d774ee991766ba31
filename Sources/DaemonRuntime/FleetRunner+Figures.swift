import Metrics
import SimPrimitives
import Simulation

extension FleetRunner {
    /// The figures at `now`. Windows of funnels that have passed by then are lost.
    public func figures() -> FleetFigures {
        var figures = FleetFigures(
            at: now, arms: arms.indices.map(figures), pairings: pairings, events: eventCount,
            stateBytes: blocks.joined().reduce(0) { $0 + $1.stateBytes },
            journal: zip(journal, journalCounts).map { ($0, $1) })
        figures.judge(arms)
        return figures
    }

    private func figures(of arm: Int) -> FleetFigures.OfArm {
        let scenario = arms[arm].scenario
        let groups = metrics(of: arm)
        let digests = inParallel(blocks[arm]) { $0.digest }
        let total = FleetMetrics(sum: groups, of: arms[arm].scenario)
        return FleetFigures.OfArm(
            groups: groups, digest: digests.reduce(.zero, +),
            interventions: interventionCounts[arm],
            judgedCounts: scenario.judgedConditions.map { count($0, arm, total) })
    }

    private func metrics(of arm: Int) -> [FleetMetrics] {
        let empty = FleetMetrics(of: arms[arm].scenario)
        var groups = [FleetMetrics](repeating: empty, count: options.groups.count)
        for block in inParallel(blocks[arm], { $0.metrics(isFinal: true) }) {
            for (group, metrics) in block.enumerated() { groups[group].merge(metrics) }
        }
        return groups
    }

    /// What `body` makes of each block, in their order: a border is not to take long.
    func inParallel<Value: Sendable>(
        _ blocks: [Block], _ body: @Sendable (Block) -> Value
    ) -> [Value] {
        Array(unsafeUninitializedCapacity: blocks.count) { buffer, count in
            // Safe: each iteration reads one block, which nobody changes between two epochs, and
            // writes one element of its own.
            nonisolated(unsafe) let (places, blocks) = (buffer, blocks)
            Self.perform(blocks.count, workers: options.workers) { index in
                (places.baseAddress! + index).initialize(to: body(blocks[index]))  // Not empty.
            }
            count = blocks.count
        }
    }

    private var pairings: [[Pairing]] {
        arms.indices.dropFirst().map { arm in
            let empty = Pairing(funnels: scenario.funnels)
            var groups = [Pairing](repeating: empty, count: options.groups.count)
            for (mine, base) in zip(blocks[arm], blocks[0]) {
                for (group, pairing) in mine.paired(with: base).enumerated() {
                    groups[group].merge(pairing)
                }
            }
            return groups
        }
    }

    // MARK: - Conditions

    /// Whether anything is judged on the grid of `check_every`, after the start. Conditions are
    /// about the whole fleet: a part of it is not judged by them.
    var judgesConditions: Bool {
        guard options.devices == nil else { return false }
        return scenario.endWhen != nil || arms.contains { $0.scenario.scriptFailuresMax != nil }
    }

    var hasTooManyScriptFailures: Bool {
        arms.indices.contains { arm in
            guard let limit = arms[arm].scenario.scriptFailuresMax else { return false }
            return blocks[arm].reduce(0) { $0 + $1.scriptFailureCount } > limit
        }
    }

    /// Whether conditions are judged at this instant.
    var isOnGrid: Bool { now.microseconds % scenario.checkEvery.microseconds == 0 }

    /// Whether every arm has come to what ends the run.
    var isEndDue: Bool {
        guard scenario.endWhen != nil else { return false }
        return arms.indices.allSatisfy { arm in
            arms[arm].scenario.endWhen.map { holds($0, arm) } ?? true
        }
    }

    /// Whether the condition holds now of every arm.
    func holds(_ condition: FleetCondition) -> Bool {
        arms.indices.allSatisfy { holds(condition, $0) }
    }

    private func holds(_ condition: FleetCondition, _ arm: Int) -> Bool {
        let scenario = arms[arm].scenario
        let total = FleetMetrics(sum: metrics(of: arm), of: scenario)
        return condition.holds { quantity in
            quantity.value(in: total, day: scenario.zone.day(at: now)) { count($0, arm, total) }
        }
    }

    /// Devices with the app installed; statuses alone are counted already.
    private func count(
        _ condition: DeviceCondition, _ arm: Int, _ total: FleetMetrics
    ) -> UInt64 {
        func sum(_ counts: [UInt64], _ mask: UInt8) -> UInt64 {
            counts.indices.reduce(0) { $0 + (mask >> UInt8($1) & 1 == 1 ? counts[$1] : 0) }
        }
        switch condition {
        case .visible(let mask): return sum(total.visible, mask)
        case .trueStatus(let mask): return sum(total.trueStatus, mask)
        default: return blocks[arm].reduce(0) { $0 + $1.count(condition) }
        }
    }
}
