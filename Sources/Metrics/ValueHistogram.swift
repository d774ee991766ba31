/// Numbers of either sign, to a thousandth: their count, mean and extremes exactly, quantiles to
/// one part in 64, and exactly where they are whole and below 128. Integers alone, so merging is
/// exact and order-free.
public struct ValueHistogram: Hashable, Sendable {
    /// Of values, without their sign.
    public static let magnitudeMax = 1e12

    /// Whole values by magnitude, and thousandths of the others. Zero counts as positive.
    var wholes = Signed()
    var parts = Signed()
    /// Of thousandths: 2⁶⁴ values of the largest magnitude fit.
    var total: Int128 = 0
    private var least = Int64.max
    private var most = Int64.min

    struct Signed: Hashable, Sendable {
        var negative = LogLinearHistogram()
        var positive = LogLinearHistogram()

        mutating func record(_ value: Int64) {
            if value < 0 {
                negative.record(value.magnitude)
            } else {
                positive.record(value.magnitude)
            }
        }

        mutating func merge(_ other: Signed) {
            negative.merge(other.negative)
            positive.merge(other.positive)
        }

        var count: UInt64 { negative.count + positive.count }

        func buckets(of unit: Double) -> [(value: Double, count: UInt64)] {
            negative.buckets.map { (-Double($0.least) / unit, $0.count) }
                + positive.buckets.map { (Double($0.least) / unit, $0.count) }
        }
    }

    public init() {}

    public init(merging one: ValueHistogram, _ other: ValueHistogram) {
        self = one
        wholes.merge(other.wholes)
        parts.merge(other.parts)
        total += other.total
        least = Swift.min(least, other.least)
        most = Swift.max(most, other.most)
    }

    /// - Precondition: `value` is a number of at most `magnitudeMax`.
    public mutating func record(_ value: Double) {
        precondition(abs(value) <= Self.magnitudeMax, "a histogram's values have a limit")
        let thousandths = Int64((value * 1_000).rounded())
        if thousandths.isMultiple(of: 1_000) {
            wholes.record(thousandths / 1_000)
        } else {
            parts.record(thousandths)
        }
        total += Int128(thousandths)
        least = Swift.min(least, thousandths)
        most = Swift.max(most, thousandths)
    }

    /// Widens the extremes.
    mutating func reach(_ low: Int64, _ high: Int64) {
        least = Swift.min(least, low)
        most = Swift.max(most, high)
    }

    public var count: UInt64 { wholes.count + parts.count }

    /// Nil if empty, as the others are.
    public var mean: Double? { count == 0 ? nil : Double(total) / Double(count) / 1_000 }
    public var min: Double? { count == 0 ? nil : Double(least) / 1_000 }
    public var max: Double? { count == 0 ? nil : Double(most) / 1_000 }

    /// The value of rank ⌈`share` × count⌉, or one that is nearer to zero by at most a part in 64.
    ///
    /// - Precondition: `share` lies in 0 ... 1.
    public func quantile(_ share: Double) -> Double? {
        precondition(share >= 0 && share <= 1, "a quantile's share lies in 0 ... 1")
        guard let min, let max else { return nil }
        let rank = Swift.max(1, UInt64((share * Double(count)).rounded(.up)))
        let buckets = (wholes.buckets(of: 1) + parts.buckets(of: 1_000)).sorted {
            $0.value < $1.value
        }
        var seen: UInt64 = 0
        for bucket in buckets {
            seen += bucket.count
            if seen >= rank { return Swift.min(Swift.max(bucket.value, min), max) }
        }
        return nil  // Unreachable: the counts sum to `count`.
    }
}
