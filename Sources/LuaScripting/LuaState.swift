import AuthorizationCore
import CLuaShim
import DeviceCore
import SimPrimitives
import Simulation

/// One Lua state, its words and its shared tables. See CLuaShim.h.
///
/// Used by one thread at a time, as the block that it belongs to.
final class LuaState {
    let pointer: OpaquePointer
    let frame: UnsafeMutablePointer<clua_frame>
    private let host: LuaHost
    private let limits: ScriptLimits
    private let watch: ScriptWatch?

    /// - Parameters:
    ///   - watch: takes what is wrong with declarations, which are refused where it is nil.
    ///   - script: the name that stands in the error.
    init(
        deviceCount: UInt32, zone: Zone, names: NameTable, limits: ScriptLimits,
        watch: ScriptWatch? = nil, onPrint: @escaping (String, SimTime) -> Void,
        for script: String
    ) throws(ScriptError) {
        host = LuaHost(zone: zone, names: names, watch: watch, onPrint: onPrint)
        self.watch = watch
        guard let pointer = clua_open(Self.bounds(limits), host.callbacks, deviceCount) else {
            throw ScriptError(.outOfMemory, script: script, reason: "no room for a Lua state")
        }
        self.pointer = pointer
        self.limits = limits
        frame = clua_frame_of(pointer)
        for part in Self.prelude {
            try check(clua_prelude(pointer, part, part.count), script)
        }
        try addWords(CLUA_STATUSES, VisibleStatus.allCases.map(\.rawValue), script)
        try addWords(CLUA_ACCURACIES, Accuracy.allCases.map(\.rawValue), script)
        try addWords(CLUA_KINDS, PromptKind.allCases.map(\.rawValue), script)
        try addWords(CLUA_CHOICES, Choice.allCases.map(\.rawValue), script)
        try addWords(CLUA_ROWS, SettingsRow.allCases.map(\.rawValue), script)
        try addWords(CLUA_PRIMER_ANSWERS, PrimerAnswer.allCases.map(\.rawValue), script)
        try addWords(CLUA_ALERT_ANSWERS, SettingsAlertAnswer.allCases.map(\.rawValue), script)
        try addWords(CLUA_ERRORS, LocationError.allCases.map(\.rawValue), script)
        try addWords(CLUA_VERSIONS, Vocabulary.versions.map(\.word), script)
        try addWords(CLUA_NAMES, names.texts, script)
        try addWords(CLUA_ACCESSES, ["whenInUse", "always"], script)
        try addWords(CLUA_REGION_STATES, RegionState.allCases.map(\.rawValue), script)
        try addWords(CLUA_CONDITION_STATES, ConditionState.allCases.map(\.rawValue), script)
        try addWords(CLUA_DESIRED_ACCURACIES, DesiredAccuracy.allCases.map(\.rawValue), script)
    }

    deinit {
        clua_close(pointer)
    }

    private static func bounds(_ limits: ScriptLimits) -> clua_limits {
        clua_limits(
            instructions_max: limits.instructionsMax, string_bytes_max: limits.stringBytesMax,
            state_bytes_max: limits.stateBytesMax)
    }

    private static let prelude = [
        PackageResources.strings_lua, PackageResources.tables_lua, PackageResources.patterns_lua,
        PackageResources.sandbox_lua,
    ]

    // MARK: Words and shared tables

    func addWords(
        _ vocabulary: clua_vocabulary, _ words: [String], _ script: String
    ) throws(ScriptError) {
        for word in words {
            try check(clua_add_word(pointer, vocabulary, word, word.utf8.count), script)
        }
    }

    /// A read-only list of the words at `places`, or of the first `count` of them.
    func list(
        _ vocabulary: clua_vocabulary, _ places: [UInt8]?, count: Int, _ script: String
    ) throws(ScriptError) -> UInt32 {
        var shared: UInt32 = 0
        try check(clua_add_list(pointer, vocabulary, places, count, &shared), script)
        return shared
    }

    /// A read-only table of option values. Reading another name is an error, with the nearest.
    func options(_ options: [ScriptOption], _ script: String) throws(ScriptError) -> UInt32 {
        var shared: UInt32 = 0
        try check(clua_add_options(pointer, &shared), script)
        for option in options {
            let status =
                switch option.value {
                case .number(let number): clua_set_number(pointer, shared, option.name, number)
                case .boolean(let flag): clua_set_boolean(pointer, shared, option.name, flag)
                case .string(let text):
                    clua_set_string(pointer, shared, option.name, text, text.utf8.count)
                }
            try check(status, script)
        }
        return shared
    }

