/// Intervals for shares.
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
}
