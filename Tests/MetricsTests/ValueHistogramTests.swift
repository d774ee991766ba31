import Metrics
import Testing

@Suite("A histogram of values")
struct ValueHistogramTests {
    private func histogram(_ values: [Double]) -> ValueHistogram {
        var histogram = ValueHistogram()
        for value in values { histogram.record(value) }
        return histogram
    }

    @Test("has no figures while it is empty")
    func empty() {
        let empty = ValueHistogram()
        #expect(empty.count == 0)
        for figure in [empty.mean, empty.min, empty.max, empty.quantile(0.5)] {
            #expect(figure == nil)
        }
    }

    @Test("takes zero, negative numbers and the largest, and has mean and extremes exactly")
    func signs() {
        let values = histogram([-1e12, -2.5, 0, 0.5, 1e12])
        #expect((values.count, values.mean ?? .nan) == (5, -0.4))
        #expect((values.min ?? .nan, values.max ?? .nan) == (-1e12, 1e12))
        #expect(values.quantile(0.5) == 0)
        #expect(histogram([-3, -2, -1]).quantile(0.5) == -2)
        #expect(histogram([-0.0004]).min == 0, "to a thousandth")
    }

    @Test("is exact for whole numbers below 128, of either sign")
    func wholes() {
        for value in -127...127 {
            #expect(histogram([Double(value)]).quantile(0.5) == Double(value))
        }
        #expect(histogram([3, 3, 4, 100]).quantile(0.5) == 3)
    }

    @Test("gives the value of a rank to one part in 64", arguments: 0..<20 as Range<UInt64>)
    func quantiles(_ seed: UInt64) {
        var random = SystematicNumbers(seed)
        let values = (0..<(1 + random.next(2_000))).map { _ in
            (Double(random.next(4_000_000)) - 2_000_000) / Double(1 + random.next(5_000))
        }
        let sorted = values.sorted()
        let histogram = histogram(values)
        for share in [0.0, 0.1, 0.5, 0.9, 0.99, 1] {
            let rank = max(1, Int((share * Double(values.count)).rounded(.up)))
            let (value, true_) = (histogram.quantile(share) ?? .nan, sorted[rank - 1])
            #expect(abs(value - true_) <= abs(true_) / 64 + 0.001, "seed \(seed), share \(share)")
        }
    }

    @Test("is the same however it is split and merged", arguments: 0..<20 as Range<UInt64>)
    func merging(_ seed: UInt64) {
        var random = SystematicNumbers(seed)
        let values = (0..<100).map { _ in Double(random.next(10_000)) / 8 - 300 }
        let parts = [values[..<30], values[30..<31], values[31...]].map { histogram(Array($0)) }
        let one = ValueHistogram(merging: ValueHistogram(merging: parts[0], parts[1]), parts[2])
        let other = ValueHistogram(merging: parts[2], ValueHistogram(merging: parts[1], parts[0]))
        #expect(one == other)
        #expect(one == histogram(values))
    }
}
