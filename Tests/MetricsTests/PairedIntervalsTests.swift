import Metrics
import Testing

@Suite("Intervals of paired shares")
struct PairedIntervalsTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let counts: PairedCounts
        let low: Double
        let high: Double
        var testDescription: String { "\(counts)" }
    }

    /// Published examples, to the digits in which they are printed. The first: Bentur et al. 2009, as
    /// worked by Fagerland, Lydersen and Laake, "Recommended tests and confidence intervals for
    /// paired binomial proportions", Statistics in Medicine 33 (2014).
    // swift-format-ignore
    static let rows = [
        Row(counts: PairedCounts(both: 1, onlyFirst: 1, onlySecond: 7, neither: 12), low: -0.507, high: -0.026),
    ]

    @Test("agree with what is published", arguments: rows)
    func published(_ row: Row) throws {
        let interval = try #require(Intervals.newcombe95(row.counts))
        #expect(abs(interval.low - row.low) < 0.0005, "\(interval)")
        #expect(abs(interval.high - row.high) < 0.0005, "\(interval)")
    }

    /// R. G. Newcombe, "Interval estimation for the difference between independent proportions:
    /// comparison of eleven methods", Statistics in Medicine 17 (1998), table II, method 10, groups of
    /// the same size.
    // swift-format-ignore
    static let unpaired = [
        Row(counts: PairedCounts(both: 3, onlyFirst: 6, onlySecond: 0, neither: 1), low: 0.1705, high: 0.8090),
        Row(counts: PairedCounts(neither: 10), low: -0.2775, high: 0.2775),
        Row(counts: PairedCounts(onlyFirst: 10), low: 0.6075, high: 1),
    ]

    @Test("as if of separate groups agree with what is published", arguments: unpaired)
    func separate(_ row: Row) throws {
        let interval = try #require(Intervals.unpairedNewcombe95(row.counts))
        #expect(abs(interval.low - row.low) < 0.0001, "\(interval)")
        #expect(abs(interval.high - row.high) < 0.0001, "\(interval)")
    }

    @Test("lie around the difference, within -1 ... 1, and turn about with the arms")
    func symmetry() throws {
        var random = SystematicNumbers(7)
        for _ in 0..<2_000 {
            let counts = PairedCounts(
                both: UInt64(random.next(40)), onlyFirst: UInt64(random.next(40)),
                onlySecond: UInt64(random.next(40)), neither: UInt64(random.next(40)))
            guard let interval = Intervals.newcombe95(counts) else {
                #expect(counts.total == 0)
                continue
            }
            #expect(interval.low <= counts.difference, "\(counts)")
            #expect(interval.high >= counts.difference, "\(counts)")
            #expect(interval.low >= -1 && interval.high <= 1, "\(counts)")
            let turned = PairedCounts(
                both: counts.both, onlyFirst: counts.onlySecond, onlySecond: counts.onlyFirst,
                neither: counts.neither)
            let other = try #require(Intervals.newcombe95(turned))
            #expect(abs(interval.low + other.high) < 1e-12, "\(counts)")
            #expect(abs(interval.high + other.low) < 1e-12, "\(counts)")
        }
    }

    @Test("are narrower the more the pairs agree")
    func pairing() throws {
        let agreeing = PairedCounts(both: 450, onlyFirst: 100, onlySecond: 50, neither: 400)
        let apart = PairedCounts(both: 250, onlyFirst: 300, onlySecond: 250, neither: 200)
        let (one, other) = (
            try #require(Intervals.newcombe95(agreeing)), try #require(Intervals.newcombe95(apart))
        )
        #expect(one.high - one.low < other.high - other.low)
    }

    @Test("have a variance ratio: of two groups over that of the pairs")
    func varianceRatio() throws {
        // p1 = 0.55, p2 = 0.5: (0.2475 + 0.25) over (0.15 - 0.0025).
        let counts = PairedCounts(both: 450, onlyFirst: 100, onlySecond: 50, neither: 400)
        #expect(abs(try #require(counts.varianceRatio) - 0.4975 / 0.1475) < 1e-12)
        #expect(PairedCounts(both: 3, neither: 4).varianceRatio == nil)
        #expect(PairedCounts().varianceRatio == nil)
        #expect(PairedCounts().difference == 0)
    }

    @Test("of one value a histogram's quantiles are that value")
    func constant() {
        var histogram = LogLinearHistogram()
        for _ in 0..<5 { histogram.record(604_800_000_000) }
        #expect(histogram.quantile(0.5) == 604_800_000_000)
        #expect(histogram.quantile(0.9) == 604_800_000_000)
    }
}
