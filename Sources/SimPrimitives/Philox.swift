/// Philox 4x32-10: a counter and a key give 128 random bits, with no state in between.
///
/// Source: John Salmon, Mark Moraes, Ron Dror, David Shaw, "Parallel Random Numbers: As Easy as
/// 1, 2, 3" (SC 2011). Checked against the authors' known answers (Random123) in `PhiloxTests`.
public enum Philox {
    public typealias Counter = SIMD4<UInt32>
    public typealias Key = SIMD2<UInt32>

    /// The 128 bits that belong to `counter` under `key`.
    @inlinable
    @inline(__always)
    public static func bits(_ counter: Counter, key: Key) -> Counter {
        var (word0, word1, word2, word3) = (counter.x, counter.y, counter.z, counter.w)
        var (key0, key1) = (key.x, key.y)
        for _ in 0..<10 {
            let left = word0.multipliedFullWidth(by: 0xD251_1F53)
            let right = word2.multipliedFullWidth(by: 0xCD9E_8D57)
            (word0, word1) = (right.high ^ word1 ^ key0, right.low)
            (word2, word3) = (left.high ^ word3 ^ key1, left.low)
            key0 &+= 0x9E37_79B9  // The golden ratio, and the square root of 3 less 1.
            key1 &+= 0xBB67_AE85
        }
        return Counter(word0, word1, word2, word3)
    }
}
