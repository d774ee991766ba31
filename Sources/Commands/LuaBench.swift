import AuthorizationCore
import Bundles
import DeviceCore
import Foundation
import LuaScripting
import SimPrimitives
import Simulation

/// `locfleet-bench --lua`: what scripts cost beside the engine, in time and in memory.
///
/// What is compared runs in turn in one process; a figure is the median of the rounds.
struct LuaBench {
    static let options: [OptionSpec] = [
        .flag("--lua", "measure what a decision in Lua costs, its memory and its collector")
    ]

    /// What `self` holds in the measurement of memory: four fields.
    private static let fourFields = (
        behavior: """
        return {
          born = function(self) self.a, self.b, self.c, self.d = 1, 2.5, true, "x" end,
          answer_prompt = function(self, prompt)
            self.a = self.a + 1
            return prompt.choices[1], { after = self.a % 60, precise = true }
          end,
        }
        """,
        strategy: """
        return { launched = function(self) self.a, self.b, self.c, self.d = 1, 2.5, true, "x" end }
        """
    )

    let rounds: Int
    let terminal: Terminal
    /// The demo, for its people and its app.
    let demo: Scenario
    /// One hook that is never called.
    let bare: Scenario

    func run() throws(CommandError) {
        do {
            try terminal.print(try decisions() + (try engine()))
            try terminal.print(try memory(devices: 100_000) + (try stalls(devices: 1_000_000)))
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError("\(error)", status: .failed)
        }
    }

    // MARK: - Time

    private static let calls = 200_000

    /// Through the port and by a bare `lua_pcall`, for people of several kinds.
    private func decisions() throws -> String {
        var text = "one answer to a prompt, nanoseconds; median of \(rounds) rounds\n"
        text += "                              port   lua_pcall   ratio (at most 1.5)\n"
        let plain = "return { answer_prompt = function(_, prompt) return prompt.choices[1] end }"
        let looped = """
            return { answer_prompt = function(_, prompt)
              local n = 0
              for i = 1, 20 do n = n + i end
              return prompt.choices[n > 0 and 1 or 2]
            end }
            """
        for (name, scenario) in [
            ("archetype.lua", demo), ("no loop and no call", replaced(plain)),
            ("a loop of 20", replaced(looped)),
        ] {
            let scripts = try LuaScripts(scenario: scenario, names: NameTable())
            var port: [Double] = []
            var bare: [Double] = []
            for _ in 0...rounds {  // The first warms up.
                port.append(try nanoseconds { try answer(scripts, times: Self.calls) })
                bare.append(
                    try nanoseconds {
                        var random = Self.stream(0)
                        guard scripts.answerBare(times: Self.calls, random: &random) else {
                            throw CommandError("\(name): a call failed", status: .failed)
                        }
                    })
            }
            let (ours, theirs) = (Self.median(port.dropFirst()), Self.median(bare.dropFirst()))
            text += Self.left(name, 24) + Self.right(ours / Double(Self.calls), 10)
            text +=
                Self.right(theirs / Double(Self.calls), 12) + Self.right(ours / theirs, 8) + "\n"
        }
        return text
    }

    private func answer(_ scripts: LuaScripts, times: Int) throws {
        let behavior = scripts.behaviors[0]
        let question = Self.question
        let person = Self.person(0)
        var acts: [PhoneAct] = []
        var random = Self.stream(0)
        for _ in 0..<times {
            _ = try behavior.answerPrompt(question, person, random: &random, acts: &acts)
        }
    }

    /// A scenario whose only hook is never called, with its scripts and without any.
    private func engine() throws -> String {
        var (with, without): ([Double], [Double]) = ([], [])
        let range = 0..<min(bare.deviceCount, Block.deviceCountMax)
        for _ in 0...rounds {
            for isScripted in [true, false] {
                let names = Block.startingNames(of: bare)
                let scripts = isScripted ? try LuaScripts(scenario: bare, names: names) : nil
                let block = Block(
                    devices: range, of: bare, names: names,
                    behaviors: scripts?.behaviors ?? bare.personas.map { _ in Nobody() },
                    strategy: scripts?.strategy ?? Nothing())
                let spent = nanoseconds { block.run(until: .start + bare.duration) }
                let rate = Double(block.eventCount) / spent * 1e3
                if isScripted { with.append(rate) } else { without.append(rate) }
            }
        }
        let (ours, own) = (Self.median(with.dropFirst()), Self.median(without.dropFirst()))
        return "no hook called: \(Self.right(ours, 0)) million events a second with scripts, "
            + "\(Self.right(own, 0)) without: ratio \(Self.right(ours / own, 0))\n"
    }

    // MARK: - Memory

