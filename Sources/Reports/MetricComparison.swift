import Metrics
import Simulation

/// What scripts count and measure in an arm and in the base. No device keeps its own figures, so
/// totals are compared: nothing is paired, and there is no interval.
struct MetricComparison {
    enum Figures {
        /// Totals.
        case counter(base: UInt64, arm: UInt64)
        case histogram(base: ValueHistogram, arm: ValueHistogram)
    }

    var arm: String
    var name: NameText
    var figures: Figures
    /// Of each arm: the same in both.
    var devices: UInt64
}

extension Report {
    /// Counters, then histograms, in the order of their names: those that either arm has.
    var metricComparisons: [MetricComparison] {
        arms.dropFirst().flatMap { arm in
            let (base, other) = (total, arm.total)
            let counters = names(base.counters, other.counters).map {
                MetricComparison.Figures.counter(
                    base: base.counters[$0] ?? 0, arm: other.counters[$0] ?? 0)
            }
            let histograms = names(base.histograms, other.histograms).map {
                MetricComparison.Figures.histogram(
                    base: base.histograms[$0] ?? ValueHistogram(),
                    arm: other.histograms[$0] ?? ValueHistogram())
            }
            let all =
                names(base.counters, other.counters) + names(base.histograms, other.histograms)
            return zip(all, counters + histograms).map {
                MetricComparison(arm: arm.name, name: $0, figures: $1, devices: base.devices)
            }
        }
    }

    private func names<Value>(
        _ one: [NameText: Value], _ other: [NameText: Value]
    ) -> [NameText] {
        (Array(one.keys) + other.keys.filter { one[$0] == nil }).sorted()
    }

    /// What an arm or a group says of them; nothing where scripts count nothing.
    func scriptMetrics(of metrics: FleetMetrics) -> [(String, JSONTree)] {
        let counters = metrics.counters.sorted { $0.key < $1.key }
            .map { ($0.key.text, JSONTree.count($0.value)) }
        let histograms = metrics.histograms.sorted { $0.key < $1.key }
            .map { ($0.key.text, $0.value.tree) }
        return (counters.isEmpty ? [] : [("counters", .object(counters))])
            + (histograms.isEmpty ? [] : [("histograms", .object(histograms))])
    }
}

extension MetricComparison {
    /// Of the arm less that of the base: counts a device, or means; nil where one has no value.
    var difference: Double? {
        switch figures {
        case .counter(let base, let arm):
            devices == 0 ? nil : (Double(arm) - Double(base)) / Double(devices)
        case .histogram(let base, let arm):
            base.mean.flatMap { mean in arm.mean.map { $0 - mean } }
        }
    }

    /// Of the totals; nil where the base counted nothing.
    var ratio: Double? {
        guard case .counter(let base, let arm) = figures, base > 0 else { return nil }
        return Double(arm) / Double(base)
    }

    var tree: JSONTree {
        let head = [("arm", JSONTree.text(arm)), ("against", .text(Arm.baseName))]
        let difference = difference.map { JSONTree.number(rounded($0)) } ?? .null
        switch figures {
        case .counter(let base, let arm):
            return .object(
                head + [
                    ("counter", .text(name.text)), ("base", .count(base)), ("total", .count(arm)),
                    ("difference_per_device", difference),
                    ("ratio", ratio.map { .number(rounded($0)) } ?? .null),
                ])
        case .histogram(let base, let arm):
            return .object(
                head + [
                    ("histogram", .text(name.text)),
                    ("base_mean", base.mean.map { .number(rounded($0)) } ?? .null),
                    ("mean", arm.mean.map { .number(rounded($0)) } ?? .null),
                    ("difference", difference),
                ])
        }
    }
}

extension ValueHistogram {
    fileprivate var tree: JSONTree {
        func number(_ value: Double?) -> JSONTree { value.map { .number(rounded($0)) } ?? .null }
        return .object([
            ("count", .count(count)), ("mean", number(mean)), ("min", number(min)),
            ("p50", number(quantile(0.5))), ("p90", number(quantile(0.9))),
            ("p99", number(quantile(0.99))), ("max", number(max)),
        ])
    }
}

/// To millionths, as shares are.
private func rounded(_ value: Double) -> Double {
    value.magnitude < 1e9 ? (value * 1e6).rounded() / 1e6 : value
}
