import JSONText

extension JSONValue {
    /// Its type, as messages call it.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

extension JSONNode {
    private static var excerptLengthMax: Int { 240 }

    /// The JSON as it stands in the file, without its spaces; long ones are cut.
    var excerpt: String {
        var text = ""
        write(to: &text)
        guard text.count > Self.excerptLengthMax else { return text }
        return text.prefix(Self.excerptLengthMax) + "…"
    }

    private func write(to text: inout String) {
        // What comes after that is cut, and counting UTF-8 costs nothing.
        guard text.utf8.count <= Self.excerptLengthMax * 8 else { return }
        switch value {
        case .null: text += "null"
        case .bool(let value): text += "\(value)"
        case .number(let digits): text += digits
        case .string(let string): text += quoted(string)
        case .array(let items):
            text += "["
            for (index, item) in items.enumerated() {
                if index > 0 { text += "," }
                item.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                text += (index > 0 ? "," : "") + quoted(member.name) + ":"
                member.node.write(to: &text)
            }
            text += "}"
        }
    }
}
