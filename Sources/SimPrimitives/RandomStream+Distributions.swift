/// Draws of other shapes than the uniform one. Scripts draw from these too, so that there is one
/// implementation; its bits are part of the replay format.
extension RandomStream {
    /// A number above 0 that is exponentially distributed.
    ///
    /// - Parameter mean: at least 0 and finite.
    @inlinable
    public mutating func exponential(mean: Double) -> Double { mean * exponential() }

    /// An exponentially distributed number of mean 1.
    ///
    /// Source: George Marsaglia and Wai Wan Tsang, "The Ziggurat Method for Generating Random
    /// Variables" (Journal of Statistical Software 5, 2000). The layer and the place in it come
    /// from different bits: Jurgen Doornik, "An Improved Ziggurat Method" (2005).
    public mutating func exponential() -> Double {
        let layers = Ziggurat.exponential
        var beyond = 0.0
        while true {
            let bits = next()
            let layer = Int(bits & 0xFF)
            let x = Double(bits >> 11) * 0x1p-53 * layers.right[layer]
            if x < layers.right[layer + 1] { return beyond + x }
            if layer == 0 {
                // Past the tail's beginning the distribution is itself again.
                beyond += Ziggurat.exponentialTail
            } else {
                let y = layers.top[layer] + uniform() * (layers.top[layer + 1] - layers.top[layer])
                if y < Elementary.exp(-x) { return beyond + x }
            }
        }
    }

    /// A normally distributed number of mean 0 and standard deviation 1. Source: as above.
    public mutating func normal() -> Double {
        let layers = Ziggurat.normal
        while true {
            let bits = next()
            let layer = Int(bits & 0xFF)
            let sign = bits & 0x100 == 0 ? 1.0 : -1.0
            let x = Double(bits >> 11) * 0x1p-53 * layers.right[layer]
            if x < layers.right[layer + 1] { return sign * x }
            if layer == 0 {
                return sign * normalTail()
            } else {
                let y = layers.top[layer] + uniform() * (layers.top[layer + 1] - layers.top[layer])
                if y < Elementary.exp(-0.5 * x * x) { return sign * x }
            }
        }
    }

    /// A number past the beginning of the normal distribution's tail.
    ///
    /// Source: George Marsaglia, "Generating a Variable from the Tail of the Normal Distribution"
    /// (Technometrics 6, 1964).
    private mutating func normalTail() -> Double {
        while true {
            let x = -Elementary.log(1 - uniform()) / Ziggurat.normalTail
            let y = -Elementary.log(1 - uniform())
            if y + y > x * x { return Ziggurat.normalTail + x }
        }
    }
}

/// 256 layers of equal area over the right half of a density whose top is 1.
///
/// Layer 0 is the lowest and holds the tail; its right edge is that of a box of the same area.
struct Ziggurat: Sendable {
    static let layerCount = 256
    /// Where each layer ends, from the lowest to the highest, and then 0.
    let right: [Double]
    /// The density at `right`: where each layer begins.
    let top: [Double]

    /// Where the tails begin, for 256 layers: the solutions of Marsaglia and Tsang's equation.
    static let exponentialTail = 7.697_117_470_131_050
    static let normalTail = 3.654_152_885_361_009

    static let exponential = Ziggurat(
        tail: exponentialTail, area: (exponentialTail + 1) * Elementary.exp(-exponentialTail),
        density: { Elementary.exp(-$0) }, inverse: { -Elementary.log($0) })

    static let normal = Ziggurat(
        tail: normalTail, area: 0.004_928_673_233_974_655,
        density: { Elementary.exp(-0.5 * $0 * $0) },
        inverse: { (-2 * Elementary.log($0)).squareRoot() })

    private init(
        tail: Double, area: Double, density: (Double) -> Double, inverse: (Double) -> Double
    ) {
        var right = [area / density(tail), tail]
        for layer in 1..<(Self.layerCount - 1) {
            right.append(inverse(area / right[layer] + density(right[layer])))
        }
        right.append(0)
        self.right = right
        top = [0] + right.dropFirst().map(density)
    }
}
