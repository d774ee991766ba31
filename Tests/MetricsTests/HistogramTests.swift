import Metrics
import Testing

@Suite("A log-linear histogram")
struct LogLinearHistogramTests {
    @Test("has no quantile while it is empty")
    func empty() {
        #expect(LogLinearHistogram().quantile(0.5) == nil)
        #expect(LogLinearHistogram().count == 0)
    }

    @Test("is exact below 128")
    func exact() {
        for value in UInt64(0)..<128 { #expect(histogram([value]).quantile(0.5) == value) }
    }

    @Test("takes every size of number")
    func extremes() {
        for shift in 0..<64 {
            let value = UInt64(1) << UInt64(shift)
            #expect(histogram([value]).quantile(1) == value, "a power of two begins a bucket")
            checkNear(histogram([value - 1]).quantile(1), value - 1, "2^\(shift) - 1")
        }
        checkNear(histogram([.max]).quantile(1), .max, "the greatest")
    }

    @Test("gives the value of a rank to one part in 64", arguments: 0..<20)
    func quantiles(seed: UInt64) {
        var random = SystematicNumbers(seed)
        let count = 1 + random.next(3_000)
        // Values of very different sizes: a uniform number of bits.
        let values = (0..<count).map { _ in random.nextWord() >> UInt64(random.next(64)) }
        let sorted = values.sorted()
        let filled = histogram(values)
        #expect(filled.count == UInt64(count))
        for (share, percent) in [(0.0, 0), (0.1, 10), (0.5, 50), (0.9, 90), (0.99, 99), (1.0, 100)]
        {
            let rank = max(1, (percent * count + 99) / 100)  // ⌈share × count⌉
            checkNear(filled.quantile(share), sorted[rank - 1], "seed \(seed), share \(share)")
        }
    }

    @Test("merged is the histogram of all values", arguments: 0..<20)
    func merging(seed: UInt64) {
        var random = SystematicNumbers(seed)
        let parts = (0..<4).map { _ in
            (0..<random.next(200)).map { _ in random.nextWord() >> UInt64(random.next(64)) }
        }
        var forward = LogLinearHistogram()
        for part in parts { forward.merge(histogram(part)) }
        var backward = LogLinearHistogram()
        for part in parts.reversed() { backward.merge(histogram(part)) }
        #expect(forward == histogram(parts.flatMap { $0 }), "seed \(seed)")
        #expect(forward == backward, "seed \(seed)")
    }

    private func histogram(_ values: [UInt64]) -> LogLinearHistogram {
        var histogram = LogLinearHistogram()
        for value in values { histogram.record(value) }
        return histogram
    }

    /// At most the value, and less by at most one part in 64.
    private func checkNear(_ quantile: UInt64?, _ value: UInt64, _ what: String) {
        guard let quantile else {
            Issue.record("no quantile: \(what)")
            return
        }
        #expect(quantile <= value && value - quantile <= value / 64, "\(quantile), \(what)")
    }
}

@Suite("Intervals")
struct IntervalsTests {
    /// R. G. Newcombe, "Two-sided confidence intervals for the single proportion: comparison of
    /// seven methods", Statistics in Medicine 17 (1998) 857-872, table I, method 3 (score).
    static let newcombe: [(count: UInt64, total: UInt64, low: Double, high: Double)] = [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ]

    @Test("of Wilson are those that Newcombe prints", arguments: newcombe)
    func published(count: UInt64, total: UInt64, low: Double, high: Double) throws {
        let interval = try #require(Intervals.wilson95(count, of: total))
        #expect((interval.low * 10_000).rounded() == (low * 10_000).rounded())
        #expect((interval.high * 10_000).rounded() == (high * 10_000).rounded())
    }

    @Test("stay within 0 and 1, around the share, and mirror each other")
    func shape() throws {
        for total in UInt64(1)...40 {
            for count in 0...total {
                let interval = try #require(Intervals.wilson95(count, of: total))
                let share = Double(count) / Double(total)
                #expect(0 <= interval.low && interval.low <= share)
                #expect(share <= interval.high && interval.high <= 1)
                let other = try #require(Intervals.wilson95(total - count, of: total))
                #expect(abs(interval.low - (1 - other.high)) < 1e-12)
            }
        }
        #expect(try #require(Intervals.wilson95(0, of: 9)).low == 0)
        #expect(try #require(Intervals.wilson95(9, of: 9)).high == 1)
    }

    @Test("of nothing are none")
    func nothing() { #expect(Intervals.wilson95(0, of: 0) == nil) }
}
