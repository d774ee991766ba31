import Metrics
import Testing

/// Samples of one kind, seeded: what waits and values look like, and what is hard on buckets.
private enum Samples: String, CaseIterable, CustomTestStringConvertible {
    case uniform, exponential, everySize, constant, twoAtoms, powersOfTwo, aroundPowers, dense
    case extremes, tail, ascending, empty

    var testDescription: String { rawValue }

    func values(_ random: inout SystematicNumbers) -> [UInt64] {
        let count = self == .empty ? 0 : 1 + random.next(1_500)
        return (0..<count).map { index in
            let word = random.nextWord()
            switch self {
            case .uniform: return word % 1_000_000
            // Of a geometric number of halves, with the rest uniform between them.
            case .exponential: return (UInt64(word.trailingZeroBitCount) << 20) + word % (1 << 20)
            case .everySize: return word >> UInt64(random.next(64))
            case .constant: return 604_800_000_000
            case .twoAtoms: return word % 3 == 0 ? 120_000_000 : 604_800_000_001
            case .powersOfTwo: return 1 << (word % 64)
            case .aroundPowers: return (1 << (word % 64)) &+ UInt64(random.next(5)) &- 2
            case .dense: return 1_000_000_000_000 + word % 1_000
            case .extremes: return [0, 1, .max, .max - 1, 1 << 63][random.next(5)]
            case .tail: return word % 50 == 0 ? word >> 1 : word % 200
            case .ascending: return UInt64(index * index)
            case .empty: return 0
            }
        }
    }
}

private func histogram(_ values: some Sequence<UInt64>) -> LogLinearHistogram {
    var histogram = LogLinearHistogram()
    for value in values { histogram.record(value) }
    return histogram
}

@Suite("A histogram against a list that keeps every sample")
struct HistogramOracleTests {
    fileprivate static let kinds = Samples.allCases

    private static let percents = [0, 1, 5, 10, 25, 50, 75, 90, 95, 99, 100]

    @Test("has every quantile, too small by at most the error that reports state", arguments: kinds)
    fileprivate func quantiles(_ kind: Samples) {
        for seed in UInt64(0)..<12 {
            var random = SystematicNumbers(seed)
            let values = kind.values(&random)
            check(histogram(values), against: values, "seed \(seed)")
        }
    }

    @Test("counts exactly what is less than a power of two", arguments: kinds)
    fileprivate func powers(_ kind: Samples) {
        for seed in UInt64(0)..<12 {
            var random = SystematicNumbers(seed)
            let values = kind.values(&random)
            let histogram = histogram(values)
            for exponent in 0...63 {
                let due = values.count { $0 < 1 << UInt64(exponent) }
                #expect(histogram.count(belowPowerOfTwo: exponent) == due, "seed \(seed)")
            }
        }
    }

    @Test("is the same in whatever parts and order it is put together", arguments: kinds)
    fileprivate func merging(_ kind: Samples) {
        for seed in UInt64(0)..<10 {
            var random = SystematicNumbers(seed)
            let values = kind.values(&random) + Samples.everySize.values(&random)
            let whole = histogram(values)
            let order = shuffled(values, &random)
            #expect(histogram(order) == whole, "seed \(seed): another order")
            let merged = mergedAsATree(parts(of: order, &random).map { histogram($0) }, &random)
            #expect(merged == whole, "seed \(seed): merged")
            check(merged, against: values, "seed \(seed): merged")
        }
    }

