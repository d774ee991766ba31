import AuthorizationCore
import JSONText
import Metrics
import SimPrimitives
import Simulation
import Telemetry

extension Report {
    /// The report for people: aligned tables, ending with a newline.
    ///
    /// - Parameter width: columns of the terminal. 80 are enough for usual names and numbers.
    public func text(isColored: Bool = false, width: Int = 80) -> String {
        let page = TextPage(report: self, style: TextStyle(isColored: isColored), width: width)
        return arms.count == 1 ? page.text : page.comparison
    }

    /// The funnels alone, and the arms against the base.
    public func funnelText(isColored: Bool = false, width: Int = 80) -> String {
        let page = TextPage(report: self, style: TextStyle(isColored: isColored), width: width)
        return page.joined(
            [page.title] + (arms.count == 1 ? page.funnels : page.compared)
                + page.splits)
    }
}

/// The sections of a text report, in their order.
struct TextPage {
    let report: Report
    let style: TextStyle
    let width: Int

    var total: FleetMetrics { report.total }

    var text: String {
        var sections = [title] + funnels + splits
        sections += [statuses, optIn, prompts, requestsIgnored, features, milestones]
        sections += [counters, histograms]
        sections += [
            interventions, journal, crashes, scriptFailures, thresholds, options, assumptions, run,
            profile,
        ]
        return joined(sections)
    }

    /// The funnels of every arm, split by what was asked for.
    var splits: [[String]] {
        guard !report.groups.isEmpty else { return [] }
        return report.arms.flatMap { arm in
            report.scenario.funnels.indices.map {
                alone(arm).split($0, of: report.arms.count == 1 ? nil : arm)
            }
        }
    }

    var funnels: [[String]] {
        zip(report.scenario.funnels, total.funnels).map { funnel($0, $1) }
    }

    func joined(_ sections: [[String]]) -> String {
        sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
            .joined(separator: "\n\n") + "\n"
    }

    /// A heading and what stands under it.
    func section(_ heading: String, _ lines: [String], remark: String = "") -> [String] {
        let remark = remark.isEmpty ? "" : "  " + style.dim(remark)
        return lines.isEmpty ? [] : [style.bold(heading) + remark] + lines
    }

    var title: [String] {
        let scenario = report.scenario
        let start = LocalTime(.start, in: scenario.zone)
        let versions = scenario.iosMix.map(\.value).sorted().map(\.description)
        var facts = [
            "\(grouped(total.devices)) \(total.devices == 1 ? "device" : "devices")",
            "\(human(report.simulated)) from \(dateText(start))",
            scenario.zone.name, "app \(scenario.app.name)",
            "iOS \(versions.joined(separator: ", "))",
        ]
        if report.endedBy != .duration {
            facts[1] =
                "\(human(report.simulated)) of \(human(scenario.duration)) from \(dateText(start))"
        }
        let lines = Reports.joined(facts.map(printable), width: width).map(style.dim)
        var title = [style.bold(printable(scenario.name))] + lines
        switch report.endedBy {
        case nil: title.append(standing)
        case .duration: break
        case .endWhen: title.append("Ended early: its end_when came true.")
        case .interrupted:
            title.append(style.alarming("Interrupted: these are the figures up to there."))
        case .stopped: title.append(style.alarming("Stopped: these are the figures up to there."))
        case .scriptFailures: title += wrapped(tooManyFailures, width: width).map(style.alarming)
        }
        let failures = report.arms.reduce(0) { $0 + $1.total.scriptFailures }
        if failures > 0 {
            title.append(style.alarming("\(grouped(failures)) script failures: see below."))
        }
        let crashes = report.arms.flatMap(\.total.crashesByRule).reduce(0) { $0 + $1.count }
        if crashes > 0 {
            title.append(style.alarming("The app crashed \(grouped(crashes)) times: see below."))
        }
        return title
    }

    private var standing: String {
        let rest = ": these are the figures up to there."
        return switch report.standing {
        case .notStarted: style.dim("Not started yet: nothing has happened.")
        case .running: style.dim("Still running" + rest)
        case .paused: style.dim("Paused" + rest)
        case .failed: style.alarming("Failed" + rest)
        }
    }

    /// When the devices stood as tables say.
    var when: String {
        report.endedBy == nil ? "so far, \(human(report.simulated)) after the start" : "at the end"
    }

    /// The heading of where devices stand.
    var whereDevicesStand: String {
        report.endedBy == nil ? "Where every device stands" : "Where every device ended"
    }

    private var optIn: [String] {
        var table = TextTable([.words(), .number(), .number(), .words(isDim: true)])
        for (name, count) in [
            ("authorized", total.authorized), ("authorizedAlways", total.authorizedAlways),
        ] {
            table.rows.append([
                name, grouped(count), percent(Ratio(count, of: total.installed)),
                "of \(grouped(total.installed)) installed",
            ])
        }
        return section(
            "Opt-in of the population", table.lines(width: width, style: style),
            remark: "visible status \(when)")
    }

    private var requestsIgnored: [String] {
        var table = TextTable([.words(), .number()])
        table.rows = zip(IgnoreReason.allCases, total.requestsIgnored).filter { $1 > 0 }
            .map { [$0.rawValue, grouped($1)] }
        let lines = table.rows.isEmpty ? ["  none"] : table.lines(width: width, style: style)
        return section("Requests ignored", lines, remark: "by reason")
    }

    private var features: [String] {
        var table = TextTable([.words(), .words(), .number(), .number()])
        for feature in report.featureCounts(of: total) {
            for (index, outcome) in feature.outcomes.enumerated() {
                table.rows.append([
                    index == 0 ? feature.name : "", outcome.name, grouped(outcome.count),
                    percent(Ratio(outcome.count, of: feature.count)),
                ])
            }
        }
        return section(
            "Features", table.lines(width: width, style: style), remark: "uses by outcome")
    }

