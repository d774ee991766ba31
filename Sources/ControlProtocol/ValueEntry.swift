import JSONText

/// A parameter of a method, or a member of a result.
public struct ValueEntry: Sendable {
    public let name: String
    public let form: ValueForm
    /// In one line, for people.
    public let about: String
    /// Of a number: "seconds", "bytes".
    public let unit: String?
    public let isRequired: Bool
    /// What stands for an absent parameter, as JSON; nil where that has a meaning of its own.
    public let defaultText: String?
    /// `defaultText`, read.
    let defaultValue: JSONValue?

    private init(
        _ name: String, _ form: ValueForm, _ about: String, unit: String?, isRequired: Bool,
        default text: String? = nil
    ) {
        (self.name, self.form, self.about, self.unit) = (name, form, about, unit)
        (self.isRequired, defaultText) = (isRequired, text)
        defaultValue = text.map { text in
            guard let node = try? JSONReader.read(Array(text.utf8), as: .json) else {
                preconditionFailure("the default of \"\(name)\" is JSON")
            }
            return node.value
        }
    }

    /// A parameter that has to be given, or a member that is always there.
    static func required(
        _ name: String, _ form: ValueForm, unit: String? = nil, _ about: String
    ) -> ValueEntry {
        ValueEntry(name, form, about, unit: unit, isRequired: true)
    }

    /// A parameter that may be left out, or a member that may be missing.
    ///
    /// - Parameter text: what the parameter is when it is absent, as JSON.
    static func optional(
        _ name: String, _ form: ValueForm, default text: String? = nil, unit: String? = nil,
        _ about: String
    ) -> ValueEntry {
        ValueEntry(name, form, about, unit: unit, isRequired: false, default: text)
    }

    /// As JSON Schema, with the unit as `x-unit`.
    var schema: String {
        // Draft 7 passes over what stands beside a reference.
        if case .named = form { return form.schema }
        return form.schema { writer in
            writer.member("description", about)
            if let unit { writer.member("x-unit", unit) }
            if let defaultText {
                writer.key("default")
                writer.json(defaultText)
            }
        }
    }
}