    @Test(
        "has intervals that hold the order statistics, wider by what buckets hide alone",
        arguments: kinds)
    fileprivate func intervals(_ kind: Samples) {
        for seed in UInt64(0)..<10 {
            var random = SystematicNumbers(seed)
            let sorted = kind.values(&random).sorted()
            for percent in [1, 10, 50, 90, 99] {
                let share = Double(percent) / 100
                let ranks = Intervals.ranks95(ofQuantile: share, of: UInt64(sorted.count))
                let interval = histogram(sorted).quantile95(share)
                #expect((ranks == nil) == (interval == nil), "seed \(seed)")
                guard let ranks, let interval else { continue }
                let (low, high) = (sorted[Int(ranks.low) - 1], sorted[Int(ranks.high) - 1])
                #expect(interval.low <= low && low - interval.low <= low / 64, "seed \(seed)")
                #expect(
                    interval.high >= high && interval.high - high <= high / 64,
                    "seed \(seed), \(percent) %: \(interval.high) for \(high)")
            }
        }
    }

    @Test(
        "and one of values of either sign the same, also merged", arguments: 0..<30 as Range<UInt64>
    )
    func signed(_ seed: UInt64) {
        var random = SystematicNumbers(seed)
        let values = (0..<(1 + random.next(1_500))).map { _ -> Double in
            let size = Double(random.nextWord() >> UInt64(24 + random.next(40))) / 1_000
            let value = random.next(3) == 0 ? size.rounded() : size
            return random.next(2) == 0 ? -value : value
        }
        var whole = ValueHistogram()
        for value in values { whole.record(value) }
        let order = shuffled(values, &random)
        var pieces = parts(of: order, &random).map { part in
            var histogram = ValueHistogram()
            for value in part { histogram.record(value) }
            return histogram
        }
        while pieces.count > 1 {
            let one = pieces.remove(at: random.next(pieces.count))
            let place = random.next(pieces.count)
            pieces[place] = ValueHistogram(merging: pieces[place], one)
        }
        #expect(pieces == [whole], "seed \(seed)")
        let sorted = values.map { ($0 * 1_000).rounded() / 1_000 }.sorted()
        #expect(whole.min == sorted.first && whole.max == sorted.last, "seed \(seed)")
        for percent in Self.percents {
            let truth = sorted[max(1, (percent * sorted.count + 99) / 100) - 1]
            let told = whole.quantile(Double(percent) / 100) ?? .nan
            // Nearer to zero, if at all: wholes and thousandths have buckets of their own.
            #expect(
                abs(told) <= abs(truth) && abs(truth - told) <= abs(truth) / 64,
                "seed \(seed), \(percent) %: \(told) of \(truth)")
        }
    }

    private func check(
        _ histogram: LogLinearHistogram, against values: [UInt64], _ what: String
    ) {
        let sorted = values.sorted()
        #expect(histogram.count == UInt64(sorted.count), "\(what)")
        for percent in Self.percents {
            let told = histogram.quantile(Double(percent) / 100)
            guard !sorted.isEmpty else {
                #expect(told == nil, "\(what)")
                continue
            }
            let truth = sorted[max(1, (percent * sorted.count + 99) / 100) - 1]
            #expect(
                told.map { $0 <= truth && truth - $0 <= truth / 64 } == true,
                "\(what), \(percent) %: \(told as Any) of \(truth)")
        }
    }

    private func shuffled<Value>(
        _ values: [Value], _ random: inout SystematicNumbers
    ) -> [Value] {
        var values = values
        for index in values.indices.dropFirst() {
            values.swapAt(index, random.next(index + 1))
        }
        return values
    }

    /// One to seven of them; some are empty.
    private func parts<Value>(
        of values: [Value], _ random: inout SystematicNumbers
    ) -> [ArraySlice<Value>] {
        let cuts = (0..<random.next(7)).map { _ in random.next(values.count + 1) }.sorted()
        return zip([0] + cuts, cuts + [values.count]).map { values[$0..<$1] }
    }

    private func mergedAsATree(
        _ parts: [LogLinearHistogram], _ random: inout SystematicNumbers
    ) -> LogLinearHistogram {
        var parts = parts
        while parts.count > 1 {
            let one = parts.remove(at: random.next(parts.count))
            parts[random.next(parts.count)].merge(one)
        }
        return parts[0]
    }
}

@Suite("Ranks around a quantile")
struct QuantileRanksTests {
    @Test("are the order statistics whose share Wilson's interval allows")
    func wilson() throws {
        for share in [0.05, 0.5, 0.9, 0.99] {
            for count in (UInt64(0)...120).map({ $0 }) + [1_000, 4_321] {
                let allowed = (0...count).filter { hits in
                    Intervals.wilson95(hits, of: count).map { $0.low <= share && share <= $0.high }
                        ?? false
                }
                let ranks = Intervals.ranks95(ofQuantile: share, of: count)
                guard let low = allowed.first, let high = allowed.last, low > 0, high < count else {
                    #expect(ranks == nil, "\(share) of \(count)")
                    continue
                }
                #expect(ranks?.low == low && ranks?.high == high + 1, "\(share) of \(count)")
            }
        }
    }

    @Test("hold the quantile as often as they say, by the binomial law")
    func binomial() throws {
        for share in [0.5, 0.9] {
            var total = 0.0
            let counts = 100...400
            for count in counts {
                let ranks = try #require(
                    Intervals.ranks95(ofQuantile: share, of: UInt64(count)))
                let held = (Int(ranks.low)..<Int(ranks.high)).reduce(0) {
                    $0 + probability($1, of: count, share)
                }
                #expect(held > 0.92 && held < 0.975, "\(share) of \(count): \(held)")
                total += held
            }
            // On average over sizes, as Wilson's: here to a tenth of a percent.
            #expect(abs(total / Double(counts.count) - 0.95) < 0.002, "\(share): \(total)")
        }
    }

    private func probability(_ hits: Int, of count: Int, _ share: Double) -> Double {
        var result = 1.0
        var failures = count - hits
        // Multiplied in turn, so that it stays within the numbers there are.
        for hit in 0..<hits {
            result *= Double(count - hit) / Double(hits - hit) * share
            while result > 1, failures > 0 {
                result *= 1 - share
                failures -= 1
            }
        }
        while failures > 0 {
            result *= 1 - share
            failures -= 1
        }
        return result
    }
}
