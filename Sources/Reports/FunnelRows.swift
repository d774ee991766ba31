import Metrics
import SimPrimitives

/// One step of a funnel with everything that is said about it.
struct FunnelRow {
    var step: String
    var reached: UInt64
    /// Devices that reached the step before; nil for the first step.
    var previous: UInt64?
    /// All devices of the group.
    var all: UInt64
    var lost: UInt64
    var notYet: UInt64
    var outside: UInt64
    /// From the step before, of those who reached this one; nil when nobody did.
    var median: SimDuration?
    var p90: SimDuration?
    /// Their 95 % intervals by order statistics; nil where there are too few.
    var median95: (low: SimDuration, high: SimDuration)?
    var p9095: (low: SimDuration, high: SimDuration)?

    var ofPrevious: Ratio? { previous.flatMap { Ratio(reached, of: $0) } }
    var ofAll: Ratio? { Ratio(reached, of: all) }
    var interval: (low: Double, high: Double)? {
        previous.flatMap { Intervals.wilson95(reached, of: $0) }
    }
}

/// A count of a total that is not 0.
package struct Ratio {
    let count: UInt64
    let total: UInt64

    package init?(_ count: UInt64, of total: UInt64) {
        guard total > 0 else { return nil }
        (self.count, self.total) = (count, total)
    }

    /// The share in units of 1 ÷ `unit`, rounded half up in whole numbers.
    package func scaled(_ unit: UInt64) -> UInt64 {
        let (high, low) = count.multipliedFullWidth(by: unit)
        let (sum, carries) = low.addingReportingOverflow(total / 2)
        return total.dividingFullWidth((high + (carries ? 1 : 0), sum)).quotient
    }
}

/// The rows of one funnel of one group of devices.
func funnelRows(
    _ definition: FunnelDefinition, _ counts: FunnelCounts, devices: UInt64
) -> [FunnelRow] {
    definition.steps.indices.map { step in
        let previous = step == 0 ? nil : counts.reached[step - 1]
        let accounted = counts.reached[step] + counts.lost[step]
        precondition(
            accounted <= previous ?? devices, "a step is reached by devices of the one before")
        return FunnelRow(
            step: definition.steps[step].name, reached: counts.reached[step], previous: previous,
            all: devices, lost: counts.lost[step], notYet: (previous ?? devices) - accounted,
            outside: counts.outside[step],
            median: duration(counts.waits[step].quantile(0.5)),
            p90: duration(counts.waits[step].quantile(0.9)),
            median95: interval(counts.waits[step], 0.5), p9095: interval(counts.waits[step], 0.9))
    }
}

private func interval(
    _ waits: LogLinearHistogram, _ share: Double
) -> (low: SimDuration, high: SimDuration)? {
    waits.quantile95(share).map {
        (SimDuration(microseconds: Int64($0.low)), SimDuration(microseconds: Int64($0.high)))
    }
}

private func duration(_ microseconds: UInt64?) -> SimDuration? {
    microseconds.map { SimDuration(microseconds: Int64($0)) }
}
