import AuthorizationCore
import DeviceCore
import Foundation
import LuaScripting
import SimPrimitives
import Simulation

/// Two scripts under test in one block, and what they have printed so far.
final class Fixture {
    private(set) var printed: [String] = []
    let names: NameTable
    var acts: [PhoneAct] = []
    var calls: [AppCall] = []
    private let sources: (behavior: String, strategy: String)
    private let features: [String]
    private let options: (behavior: [ScriptOption], strategy: [ScriptOption])
    private let limits: ScriptLimits
    private var scripts: LuaScripts?

    init(
        behavior: String = "return { answer_prompt = function() return 'dont_allow' end }",
        strategy: String = "return {}", features: [String] = ["store_finder", "alerts"],
        behaviorOptions: [ScriptOption] = [], strategyOptions: [ScriptOption] = [],
        names: NameTable = NameTable(), limits: ScriptLimits = ScriptLimits()
    ) {
        sources = (behavior, strategy)
        options = (behaviorOptions, strategyOptions)
        (self.features, self.names, self.limits) = (features, names, limits)
    }

    /// A behavior with one hook beside `answer_prompt`.
    convenience init(
        _ hook: HookName, _ body: String, features: [String] = ["store_finder", "alerts"],
        options: [ScriptOption] = [], limits: ScriptLimits = ScriptLimits()
    ) {
        let rest = hook == .answerPrompt ? "" : "answer_prompt = function() end,"
        let source = "return { \(rest) \(hook.rawValue) = function(self, a, b, c) \(body)\nend }"
        if HookName.behavior.contains(hook) {
            self.init(
                behavior: source, features: features, behaviorOptions: options, limits: limits)
        } else {
            self.init(
                strategy: "return { \(hook.rawValue) = function(self, a, b, c) \(body)\nend }",
                features: features, strategyOptions: options, limits: limits)
        }
    }

    func loaded() throws -> LuaScripts {
        if let scripts { return scripts }
        let app = Scenario.App(
            name: "Store Finder", capabilities: AppCapabilities(),
            usageTexts: ["", "Shops near you.", "Always near you."], strategy: 1,
            options: options.strategy)
        let personas = ["first", "second"].map {
            Scenario.Persona(name: $0, weight: 1, behavior: 0, options: options.behavior)
        }
        let scenario = Scenario(
            name: "test", seed: 1, deviceCount: 100, duration: .days(30), zone: .utc,
            iosMix: [], personas: personas, app: app, features: features, rules: SystemRules(),
            delays: SystemDelays(), funnels: [],
            scripts: [
                ScriptSource(name: "behavior.lua", text: sources.behavior),
                ScriptSource(name: "strategy.lua", text: sources.strategy),
            ], scriptFailuresMax: nil)
        let loaded = try LuaScripts(
            scenario: scenario, names: names, limits: limits,
            onPrint: { [unowned self] in printed.append($0) })
        scripts = loaded
        return loaded
    }

    func behavior(_ persona: Int = 0) throws -> any Behavior { try loaded().behaviors[persona] }

    static func stream(_ device: UInt32 = 0, occasion: UInt32 = 1) -> RandomStream {
        RandomStream(
            seed: 1, device: DeviceID(device), purpose: .promptWhenInUse, occasion: occasion)
    }

    /// Asks the person on a device. Every question is the same occasion of its device.
    @discardableResult
    func ask(
        _ question: Question = .first, _ person: PersonView = .person()
    ) throws -> Reply {
        var random = Self.stream(person.device.number)
        return try behavior().answerPrompt(question, person, random: &random, acts: &acts)
    }

    /// Calls any hook of the behavior but those that take more than a person.
    func run(_ hook: HookName, _ person: PersonView = .person()) throws {
        let behavior = try behavior()
        var random = Self.stream(person.device.number)
        switch hook {
        case .born: try behavior.born(person, random: &random, acts: &acts)
        case .nextOpen: _ = try behavior.nextOpen(person, random: &random, acts: &acts)
        case .sessionLength: _ = try behavior.sessionLength(person, random: &random, acts: &acts)
        case .nextTap: _ = try behavior.nextTap(person, random: &random, acts: &acts)
        case .answerSettingsAlert:
            _ = try behavior.answerSettingsAlert(person, random: &random, acts: &acts)
        case .eachDay: try behavior.eachDay(person, random: &random, acts: &acts)
        case .answerPrompt: try ask(.first, person)
        default:
            let primer = names.id(of: "why")!  // Never nil: the table of a test is not full.
            _ = try behavior.answerPrimer(primer, person, random: &random, acts: &acts)
        }
    }

    @discardableResult
    func send(_ event: AppEvent, _ app: AppView = .app()) throws -> [AppCall] {
        var random = Self.stream(app.device.number)
        calls = []
        try loaded().strategy.handle(event, app, random: &random, calls: &calls)
        return calls
    }

    /// The failure that `body` ends in, or nil.
    static func failure(_ body: () throws -> Void) -> ScriptFailure? {
        do {
            try body()
            return nil
        } catch HookError.script(let failure) {
            return failure
        } catch {
            return nil
        }
    }

    static func data(_ name: String) throws -> String {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "Data/\(name)")
        return try String(contentsOf: file, encoding: .utf8)
    }
}

extension IOSVersion {
    /// For versions that tests write out: a typing error traps.
    static func version(_ text: String) -> IOSVersion { IOSVersion(text)! }
}

extension PersonView {
    static func person(
        _ device: UInt32 = 0, persona: UInt16 = 0, ios: String = "17.6",
        status: VisibleStatus = .notDetermined, time: SimTime = .start
    ) -> PersonView {
        PersonView(
            device: DeviceID(device), indexInBlock: device, persona: persona, ios: .version(ios),
            status: status, time: time)
    }
}

extension AppView {
    static func app(
        _ device: UInt32 = 0, ios: String = "17.6", status: VisibleStatus = .notDetermined,
        accuracy: Accuracy = .fullAccuracy, allowsBackgroundUpdates: Bool = false,
        wasLaunchedBySystem: Bool = false, sessions: UInt32 = 1, isFirstLaunch: Bool = true,
        timerCount: Int = 0
    ) -> AppView {
        AppView(
            device: DeviceID(device), indexInBlock: device, ios: .version(ios), status: status,
            accuracy: accuracy, allowsBackgroundUpdates: allowsBackgroundUpdates,
            wasLaunchedBySystem: wasLaunchedBySystem, sessions: sessions,
            isFirstLaunch: isFirstLaunch, time: .start, timerCount: timerCount)
    }
}

extension Question {
    static let first = Question.of(.whenInUse)

    static func of(
        _ kind: PromptKind, ios: String = "17.6", ordinal: UInt32 = 1, askedBefore: UInt32 = 0,
        isPrimed: Bool = false, isExpected: Bool = false, purpose: UsageText = .whenInUse
    ) -> Question {
        Question(
            kind, choices: ChoiceSet(kind.choices(on: .version(ios))), ordinal: ordinal,
            askedBefore: askedBefore, isPrimed: isPrimed, isExpected: isExpected, purpose: purpose)
    }
}