    private func memory(devices: UInt32) throws -> String {
        let blocks = try lived(devices: devices, asked: 1, onCall: { _ in })
        let empty = try lived(devices: devices, asked: 0, onCall: { _ in }, isBorn: false)
        let bytes = blocks.reduce(0) { $0 + $1.bytes } - empty.reduce(0) { $0 + $1.bytes }
        let funnels = Block.bytesPerDevice(funnels: demo.funnels.count)
        return "\(devices) devices, a self of four fields for the person and one for the app: "
            + "\(bytes / Int(devices)) bytes a device (at most 400) on top of the engine's "
            + "\(funnels)\n"
    }

    private func stalls(devices: UInt32) throws -> String {
        var longest = 0.0
        var calls = 0
        var over = 0
        _ = try lived(devices: devices, asked: 4) { nanoseconds in
            longest = max(longest, nanoseconds)
            calls += 1
            if nanoseconds > 1e6 { over += 1 }
        }
        return "\(devices) devices, \(calls) calls that leave garbage: the longest took "
            + "\(Self.right(longest / 1e6, 0)) ms of its thread (at most 50), \(over) over 1 ms\n"
    }

    /// Blocks of devices that are born, launched and asked so often, one block after the other.
    private func lived(
        devices: UInt32, asked: Int, onCall: (Double) -> Void, isBorn: Bool = true
    ) throws -> [LuaScripts] {
        let scenario = replaced(Self.fourFields.behavior, Self.fourFields.strategy, devices)
        let blocks = stride(from: 0, to: devices, by: Int(Block.deviceCountMax))
        let states = try blocks.map { _ in
            try LuaScripts(scenario: scenario, names: NameTable())
        }
        guard isBorn else { return states }
        var acts: [PhoneAct] = []
        var calls: [AppCall] = []
        for (first, scripts) in zip(blocks, states) {
            let count = min(Block.deviceCountMax, devices - first)
            for index in 0..<count {
                var random = Self.stream(first + index)
                try scripts.behaviors[0].born(
                    Self.person(index), random: &random, acts: &acts)
                try scripts.strategy.handle(
                    .launched, Self.app(index), random: &random, calls: &calls)
            }
        }
        for _ in 0..<asked {
            for (first, scripts) in zip(blocks, states) {
                for index in 0..<min(Block.deviceCountMax, devices - first) {
                    var random = Self.stream(first + index)
                    let began = threadNanoseconds()
                    _ = try scripts.behaviors[0].answerPrompt(
                        Self.question, Self.person(index), random: &random, acts: &acts)
                    onCall(threadNanoseconds() - began)
                }
            }
        }
        return states
    }

    // MARK: - Values

    /// The demo with one script for all people, and another app where one is given.
    private func replaced(
        _ behavior: String, _ strategy: String = "return {}", _ devices: UInt32? = nil
    ) -> Scenario {
        var scenario = demo
        scenario.scripts = [
            ScriptSource(name: "behavior.lua", text: behavior),
            ScriptSource(name: "strategy.lua", text: strategy),
        ]
        scenario.personas = [
            Scenario.Persona(name: "everyone", weight: 1, behavior: 0, options: [])
        ]
        (scenario.app.strategy, scenario.app.options) = (1, [])
        scenario.deviceCount = devices ?? scenario.deviceCount
        return scenario
    }

    private static let ios = IOSVersion("18.5")!  // Never nil: it was released.

    private static let question = Question(
        .whenInUse, choices: ChoiceSet(PromptKind.whenInUse.choices(on: ios)), ordinal: 1,
        askedBefore: 0, isPrimed: true, isExpected: true, purpose: .whenInUse)

    private static func person(_ index: UInt32) -> PersonView {
        PersonView(
            device: DeviceID(index), indexInBlock: index, persona: 0, ios: ios,
            status: .notDetermined, time: .start)
    }

    private static func app(_ index: UInt32) -> AppView {
        AppView(
            device: DeviceID(index), indexInBlock: index, ios: ios, status: .notDetermined,
            accuracy: .fullAccuracy, allowsBackgroundUpdates: false, wasLaunchedBySystem: false,
            sessions: 1, isFirstLaunch: true, time: .start)
    }

    private static func stream(_ device: UInt32) -> RandomStream {
        RandomStream(seed: 1, device: DeviceID(device), purpose: .promptWhenInUse, occasion: 1)
    }

    // MARK: - Figures

    private func nanoseconds(_ body: () throws -> Void) rethrows -> Double {
        let began = threadNanoseconds()
        try body()
        return threadNanoseconds() - began
    }

    /// Of this thread alone, so that what else the machine does counts little.
    private func threadNanoseconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    private static func median(_ values: ArraySlice<Double>) -> Double {
        values.sorted()[values.count / 2]
    }

    private static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    private static func right(_ value: Double, _ width: Int) -> String {
        let hundredths = Int((value * 100).rounded())
        let text = "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10)"
        return String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
