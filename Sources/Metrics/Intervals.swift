/// Intervals for shares, for differences of shares, and for quantiles.
public enum Intervals {
    /// The normal quantile of 0.975.
    public static let z95 = 1.959963984540054

    /// Wilson's score interval for `count` of `total`, 95 %; nil when `total` is 0.
    ///
    /// Source: E. B. Wilson, "Probable inference, the law of succession, and statistical
    /// inference", JASA 22 (1927). Unlike the textbook interval it stays within 0 ... 1 and keeps
    /// its promise for rare events.
    public static func wilson95(_ count: UInt64, of total: UInt64) -> (low: Double, high: Double)? {
        guard total > 0 else { return nil }
        let (n, p, z2) = (Double(total), Double(count) / Double(total), z95 * z95)
        let center = (p + z2 / (2 * n)) / (1 + z2 / n)
        let half = z95 / (1 + z2 / n) * (p * (1 - p) / n + z2 / (4 * n * n)).squareRoot()
        return (
            count == 0 ? 0 : max(0, center - half), count == total ? 1 : min(1, center + half)
        )
    }

    /// Which of `count` values in order bound the quantile `share`, 95 %: ranks from 1; nil where
    /// there are too few values for both.
    ///
    /// An instant is within if Wilson's test of the share of values up to it does not refuse
    /// `share`, so both keep the same promise: 95 % on average over sizes, and whatever the
    /// distribution.
    ///
    /// Source: W. J. Conover, "Practical Nonparametric Statistics", 3rd edition (1999), section
    /// 3.2, with the score test for the binomial one.
    ///
    /// - Precondition: `share` lies between 0 and 1.
    public static func ranks95(
        ofQuantile share: Double, of count: UInt64
    ) -> (low: UInt64, high: UInt64)? {
        precondition(share > 0 && share < 1, "a quantile with an interval lies between 0 and 1")
        let (n, p) = (Double(count), share)
        let half = z95 * (n * p * (1 - p)).squareRoot()
        let (low, high) = ((n * p - half).rounded(.up), (n * p + half).rounded(.down) + 1)
        guard low >= 1, high <= n else { return nil }
        return (UInt64(low), UInt64(high))
    }

    /// Newcombe's hybrid score interval for the difference of two paired shares, 95 %: the share of
    /// `first` less that of `second`, of the same subjects; nil without any.
    ///
    /// Source: R. G. Newcombe, "Improved confidence intervals for the difference between binomial
    /// proportions based on paired data", Statistics in Medicine 17 (1998), method 10: Wilson's
    /// limits of each share, joined by the correlation of the pairs with its continuity correction.
    ///
    /// - Parameter pairs: how many subjects did both, one alone, or neither.
    public static func newcombe95(_ pairs: PairedCounts) -> (low: Double, high: Double)? {
        newcombe95(pairs, correlation: correlation(pairs))
    }

    /// The interval as if the subjects of the two treatments had been two separate groups: what
    /// pairing is to be held against.
    ///
    /// Source: R. G. Newcombe, "Interval estimation for the difference between independent
    /// proportions", Statistics in Medicine 17 (1998), method 10: the same without a correlation.
    public static func unpairedNewcombe95(
        _ pairs: PairedCounts
    ) -> (low: Double, high: Double)? {
        newcombe95(pairs, correlation: 0)
    }

    private static func newcombe95(
        _ pairs: PairedCounts, correlation phi: Double
    ) -> (low: Double, high: Double)? {
        guard let first = wilson95(pairs.both + pairs.onlyFirst, of: pairs.total),
            let second = wilson95(pairs.both + pairs.onlySecond, of: pairs.total)
        else { return nil }
        let (p1, p2) = (pairs.first, pairs.second)
        let difference = p1 - p2
        func distance(_ a: Double, _ b: Double) -> Double {
            max(0, a * a - 2 * phi * a * b + b * b).squareRoot()
        }
        return (
            max(-1, difference - distance(p1 - first.low, second.high - p2)),
            min(1, difference + distance(first.high - p1, p2 - second.low))
        )
    }

    /// The phi of method 10: a positive one is corrected for continuity.
    private static func correlation(_ pairs: PairedCounts) -> Double {
        let (a, b) = (Double(pairs.both), Double(pairs.onlyFirst))
        let (c, d) = (Double(pairs.onlySecond), Double(pairs.neither))
        let margins = (a + b) * (c + d) * (a + c) * (b + d)
        guard margins > 0 else { return 0 }
        let product = a * d - b * c
        let corrected = product > 0 ? max(product - Double(pairs.total) / 2, 0) : product
        return corrected / margins.squareRoot()
    }
}

/// Subjects by what they did under two treatments, each under both.
public struct PairedCounts: Hashable, Sendable {
    public var both: UInt64
    public var onlyFirst: UInt64
    public var onlySecond: UInt64
    public var neither: UInt64

    public init(
        both: UInt64 = 0, onlyFirst: UInt64 = 0, onlySecond: UInt64 = 0, neither: UInt64 = 0
    ) {
        (self.both, self.onlyFirst) = (both, onlyFirst)
        (self.onlySecond, self.neither) = (onlySecond, neither)
    }

    public var total: UInt64 { both + onlyFirst + onlySecond + neither }

    /// The share under the first treatment; 0 without subjects.
    public var first: Double { share(both + onlyFirst) }
    public var second: Double { share(both + onlySecond) }

    /// The share under the first treatment less that under the second.
    public var difference: Double {
        total == 0 ? 0 : (Double(onlyFirst) - Double(onlySecond)) / Double(total)
    }

    /// By how much pairing narrows the comparison: the variance of the difference between two
    /// separate groups of this size over that of the pairs; nil where no pair differs.
    public var varianceRatio: Double? {
        let (p1, p2, delta) = (first, second, difference)
        let paired = share(onlyFirst + onlySecond) - delta * delta
        guard paired > 0 else { return nil }
        return (p1 * (1 - p1) + p2 * (1 - p2)) / paired
    }

    public mutating func count(first: Bool, second: Bool) {
        switch (first, second) {
        case (true, true): both += 1
        case (true, false): onlyFirst += 1
        case (false, true): onlySecond += 1
        case (false, false): neither += 1
        }
    }

    public mutating func merge(_ other: PairedCounts) {
        both += other.both
        onlyFirst += other.onlyFirst
        onlySecond += other.onlySecond
        neither += other.neither
    }

    private func share(_ count: UInt64) -> Double {
        total == 0 ? 0 : Double(count) / Double(total)
    }
}
