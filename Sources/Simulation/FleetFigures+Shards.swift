import Metrics
import SimPrimitives

extension Scenario {
    /// The conditions on devices that thresholds count, each once, in the order of the text.
    public var judgedConditions: [DeviceCondition] {
        var conditions: [DeviceCondition] = []
        for comparison in thresholds.flatMap({ $0.condition.comparisons() }) {
            switch comparison.comparison.quantity {
            case .count(let condition), .share(let condition):
                if !conditions.contains(condition) { conditions.append(condition) }
            case .reached, .reachedShare, .seconds, .scriptFailures, .day: break
            }
        }
        return conditions
    }
}

extension FleetFigures {
    /// Adds the figures of other devices of the same fleet, at the same instant. All but the
    /// judgements: `judge` makes them anew.
    public mutating func merge(_ other: FleetFigures) {
        for arm in arms.indices { arms[arm].merge(other.arms[arm]) }
        for arm in pairings.indices {
            for group in pairings[arm].indices {
                pairings[arm][group].merge(other.pairings[arm][group])
            }
        }
        events += other.events
        stateBytes += other.stateBytes
    }

    /// Judges every threshold of every arm by these figures.
    public mutating func judge(_ arms: [Arm]) {
        for (index, arm) in arms.enumerated() {
            self.arms[index].judge(arm.scenario, at: at)
        }
    }
}

extension FleetFigures.OfArm {
    mutating func merge(_ other: Self) {
        for group in groups.indices { groups[group].merge(other.groups[group]) }
        digest = digest + other.digest
        interventions = zip(interventions, other.interventions).map { $0 + $1 }
        judgedCounts = zip(judgedCounts, other.judgedCounts).map { $0 + $1 }
    }

    mutating func judge(_ scenario: Scenario, at now: SimTime) {
        let total = FleetMetrics(sum: groups, of: scenario)
        let counts = zip(scenario.judgedConditions, judgedCounts)
        judgements = scenario.thresholds.map { threshold in
            threshold.judged { quantity in
                quantity.value(in: total, day: scenario.zone.day(at: now)) { condition in
                    counts.first { $0.0 == condition }?.1 ?? 0
                }
            }
        }
    }
}

extension FleetQuantity {
    /// What it is now; nil for a share or a quantile of nothing.
    ///
    /// - Parameters:
    ///   - count: devices with the app installed for which a condition holds.
    public func value(
        in total: FleetMetrics, day: Int64, count: (DeviceCondition) -> UInt64
    ) -> Double? {
        switch self {
        case .count(let condition): return Double(count(condition))
        case .share(let condition):
            guard total.installed > 0 else { return nil }
            return Double(count(condition)) / Double(total.installed)
        case .reached(let funnel, let step): return Double(total.funnels[funnel].reached[step])
        case .reachedShare(let funnel, let step):
            guard total.devices > 0 else { return nil }
            return Double(total.funnels[funnel].reached[step]) / Double(total.devices)
        case .seconds(let quantile, let funnel, let step):
            return total.funnels[funnel].waits[step].quantile(quantile).map { Double($0) / 1e6 }
        case .scriptFailures: return Double(total.scriptFailures)
        case .day: return Double(day)
        }
    }
}