    private var milestones: [String] {
        var table = TextTable([.words(), .number()])
        table.rows = total.milestones.sorted { $0.key < $1.key }.map {
            [$0.key.text, grouped($0.value)]
        }
        return section("Milestones", table.lines(width: width, style: style), remark: "times")
    }

    /// Nothing where the app never crashed: few can.
    var crashes: [String] {
        var table = TextTable([.words(), .number(), .words()])
        table.rows = total.crashesByRule.map { rule, count in
            [rule.rawValue, grouped(count), rule.phrase ?? ""]
        }
        return section(
            "Crashes of the app", table.lines(width: width, style: style),
            remark: "by the rule that it broke")
    }

    var assumptions: [String] {
        var table = TextTable([.words(), .words(), .words()])
        var last = ""
        for assumption in report.assumptions {
            let (owner, name, value) = assumption.cells
            let isSame = owner == last
            table.rows.append([isSame ? "" : owner, name, value])
            last = owner
        }
        return section(
            "Assumptions used", table.lines(width: width, style: style),
            remark: "figures that no source gives")
    }

    /// What the scenario sets of its scripts' options, and arms set otherwise: its own assumptions.
    /// Of the strategies' also what differs between arms, be it by default.
    var options: [String] {
        var told: Set<String> = []
        let lines = report.arms.flatMap { arm -> [String] in
            let (scenario, app) = (arm.scenario, arm.scenario.app)
            let owners =
                [("app", app.options, app.strategy)]
                + scenario.personas.map { ($0.name, $0.options, $0.behavior) }
            return owners.flatMap { owner, options, script -> [String] in
                let given = options.filter { $0.isGiven || owner == "app" && differs($0) }
                    .map { "\($0.name) \($0.value.text)" }
                let what = "\(scenario.scripts[script].name): \(given.joined(separator: ", "))"
                // An arm's line stands there only where it says something else than the base's.
                guard !given.isEmpty, told.insert("\(owner), \(what)").inserted else { return [] }
                let place = arm.name == Arm.baseName ? owner : "\(owner) in \(arm.name)"
                return wrapped(printable("\(place), \(what)"), width: width - 4).enumerated().map {
                    ($0 == 0 ? "  " : "    ") + $1
                }
            }
        }
        return section(
            report.arms.count == 1
                ? "Options set by the scenario" : "Options set by the scenario, or other in an arm",
            lines, remark: "its own assumptions")
    }

    /// Whether an option of the strategy is not the same in every arm.
    private func differs(_ option: ScriptOption) -> Bool {
        !report.arms.allSatisfy { arm in
            arm.scenario.app.options.contains {
                $0.name == option.name && $0.value == option.value
            }
        }
    }

    /// Where the time went: parts, and within scripts the hooks.
    var profile: [String] {
        guard let profile = report.machine?.profile else { return [] }
        var table = TextTable([.words(), .number(), .words(isDim: true)])
        for part in profile.parts {
            table.rows.append([
                part.part.rawValue, percent(Ratio(part.samples, of: profile.samples)), "",
            ])
            guard part.part == .scripts else { continue }
            for hook in profile.hooks {
                table.rows.append([
                    "  \(hook.hook.rawValue)", percent(Ratio(hook.samples, of: profile.samples)),
                    hook.script,
                ])
            }
        }
        return section(
            profile.samples == 0
                ? "Where the time went: the run was too short to look at"
                : "Where the time went: \(grouped(profile.samples)) looks at workers, one a "
                    + "millisecond each",
            table.lines(width: width, style: style))
    }

    var run: [String] {
        var table = TextTable([.words(isDim: true), .words()])
        table.rows = [
            ["seed", String(report.scenario.seed)], ["bundle", report.bundle],
            ["digest", report.digest.description],
        ]
        if let original = report.original {
            let name = printable(original.fleet)
            table.rows.append([
                "",
                report.isOriginal == true
                    ? "the same as that of the fleet \(name), which was exported"
                    : "another than that of the fleet \(name): \(printable(original.digest))",
            ])
        }
        if let machine = report.machine {
            let milliseconds = UInt64((max(0, machine.wallSeconds) * 1_000).rounded())
            let rate = machine.eventsPerSecond(report.events)
            table.rows += [
                [
                    "machine",
                    "\(grouped(report.events)) events in "
                        + "\(fixed((milliseconds + 50) / 100, decimals: 1)) s, "
                        + "\(grouped(rate)) a second",
                ],
                [
                    "",
                    "\(machine.workers) worker\(machine.workers == 1 ? "" : "s"), "
                        + "\(humanBytes(machine.residentBytes)) resident, "
                        + "\(grouped(machine.bytesPerDevice)) bytes a device without scripts",
                ],
            ]
        }
        return section("This run", table.lines(width: width, style: style))
    }
}

extension Assumption {
    fileprivate var cells: (owner: String, name: String, value: String) {
        switch self {
        case .option(let script, let name, let value, let source):
            (
                script, name,
                value.text + (source.map { " (source stated by the script: \($0))" } ?? "")
            )
        case .setting(let name, let value): ("scenario", name, value)
        }
    }
}

extension ScriptOption.Value {
    var text: String {
        switch self {
        case .number(let number): plainText(number)
        case .boolean(let flag): String(flag)
        case .string(let text): text
        }
    }
}

/// `2026-01-05`
func dateText(_ time: LocalTime) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
    return "\(time.year)-\(two(time.month))-\(two(time.dayOfMonth))"
}

/// `08:12:03`
func clockText(_ time: LocalTime) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
    return "\(two(time.hour)):\(two(time.minute)):\(two(time.second))"
}
