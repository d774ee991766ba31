import CLuaShim
import SimPrimitives
import Simulation

/// What a script declares: its hooks and its options.
public struct ScriptOutline: Equatable, Sendable {
    public var hooks: HookSet
    /// In the order of their names.
    public var options: [Option]

    /// An option as the script declares it.
    public struct Option: Hashable, Sendable {
        public var name: String
        public var defaultValue: ScriptOption.Value
        /// For numbers alone. `min` is at most `max`, and the default lies between.
        public var min: Double?
        public var max: Double?
        public var unit: String?
        public var about: String?
        /// Where the default comes from: the id of a source.
        public var source: String?
        /// Nobody has measured the default. Never for a strategy, whose options are choices.
        public var isAssumed: Bool

        /// Why `value` cannot be given to the option, or nil when it can.
        public func complaint(about value: ScriptOption.Value) -> String? {
            switch (defaultValue, value) {
            case (.number, .number(let number)):
                guard number.isFinite else { return "\(name) is a finite number" }
                if let min, number < min { return outOfRange }
                if let max, number > max { return outOfRange }
                return nil
            case (.boolean, .boolean), (.string, .string): return nil
            case (.number, _): return "\(name) is a number"
            case (.boolean, _): return "\(name) is true or false"
            case (.string, _): return "\(name) is a string"
            }
        }

        private var outOfRange: String {
            switch (min, max) {
            case (let min?, let max?): "\(name) lies in \(min) ... \(max)"
            case (let min?, nil): "\(name) is at least \(min)"
            default: "\(name) is at most \(max ?? .infinity)"
            }
        }
    }

    /// Loads a script in a Lua state of its own and reads what it declares.
    ///
    /// - Throws: `ScriptError` when the script does not load, or declares what the API does not
    ///   know: a hook, a field of an option, a value of the wrong type or out of its range.
    public static func read(
        source: String, name: String, kind: ScriptKind, limits: ScriptLimits = ScriptLimits()
    ) throws(ScriptError) -> ScriptOutline {
        let state = try LuaState(
            deviceCount: 0, zone: .utc, names: NameTable(), limits: limits, onPrint: { _ in },
            for: name)
        return try state.load(ScriptSource(name: name, text: source), kind).outline
    }

    /// The declarations of one script, put in order and checked.
    init(
        declarations: [Declaration], source: ScriptSource, kind: ScriptKind
    ) throws(ScriptError) {
        (hooks, options) = (HookSet(), [])
        for declaration in declarations {
            let complain = { (reason: String) in
                ScriptError(
                    .invalid, script: source.name,
                    line: source.line(of: declaration.path), reason: reason)
            }
            switch declaration.path.count {
            case 1: try add(member: declaration, kind, complain)
            case 2: try begin(option: declaration, kind, complain)
            default: try set(declaration, kind, complain)
            }
        }
        for index in options.indices {
            let path = ["options", options[index].name]
            if let reason = options[index].settle(kind) {
                throw ScriptError(
                    .invalid, script: source.name, line: source.line(of: path), reason: reason)
            }
        }
        guard kind == .strategy || hooks.contains(.answerPrompt) else {
            throw ScriptError(
                .invalid, script: source.name, reason: "a behavior has a hook answer_prompt")
        }
    }

    private mutating func add(
        member: Declaration, _ kind: ScriptKind, _ complain: (String) -> ScriptError
    ) throws(ScriptError) {
        let name = member.path[0]
        if name == "options" {
            guard member.type == "table" else { throw complain("options is a table") }
        } else if let hook = HookName(rawValue: name), kind.hooks.contains(hook) {
            guard member.type == "function" else {
                throw complain("the hook \(name) is a function, not a \(member.type)")
            }
            hooks.insert(hook)
        } else if let other = HookName(rawValue: name) {
            let owner = HookName.behavior.contains(other) ? "behaviors" : "strategies"
            throw complain("\(name) is a hook of \(owner), and this is a \(kind.rawValue)")
        } else if kind == .strategy, Self.comingHooks.contains(name) {
            throw complain("\(name) is not there yet: it comes with movement")
        } else {
            let known = kind.hooks.map(\.rawValue) + ["options"]
            throw complain(
                "a \(kind.rawValue) has no hook '\(name)'" + suggestion(for: name, among: known))
        }
    }

    /// Callbacks of Apple's that later versions will deliver.
    private static let comingHooks = [
        "didFinishDeferredUpdates", "didRange",
    ]

    private mutating func begin(
        option: Declaration, _ kind: ScriptKind, _ complain: (String) -> ScriptError
    ) throws(ScriptError) {
        let name = option.path[1]
        guard option.type == "table" else {
            throw complain("the option \(name) is a table such as { default = 1 }")
        }
        let isPlain = name.utf8.allSatisfy { 97...122 ~= $0 || 48...57 ~= $0 || $0 == 95 }
        guard isPlain, let first = name.utf8.first, 97...122 ~= first,
            name.utf8.count <= NameTable.bytesMax
        else {
            throw complain(
                "'\(name)' cannot name an option: at most \(NameTable.bytesMax) of a-z, 0-9 and _")
        }
        options.append(
            Option(name: name, defaultValue: .number(.nan), isAssumed: false))
    }

    /// Sets one field of the option that was begun last: declarations come in the order of paths.
    private mutating func set(
        _ declaration: Declaration, _ kind: ScriptKind, _ complain: (String) -> ScriptError
    ) throws(ScriptError) {
        let (name, field) = (declaration.path[1], declaration.path[2])
        let last = options.count - 1
        switch (field, declaration.value) {
        case ("default", let value?): options[last].defaultValue = value
        case ("default", nil):
            throw complain("the default of \(name) is a number, a boolean or a string")
        case ("min", .number(let number)?) where number.isFinite: options[last].min = number
        case ("max", .number(let number)?) where number.isFinite: options[last].max = number
        case ("unit", .string(let text)?): options[last].unit = text
        case ("about", .string(let text)?): options[last].about = text
        case ("source", .string(let text)?): options[last].source = text
        case ("assumed", .boolean(let isAssumed)?): options[last].isAssumed = isAssumed
        case ("min", _), ("max", _): throw complain("\(field) of \(name) is a finite number")
        case ("unit", _), ("about", _), ("source", _):
            throw complain("\(field) of \(name) is a string, not a \(declaration.type)")
        case ("assumed", _): throw complain("assumed of \(name) is true or false")
        default:
            let known = ["default", "min", "max", "unit", "about", "source", "assumed"]
            throw complain(
                "an option has no field '\(field)'" + suggestion(for: field, among: known))
        }
    }
}

extension ScriptOutline.Option {
    /// Settles whether the default is assumed, and tells what is wrong with the option as a whole.
    fileprivate mutating func settle(_ kind: ScriptKind) -> String? {
        if source == "assumed" { (source, isAssumed) = (nil, true) }
        if isAssumed, let source {
            return "\(name) is assumed or has the source \(source), not both"
        }
        isAssumed = kind == .behavior && source == nil
        if case .number(let number) = defaultValue {
            if number.isNaN { return "the option \(name) has a default" }
            if let min, let max, min > max { return "min of \(name) is above its max" }
        } else if min != nil || max != nil {
            return "only numbers have a min and a max, and \(name) is none"
        }
        return complaint(about: defaultValue).map { "the default of " + $0 }
    }
}
