/// Counts of values in buckets that grow with them: 64 to each doubling, so a quantile is too small
/// by at most `relativeError` of the true one. Integers alone, so merging is exact and order-free.
///
/// Empty until the first value: most histograms of a large fleet stay so.
public struct LogLinearHistogram: Hashable, Sendable {
    /// How much of a value its bucket may hide: quantiles are that much too small at most, and
    /// exact below 128. What reports state.
    public static let relativeError = 1 / Double(subCount)

    private static let subBits = 6
    private static let subCount: UInt64 = 1 << 6

    private(set) var counts: [UInt64] = []
    public private(set) var count: UInt64 = 0
    /// The extremes, exactly: a quantile never lies outside them.
    private var least = UInt64.max
    private var most: UInt64 = 0

    public init() {}

    /// - Precondition: `count` is the sum of `counts`, the last of which is not 0.
    init(counts: [UInt64], count: UInt64, least: UInt64, most: UInt64) {
        (self.counts, self.count, self.least, self.most) = (counts, count, least, most)
    }

    /// Nil if empty.
    var extremes: (least: UInt64, most: UInt64)? { count == 0 ? nil : (least, most) }

    public mutating func record(_ value: UInt64) {
        let bucket = Self.bucket(of: value)
        if bucket >= counts.count {
            counts.append(contentsOf: repeatElement(0, count: bucket + 1 - counts.count))
        }
        counts[bucket] += 1
        count += 1
        least = min(least, value)
        most = max(most, value)
    }

    public mutating func merge(_ other: LogLinearHistogram) {
        if counts.count < other.counts.count {
            counts.append(
                contentsOf: repeatElement(0, count: other.counts.count - counts.count))
        }
        for bucket in other.counts.indices { counts[bucket] += other.counts[bucket] }
        count += other.count
        least = min(least, other.least)
        most = max(most, other.most)
    }

    /// The least value of the bucket that holds the value of rank ⌈`share` × count⌉, and within the
    /// least and the most that were recorded; nil if empty.
    ///
    /// - Precondition: `share` lies in 0 ... 1.
    public func quantile(_ share: Double) -> UInt64? {
        precondition(share >= 0 && share <= 1, "a quantile's share lies in 0 ... 1")
        guard count > 0 else { return nil }
        return values(ofRank: max(1, UInt64((share * Double(count)).rounded(.up)))).least
    }

    /// Order-statistic limits of the quantile `share`, 95 %, as `Intervals.ranks95` has them; nil
    /// where there are too few values. Rounded outward to the ends of their buckets, so what the
    /// buckets hide makes it wider and never misses.
    ///
    /// - Precondition: `share` lies between 0 and 1.
    public func quantile95(_ share: Double) -> (low: UInt64, high: UInt64)? {
        guard let ranks = Intervals.ranks95(ofQuantile: share, of: count) else { return nil }
        return (values(ofRank: ranks.low).least, values(ofRank: ranks.high).most)
    }

    /// Between which the value of rank `rank` lies: its bucket, within what was recorded.
    private func values(ofRank rank: UInt64) -> (least: UInt64, most: UInt64) {
        var seen: UInt64 = 0
        for bucket in counts.indices {
            seen += counts[bucket]
            if seen >= rank {
                return (max(Self.least(of: bucket), least), min(Self.most(of: bucket), most))
            }
        }
        preconditionFailure("a rank is at most the number of values")
    }

    /// How many values are less than 2 to the `exponent`: exact, for a bucket begins there.
    ///
    /// - Precondition: `exponent` lies in 0 ... 63.
    public func count(belowPowerOfTwo exponent: Int) -> UInt64 {
        counts.prefix(Self.bucket(of: 1 << UInt64(exponent))).reduce(0, +)
    }

    /// What its buckets hold, each by its least value.
    var buckets: [(least: UInt64, count: UInt64)] {
        counts.indices.compactMap { counts[$0] > 0 ? (Self.least(of: $0), counts[$0]) : nil }
    }

    static func bucket(of value: UInt64) -> Int {
        guard value >= subCount else { return Int(value) }
        let shift = 63 - value.leadingZeroBitCount - subBits
        return Int(UInt64(shift + 1) * subCount + (value >> UInt64(shift) - subCount))
    }

    private static func least(of bucket: Int) -> UInt64 {
        let (octave, sub) = UInt64(bucket).quotientAndRemainder(dividingBy: subCount)
        return octave == 0 ? sub : (subCount + sub) << (octave - 1)
    }

    private static func most(of bucket: Int) -> UInt64 {
        let octave = UInt64(bucket) / subCount
        return octave == 0 ? least(of: bucket) : least(of: bucket) | (1 << (octave - 1) - 1)
    }
}
