import Metrics
import Testing

@Suite("A histogram as words")
struct HistogramWordsTests {
    @Test("comes back the same", arguments: 0..<50)
    func same(_ seed: Int) throws {
        var random = Dice(state: UInt64(seed))
        var (counts, values) = (LogLinearHistogram(), ValueHistogram())
        for _ in 0..<seed * 3 {
            counts.record(random.next() >> (random.next() % 64))
            let value = Double(Int64(bitPattern: random.next()) >> (24 + random.next() % 40))
            values.record(random.next() % 2 == 0 ? value : value / 1_000)
        }
        #expect(LogLinearHistogram(words: counts.words, sumMax: 1_000) == counts)
        #expect(
            ValueHistogram(
                words: values.words, thousandths: values.thousandths, sumMax: 1_000) == values)
    }

    @Test(
        "is refused where no values have them",
        arguments: [
            [1], [1, 2], [5, 5, 4, 1], [5, 5, 5, 0], [6, 5, 5, 1], [5, 6, 5, 1],
            [5, 6, 5, 1, 7, 1],
            [5, 6, 6, 1, 5, 1], [5, 6, 5, 1, 6], [5, 5, 5, 11], [5, 6, 5, 9, 6, 9],
            [5, 5, 18_446_744_073_709_551_615, 1],
        ] as [[UInt64]])
    func refused(_ words: [UInt64]) {
        #expect(LogLinearHistogram(words: words, sumMax: 10) == nil)
        #expect(ValueHistogram(words: [[], words, [], []], thousandths: 0, sumMax: 10) == nil)
    }

    private struct Dice {
        var state: UInt64

        /// Source: SplitMix64 (Sebastiano Vigna, public domain).
        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var word = state
            word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
            word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
            return word ^ word >> 31
        }
    }
}
