import AuthorizationCore
import DryRun
import LuaScripting
import SimPrimitives
import Simulation

/// The dry run of a scenario's scripts, each in a Lua state of its own.
struct ScriptTrials {
    /// What the dry run of one script came to.
    struct Outcome {
        /// Index into the scenario's scripts.
        let script: Int
        /// Whose options it had, or has after an intervention; nil for a strategy.
        var persona: String?
        var result: TrialResult
        var weights: [ScriptWatch.Weights]
    }

    let scenario: Scenario
    let versions: [IOSVersion]
    private(set) var outcomes: [Outcome] = []

    /// - Parameter kinds: which scripts are tried; the others stand in.
    /// - Throws: `ScriptError` when a script does not load.
    init(
        _ scenario: Scenario, versions: [IOSVersion], kinds: [ScriptKind] = ScriptKind.allCases
    ) throws(ScriptError) {
        (self.scenario, self.versions) = (scenario, versions)
        var primers = ["why"]
        let brought = scenario.interventions.map(\.action).compactMap { action in
            action.change.map { (kind: action.kind, change: $0) }
        }
        if kinds.contains(.strategy) {
            var apps = [(script: scenario.app.strategy, options: scenario.app.options)]
            for (kind, change) in brought where kind == .strategy {
                scenario.index(of: change.source).map { apps.append(($0, change.options)) }
            }
            primers = []
            for app in apps where !outcomes.contains(where: { $0.script == app.script }) {
                var scenario = scenario
                (scenario.app.strategy, scenario.app.options) = app
                let outcome = try Self.tryStrategy(scenario, versions)
                primers += outcome.result.primers.filter { !primers.contains($0) }
                outcomes.append(outcome)
            }
        }
        if primers.isEmpty { primers = ["why"] }
        guard kinds.contains(.behavior) else { return }
        var people = scenario.personas
        for (kind, change) in brought where kind == .behavior {
            guard let script = scenario.index(of: change.source) else { continue }
            people.append(
                Scenario.Persona(
                    name: scenario.personas[0].name, weight: 1, behavior: script,
                    options: change.options))
        }
        var tried: [Scenario.Persona] = []
        for persona in people {
            let isKnown = tried.contains {
                $0.behavior == persona.behavior
                    && $0.options.elementsEqual(persona.options) {
                        $0.name == $1.name && $0.value == $1.value
                    }
            }
            guard !isKnown else { continue }
            tried.append(persona)
            outcomes.append(try tryBehavior(persona, primers))
        }
    }

    private static func tryStrategy(
        _ scenario: Scenario, _ versions: [IOSVersion]
    ) throws(ScriptError) -> Outcome {
        let stage = try Stage(scenario)
        var trial = StrategyTrial(stage.scripts.strategy, of: stage.scenario, names: stage.names)
        let result = trial.run(on: versions)
        return Outcome(
            script: scenario.app.strategy, result: result, weights: stage.weights.seen)
    }

    private func tryBehavior(
        _ persona: Scenario.Persona, _ primers: [String]
    ) throws(ScriptError) -> Outcome {
        var scenario = scenario
        scenario.personas = [persona]
        let stage = try Stage(scenario)
        var trial = BehaviorTrial(
            stage.scripts.behaviors[0], persona: 0, of: stage.scenario, primers: primers,
            names: stage.names)
        let result = trial.run(on: versions)
        return Outcome(
            script: persona.behavior, persona: persona.name, result: result,
            weights: stage.weights.seen)
    }

    /// Scripts loaded for one dry run.
    private struct Stage {
        let scenario: Scenario
        let names: NameTable
        let scripts: LuaScripts
        let weights: WeightsSeen

        init(_ scenario: Scenario) throws(ScriptError) {
            var scenario = scenario
            scenario.deviceCount = BehaviorTrial.deviceCount
            scenario.interventions = []
            let (names, weights) = (Block.startingNames(of: scenario), WeightsSeen())
            scripts = try LuaScripts(
                scenario: scenario, names: names, watch: ScriptWatch { weights.note($0) })
            (self.scenario, self.names, self.weights) = (scenario, names, weights)
        }
    }
}

/// Weights of `rng.pick` that look like shares and are none, the first of each line.
///
/// A class, because the watch of the scripts adds to it.
private final class WeightsSeen {
    private(set) var seen: [ScriptWatch.Weights] = []

    func note(_ weights: ScriptWatch.Weights) {
        guard weights.lookLikeShares, !seen.contains(where: { $0.line == weights.line }) else {
            return
        }
        seen.append(weights)
    }
}

extension ScriptWatch.Weights {
    /// All below 1, with a sum that is off 1 by more than rounding and less than a whole.
    fileprivate var lookLikeShares: Bool {
        largest < 1 && (sum - 1).magnitude > 1e-6 && sum < 2
    }
}

