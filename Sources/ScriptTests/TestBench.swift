import AuthorizationCore
import DeviceCore
import LuaScripting
import SimPrimitives
import Simulation

/// What one test drives: a device, and people who are asked directly.
///
/// The scripts under test have a Lua state of their own here; the test runs in another.
final class TestBench {
    private let scenario: Scenario
    private let scripts: LuaScripts
    let names: NameTable
    let hasBehavior: Bool
    private var made: DeviceStage?
    /// Records that lists have been made of so far: a test may not look for ever.
    private var recordsRead = 0
    private static let recordsReadMax = 20_000_000
    var people: [PersonStage] = []
    /// Whether the test has called `expect` or `assert`.
    private(set) var hasChecked = false
    /// That a prompt is on the device's screen.
    var hasPrompt: Bool { made?.prompt != nil }

    init(
        _ suite: TestSuite, _ scenario: Scenario, onPrint: @escaping (String) -> Void
    ) throws(ScriptError) {
        self.scenario = scenario
        names = Block.startingNames(of: scenario)
        scripts = try LuaScripts(scenario: scenario, names: names, onPrint: onPrint)
        hasBehavior = suite.behavior != nil
    }

    /// What the device went through; nil where the test had none.
    var story: TestResult.Story? {
        made.map {
            TestResult.Story(scenario: scenario, records: $0.records, names: names)
        }
    }

    /// Does what a test asks for: the calls of `Prelude/tests.lua`.
    func answer(_ call: String, _ values: [TestValue]) throws(TestRefusal) -> TestValue {
        switch call {
        case "do":
            let verb = values.first?.text ?? ""
            var arguments = TestArguments(verb, values.dropFirst())
            try act(verb, &arguments)
            return .none
        case "see":
            let stage = try stage()
            recordsRead += stage.records.count + stage.metrics.count
            guard recordsRead <= Self.recordsReadMax else {
                throw TestRefusal("the test looks at its device too often: keep what it saw")
            }
            return look(at: values.first?.text ?? "", of: stage)
        case "checked":
            hasChecked = true
            return .none
        case "word":
            return .optional(
                Self.doubt(values.first?.text ?? "", values.dropFirst().first?.text ?? ""))
        case "born": return .number(Double(try bear()))
        case "hook", "trait", "set_trait":
            guard let number = values.first?.number, people.indices.contains(Int(number) - 1),
                let name = values.dropFirst().first?.text
            else { preconditionFailure("the prelude of tests names people that it has been given") }
            return try ask(
                Int(number) - 1, call, TestArguments(name, values.dropFirst(2)))
        default: return .none  // What the file declares is known.
        }
    }

    // MARK: - The device

    private func stage() throws(TestRefusal) -> DeviceStage {
        if let made { return made }
        let stage = try Self.told { () throws(DeviceStage.Failure) in
            try DeviceStage(
                scenario, names: names, behavior: hasBehavior ? scripts.behaviors[0] : nil,
                strategy: scripts.strategy)
        }
        made = stage
        return stage
    }

    private func act(_ verb: String, _ arguments: inout TestArguments) throws(TestRefusal) {
        let act = try DeviceAct(verb, &arguments, features: scenario.features, hasBehavior)
        try arguments.end()
        var stage = try stage()
        made = nil  // One owner at a time: a copy of a device is not free.
        defer { made = stage }
        try Self.told { () throws(DeviceStage.Failure) in
            do throws(DeviceStage.Failure) {
                try act.perform(on: &stage)
            } catch {
                guard case .impossible(let text) = error else { throw error }
                throw .impossible("\(verb): \(text)")
            }
        }
    }

    private static func told<Value>(
        _ body: () throws(DeviceStage.Failure) -> Value
    ) throws(TestRefusal) -> Value {
        do throws(DeviceStage.Failure) {
            return try body()
        } catch {
            switch error {
            case .impossible(let text), .script(let text): throw TestRefusal(text)
            case .run(let failure):
                throw TestRefusal("\(failure.code.rawValue): \(failure.detail)")
            }
        }
    }

    // MARK: - People

    private func bear() throws(TestRefusal) -> Int {
        guard hasBehavior else {
            throw TestRefusal(
                "there is nobody to ask: give the file a behavior = \"archetype.lua\"")
        }
        guard people.count < TestSuite.peopleMax else {
            throw TestRefusal("a test has at most \(TestSuite.peopleMax) people")
        }
        let number = UInt32(people.count + 1)  // 0 is the device's own.
        people.append(
            try Self.heard { () throws(HookError) in
                try PersonStage(scripts.behaviors[0], scenario, number: number)
            })
        return people.count
    }

    static func heard<Value>(
        _ body: () throws(HookError) -> Value
    ) throws(TestRefusal) -> Value {
        do throws(HookError) {
            return try body()
        } catch {
            switch error {
            case .script(let failure): throw TestRefusal(failure.message)
            case .run(let failure):
                throw TestRefusal("\(failure.code.rawValue): \(failure.detail)")
            }
        }
    }

    var features: [String] { scenario.features }
}
