/// Looking into a value whose shape is known.
extension JSONNode {
    /// The member of that name; nil where there is none.
    public subscript(name: String) -> JSONNode? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.name == name }?.node
    }

    public var string: String? { if case .string(let text) = value { text } else { nil } }
    /// As written.
    public var number: String? { if case .number(let text) = value { text } else { nil } }
    public var bool: Bool? { if case .bool(let bool) = value { bool } else { nil } }
    public var array: [JSONNode]? { if case .array(let items) = value { items } else { nil } }
}

extension JSONNode {
    /// The value as JSON on one line, without spaces; numbers as they were written.
    public var text: String {
        switch value {
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        case .number(let text): text
        case .string(let text): quoted(text)
        case .array(let items): "[" + items.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { quoted($0.name) + ":" + $0.node.text }.joined(separator: ",") + "}"
        }
    }
}