extension ScriptTrials.Outcome {
    /// - Parameter path: of the script, for people.
    func findings(_ script: ScriptSource, path: String) -> [CheckFinding] {
        var findings = result.failures.map { finding($0, script.name, path) }
        if let ending = result.ending {
            findings.append(
                CheckFinding(
                    .outOfMemory, .error, path,
                    "the dry run ended: \(ending.detail). A run would end here, too"))
        }
        for weights in weights {
            findings.append(
                CheckFinding(
                    .weightsSum, .warning, path, line: weights.line,
                    "the weights of this rng.pick look like shares and sum to "
                        + "\(Self.rounded(weights.sum)): each counts as its part of that"))
        }
        for hook in result.abandoned {
            var finding = CheckFinding(
                .untriedHook, .note, path, line: script.line(of: [hook.rawValue]),
                "the dry run called \(hook.rawValue) no more after "
                    + "\(TrialLimits().endlessMax) calls past their budget, and after "
                    + "\(TrialLimits().endlessLaterMax) on each later iOS")
            finding.hook = hook
            findings.append(finding)
        }
        // The deprecated callback is there for versions that this run does not have.
        for hook in result.untried where hook != .didChangeAuthorization {
            var finding = CheckFinding(
                .untriedHook, .note, path, line: script.line(of: [hook.rawValue]),
                "the dry run had no occasion for \(hook.rawValue)")
            finding.hook = hook
            findings.append(finding)
        }
        return findings + spans(script, path)
    }

    /// What no run shows at once: people who never come, and seconds that are none.
    private func spans(_ script: ScriptSource, _ path: String) -> [CheckFinding] {
        var findings: [CheckFinding] = []
        func note(
            _ code: CheckFinding.Code, _ severity: CheckFinding.Severity, _ hook: HookName,
            _ count: Int, _ reason: String
        ) {
            var finding = CheckFinding(
                code, severity, path, line: script.line(of: [hook.rawValue]), reason)
            (finding.hook, finding.callCount) = (hook, count)
            finding.input = persona.map { "the options of persona \($0)" }
            findings.append(finding)
        }
        let (opens, sessions) = (result.opens, result.sessions)
        if opens.count > 0, opens.greatest == nil {
            note(
                .neverOpens, .warning, .nextOpen, opens.count,
                "next_open has returned nil at every call: nobody opens the app; is a return "
                    + "missing?")
        }
        if let greatest = opens.greatest, greatest < .minutes(1) {
            note(
                .implausibleSpan, .note, .nextOpen, opens.count,
                "next_open has returned at most \(Self.plain(greatest)) at every call, "
                    + "which are seconds: people who open the app that often are rare")
        }
        if let least = sessions.least, least > .days(1) {
            note(
                .implausibleSpan, .note, .sessionLength, sessions.count,
                "session_length has returned at least \(Self.plain(least)) at every call, "
                    + "which are seconds: more than a day in the foreground")
        }
        return findings
    }

    private func finding(_ failure: TrialFailure, _ name: String, _ path: String) -> CheckFinding {
        var finding = CheckFinding(
            Self.code(failure), .error, path, line: failure.line > 0 ? failure.line : nil,
            Self.reason(failure, name))
        finding.hook = failure.hook
        finding.input = failure.input
        (finding.versions, finding.callCount) = (failure.versions, failure.count)
        return finding
    }

    /// By what the script bridge says: `ScriptFindingTests` hold each to it.
    private static func code(_ failure: TrialFailure) -> CheckFinding.Code {
        let says = { (words: String) in failure.message.contains(words) }
        switch failure.code {
        case .budgetExhausted: return .budgetExhausted
        case .badReply where says("is not among the choices"): return .absentChoice
        case .runtime where says(" exists from iOS ") && says("guard it"): return .absentCall
        case .runtime where says("a probability lies in 0 ... 1"): return .probability
        case .runtime where says(": pick takes "): return .weights
        default: return .failingHook
        }
    }

    private static func reason(_ failure: TrialFailure, _ name: String) -> String {
        for prefix in ["\(name):\(failure.line): ", "\(name): "]
        where failure.message.hasPrefix(prefix) {
            return String(failure.message.dropFirst(prefix.count))
        }
        return failure.message
    }

    /// In seconds, whole ones without a point.
    private static func plain(_ span: SimDuration) -> String {
        let seconds = rounded(span.seconds)
        return seconds == seconds.rounded() ? String(Int64(seconds)) : "\(seconds)"
    }

    /// To four decimals.
    private static func rounded(_ sum: Double) -> Double { (sum * 10_000).rounded() / 10_000 }
}
