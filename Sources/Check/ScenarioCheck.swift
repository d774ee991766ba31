import AuthorizationCore
import Bundles
import JSONText
import Lint
import LuaScripting
import Metrics
import Simulation

/// Makes a reader of scenarios that asks this of scripts.
public typealias ReaderMaker = @Sendable (@escaping Bundles.ScriptOutline) -> BundleReader

/// A scenario with all that it refers to.
struct ScenarioCheck {
    let path: String
    private let reader: BundleReader
    private let shelf: ScriptShelf
    private let versions: [IOSVersion]?
    private let sourceIDs: [String]?

    /// - Parameters:
    ///   - versions: nil: those of the scenario's mix.
    ///   - sourceIDs: nil: there is no list of sources.
    init(
        path: String, reader make: ReaderMaker, versions: [IOSVersion]?, sourceIDs: [String]?
    ) {
        let shelf = ScriptShelf()
        (self.path, self.shelf) = (path, shelf)
        (self.versions, self.sourceIDs) = (versions, sourceIDs)
        reader = make { source, name, role in
            try shelf.read(ScriptSource(name: name, text: source), role)
        }
    }

    func report() -> FileReport {
        var report = FileReport(path: path, kind: .scenario)
        report.read = [path]
        let bundle: Bundle?
        do throws(BundleError) { bundle = try reader.read(scenarioPath: path) } catch {
            bundle = nil
            report.isRead = error.place != path || error.line != nil
        }
        for error in bundle == nil ? reader.problems(scenarioPath: path) : [] {
            guard error.code != .script else { continue }  // Told by the shelf, in full.
            report.findings.append(CheckFinding(error))
            if error.place != path { report.read.append(error.place) }
        }
        for script in shelf.scripts { note(script, &report) }
        if let bundle {
            look(into: bundle, &report)
        } else {
            lookAtEach(&report)
        }
        report.finish()
        for place in report.findings.indices
        where report.findings[place].arms.count == bundle?.arms.count {
            report.findings[place].arms = []
        }
        return report
    }

    private func place(_ script: ScriptShelf.Script) -> String {
        reader.path(
            of: script.source.name, script.kind == .behavior ? .behavior : .strategy,
            scenarioPath: path) ?? script.source.name
    }

    private func note(_ script: ScriptShelf.Script, _ report: inout FileReport) {
        let place = place(script)
        report.read.append(place)
        let (outline, findings) = ScriptCheck.declarations(
            script.source, script.kind, path: place, sourceIDs: sourceIDs)
        report.findings += findings
        if let outline {
            report.scripts.append(ScriptSummary(name: place, kind: script.kind, outline: outline))
        }
    }

    // MARK: - What can be told where the scenario cannot be read

    /// Each file by itself: scripts with their defaults on the versions that they have alone.
    private func lookAtEach(_ report: inout FileReport) {
        let versions = versions ?? ScriptCheck.versionsDefault
        for script in shelf.scripts {
            let check = ScriptCheck(
                path: place(script), text: script.source.text, sourceIDs: sourceIDs)
            let alone = check.report(script.kind, versions: versions)
            report.findings += alone.findings
            report.callCount += alone.callCount
        }
        if report.callCount > 0 { report.versions = versions }
        let told = report.findings.filter { $0.file.hasSuffix(".plist") }
        for place in Set(told.map(\.file)).sorted() {
            do throws(BundleError) {
                let lint = LintReport(try PropertyList(contentsOf: place))
                let errors = lint.findings.filter { finding in
                    finding.severity == .error && !told.contains { $0.key == finding.key }
                }
                report.findings += errors.map {
                    CheckFinding($0, plist: place, strategy: "")
                }
            } catch { continue }  // It cannot be read, which has been told.
        }
    }

    // MARK: - What all of it comes to

    private func look(into bundle: Bundle, _ report: inout FileReport) {
        report.versions = versions ?? bundle.scenario.iosMix.map(\.value).sorted()
        var milestones: [String] = []
        for arm in bundle.arms {
            let before = report.findings.count
            tryOut(arm.scenario, &report, &milestones)
            for place in before..<report.findings.count { report.findings[place].arms = [arm.name] }
        }
        lint(bundle, &report)
        checkSteps(bundle, milestones, &report)
    }

    private func tryOut(
        _ scenario: Scenario, _ report: inout FileReport, _ milestones: inout [String]
    ) {
        let places = scenario.scripts.map { source in
            shelf.scripts.first { $0.source == source }.map(place) ?? source.name
        }
        for number in Self.strategies(of: scenario) {
            let text = ScriptText(scenario.scripts[number].text, path: places[number])
            for (name, line) in text.features where !scenario.features.contains(name) {
                let hint = Self.hint(name, scenario.features)
                report.findings.append(
                    CheckFinding(
                        .unknownFeature, .warning, text.path, line: line,
                        "no feature of the scenario is called '\(name)'\(hint)"))
            }
        }
        do throws(ScriptError) {
            let trials = try ScriptTrials(scenario, versions: report.versions)
            for outcome in trials.outcomes {
                report.callCount += outcome.result.callCount
                report.findings += outcome.findings(
                    scenario.scripts[outcome.script], path: places[outcome.script])
                milestones += outcome.result.milestones
            }
        } catch {
            report.findings.append(ScriptCheck.finding(error, error.script))
        }
    }

