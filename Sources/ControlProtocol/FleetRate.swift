/// How fast a fleet's simulated time runs.
public enum FleetRate: Equatable, Sendable, CustomStringConvertible {
    /// As fast as the machine can.
    case max
    /// Simulated seconds in one second of wall time, in `ratios`.
    case ratio(Double)

    public static let ratios: ClosedRange<Double> = 0.001...1_000_000

    /// Reads "max", "60x" or "0.5x"; nil for anything else, or a ratio out of `ratios`.
    public init?(_ text: String) {
        if text == "max" {
            self = .max
            return
        }
        let number = text.dropLast()
        // `Double` alone would take "nan", "0x1p3" and "1e3" too.
        let isPlain = number.utf8.allSatisfy {
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: ".")
        }
        guard text.hasSuffix("x"), text.utf8.count <= 32, isPlain, number.first != ".",
            number.last != ".", let ratio = Double(number), Self.ratios ~= ratio
        else { return nil }
        self = .ratio(ratio)
    }

    /// The form that `init` reads.
    public var description: String {
        switch self {
        case .max: "max"
        case .ratio(let ratio):
            (ratio.description.hasSuffix(".0")
                ? String(ratio.description.dropLast(2)) : ratio.description) + "x"
        }
    }
}
