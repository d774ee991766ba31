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
    /// Of the script that the value names; nil where it names none.
    public var sha256: String?
    /// Of that script: an object, or nil.
    public var options: Bundle.RequestedValue?

    public init(
        do action: String, value: Bundle.RequestedValue? = nil, where condition: String? = nil,
        share: Double = 1, sha256: String? = nil, options: Bundle.RequestedValue? = nil
    ) {
        (self.action, self.value) = (action, value)
        (self.condition, self.share) = (condition, share)
        (self.sha256, self.options) = (sha256, options)
    }

    /// JSON on one line: `{"do":"settings","value":"never","where":"…","share":0.5}`.
    public var text: String {
        JSONLine.object {
            $0.member("do", action)
            if let value { value.write("value", to: &$0) }
            if let condition { $0.member("where", condition) }
            $0.member("share", share)
            if let sha256 { $0.member("sha256", sha256) }
            if let options { options.write("options", to: &$0) }
        }
    }

    /// Reads what `text` writes; nil for anything else.
    public init?(_ node: JSONNode) {
        guard let action = node["do"]?.string,
            let share = node["share"]?.number.flatMap(Double.init)
        else { return nil }
        (self.action, self.share) = (action, share)
        (condition, sha256) = (node["where"]?.string, node["sha256"]?.string)
        for (name, path) in [
            ("value", \InterventionWords.value), ("options", \InterventionWords.options),
        ] {
            guard let node = node[name] else { continue }
            guard let value = Bundle.RequestedValue(node) else { return nil }
            self[keyPath: path] = value
        }
    }
}

extension Bundle.RequestedValue {
    fileprivate func write(_ name: String, to members: inout JSONLine.Members) {
        switch self {
        case .string(let text): members.member(name, text)
        case .number(let number): members.member(name, number)
        case .bool(let bool): members.member(name, bool)
        case .null: members.member(name, nil as String?)
        case .object(let inner):
            members.member(
                name,
                object: { members in
                    for member in inner { member.value.write(member.name, to: &members) }
                })
        }
    }

    fileprivate init?(_ node: JSONNode) {
        switch node.value {
        case .string(let text): self = .string(text)
        case .number(let text):
            guard let number = Double(text) else { return nil }
            self = .number(number)
        case .bool(let bool): self = .bool(bool)
        case .null: self = .null
        case .object(let members):
            var inner: [Member] = []
            for member in members {
                guard let value = Self(member.node) else { return nil }
                inner.append(Member(member.name, value))
            }
            self = .object(inner)
        case .array: return nil
        }
    }
}

extension Bundle {
    /// The intervention that these words mean, at `at`.
    ///
    /// - Parameters:
    ///   - journal: what clients have done to the fleet before: conditions may name options of the
    ///     scripts that they have brought.
    ///   - supply: gives the script, where it brings one; see `BundleReader.scripts`.
    public func intervention(
        _ words: InterventionWords, at: SimTime = .start, after journal: [Intervention] = [],
        from supply: ScriptSupply? = nil
    ) throws(BundleError) -> Intervention {
        var intervention = try intervention(
            where: words.condition, share: words.share, do: words.action, value: words.value,
            sha256: words.sha256, options: words.options, after: journal, from: supply)
        intervention.at = at
        return intervention
    }
}
