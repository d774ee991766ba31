import JSONText

/// A value of a scenario and who gave it: the tree that overrides are laid over before anything is
/// decoded, so that all complaints are alike.
struct Setting: Sendable {
    var value: Value
    var origin: Origin
    /// What has been laid over what: 0 is the scenario, 1 the command line, 2 an arm.
    var layer = 0

    indirect enum Value: Sendable {
        case null
        case bool(Bool)
        /// By the grammar of JSON, as `JSONValue.number`.
        case number(String)
        case string(String)
        case list([Setting])
        case table([Member])
    }

    struct Member: Sendable {
        var name: String
        /// Where the name stands: a complaint about the name itself points there.
        var origin: Origin
        var setting: Setting
    }

    /// Where a value was given.
    enum Origin: Sendable {
        /// Bytes from the start of the scenario file.
        case text(offset: Int)
        /// An option of the command line, as typed: `--set app.strategy`.
        case option(String)
    }

    /// Whether it was given on the command line.
    var isTyped: Bool { if case .option = origin { true } else { false } }

    init(_ value: Value, _ origin: Origin, layer: Int = 0) {
        (self.value, self.origin, self.layer) = (value, origin, layer)
    }

    init(_ node: JSONNode) {
        let value: Value =
            switch node.value {
            case .null: .null
            case .bool(let bool): .bool(bool)
            case .number(let text): .number(text)
            case .string(let text): .string(text)
            case .array(let items): .list(items.map(Setting.init))
            case .object(let members):
                .table(
                    members.map {
                        Member(
                            name: $0.name, origin: .text(offset: $0.offset),
                            setting: Setting($0.node))
                    })
            }
        self.init(value, .text(offset: node.offset))
    }

    /// The same value on another layer, and from another place where `origin` names one.
    func given(by origin: Origin? = nil, layer: Int) -> Setting {
        let value: Value =
            switch self.value {
            case .list(let items): .list(items.map { $0.given(by: origin, layer: layer) })
            case .table(let members):
                .table(
                    members.map {
                        Member(
                            name: $0.name, origin: origin ?? $0.origin,
                            setting: $0.setting.given(by: origin, layer: layer))
                    })
            case .null, .bool, .number, .string: self.value
            }
        return Setting(value, origin ?? self.origin, layer: layer)
    }

    /// For "not …" in a complaint: the value as one would type it, shortened.
    var shown: String {
        switch value {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .number(let text): short(text)
        case .string(let text): quoted(short(text))
        case .list(let items): items.isEmpty ? "an empty list" : "a list"
        case .table: "an object"
        }
    }

    private func short(_ text: String) -> String {
        text.count <= 40 ? text : text.prefix(37) + "..."
    }

    subscript(name: String) -> Setting? {
        guard case .table(let members) = value else { return nil }
        return members.first { $0.name == name }?.setting
    }
}