    /// The scenario's, then those that interventions bring: indices into its scripts.
    private static func strategies(of scenario: Scenario) -> [Int] {
        scenario.interventions.reduce(into: [scenario.app.strategy]) { numbers, intervention in
            guard case .strategy(let change) = intervention.action,
                let number = scenario.index(of: change.source), !numbers.contains(number)
            else { return }
            numbers.append(number)
        }
    }

    /// `; did you mean 'x'?`, or the names that there are.
    private static func hint(_ name: String, _ known: [String]) -> String {
        if let near = nearest(to: name, among: known) { return "; did you mean '\(near)'?" }
        return known.isEmpty ? "; there are none" : "; there are " + known.joined(separator: ", ")
    }

    /// Steps of funnels that no script can take, as far as their texts and the dry run show.
    private func checkSteps(
        _ bundle: Bundle, _ milestones: [String], _ report: inout FileReport
    ) {
        let made = Set(milestones.map { NameText($0) })
        let strings = bundle.arms.flatMap(\.scenario.scripts).reduce(into: Set<NameText>()) {
            $0.formUnion(ScriptText($1.text, path: $1.name).strings.map { NameText($0) })
        }
        for funnel in bundle.scenario.funnels {
            for case .milestone(let name) in funnel.steps
            where !made.contains(NameText(name)) && !strings.contains(NameText(name)) {
                let hint = Self.hint(name, Array(Set(milestones)).sorted())
                var finding = CheckFinding(
                    .unmadeStep, .warning, path, line: line(of: "milestone:\(name)"),
                    "no script makes the milestone '\(name)' of the funnel \(funnel.name)\(hint)")
                finding.key = "funnels"
                report.findings.append(finding)
            }
        }
    }

    /// The line on which `word` stands first.
    private func line(of word: String) -> Int? {
        guard
            let bytes = try? NamedFile.bytes(path, bytesMax: ScenarioLimits.scenarioBytesMax)
        else { return nil }
        let lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
        return lines.firstIndex { String(decoding: $0, as: UTF8.self).contains(word) }
            .map { $0 + 1 }
    }

    private func lint(_ bundle: Bundle, _ report: inout FileReport) {
        guard let blob = bundle.blobs.first(where: { $0.kind == .infoPlist }) else { return }
        let place = reader.path(of: blob.name, .infoPlist, scenarioPath: path) ?? blob.name
        report.read.append(place)
        let scenario = bundle.scenario
        var told: [Finding] = []
        for number in Self.strategies(of: scenario) {
            let source = scenario.scripts[number]
            let known = shelf.scripts.first { $0.source == source }
            let change = scenario.interventions.lazy.compactMap(\.action.change).first {
                $0.source == source
            }
            var options: [String: String] = [:]
            for option in change?.options ?? scenario.app.options {
                if case .string(let value) = option.value { options[option.name] = value }
            }
            let use = StrategyUse(
                source: source.text, name: known.map(self.place) ?? source.name,
                hooks: known?.hooks ?? HookSet(), options: options)
            do throws(BundleError) {
                let list = try PropertyList(blob.bytes, path: place)
                let result = LintReport(list, strategy: use, versions: report.versions)
                // What is wrong with the plist itself is wrong with every strategy.
                let news = result.findings.filter { !told.contains($0) }
                told += news
                report.findings += news.map { CheckFinding($0, plist: place, strategy: use.name) }
            } catch { return report.findings.append(CheckFinding(error)) }
        }
    }
}

/// The scripts of a scenario as its reader meets them.
///
/// A class, because the reader's closure adds to it. Safe: one check uses it, on one thread.
private final class ScriptShelf: @unchecked Sendable {
    struct Script {
        let source: ScriptSource
        let kind: ScriptKind
        /// Empty where it does not load.
        let hooks: HookSet
    }

    private(set) var scripts: [Script] = []

    /// What the script declares, as far as it can be told: the rest of the scenario is read on.
    func read(_ source: ScriptSource, _ role: ScriptRole) throws -> [DeclaredOption] {
        let kind: ScriptKind = role == .behavior ? .behavior : .strategy
        let isKnown = scripts.contains { $0.source == source && $0.kind == kind }
        do throws(ScriptError) {
            let (outline, _) = try LuaScripting.ScriptOutline.examine(
                source: source.text, name: source.name, kind: kind)
            if !isKnown { scripts.append(Script(source: source, kind: kind, hooks: outline.hooks)) }
            return outline.options.map { option in
                DeclaredOption(
                    name: option.name, value: option.defaultValue, min: option.min,
                    max: option.max, unit: option.unit ?? "", about: option.about ?? "",
                    source: option.source ?? "", isAssumed: option.isAssumed)
            }
        } catch {
            if !isKnown { scripts.append(Script(source: source, kind: kind, hooks: HookSet())) }
            throw error
        }
    }
}
