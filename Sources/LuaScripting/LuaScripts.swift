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

    /// - Parameters:
    ///   - names: the names of the block, which scripts may add to.
    ///   - watch: looks on while hooks run, and takes what is wrong with declarations.
    ///   - listener: hears what scripts print, with the instant.
    ///   - onPrint: takes what scripts print, a line a call; nobody, unless it is given.
    /// - Throws: `ScriptError` when a script does not load, declares what the API does not know,
    ///   or lacks the hook that it must have.
    public init(
        scenario: Scenario, names: NameTable, limits: ScriptLimits = ScriptLimits(),
        watch: ScriptWatch? = nil, listener: ScriptListener? = nil,
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
        let features = try state.list(
            CLUA_FEATURES, nil, count: scenario.features.count, strategyName)
        let choices = try ChoiceLists(state, strategyName)

        var loaded: [Int: LoadedScript] = [:]
        var behaviors: [any Behavior] = []
        for persona in scenario.personas {
            let source = scenario.scripts[persona.behavior]
            let script: LoadedScript
            if let known = loaded[persona.behavior] {
                script = known
            } else {
                script = try state.load(source, .behavior)
                loaded[persona.behavior] = script
            }
            behaviors.append(
                LuaBehavior(
                    state, script, number: UInt16(persona.behavior),
                    options: try state.options(persona.options, source.name),
                    features: features, choices: choices))
        }
        let script = try state.load(scenario.scripts[scenario.app.strategy], .strategy)
        self.behaviors = behaviors
        self.state = state
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
