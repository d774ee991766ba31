/// Histograms as whole numbers, for files: exact, and without what is empty.
extension LogLinearHistogram {
    /// The least and the most value, then each bucket that holds something and its count; nothing
    /// where the histogram is empty.
    public var words: [UInt64] {
        guard let (least, most) = extremes else { return [] }
        return counts.indices.reduce(into: [least, most]) { words, bucket in
            if counts[bucket] > 0 { words += [UInt64(bucket), counts[bucket]] }
        }
    }

    /// - Parameter sumMax: how many values it may hold.
    /// - Returns: nil where no histogram has these words.
    public init?(words: [UInt64], sumMax: UInt64) {
        self.init()
        guard !words.isEmpty else { return }
        // Both extremes lie in buckets that hold something, and so do all others between them.
        guard words.count >= 4, words.count.isMultiple(of: 2), words[0] <= words[1] else {
            return nil
        }
        let last = Self.bucket(of: words[1])
        var next = Self.bucket(of: words[0])
        guard words[2] == UInt64(next), words[words.count - 2] == UInt64(last) else { return nil }
        var buckets = [UInt64](repeating: 0, count: last + 1)
        var sum: UInt64 = 0
        for place in stride(from: 2, to: words.count, by: 2) {
            let (bucket, count) = (words[place], words[place + 1])
            guard bucket >= UInt64(next), bucket <= UInt64(last), count > 0,
                count <= sumMax - sum
            else { return nil }
            buckets[Int(bucket)] = count
            (next, sum) = (Int(bucket) + 1, sum + count)
        }
        self.init(counts: buckets, count: sum, least: words[0], most: words[1])
    }
}

extension ValueHistogram {
    /// Negative and positive whole values, then negative and positive thousandths of the others:
    /// each as magnitudes.
    public var words: [[UInt64]] {
        [wholes.negative.words, wholes.positive.words, parts.negative.words, parts.positive.words]
    }

    /// The sum of all values in thousandths: all that `words` leaves out.
    public var thousandths: Int128 { total }

    /// - Parameters:
    ///   - thousandths: the sum of all values.
    ///   - sumMax: how many values it may hold.
    /// - Returns: nil where no histogram has these words.
    public init?(words: [[UInt64]], thousandths: Int128, sumMax: UInt64) {
        let read = words.compactMap { LogLinearHistogram(words: $0, sumMax: sumMax) }
        guard words.count == 4, read.count == 4 else { return nil }
        let wholeMax = UInt64(Self.magnitudeMax)
        let most = read.map { $0.extremes?.most ?? 0 }
        guard most.prefix(2).allSatisfy({ $0 <= wholeMax }),
            most.suffix(2).allSatisfy({ $0 <= wholeMax * 1_000 })
        else { return nil }
        self.init(
            wholes: Signed(negative: read[0], positive: read[1]),
            parts: Signed(negative: read[2], positive: read[3]), total: thousandths)
        let bound = UInt128(count) * UInt128(wholeMax) * 1_000
        guard thousandths.magnitude <= bound else { return nil }
    }

    private init(wholes: Signed, parts: Signed, total: Int128) {
        self.init()
        (self.wholes, self.parts, self.total) = (wholes, parts, total)
        for (values, unit) in [(wholes, Int64(1_000)), (parts, 1)] {
            if let (near, far) = values.negative.extremes {
                reach(-Int64(far) * unit, -Int64(near) * unit)
            }
            if let (near, far) = values.positive.extremes {
                reach(Int64(near) * unit, Int64(far) * unit)
            }
        }
    }
}
