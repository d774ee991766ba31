import AuthorizationCore
import DeviceCore
import Metrics
import SimPrimitives
import Simulation
import TestSupport
import Testing

/// SplitMix64, seeded: independent of the product's own chance.
private struct Numbers {
    var state: UInt64

    mutating func next(_ bound: UInt64) -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
        return (word ^ word >> 31) % bound
    }
}

@Suite("Figures of a group of devices")
struct FleetMetricsTests {
    private static let funnels = [
        FunnelDefinition.builtIn, FunnelDefinition(name: "own", steps: [.opened, .kept]),
    ]

    /// Something in every member, so that a merge that forgets one is seen.
    private static func metrics(_ numbers: inout Numbers) -> FleetMetrics {
        func fill(_ counts: inout [UInt64]) {
            for index in counts.indices { counts[index] = numbers.next(1_000) }
        }
        var metrics = FleetMetrics(funnels: funnels)
        metrics.devices = numbers.next(1 << 40)
        metrics.installed = numbers.next(1 << 40)
        fill(&metrics.visible)
        fill(&metrics.trueStatus)
        fill(&metrics.requestsIgnored)
        for kind in metrics.prompts.indices {
            metrics.prompts[kind].shown = numbers.next(1_000)
            metrics.prompts[kind].granted = numbers.next(1_000)
            fill(&metrics.prompts[kind].choices)
        }
        for funnel in metrics.funnels.indices {
            fill(&metrics.funnels[funnel].reached)
            fill(&metrics.funnels[funnel].lost)
            fill(&metrics.funnels[funnel].outside)
            for step in metrics.funnels[funnel].waits.indices {
                for _ in 0..<numbers.next(4) {
                    metrics.funnels[funnel].waits[step].record(numbers.next(1 << 45))
                }
            }
        }
        for name in ["a", "b", "c"] where numbers.next(2) == 0 {
            metrics.features[FeatureOutcome(NameText(name), NameText("success"))] = numbers.next(9)
            metrics.milestones[NameText(name)] = 1 + numbers.next(9)
            metrics.counters[NameText(name)] = 1 + numbers.next(1 << 50)
            for _ in 0...numbers.next(4) {
                // Tenths have no exact Double: their sum would depend on its order.
                let value = (Double(numbers.next(1 << 40)) - 0x1p39) / 10
                metrics.histograms[NameText(name), default: ValueHistogram()].record(value)
            }
        }
        metrics.crashes[RuleID.b3, default: 0] += numbers.next(9)
        for _ in 0..<numbers.next(3) {
            let place = ScriptFailurePlace(
                script: 0, hook: .tapped, code: .runtime, line: UInt32(numbers.next(2)))
            let key = RecordKey(
                time: .start + .seconds(Int64(numbers.next(3))),
                device: DeviceID(UInt32(numbers.next(1 << 30))), ordinal: 0)
            metrics.count(FirstScriptFailure(key: key, place: place, message: "device \(key)"))
        }
        metrics.events = numbers.next(1 << 40)
        metrics.records = numbers.next(1 << 40)
        return metrics
    }

    @Test("are the same in whatever order and grouping they are merged", arguments: 1...30)
    func merging(seed: UInt64) {
        var numbers = Numbers(state: seed)
        let parts = (0..<(2 + numbers.next(9))).map { _ in Self.metrics(&numbers) }
        var whole = FleetMetrics(funnels: Self.funnels)
        for part in parts { whole.merge(part) }
        for _ in 0..<5 {
            var tree = parts
            while tree.count > 1 {
                let one = tree.remove(at: Int(numbers.next(UInt64(tree.count))))
                tree[Int(numbers.next(UInt64(tree.count)))].merge(one)
            }
            #expect(tree == [whole], "seed \(seed)")
        }
        #expect(whole.devices == parts.reduce(0) { $0 + $1.devices })
    }

    @Test("hold no floating-point number, nor do those of pairs: their sums would have an order")
    func integers() {
        var numbers = Numbers(state: 1)
        var metrics = FleetMetrics(funnels: Self.funnels)
        for _ in 0..<8 { metrics.merge(Self.metrics(&numbers)) }
        var seen = 0
        checkIntegers(metrics, "metrics", &seen)
        checkIntegers(Pairing(funnels: Self.funnels), "pairing", &seen)
        #expect(seen > 1_000, "the walk reaches what is in it")
    }

    private func checkIntegers(_ value: Any, _ path: String, _ seen: inout Int) {
        seen += 1
        #expect(!(value is any FloatingPoint), "\(path) is a \(type(of: value))")
        for (index, child) in Mirror(reflecting: value).children.enumerated() {
            checkIntegers(child.value, "\(path).\(child.label ?? "\(index)")", &seen)
        }
    }
}
