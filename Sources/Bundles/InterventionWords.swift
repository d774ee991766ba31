import JSONText
import SimPrimitives
import Simulation

/// An intervention as a client asks for it, and as journals keep it: in the words of scenarios.
public struct InterventionWords: Sendable {
    /// The word of `do`.
    public var action: String
    public var value: Bundle.RequestedValue?
    public var condition: String?
    public var share: Double

    public init(
        do action: String, value: Bundle.RequestedValue? = nil, where condition: String? = nil,
        share: Double = 1
    ) {
        (self.action, self.value) = (action, value)
        (self.condition, self.share) = (condition, share)
    }

    /// JSON on one line: `{"do":"settings","value":"never","where":"…","share":0.5}`.
    public var text: String {
        JSONLine.object {
            $0.member("do", action)
            switch value {
            case nil: break
            case .string(let text): $0.member("value", text)
            case .number(let number): $0.member("value", number)
            case .bool(let bool): $0.member("value", bool)
            case .null: $0.member("value", nil as String?)
            }
            if let condition { $0.member("where", condition) }
            $0.member("share", share)
        }
    }

    /// Reads what `text` writes; nil for anything else.
    public init?(_ node: JSONNode) {
        guard let action = node["do"]?.string,
            let share = node["share"]?.number.flatMap(Double.init)
        else { return nil }
        (self.action, self.share) = (action, share)
        condition = node["where"]?.string
        switch node["value"]?.value {
        case nil: value = nil
        case .string(let text)?: value = .string(text)
        case .number(let text)?:
            guard let number = Double(text) else { return nil }
            value = .number(number)
        case .bool(let bool)?: value = .bool(bool)
        case .null?: value = .null
        case .array?, .object?: return nil
        }
    }
}

extension Bundle {
    /// The intervention that these words mean, at `at`.
    public func intervention(
        _ words: InterventionWords, at: SimTime = .start
    ) throws(BundleError) -> Intervention {
        var intervention = try intervention(
            where: words.condition, share: words.share, do: words.action, value: words.value)
        intervention.at = at
        return intervention
    }
}
