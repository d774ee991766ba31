import AuthorizationCore

/// How one case went on one version.
public struct ConformanceOutcome: Hashable, Sendable {
    public var id: String
    public var family: String
    public var version: IOSVersion
    /// One for each step that failed. Empty: it passed.
    public var failures: [ConformanceFailure]
    /// Steps that were played and did nothing, beside what the case's own notes say.
    public var notes: [ConformanceNote] = []

    public var isPassed: Bool { failures.isEmpty }
}

/// A step that did not go as the case says.
public struct ConformanceFailure: Hashable, Sendable, CustomStringConvertible {
    public var id: String
    public var version: IOSVersion
    /// From 1; 0: the case as a whole.
    public var step: Int
    /// Every key that did not hold, or why the step cannot be played.
    public var differences: [Difference]
    /// What followed from the last step that was no `expect`, by which rules.
    public var story: Story
    /// How things stand, in a line.
    public var state: String

    public struct Difference: Hashable, Sendable {
        /// A key of `expect`; nil: the step itself.
        public var key: String?
        public var expected: String
        public var seen: String
    }

    public struct Story: Hashable, Sendable {
        /// From 1; 0: there was none.
        public var step = 0
        public var lines: [String] = []
    }

    public var description: String {
        "\(id) on iOS \(version), step \(step): "
            + differences.map(\.description).joined(separator: "; ")
    }
}

extension ConformanceFailure.Difference: CustomStringConvertible {
    public var description: String { "expected \(wanted), seen \(seen)" }

    /// With its key.
    var wanted: String { key.map { "\($0) \(expected)" } ?? expected }
}

extension ConformanceCase.Value: CustomStringConvertible {
    /// JSON, with the members of objects in order of name.
    var description: String {
        switch self {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .number(let number):
            number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
        case .text(let text): "\"\(text)\""
        case .list(let items): "[" + items.map(\.description).joined(separator: ", ") + "]"
        case .object(let members):
            "{"
                + members.keys.sorted().map { "\"\($0)\": \(members[$0]?.description ?? "")" }
                .joined(separator: ", ") + "}"
        }
    }
}
