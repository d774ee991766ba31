import SimPrimitives

/// What thresholds and `end_when` say of one arm of a fleet, with every name resolved.
public indirect enum FleetCondition: Hashable, Sendable {
    case constant(Bool)
    case all([FleetCondition])
    case any([FleetCondition])
    case not(FleetCondition)
    case comparison(FleetComparison)
}

/// One figure of an arm against a number.
public struct FleetComparison: Hashable, Sendable {
    public var quantity: FleetQuantity
    public var comparison: Comparison
    public var bound: Double
    /// The quantity as the scenario writes it.
    public var text: String

    public init(
        _ quantity: FleetQuantity, _ comparison: Comparison, _ bound: Double, text: String
    ) {
        (self.quantity, self.comparison) = (quantity, comparison)
        (self.bound, self.text) = (bound, text)
    }
}

public enum FleetQuantity: Hashable, Sendable {
    /// Devices with the app installed for which the condition holds now.
    case count(DeviceCondition)
    /// Their part of all devices with the app installed; without any there is no value.
    case share(DeviceCondition)
    /// Devices that have reached a step of a funnel: indices into `Scenario.funnels` and its steps.
    case reached(funnel: Int, step: Int)
    /// Their part of all devices.
    case reachedShare(funnel: Int, step: Int)
    /// Seconds from the step before, of those who reached the step, at this quantile (0 ... 1).
    case seconds(quantile: Double, funnel: Int, step: Int)
    case scriptFailures
    /// The local day of the scenario, from 0.
    case day
}

/// A condition that a run must meet at its end.
public struct Threshold: Hashable, Sendable {
    /// As the scenario has it.
    public var text: String
    public var condition: FleetCondition

    public init(text: String, condition: FleetCondition) {
        (self.text, self.condition) = (text, condition)
    }
}

/// How one threshold came out, with what it was judged by.
public struct Judgement: Sendable {
    /// One comparison of the threshold.
    public struct Part: Sendable {
        public var comparison: FleetComparison
        /// It stands under a `not`: the right side is the other one.
        public var isNegated: Bool
        /// Nil where there is no value: a share or a quantile of nothing. No comparison holds then.
        public var value: Double?

        /// By how much the value lies on the right side of the bound; below 0 on the wrong one.
        /// Nil without a value and for `!=`, of which any distance is right.
        public var margin: Double? {
            guard let value else { return nil }
            let sign: Double = isNegated ? -1 : 1
            switch comparison.comparison {
            case .greater, .greaterOrEqual: return sign * (value - comparison.bound)
            case .less, .lessOrEqual: return sign * (comparison.bound - value)
            case .equal: return isNegated ? nil : -abs(value - comparison.bound)
            case .notEqual: return isNegated ? -abs(value - comparison.bound) : nil
            }
        }
    }

    public var text: String
    public var isMet: Bool
    public var parts: [Part]
}

extension FleetCondition {
    /// - Parameter value: what a quantity is now.
    public func holds(_ value: (FleetQuantity) -> Double?) -> Bool {
        switch self {
        case .constant(let constant): constant
        case .all(let parts): parts.allSatisfy { $0.holds(value) }
        case .any(let parts): parts.contains { $0.holds(value) }
        case .not(let part): !part.holds(value)
        case .comparison(let part):
            value(part.quantity).map { part.comparison.holds($0, part.bound) } ?? false
        }
    }

    /// Every comparison, in the order of the text, and whether it stands under a `not`.
    func comparisons(isNegated: Bool = false) -> [(comparison: FleetComparison, isNegated: Bool)] {
        switch self {
        case .constant: []
        case .all(let parts), .any(let parts):
            parts.flatMap { $0.comparisons(isNegated: isNegated) }
        case .not(let part): part.comparisons(isNegated: !isNegated)
        case .comparison(let part): [(part, isNegated)]
        }
    }
}

extension Threshold {
    public func judged(_ value: (FleetQuantity) -> Double?) -> Judgement {
        Judgement(
            text: text, isMet: condition.holds(value),
            parts: condition.comparisons().map { comparison, isNegated in
                Judgement.Part(
                    comparison: comparison, isNegated: isNegated,
                    value: value(comparison.quantity))
            })
    }
}
