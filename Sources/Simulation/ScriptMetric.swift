import Metrics

/// What scripts count and measure in terms of their own: `metric.count` and `metric.observe`.
///
/// No record tells of it, so it changes no digest: reports add it up.
public enum ScriptMetric: Hashable, Sendable {
    /// Adds to a counter, in `1 ... countMax`.
    case count(NameID, UInt64)
    /// Adds a value to a histogram: see `ValueHistogram`.
    case observe(NameID, Double)

    /// What one call adds at most.
    public static let countMax: UInt64 = 1_000_000_000
}

extension DeviceRunner {
    mutating func add(_ metric: ScriptMetric, of device: borrowing Device) {
        metricsKept?.append(metric)
        switch metric {
        case .count(let name, let count):
            tallies[Int(device.group)].count(counter: name, by: count)
        case .observe(let name, let value):
            tallies[Int(device.group)].observe(histogram: name, value)
        }
    }
}