    // MARK: Scripts

    func load(_ source: ScriptSource, _ kind: ScriptKind) throws(ScriptError) -> LoadedScript {
        guard source.text.utf8.count <= limits.sourceBytesMax else {
            throw ScriptError(
                .sourceTooLong, script: source.name,
                reason: "a script has at most \(limits.sourceBytesMax) bytes")
        }
        var table: Int32 = 0
        let status = clua_load(
            pointer, source.text, source.text.utf8.count, "=" + Place.chunk(source.name),
            kind == .strategy, &table)
        try check(status, source.name, source: source.text)
        let (outline, problems) = ScriptOutline.examine(
            declarations: try declarations(table, source.name), source: source, kind: kind)
        if let watch {
            watch.problems += problems
        } else if let first = problems.first {
            throw first.error
        }
        var script = LoadedScript(name: source.name, outline: outline)
        for hook in kind.hooks where outline.hooks.contains(hook) {
            try check(
                clua_hook(
                    pointer, table, hook.rawValue, &script.functions[hook.index],
                    &script.lines[hook.index]),
                source.name)
        }
        return script
    }

    private func declarations(
        _ table: Int32, _ script: String
    ) throws(ScriptError) -> [Declaration] {
        let list = DeclarationList()
        let status = clua_describe(
            pointer, table,
            { context, declaration in
                // Never nil: both are given below and by C.
                Unmanaged<DeclarationList>.fromOpaque(context!).takeUnretainedValue()
                    .declarations.append(Declaration(declaration!.pointee))
            }, Unmanaged.passUnretained(list).toOpaque())
        try check(status, script)
        // In the order of bytes: of names that look alike too, one comes first.
        let declarations = list.declarations.map { (names: $0.path.map { NameText($0) }, $0) }
        return declarations.sorted { $0.names.lexicographicallyPrecedes($1.names) }.map(\.1)
    }

    // MARK: Failures

    /// What the last call has left as the reason of its failure.
    var message: String {
        withUnsafeBytes(of: &frame.pointee.message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    private func check(
        _ status: clua_status, _ script: String, source: String = ""
    ) throws(ScriptError) {
        guard status != CLUA_OK else { return }
        let place = Place(of: message, in: script)
        let hint =
            status == CLUA_SYNTAX
            ? SyntaxHint(for: place.reason, line: place.line, in: source).text : ""
        throw ScriptError(
            ScriptError.Code(status), script: script, line: place.line, reason: place.reason + hint)
    }
}

/// A script in a state: its hooks as numbers for `clua_call`, by `HookName.index`.
struct LoadedScript {
    let name: String
    let outline: ScriptOutline
    var functions = [Int32](repeating: 0, count: HookName.allCases.count)
    /// Where each hook begins.
    var lines = [UInt32](repeating: 0, count: HookName.allCases.count)
}

private final class DeclarationList {
    var declarations: [Declaration] = []
}

extension ScriptError.Code {
    init(_ status: clua_status) {
        switch status {
        case CLUA_SYNTAX: self = .syntax
        case CLUA_BUDGET: self = .budgetExhausted
        case CLUA_STRING: self = .stringTooLong
        case CLUA_MEMORY: self = .outOfMemory
        case CLUA_TOO_MANY_NAMES: self = .tooManyNames
        default: self = .runtime
        }
    }
}

/// Where Lua says that something went wrong: `name:line: reason`.
struct Place {
    var line: Int?
    var reason: String

    /// What Lua calls a script: no more than it shows in full.
    static func chunk(_ script: String) -> String { String(script.suffix(40)) }

    init(of message: String, in script: String) {
        (line, reason) = (nil, message)
        let prefix = Self.chunk(script) + ":"
        guard message.hasPrefix(prefix) else { return }
        let rest = message.dropFirst(prefix.count)
        guard let colon = rest.firstIndex(of: ":"), let number = Int(rest[..<colon]) else { return }
        line = number
        reason = String(rest[rest.index(after: colon)...].drop { $0 == " " })
    }
}
