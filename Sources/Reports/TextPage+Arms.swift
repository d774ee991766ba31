import AuthorizationCore
import JSONText
import Metrics
import Simulation

/// The report of a run with several arms.
extension TextPage {
    var comparison: String {
        var sections = [title, glance] + compared + splits
        sections += [statusesOfArms, promptsOfArms, requestsIgnoredOfArms, featuresOfArms]
        sections += [milestonesOfArms, countersOfArms, histogramsOfArms]
        for arm in report.arms {
            let page = alone(arm)
            let name = printable(arm.name)
            if !arm.scenario.interventions.isEmpty { sections.append(page.interventions.of(name)) }
            if !arm.total.crashes.isEmpty { sections.append(page.crashes.of(name)) }
            if arm.total.scriptFailures > 0 { sections.append(page.scriptFailures.of(name)) }
            if !arm.judgements.isEmpty { sections.append(page.thresholds.of(name)) }
        }
        sections += [journal, options, assumptions, run, profile]
        return joined(sections)
    }

    /// The figures that most people ask for, of every arm.
    private var glance: [String] {
        let steps = ["asked", "granted", "kept", "asked_always", "always"]
        var table = TextTable(
            [.words("arm")] + steps.map { .number($0 == "asked_always" ? "asked\nalways" : $0) }
                + ["authorized", "Always"].map {
                    .number("\(report.endedBy == nil ? "so far" : "at end")\n\($0)")
                })
        table.rows = report.arms.map { arm in
            let total = arm.total
            let reached = steps.map { name in
                FunnelDefinition.builtIn.steps.firstIndex { $0.name == name }
                    .map { total.funnels[0].reached[$0] } ?? 0
            }
            return [arm.name]
                + (reached + [total.authorized, total.authorizedAlways]).map {
                    percent(Ratio($0, of: total.devices))
                }
        }
        return section(
            "Arms at a glance", table.lines(width: width, style: style),
            remark: "of all devices, the same people in each")
    }

    /// More arms than this are told by what differs: their funnels in full would fill pages.
    private static let funnelsMax = 3

    /// Every arm's funnels, if there are few, then each arm against the base.
    var compared: [[String]] {
        let shown = report.arms.count <= Self.funnelsMax ? report.arms : []
        let funnels = shown.flatMap { arm in
            zip(arm.scenario.funnels, arm.total.funnels).map {
                alone(arm).funnel($0, $1, of: arm)
            }
        }
        return funnels + report.arms.dropFirst().flatMap { [paired($0), pairedGroups($0)] }
    }

    func alone(_ arm: ReportArm) -> TextPage {
        TextPage(report: report.alone(arm), style: style, width: width)
    }

    // MARK: - Pairs

    private func paired(_ arm: ReportArm) -> [String] {
        let rows = report.comparisons.filter { $0.arm == arm.name }.filter(\.isTelling)
        var table = TextTable([
            .words("step"), .number("base"), .number("arm"), .number("differ-\nence"),
            .number("95%\ninterval", isDim: true), .number("only\nbase"), .number("only\narm"),
            .number("variance\nratio"),
        ])
        table.rows = rows.map { [name(of: $0)] + cells(of: $0) + rest(of: $0) }
        return section(
            "\(printable(arm.name)) against base", table.lines(width: width, style: style),
            remark: "the same people; percent of all devices")
    }

    /// The lines of groups that decide: what was granted, and what was left of it.
    private func pairedGroups(_ arm: ReportArm) -> [String] {
        let labels = report.groups.first?.labels.map(\.name) ?? []
        let steps = ["granted", "kept", "always", "authorizedAlways at the end"]
        var table = TextTable(
            labels.map { .words($0) } + [
                .words("step"), .number("base"), .number("arm"), .number("differ-\nence"),
                .number("95%\ninterval", isDim: true),
            ])
        table.rows = report.groupComparisons
            .filter { $0.arm == arm.name && steps.contains($0.name) }
            .map { $0.labels.map(\.value) + [name(of: $0)] + cells(of: $0) }
        return section(
            "\(printable(arm.name)) against base by \(labels.joined(separator: ", "))",
            table.rows.isEmpty ? [] : table.lines(width: width, style: style),
            remark: "every step is in --json")
    }

    private func name(of row: PairedComparison) -> String {
        if case .atEnd(let status) = row.subject, report.endedBy == nil {
            return "\(status) so far"
        }
        return row.name
    }

    private func cells(of row: PairedComparison) -> [String] {
        let counts = row.counts
        let interval = Intervals.newcombe95(counts).map {
            "\(points($0.low)) … \(points($0.high))"
        }
        func share(_ count: UInt64) -> String {
            String(percent(Ratio(count, of: counts.total)).filter { $0 != "%" })
        }
        return [
            share(counts.both + counts.onlySecond), share(counts.both + counts.onlyFirst),
            points(counts.difference), interval ?? "–",
        ]
    }

    private func rest(of row: PairedComparison) -> [String] {
        let counts = row.counts
        let ratio = counts.varianceRatio.map { fixed(UInt64(($0 * 10).rounded()), decimals: 1) }
        return [grouped(counts.onlySecond), grouped(counts.onlyFirst), ratio ?? "–"]
    }

    /// A signed share in percent points.
    private func points(_ share: Double) -> String {
        let hundredths = UInt64((share.magnitude * 10_000).rounded())
        let sign = hundredths == 0 ? "" : share < 0 ? "−" : "+"
        return sign + fixed(hundredths, decimals: 2)
    }

    // MARK: - Side by side

    private var statusesOfArms: [String] {
        let seen = TrueStatus.allCases.enumerated().filter { place, _ in
            report.arms.contains { $0.total.trueStatus[place] > 0 }
        }
        var table = TextTable(
            [.words("true status")] + seen.map { .number(broken($0.element.rawValue)) })
        table.rows = report.arms.map { arm in
            [arm.name]
                + seen.map {
                    percent(Ratio(arm.total.trueStatus[$0.offset], of: arm.total.installed))
                }
        }
        return section(
            whereDevicesStand, table.lines(width: width, style: style),
            remark: "of devices with the app \(when)")
    }

    private var promptsOfArms: [String] {
        var table = TextTable([
            .words("prompt"), .words("arm"), .number("shown"), .number("answered"),
            .number("granted"), .number("grant rate"),
        ])
        for kind in PromptKind.allCases {
            let shown = report.arms.compactMap { arm in
                report.alone(arm).shownPrompts(of: arm.total).first { $0.kind == kind }
                    .map { (arm.name, $0) }
            }
            table.rows += shown.enumerated().map { index, prompt in
                let (arm, counts) = prompt
                return [
                    index == 0 ? kind.rawValue : "", arm, grouped(counts.shown),
                    grouped(counts.answered), counts.canGrant ? grouped(counts.granted) : "",
                    counts.canGrant ? percent(Ratio(counts.granted, of: counts.answered)) : "",
                ]
            }
        }
        return section("Prompts", table.lines(width: width, style: style))
    }
}

extension PairedComparison {
    /// The beginning of a funnel says nothing: everybody has it.
    fileprivate var isTelling: Bool {
        if case .step(_, "installed") = subject { return false }
        return true
    }
}

extension [String] {
    /// The section with its arm's name behind the heading.
    fileprivate func of(_ arm: String) -> [String] {
        guard let heading = first else { return [] }
        return ["\(heading)  of \(arm)"] + dropFirst()
    }
}
