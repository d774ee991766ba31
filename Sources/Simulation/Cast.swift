/// A script and the values of its options: what a person or an app plays.
public struct Cast: Hashable, Sendable {
    /// Index into `Scenario.scripts`.
    public var script: Int
    /// Every option that the script declares, in its order.
    public var options: [ScriptOption]

    public init(script: Int, options: [ScriptOption]) {
        (self.script, self.options) = (script, options)
    }

    /// The same script with other values; nil where it does not take one of them.
    func setting(_ settings: [OptionSetting], declared: [DeclaredOption]) -> Cast? {
        var cast = self
        for setting in settings {
            guard let place = options.firstIndex(where: { $0.name == setting.name }),
                let option = declared.first(where: { $0.name == setting.name }),
                option.takes(setting.value)
            else { return nil }
            cast.options[place] = ScriptOption(
                name: setting.name, value: setting.value, isAssumed: false, isGiven: true)
        }
        return cast
    }
}

/// A script that an intervention brings.
public struct ScriptChange: Hashable, Sendable {
    public var source: ScriptSource
    public var declared: [DeclaredOption]
    /// One for each that it declares, in its order; those that the intervention gives `isGiven`.
    public var options: [ScriptOption]

    public init(
        _ source: ScriptSource, declared: [DeclaredOption] = [], options: [ScriptOption] = []
    ) {
        (self.source, self.declared, self.options) = (source, declared, options)
    }

    /// What takes the place of `cast`: an option that was given there and that this script takes
    /// keeps its value, unless the intervention gives another.
    func cast(script: Int, after cast: Cast) -> Cast {
        Cast(
            script: script,
            options: options.map { option in
                guard !option.isGiven,
                    let given = cast.options.first(where: { $0.name == option.name && $0.isGiven }),
                    let known = declared.first(where: { $0.name == option.name }),
                    known.takes(given.value)
                else { return option }
                return given
            })
    }
}

extension Scenario {
    /// The index of `source` among the scripts; nil where it is none of them.
    public func index(of source: ScriptSource) -> Int? {
        if let known = scripts.firstIndex(of: source) { return known }
        return scripts.firstIndex { $0.text == source.text && $0.isLaterOne(called: source.name) }
    }

    /// The scripts of `interventions` are among its own afterwards. One that is called like
    /// another is numbered: reports name scripts.
    public mutating func take(_ interventions: some Sequence<Intervention>) {
        for change in interventions.lazy.compactMap(\.action.change)
        where index(of: change.source) == nil {
            var source = change.source
            let count = scripts.count {
                $0.name == source.name || $0.isLaterOne(called: source.name)
            }
            if count > 0 { source.name += " (\(count + 1))" }
            declarations += Array(repeating: [], count: max(0, scripts.count - declarations.count))
            scripts.append(source)
            declarations.append(change.declared)
        }
    }

    public func declared(by script: Int) -> [DeclaredOption] {
        script < declarations.count ? declarations[script] : []
    }
}

extension ScriptSource {
    /// Whether it is called "late.lua (2)", where `name` is "late.lua".
    fileprivate func isLaterOne(called name: String) -> Bool {
        guard self.name.hasPrefix(name + " ("), self.name.hasSuffix(")") else { return false }
        let digits = self.name.dropFirst(name.count + 2).dropLast()
        return !digits.isEmpty && digits.allSatisfy(\.isNumber)
    }
}

extension Intervention {
    /// The same, whose script is `scenario`'s own where it has it: so texts are kept once.
    public func sharing(_ scenario: Scenario) -> Intervention {
        guard var change = action.change, let known = scenario.index(of: change.source) else {
            return self
        }
        change.source.text = scenario.scripts[known].text
        change.declared = scenario.declared(by: known)
        var shared = self
        shared.action = action.kind == .behavior ? .behavior(change) : .strategy(change)
        return shared
    }
}

/// Makes players of scripts within a block. A port: the script bridge implements it.
public protocol Casting: AnyObject {
    /// - Parameter source: that of `cast.script`.
    func behavior(_ cast: Cast, _ source: ScriptSource) throws(CastFailure) -> any Behavior
    func strategy(_ cast: Cast, _ source: ScriptSource) throws(CastFailure) -> any Strategy
}

/// Why a script cannot be played in a block: it does not load there, or there is no room.
public struct CastFailure: Error, Equatable, Sendable {
    /// For people.
    public let detail: String

    public init(_ detail: String) { self.detail = detail }
}
