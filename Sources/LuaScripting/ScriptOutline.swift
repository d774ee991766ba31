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
            deviceCount: 0, zone: .utc, names: NameTable(), limits: limits, onPrint: { _, _ in },
            for: name)
        return try state.load(ScriptSource(name: name, text: source), kind).outline
    }

    /// Reads what a script declares, and all that is wrong with it.
    ///
    /// - Throws: `ScriptError` when the script does not load.
    public static func examine(
        source: String, name: String, kind: ScriptKind, limits: ScriptLimits = ScriptLimits()
    ) throws(ScriptError) -> (outline: ScriptOutline, problems: [ScriptProblem]) {
        let watch = ScriptWatch()
        let state = try LuaState(
            deviceCount: 0, zone: .utc, names: NameTable(), limits: limits, watch: watch,
            onPrint: { _, _ in }, for: name)
        let script = try state.load(ScriptSource(name: name, text: source), kind)
        return (script.outline, watch.problems)
    }

    /// The declarations of one script, put in order, and all that is wrong with them.
    ///
    /// What is wrong is left out; an option of which it is so has a value that can stand in.
    static func examine(
        declarations: [Declaration], source: ScriptSource, kind: ScriptKind
    ) -> (outline: ScriptOutline, problems: [ScriptProblem]) {
        var outline = ScriptOutline(hooks: HookSet(), options: [])
        var problems: [ScriptProblem] = []
        var blamed: [String] = []
        var untold = 0
        func note(_ reason: ScriptProblem.Reason, _ path: [String], _ text: String) {
            guard problems.count < ScriptProblem.countMax else {
                untold += 1
                return
            }
            let error = ScriptError(
                .invalid, script: source.name, line: source.line(of: path), reason: text)
            problems.append(ScriptProblem(reason: reason, error: error))
            if path.count > 1 { blamed.append(path[1]) }
        }
        for declaration in declarations {
            let path = declaration.path
            do throws(Refusal) {
                switch path.count {
                case 1: try outline.add(member: declaration, kind)
                case 2: try outline.begin(option: declaration)
                default:
                    guard outline.options.last?.name == path[1] else { continue }
                    try outline.set(declaration)
                }
            } catch {
                note(error.reason, path, error.text)
            }
        }
        for index in outline.options.indices {
            let name = outline.options[index].name
            let reason = outline.options[index].settle(kind)
            if let reason, !blamed.contains(name) { note(.option, ["options", name], reason) }
            outline.options[index].mend()
        }
        if kind == .behavior, !outline.hooks.contains(.answerPrompt) {
            let error = ScriptError(
                .invalid, script: source.name,
                reason: "a behavior has a hook answer_prompt, and it is missing here")
            problems.append(ScriptProblem(reason: .missingHook, error: error))
        }
        if untold > 0 {
            let error = ScriptError(
                .invalid, script: source.name, line: problems.compactMap(\.error.line).max(),
                reason: "and \(untold) more hooks and options are wrong")
            problems.append(ScriptProblem(reason: .more(untold), error: error))
        }
        return (outline, problems)
    }

    /// Why a declaration is left out.
    private struct Refusal: Error {
        var reason: ScriptProblem.Reason
        var text: String

        init(_ reason: ScriptProblem.Reason, _ text: String) {
            (self.reason, self.text) = (reason, text)
        }
    }

    private mutating func add(
        member: Declaration, _ kind: ScriptKind
    ) throws(Refusal) {
        let name = member.path[0]
        if name == "options" {
            guard member.type == "table" else { throw Refusal(.option, "options is a table") }
        } else if let hook = HookName(rawValue: name), kind.hooks.contains(hook) {
            guard member.type == "function" else {
                throw Refusal(
                    .noFunction, "the hook \(name) is a function, not a \(member.type)")
            }
            hooks.insert(hook)
        } else if let other = HookName(rawValue: name) {
            let owner = HookName.behavior.contains(other) ? "behaviors" : "strategies"
            throw Refusal(
                .otherKind, "\(name) is a hook of \(owner), and this is a \(kind.rawValue)")
        } else if kind == .strategy, Self.comingHooks.contains(name) {
            throw Refusal(.hook, "\(name) is not there yet: it comes with movement")
        } else {
            let known = kind.hooks.map(\.rawValue) + ["options"]
            throw Refusal(
                .hook,
                "a \(kind.rawValue) has no hook '\(name)'" + suggestion(for: name, among: known))
        }
    }

    /// Callbacks of Apple's that later versions will deliver.
    private static let comingHooks = [
        "didFinishDeferredUpdates", "didRange",
    ]

    private mutating func begin(option: Declaration) throws(Refusal) {
        let name = option.path[1]
        guard option.type == "table" else {
            throw Refusal(
                .option, "the option \(name) is a table such as { default = 1 }")
        }
        let isPlain = name.utf8.allSatisfy { 97...122 ~= $0 || 48...57 ~= $0 || $0 == 95 }
        guard isPlain, let first = name.utf8.first, 97...122 ~= first,
            name.utf8.count <= NameTable.bytesMax
        else {
            throw Refusal(
                .option,
                "'\(name)' cannot name an option: at most \(NameTable.bytesMax) of a-z, 0-9 and _")
        }
        options.append(
            Option(name: name, defaultValue: .number(.nan), isAssumed: false))
    }

    /// Sets one field of the option that was begun last: declarations come in the order of paths.
    private mutating func set(_ declaration: Declaration) throws(Refusal) {
        let complain = { (text: String) in Refusal(.option, text) }
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
    /// Whether a text reads as `"90s"`, `"1.5h"`: it could be waited for, and not be counted with.
    private static func isDuration(_ text: String) -> Bool {
        let number = text.prefix { $0.isNumber || $0 == "." }
        return Double(number) != nil
            && ["ms", "s", "m", "h", "d", "w"].contains(text.dropFirst(number.count))
    }

    /// Puts a value that can stand in where the default is none.
    fileprivate mutating func mend() {
        if case .number(let number) = defaultValue, number.isNaN {
            defaultValue = .number(min ?? 0)
        }
    }

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
        } else if case .string(let text) = defaultValue, Self.isDuration(text) {
            return "the option \(name) is a duration: its default is a number of seconds, "
                + "{ default = 3600, unit = \"s\" }, not '\(text)'"
        } else if min != nil || max != nil {
            return "only numbers have a min and a max, and \(name) is none"
        }
        guard let complaint = complaint(about: defaultValue) else { return nil }
        return "the default of \(complaint), not \(defaultValue.shown)"
    }
}

extension ScriptOption.Value {
    /// As a script writes it.
    fileprivate var shown: String {
        switch self {
        case .number(let number):
            number == number.rounded() && number.magnitude < 1e15
                ? String(Int64(number)) : "\(number)"
        case .boolean(let flag): String(flag)
        case .string(let text): "'\(text)'"
        }
    }
}
