import AuthorizationCore
import LuaScripting
import SimPrimitives
import Simulation

/// One script by itself: what it declares, its text, and a dry run with its defaults.
struct ScriptCheck {
    /// Without a scenario: the versions that most apps still serve.
    static let versionsDefault: [IOSVersion] = IOSVersion.released
        .filter { $0.major >= 14 }
        .flatMap { known in
            [0, known.minorMax].compactMap { IOSVersion(known.major, $0) }
        }

    let path: String
    let text: String
    /// The ids of known sources; nil: there is no list.
    let sourceIDs: [String]?
    var source: ScriptSource { ScriptSource(name: path, text: text) }

    /// What the script declares and what is wrong with that; the outline is nil where the script
    /// does not load.
    static func declarations(
        _ source: ScriptSource, _ kind: ScriptKind, path: String, sourceIDs: [String]?
    ) -> (outline: ScriptOutline?, findings: [CheckFinding]) {
        do throws(ScriptError) {
            let (outline, problems) = try ScriptOutline.examine(
                source: source.text, name: source.name, kind: kind)
            let text = ScriptText(source.text, path: path)
            return (
                outline,
                problems.map { finding($0, path) } + text.findings(outline, source)
                    + text.unknownSources(outline, source, sourceIDs)
            )
        } catch { return (nil, [finding(error, path)]) }
    }

    static func finding(_ error: ScriptError, _ path: String) -> CheckFinding {
        let code: CheckFinding.Code =
            switch error.code {
            case .syntax: .syntax
            case .sourceTooLong: .tooLarge
            case .budgetExhausted: .budgetExhausted
            case .outOfMemory, .tooManyNames: .outOfMemory
            case .runtime where error.reason.contains("all devices share it"): .sharedState
            case .runtime where error.reason.contains("cannot be set here"): .sharedState
            case .runtime, .invalid, .stringTooLong: .script
            }
        return CheckFinding(code, .error, path, line: error.line, error.reason)
    }

    private static func finding(_ problem: ScriptProblem, _ path: String) -> CheckFinding {
        let code: CheckFinding.Code =
            switch problem.reason {
            case .hook: .unknownHook
            case .noFunction: .hookNoFunction
            case .otherKind: .otherKindsHook
            case .missingHook: .missingHook
            case .option: .badOption
            case .more: .tooMany
            }
        var finding = CheckFinding(
            code, .error, path, line: problem.error.line, problem.error.reason)
        if case .more(let count) = problem.reason { finding.count = count }
        return finding
    }

    // MARK: - Which kind it is

    /// The kind that the script's folder says, or else that fits its hooks best.
    var kind: ScriptKind {
        let folders = path.split(separator: "/").dropLast()
        if folders.last == "behaviors" { return .behavior }
        if folders.last == "strategies" { return .strategy }
        let fits = ScriptKind.allCases.map { kind in (kind, fit(kind)) }
        let best = fits.max { $0.1 < $1.1 }
        return best?.0 ?? .strategy
    }

    /// Hooks of that kind that the script has, or almost has; below 0 where it does not load.
    private func fit(_ kind: ScriptKind) -> Int {
        do throws(ScriptError) {
            let (outline, problems) = try ScriptOutline.examine(
                source: text, name: path, kind: kind)
            let near = problems.count { $0.error.reason.contains("did you mean") }
            return outline.hooks.bits.nonzeroBitCount + near
        } catch { return -1 }
    }

    // MARK: - The report

    func report(_ kind: ScriptKind, versions: [IOSVersion]) -> FileReport {
        var report = FileReport(path: path, kind: kind == .behavior ? .behavior : .strategy)
        report.read = [path]
        let (outline, findings) = Self.declarations(
            source, kind, path: path, sourceIDs: sourceIDs)
        report.findings = findings
        if outline?.hooks.bits == 0, let tests = findings.first(where: \.isAboutTests) {
            report.kind = .unknown
            report.findings = [
                CheckFinding(
                    .script, .error, path, line: tests.line,
                    "this is a file of tests, and no script: 'locfleet test \(path)' runs it")
            ]
            return report
        }
        if let outline {
            report.scripts = [ScriptSummary(name: path, kind: kind, outline: outline)]
            report.versions = versions
            tryOut(outline, kind, &report)
        }
        report.finish()
        return report
    }

    private func tryOut(
        _ outline: ScriptOutline, _ kind: ScriptKind, _ report: inout FileReport
    ) {
        do throws(ScriptError) {
            let trials = try ScriptTrials(
                scenario(outline, kind), versions: report.versions, kinds: [kind])
            for outcome in trials.outcomes {
                report.callCount += outcome.result.callCount
                report.findings += outcome.findings(source, path: path).map(Self.alone)
            }
        } catch { report.findings.append(Self.finding(error, path)) }
    }

    /// Which features and personas there are, only a scenario tells.
    private static func alone(_ finding: CheckFinding) -> CheckFinding {
        var finding = finding
        let named = "persona \(personaName)"
        finding.input = finding.input?.replacing(named, with: "\(named) (the defaults)")
        guard finding.hook == .nextTap, finding.reason.contains("which is no feature") else {
            return finding
        }
        (finding.code, finding.severity) = (.unknownFeature, .note)
        finding.reason += " without a scenario, whose features this run does not know"
        return finding
    }

    /// Without a scenario.
    private static let personaName = "everyone"

    /// A scenario around the script. What the other port needs is the least that loads.
    private func scenario(_ outline: ScriptOutline, _ kind: ScriptKind) -> Scenario {
        let options = outline.options.map {
            ScriptOption(name: $0.name, value: $0.defaultValue, isAssumed: $0.isAssumed)
        }
        let named = Set(ScriptText(text, path: path).features.map(\.name))
        let other: ScriptSource
        switch kind {
        case .behavior: other = ScriptSource(name: "stand-in.lua", text: "return {}")
        case .strategy:
            other = ScriptSource(
                name: "stand-in.lua",
                text: "return { answer_prompt = function(_, p) return p.choices[1] end }")
        }
        let isBehavior = kind == .behavior
        var capabilities = AppCapabilities()
        capabilities.hasWhenInUseText = true
        capabilities.hasAlwaysText = true
        return Scenario(
            name: "check", seed: 1, deviceCount: 1, duration: .days(30), zone: .utc,
            iosMix: [Weighted(.v18, weight: 1)],
            personas: [
                Scenario.Persona(
                    name: Self.personaName, weight: 1, behavior: isBehavior ? 0 : 1,
                    options: isBehavior ? options : [])
            ],
            app: Scenario.App(
                name: "App", capabilities: capabilities,
                usageTexts: ["", "Shows the stores around you.", "Tells you when you arrive."],
                strategy: isBehavior ? 1 : 0, options: isBehavior ? [] : options),
            features: named.isEmpty ? ["first", "second"] : named.sorted(),
            rules: SystemRules(), delays: SystemDelays(), funnels: [.builtIn],
            scripts: [source, other], scriptFailuresMax: nil)
    }
}

extension CheckFinding {
    /// That the script has a member `tests`: files of tests have, beside no hooks.
    fileprivate var isAboutTests: Bool {
        code == .unknownHook && reason.contains("has no hook 'tests'")
    }
}
