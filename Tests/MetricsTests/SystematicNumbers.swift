/// Seeded numbers for property tests, independent of the product's own.
struct SystematicNumbers {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 }

    /// SplitMix64 (Sebastiano Vigna, public domain).
    mutating func nextWord() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
        return word ^ word >> 31
    }

    /// In 0 ..< `bound`. The modulo's bias is too small to matter here.
    mutating func next(_ bound: Int) -> Int { Int(nextWord() % UInt64(bound)) }
}
