import Testing

@testable import SimPrimitives

@Suite("Draws by ziggurat")
struct DistributionTests {
    static let count = 400_000

    func stream(_ seed: UInt64 = 1) -> RandomStream {
        RandomStream(seed: seed, device: DeviceID(0), purpose: .noise, occasion: 0)
    }

    @Test("have layers of equal area that end at the top", arguments: [false, true])
    func layers(_ isNormal: Bool) {
        let layers = isNormal ? Ziggurat.normal : Ziggurat.exponential
        #expect(layers.right.count == 257 && layers.top.count == 257)
        #expect(layers.right[256] == 0 && layers.top[256] == 1)
        let area = layers.right[0] * layers.top[1]
        for layer in 1..<256 {
            #expect(layers.right[layer] < layers.right[layer - 1])
            let height = layers.top[layer + 1] - layers.top[layer]
            #expect(abs(layers.right[layer] * height - area) < 1e-12, "layer \(layer)")
        }
    }

    @Test("of the exponential distribution have its mean, variance, quantiles and tail")
    func exponential() {
        var stream = stream()
        let draws = (0..<Self.count).map { _ in stream.exponential() }
        let mean = draws.reduce(0, +) / Double(Self.count)
        let variance = draws.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(Self.count)
        #expect(abs(mean - 1) < 0.0064)  // Four deviations of the mean.
        #expect(abs(variance - 1) < 0.018)
        #expect(draws.allSatisfy { $0 >= 0 })
        for x in [0.01, 0.1, 0.5, 1, 2, 4, 7, 8, 9] {
            expect(draws.count { $0 > x }, share: Elementary.exp(-x), "beyond \(x)")
        }
    }

    @Test("of the normal distribution have its mean, variance, quantiles and tail")
    func normal() {
        var stream = stream(2)
        let draws = (0..<Self.count).map { _ in stream.normal() }
        let mean = draws.reduce(0, +) / Double(Self.count)
        let variance = draws.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(Self.count)
        #expect(abs(mean) < 0.0064)
        #expect(abs(variance - 1) < 0.009)
        // Shares beyond x on one side, from tables of the normal distribution.
        let shares = [
            (0.0, 0.5), (0.5, 0.308537538726), (1, 0.158655253931), (2, 0.022750131948),
            (3, 0.001349898032), (3.7, 0.000107799733), (4, 0.000031671242),
        ]
        for (x, share) in shares {
            expect(draws.count { $0 > x }, share: share, "beyond \(x)")
            expect(draws.count { $0 < -x }, share: share, "beyond -\(x)")
        }
    }

    /// The share of the draws, within four standard deviations and half a draw.
    private func expect(_ hits: Int, share: Double, _ what: String) {
        let expected = share * Double(Self.count)
        let deviation = (expected * (1 - share)).squareRoot()
        #expect(abs(Double(hits) - expected) <= 4 * deviation + 0.5, "\(what): \(hits)")
    }

    /// What a second implementation, in Python over the same SLEEF, gave as well: the bits are part
    /// of the replay format.
    @Test("are the same to the last bit everywhere")
    func knownAnswers() {
        var (exponential, normal) = (stream(7), stream(7))
        let first = (0..<4).map { _ in exponential.exponential() }
        let second = (0..<4).map { _ in normal.normal() }
        #expect(
            first.map(\.bitPattern) == [
                4_614_801_780_342_160_123, 4_612_131_968_329_772_683, 4_592_222_767_160_616_661,
                4_591_431_400_212_100_207,
            ])
        #expect(
            second.map(\.bitPattern) == [
                4_611_818_622_291_666_693, 4_610_237_286_007_279_924, 4_594_443_624_237_984_834,
                13_818_455_037_006_134_853,
            ])
        // A draw may take several numbers: a digest of many reaches every branch.
        var digest: UInt64 = 0
        for _ in 0..<20_000 {
            digest = digest &* 6_364_136_223_846_793_005 &+ exponential.exponential().bitPattern
            digest = digest &* 6_364_136_223_846_793_005 &+ normal.normal().bitPattern
        }
        #expect(digest == 4_635_379_333_174_923_793)
    }

    @Test("scale with the mean")
    func scaled() {
        var (left, right) = (stream(), stream())
        #expect(left.exponential(mean: 86_400) == 86_400 * right.exponential())
        #expect(left.exponential(mean: 0) == 0)
    }
}
