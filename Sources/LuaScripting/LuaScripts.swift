import AuthorizationCore
import CLuaShim
import SimPrimitives
import Simulation

/// The scripts of a scenario, loaded for one block of devices into one Lua state.
///
/// What a script keeps about a device is in that device's two memories: the person's `self` and
/// the app's. Not `Sendable`: it belongs to its block and moves between threads only with it.
public final class LuaScripts {
    /// Devices of a block: how many memories a state makes room for.
    public static let blockDevicesMax: UInt32 = 16_384

    /// One for each persona, in the scenario's order.
    public let behaviors: [any Behavior]
    public let strategy: any Strategy
    let state: LuaState
    private let features: UInt32
    private let choices: ChoiceLists
    /// By the index of the script. One that was refused may have left its place to another.
    private var loaded: [Int: (source: ScriptSource, script: LoadedScript)] = [:]

    /// - Parameters:
    ///   - scenario: its interventions' scripts are loaded too.
    ///   - journal: of what else scripts are loaded, which are among the scenario's.
    ///   - names: the names of the block, which scripts may add to.
    ///   - watch: looks on while hooks run, and takes what is wrong with declarations.
    ///   - listener: hears what scripts print, with the instant.
    ///   - onPrint: takes what scripts print, a line a call; nobody, unless it is given.
    /// - Throws: `ScriptError` when a script does not load, declares what the API does not know,
    ///   or lacks the hook that it must have.
    public init(
        scenario: Scenario, journal: [Intervention] = [], names: NameTable,
        limits: ScriptLimits = ScriptLimits(), watch: ScriptWatch? = nil,
        listener: ScriptListener? = nil,
        onPrint: @escaping (String) -> Void = { _ in }
    ) throws(ScriptError) {
        let strategyName = scenario.scripts[scenario.app.strategy].name
        let state = try LuaState(
            deviceCount: min(scenario.deviceCount, Self.blockDevicesMax), zone: scenario.zone,
            names: names, limits: limits, watch: watch,
            onPrint: { text, time in
                listener?.speech.hear(text, at: time)
                onPrint(text)
            }, for: strategyName)
        try state.addWords(CLUA_FEATURES, scenario.features, strategyName)
        try state.addWords(CLUA_PERSONAS, scenario.personas.map(\.name), strategyName)
        try state.addWords(CLUA_USAGES, Self.usageTexts(scenario.app), strategyName)
        features = try state.list(
            CLUA_FEATURES, nil, count: scenario.features.count, strategyName)
        choices = try ChoiceLists(state, strategyName)

        var loaded: [Int: (source: ScriptSource, script: LoadedScript)] = [:]
        func load(_ number: Int, _ kind: ScriptKind) throws(ScriptError) -> LoadedScript {
            if let known = loaded[number] { return known.script }
            let source = scenario.scripts[number]
            let new = try state.load(source, kind)
            loaded[number] = (source, new)
            return new
        }
        var behaviors: [any Behavior] = []
        for persona in scenario.personas {
            let script = try load(persona.behavior, .behavior)
            behaviors.append(
                LuaBehavior(
                    state, script, number: UInt16(persona.behavior),
                    options: try state.options(persona.options, script.name),
                    features: features, choices: choices))
        }
        let script = try load(scenario.app.strategy, .strategy)
        for action in (scenario.interventions + journal).map(\.action) {
            guard let change = action.change, let number = scenario.index(of: change.source) else {
                continue
            }
            _ = try load(number, action.kind == .behavior ? .behavior : .strategy)
        }
        (self.behaviors, self.state, self.loaded) = (behaviors, state, loaded)
        strategy = LuaStrategy(
            state, script, number: UInt16(scenario.app.strategy),
            options: try state.options(scenario.app.options, strategyName))
    }

    /// One for every `UsageText`.
    private static func usageTexts(_ app: Scenario.App) -> [String] {
        UsageText.allCases.map {
            $0.rawValue < app.usageTexts.count ? app.usageTexts[$0.rawValue] : ""
        }
    }
}

extension LuaScripts: Casting {
    public func behavior(
        _ cast: Cast, _ source: ScriptSource
    ) throws(CastFailure) -> any Behavior {
        do throws(ScriptError) {
            return LuaBehavior(
                state, try script(cast.script, source, .behavior), number: UInt16(cast.script),
                options: try state.options(cast.options, source.name), features: features,
                choices: choices)
        } catch { throw CastFailure("\(error)") }
    }

    public func strategy(
        _ cast: Cast, _ source: ScriptSource
    ) throws(CastFailure) -> any Strategy {
        do throws(ScriptError) {
            return LuaStrategy(
                state, try script(cast.script, source, .strategy), number: UInt16(cast.script),
                options: try state.options(cast.options, source.name))
        } catch { throw CastFailure("\(error)") }
    }

    private func script(
        _ number: Int, _ source: ScriptSource, _ kind: ScriptKind
    ) throws(ScriptError) -> LoadedScript {
        if let known = loaded[number], known.source == source { return known.script }
        let new = try state.load(source, kind)
        loaded[number] = (source, new)
        return new
    }
}

/// The buttons of every prompt as lists that scripts read, made once.
struct ChoiceLists {
    private struct Entry {
        let kind: PromptKind
        let choices: ChoiceSet
        let list: UInt32
    }

    private var entries: [Entry] = []

    init(_ state: LuaState, _ script: String) throws(ScriptError) {
        for kind in PromptKind.allCases {
            for (major, minorMax) in IOSVersion.released {
                for minor in 0...minorMax {
                    guard let ios = IOSVersion(major, minor) else { continue }
                    let choices = kind.choices(on: ios)
                    let set = ChoiceSet(choices)
                    if find(kind, set) != nil { continue }
                    let places = choices.map { UInt8($0.index) }
                    let list = try state.list(CLUA_CHOICES, places, count: places.count, script)
                    entries.append(Entry(kind: kind, choices: set, list: list))
                }
            }
        }
    }

    /// The list of these buttons on a prompt of this kind; nil for buttons that it never has.
    func find(_ kind: PromptKind, _ choices: ChoiceSet) -> UInt32? {
        for entry in entries where entry.kind == kind && entry.choices == choices {
            return entry.list
        }
        return nil
    }
}
