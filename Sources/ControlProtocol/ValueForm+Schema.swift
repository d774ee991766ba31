import JSONText

/// Forms as JSON Schema, draft 7: what OpenRPC 1.x takes.
extension ValueForm {
    /// The schema as JSON. What has a name is referred to by it.
    public var schema: String { schema(extra: { _ in }) }

    /// - Parameter extra: writes further members of the schema.
    func schema(extra: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter(.compact)
        writer.object { writer in
            members(&writer)
            extra(&writer)
        }
        return writer.text
    }

    private func members(_ writer: inout JSONWriter) {
        switch self {
        case .bool: writer.member("type", "boolean")
        case .integer(let range):
            writer.member("type", "integer")
            writer.member("minimum", range.lowerBound)
            writer.member("maximum", range.upperBound)
        case .count:
            writer.member("type", "integer")
            writer.member("minimum", 0)
        case .number(let range):
            writer.member("type", "number")
            writer.member("minimum", range.lowerBound)
            guard range.upperBound < .greatestFiniteMagnitude else { return }
            writer.member("maximum", range.upperBound)
        case .share(let most):
            writer.member("type", "number")
            writer.member("exclusiveMinimum", 0)
            writer.member("maximum", most)
        case .anyNumber: writer.member("type", "number")
        case .text(let bytes):
            writer.member("type", "string")
            if bytes.lowerBound > 0 { writer.member("minLength", bytes.lowerBound) }
            if bytes.upperBound < .max { writer.member("maxLength", bytes.upperBound) }
        case .fleetName:
            let most = ControlRequest.nameBytesMax
            string("^[A-Za-z0-9_][A-Za-z0-9._-]{0,\(most - 1)}$", &writer)
        case .sha256: string("^[0-9a-f]{64}$", &writer)
        case .bundle: string("^(sha256:)?[0-9a-f]{64}$", &writer)
        case .base64:
            writer.member("type", "string")
            writer.member("contentEncoding", "base64")
        case .rate: string(#"^(max|[0-9]+(\.[0-9]+)?x)$"#, &writer)
        case .choice(let words):
            writer.member("type", "string")
            words.write(as: "enum", to: &writer)
        case .list(let form, let counts):
            writer.member("type", "array")
            writer.key("items")
            writer.json(form.schema)
            if counts.lowerBound > 0 { writer.member("minItems", counts.lowerBound) }
            if counts.upperBound < .max { writer.member("maxItems", counts.upperBound) }
        case .choices(let words):
            writer.member("type", "array")
            writer.key("items")
            writer.json(ValueForm.choice(words).schema)
            writer.member("uniqueItems", true)
        case .scalar: ["string", "number", "boolean", "null"].write(as: "type", to: &writer)
        case .scalarOrMap:
            writer.key("anyOf")
            writer.array { writer in
                writer.json(ValueForm.scalar.schema)
                writer.json(ValueForm.map(of: .scalar).schema)
            }
        case .nullable(let form):
            writer.key("anyOf")
            writer.array { writer in
                writer.json(form.schema)
                writer.json(#"{"type":"null"}"#)
            }
        case .object(let entries, let isOpen):
            writer.member("type", "object")
            writer.key("properties")
            writer.object { writer in
                for entry in entries {
                    writer.key(entry.name)
                    writer.json(entry.schema)
                }
            }
            let required = entries.filter(\.isRequired).map(\.name)
            if !required.isEmpty { required.write(as: "required", to: &writer) }
            if !isOpen { writer.member("additionalProperties", false) }
        case .map(let form):
            writer.member("type", "object")
            writer.key("additionalProperties")
            writer.json(form.schema)
        case .named(let name, _): writer.member("$ref", "#/components/schemas/\(name)")
        }
    }

    private func string(_ pattern: String, _ writer: inout JSONWriter) {
        writer.member("type", "string")
        writer.member("pattern", pattern)
    }

    /// All forms with a name that this one refers to.
    var namedForms: [(name: String, form: ValueForm)] {
        switch self {
        case .named(let name, let form): [(name, form)] + form.namedForms
        case .list(let form, _), .nullable(let form), .map(let form): form.namedForms
        case .object(let entries, _): entries.flatMap(\.form.namedForms)
        case .bool, .integer, .count, .number, .share, .anyNumber, .text, .fleetName, .sha256,
            .bundle, .base64, .rate, .choice, .choices, .scalar, .scalarOrMap:
            []
        }
    }
}

extension [String] {
    fileprivate func write(as name: String, to writer: inout JSONWriter) {
        writer.key(name)
        writer.array { writer in for word in self { writer.string(word) } }
    }
}
