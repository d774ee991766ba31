import Metrics

/// The figures of one group within one block, in the form in which they are counted.
///
/// Names are numbers here; `metrics(names:)` makes text of them.
struct Tally {
    var metrics: FleetMetrics
    private var features = PairCounts()
    private var milestones = PairCounts()
    private var counters = PairCounts()
    private var histograms: [(name: NameID, values: ValueHistogram)] = []

    init(funnels: [FunnelDefinition], hazardCount: Int) {
        metrics = FleetMetrics(funnels: funnels, hazardCount: hazardCount)
    }

    mutating func count(feature: NameID, outcome: NameID) {
        features.count(UInt32(feature.index) << 16 | UInt32(outcome.index))
    }

    mutating func count(milestone: NameID) { milestones.count(UInt32(milestone.index)) }

    mutating func count(counter: NameID, by count: UInt64) {
        counters.count(UInt32(counter.index), by: count)
    }

    mutating func observe(histogram name: NameID, _ value: Double) {
        let known = histograms.firstIndex { $0.name == name }
        if known == nil { histograms.append((name, ValueHistogram())) }
        histograms[known ?? histograms.count - 1].values.record(value)
    }

    func metrics(names: NameTable) -> FleetMetrics {
        var result = metrics
        for (key, count) in features.entries {
            let feature = names[NameID(UInt16(key >> 16))]
            let outcome = names[NameID(UInt16(truncatingIfNeeded: key))]
            result.features[FeatureOutcome(NameText(feature), NameText(outcome))] = count
        }
        for (key, count) in milestones.entries {
            result.milestones[NameText(names[NameID(UInt16(key))])] = count
        }
        for (key, count) in counters.entries {
            result.counters[NameText(names[NameID(UInt16(key))])] = count
        }
        for (name, values) in histograms { result.histograms[NameText(names[name])] = values }
        return result
    }
}

/// Counts of a few keys, found by looking along the list: there are a dozen.
private struct PairCounts {
    private(set) var entries: [(key: UInt32, count: UInt64)] = []

    mutating func count(_ key: UInt32, by count: UInt64 = 1) {
        for index in entries.indices where entries[index].key == key {
            entries[index].count += count
            return
        }
        entries.append((key, count))
    }
}
