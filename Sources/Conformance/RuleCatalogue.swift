import JSONText

/// The rules of iOS that the model knows, in the order of the specification: what
/// `config/rules/rules.jsonl` says, one JSON object a line.
public struct RuleCatalogue: Sendable {
    public var rules: [Rule]

    public struct Rule: Sendable {
        /// A `RuleID`, but for the findings of a checker (LI1 and its kin).
        public var id: String
        /// The versions of iOS that it holds for: "8+", "11-12", "13.0-13.3".
        public var versions: String
        public var confidence: Confidence
        public var statement: String
        /// Where it is held, or why it is not, when no branch of the rules bears its id.
        public var noBranch: String?
        /// The key of a scenario's `rules` that changes it.
        public var setting: String?
    }

    /// How sure the sources make us.
    public enum Confidence: String, CaseIterable, Sendable {
        /// By Apple: reference, SDK header or WWDC talk.
        case documented
        /// By developers and vendors, on devices.
        case observed
        /// Follows from other rules; no source says it.
        case inferred
        /// Sources are silent or disagree: a default, which a setting may change.
        case chosen
    }

    /// - Parameter name: as messages call the file.
    /// - Throws: `ConformanceError` for the first line that is no rule.
    public static func read(
        _ bytes: [UInt8], name: String
    ) throws(ConformanceError) -> RuleCatalogue {
        var rules: [Rule] = []
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.isEmpty {
            let reader = CaseReader(file: name, line: index + 1)
            let rule = try reader.rule(Array(line))
            guard !rules.contains(where: { $0.id == rule.id }) else {
                throw reader.error("'\(rule.id)' stands here twice")
            }
            rules.append(rule)
        }
        return RuleCatalogue(rules: rules)
    }

    /// Ids are found whatever their case.
    public subscript(id: String) -> Rule? {
        rules.first { $0.id == id.uppercased() }
    }
}

extension CaseReader {
    fileprivate func rule(_ bytes: [UInt8]) throws(ConformanceError) -> RuleCatalogue.Rule {
        let node: JSONNode
        do throws(JSONError) {
            node = try JSONReader.read(bytes, as: .json)
        } catch { throw self.error("column \(error.position.column): \(error.message)") }
        let members = try object(node, "a rule")
        try check(
            members,
            among: ["id", "ios", "confidence", "statement", "no_branch", "setting"], of: "a rule")
        func text(_ key: String) throws(ConformanceError) -> String {
            try self.text(required(key, of: members, in: "a rule"), key)
        }
        let words = RuleCatalogue.Confidence.allCases.map(\.rawValue)
        let word = try word(text("confidence"), among: words, in: "confidence")
        guard let confidence = RuleCatalogue.Confidence(rawValue: word) else {
            preconditionFailure("it is among them")
        }
        return RuleCatalogue.Rule(
            id: try text("id"), versions: try text("ios"), confidence: confidence,
            statement: try text("statement"),
            noBranch: members["no_branch"]?.string, setting: members["setting"]?.string)
    }
}
