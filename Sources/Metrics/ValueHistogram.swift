/// Numbers of either sign, to a thousandth: their count, mean and extremes exactly, quantiles to
/// one part in 64. Integers alone, so merging is exact and order-free.
public struct ValueHistogram: Hashable, Sendable {
    /// Magnitudes of values.
    public static let magnitudeMax = 1e12

    /// Of thousandths; zero is not negative.
    private var negative = LogLinearHistogram()
    private var others = LogLinearHistogram()
    /// Of thousandths: 2⁶⁴ values of the largest magnitude fit.
    private var total: Int128 = 0
    private var least = Int64.max
    private var most = Int64.min

    public init() {}

    /// - Precondition: `value` is a number of at most `magnitudeMax`.
    public mutating func record(_ value: Double) {
        precondition(abs(value) <= Self.magnitudeMax, "a histogram's values have a limit")
        let thousandths = Int64((value * 1_000).rounded())
        if thousandths < 0 {
            negative.record(thousandths.magnitude)
        } else {
            others.record(thousandths.magnitude)
        }
        total += Int128(thousandths)
        least = Swift.min(least, thousandths)
        most = Swift.max(most, thousandths)
    }

    public init(merging one: ValueHistogram, _ other: ValueHistogram) {
        self = one
        negative.merge(other.negative)
        others.merge(other.others)
        total += other.total
        least = Swift.min(least, other.least)
        most = Swift.max(most, other.most)
    }

    public var count: UInt64 { negative.count + others.count }

    /// Nil if empty, as the others are.
    public var mean: Double? { count == 0 ? nil : Double(total) / Double(count) / 1_000 }
    public var min: Double? { count == 0 ? nil : Double(least) / 1_000 }
    public var max: Double? { count == 0 ? nil : Double(most) / 1_000 }

    /// The value of rank ⌈`share` × count⌉, or one that is nearer to zero by one part in 64.
    ///
    /// - Precondition: `share` lies in 0 ... 1.
    public func quantile(_ share: Double) -> Double? {
        precondition(share >= 0 && share <= 1, "a quantile's share lies in 0 ... 1")
        guard count > 0 else { return nil }
        let rank = Swift.max(1, UInt64((share * Double(count)).rounded(.up)))
        if rank <= negative.count {
            return negative.value(ofRank: negative.count - rank + 1).map { -Double($0) / 1_000 }
        }
        return others.value(ofRank: rank - negative.count).map { Double($0) / 1_000 }
    }
}
