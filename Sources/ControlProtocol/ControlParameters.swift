import JSONText

/// The parameters of one call, which all have the forms that the method's table says.
///
/// Whoever asks for one that the table has not, or for another kind of value, has a bug: that stops
/// the daemon, and `MethodTableTests` asks for every parameter of every method.
struct ControlParameters {
    private let method: ControlMethod
    /// With the defaults of absent ones.
    private var values: [String: JSONValue] = [:]
    /// Those that were asked for.
    private(set) var taken: Set<String> = []

    /// - Parameter value: an object of names, a list in the table's order, or nil for none.
    /// - Throws: `unknown_parameter`, `missing_parameter` or `invalid_parameter`. A misspelt name
    ///   is called that, and not a missing parameter.
    init(_ method: ControlMethod, _ value: JSONValue?) throws(ControlError) {
        self.method = method
        var given = JSONMembers(try Self.members(method, value))
        var complaint: ControlError?
        for entry in method.parameters {
            guard let node = given.take(entry.name) else {
                values[entry.name] = entry.defaultValue
                if entry.isRequired {
                    complaint =
                        complaint
                        ?? ControlError(
                            .missingParameter, "\"\(entry.name)\" is missing",
                            parameter: entry.name)
                }
                continue
            }
            values[entry.name] = node.value
            if !entry.form.accepts(node.value) {
                complaint =
                    complaint
                    ?? ControlError(
                        .invalidParameter, "\"\(entry.name)\" is \(entry.form.claim)",
                        parameter: entry.name)
            }
        }
        if let (name, nearest, _) = given.stray {
            let message = unknown("parameter", name, nearest)
            throw ControlError(.unknownParameter, message, parameter: cut(name))
        }
        if let complaint { throw complaint }
    }

    private static func members(
        _ method: ControlMethod, _ value: JSONValue?
    ) throws(ControlError) -> [JSONMember] {
        switch value {
        case .object(let members)?: return members
        case .array(let items)?:
            let entries = method.parameters
            guard items.count <= entries.count else {
                let names = entries.map(\.name).joined(separator: ", ")
                let most = entries.isEmpty ? "no parameters" : "at most \(entries.count): \(names)"
                throw ControlError(
                    .invalidParameter, "\"\(method.name)\" takes \(most); here are \(items.count)")
            }
            return zip(entries, items).map { entry, item in
                JSONMember(name: entry.name, offset: item.offset, node: item)
            }
        default: return []
        }
    }

    // MARK: - Taking

    /// Nil when it is absent and has no default.
    mutating func value(_ name: String) -> JSONValue? {
        precondition(
            method.parameters.contains { $0.name == name },
            "\(method.name) has no parameter \"\(name)\" in the table")
        taken.insert(name)
        return values[name]
    }

    private mutating func take<Value>(_ name: String, _ read: (JSONValue) -> Value?) -> Value {
        guard let value = value(name).flatMap(read) else {
            preconditionFailure("\"\(name)\" of \(method.name) has another form in the table")
        }
        return value
    }

    mutating func text(_ name: String) -> String { take(name) { $0.string } }

    /// Its digits alone.
    mutating func bundle(_ name: String) -> String { ValueForm.digits(ofBundle: text(name)) }

    /// Nil when it is absent or null.
    mutating func optionalText(_ name: String) -> String? { value(name)?.string }

    mutating func integer(_ name: String) -> Int { take(name) { $0.number.flatMap { Int($0) } } }

    mutating func device(_ name: String) -> UInt32 {
        take(name) { $0.number.flatMap { UInt32($0) } }
    }

    /// Nil when it is absent or null.
    mutating func optionalDevice(_ name: String) -> UInt32? {
        value(name)?.number.flatMap { UInt32($0) }
    }

    mutating func number(_ name: String) -> Double { take(name) { $0.finite } }

    mutating func bool(_ name: String) -> Bool {
        take(name) { if case .bool(let bool) = $0 { bool } else { nil } }
    }

    mutating func texts(_ name: String) -> [String] {
        take(name) { $0.array?.compactMap(\.string) }
    }

    mutating func bytes(_ name: String) -> [UInt8] {
        take(name) { $0.string.flatMap(Base64.decode) }
    }

    mutating func rate(_ name: String) -> FleetRate {
        take(name) { $0.string.flatMap { FleetRate($0) } }
    }

    mutating func choice<Choice: RawRepresentable<String>>(_ name: String) -> Choice {
        take(name) { $0.string.flatMap { Choice(rawValue: $0) } }
    }

    mutating func choices<Choice: RawRepresentable<String>>(_ name: String) -> [Choice] {
        texts(name).compactMap { Choice(rawValue: $0) }
    }

    /// What `ValueEntry.view` has.
    mutating func view() -> ControlRequest.View {
        ControlRequest.View(
            format: choice("format"), width: integer("width"), color: bool("color"))
    }

    /// Nil when it is absent.
    mutating func scalarOrMap(_ name: String) -> ControlRequest.Value? {
        value(name).flatMap { ControlRequest.Value($0) }
    }

    /// Nil when they are absent or null.
    mutating func options() -> ControlRequest.Value? {
        let options = scalarOrMap("options")
        return options == .null ? nil : options
    }
}

extension ControlRequest.Value {
    fileprivate init?(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .string(let text): self = .string(text)
        case .number(let text):
            guard let number = Double(text) else { return nil }
            self = .number(number)
        case .object(let members):
            self = .object(
                members.compactMap { member in
                    Self(member.node.value).map { Member(member.name, $0) }
                })
        case .array: return nil
        }
    }
}
