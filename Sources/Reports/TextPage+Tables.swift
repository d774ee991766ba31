import AuthorizationCore
import JSONText
import Metrics
import SimPrimitives
import Simulation

extension TextPage {
    /// One funnel of all devices.
    ///
    /// - Parameter arm: named in the heading, where there are several.
    func funnel(
        _ definition: FunnelDefinition, _ counts: FunnelCounts, of arm: ReportArm? = nil
    ) -> [String] {
        let rows = funnelRows(definition, counts, devices: total.devices)
        let hasWindow = definition.window != nil
        var table = TextTable(
            [
                .words("step"), .number("devices"), .number("of\nprev."),
                .number("95%\ninterval", isDim: true), .number("of all"), .number("not\nyet"),
            ] + (hasWindow ? [.number("lost")] : []) + [.number("median"), .number("90%")])
        table.rows = rows.map { row in
            let isFirst = row.previous == nil
            let left = [grouped(row.notYet)] + (hasWindow ? [isFirst ? "" : grouped(row.lost)] : [])
            return [
                row.step, grouped(row.reached), isFirst ? "" : percent(row.ofPrevious),
                interval(row), percent(row.ofAll),
            ] + left + (isFirst ? ["", ""] : [row.median, row.p90].map { $0.map(human) ?? "–" })
        }
        addIntervals(to: &table, rows)
        addBars(to: &table, rows)
        var lines = table.lines(width: width, style: style)
        let outside = rows.filter { $0.outside > 0 }.map { "\($0.step) \(grouped($0.outside))" }
        if !outside.isEmpty {
            lines += wrapped(
                "outside the order: \(printable(outside.joined(separator: ", ")))", width: width - 2
            ).map { style.dim("  " + $0) }
        }
        for (index, step) in definition.steps.enumerated() {
            guard case .milestone(let name) = step, total.milestones[NameText(name)] == nil,
                report.endedBy != nil || index > 0 && rows[index - 1].isOfHalf
            else { continue }
            lines.append(
                style.alarming(
                    "  milestone \(printable(name)) never came from the app: does it call it so?"))
        }
        let window = definition.window.map { "\(human($0)) for each step; " } ?? ""
        return section(
            heading(of: definition, arm), lines,
            remark: "\(window)times are from the step before")
    }

    /// Of the median and the 90 % time, where the terminal has room for both.
    private func addIntervals(to table: inout TextTable, _ rows: [FunnelRow]) {
        var wide = table
        wide.columns += ["median", "90%"].map { .number("95% of\n\($0)", isDim: true) }
        for (index, row) in rows.enumerated() {
            let isFirst = row.previous == nil
            wide.rows[index] += [row.median95, row.p9095].map { range in
                isFirst ? "" : range.map { "\(human($0.low)) … \(human($0.high))" } ?? "–"
            }
        }
        if wide.width <= width { table = wide }
    }

    /// Shares of all as bars, where the terminal has room for them.
    private func addBars(to table: inout TextTable, _ rows: [FunnelRow]) {
        let room = min(40, width - table.width - 2)
        guard room >= 12 else { return }
        table.columns.append(.words())
        for index in rows.indices { table.rows[index].append(bar(rows[index].ofAll, width: room)) }
    }

    private func heading(of definition: FunnelDefinition, _ arm: ReportArm?) -> String {
        let funnel = definition == .builtIn ? "Funnel" : "Funnel \(printable(definition.name))"
        guard let arm else { return funnel }
        let strategy = arm.scenario.scripts[arm.scenario.app.strategy].name
        return "\(funnel) of \(printable(arm.name)), \(printable(strategy))"
    }

    private func interval(_ row: FunnelRow) -> String {
        guard let (low, high) = row.interval else { return "" }
        let ends = [low, high].map { fixed(UInt64(($0 * 1_000).rounded()), decimals: 1) }
        return ends.joined(separator: "–")
    }

    /// One funnel, a row for each group and a column for each step.
    func split(_ index: Int, of arm: ReportArm? = nil) -> [String] {
        let definition = report.scenario.funnels[index]
        let labels = report.groups.first?.labels.map(\.name) ?? []
        // `installed` says nothing where it is everybody.
        let steps = definition.steps.indices.filter { step in
            step > 0
                || report.groups.contains {
                    $0.metrics.funnels[index].reached[0] < $0.metrics.devices
                }
        }
        var table = TextTable(
            labels.map { .words($0) } + [.number("devices")]
                + steps.map { .number(broken(definition.steps[$0].name)) })
        table.rows = report.groups.map { group in
            let rows = funnelRows(
                definition, group.metrics.funnels[index], devices: group.metrics.devices)
            return group.labels.map(\.value) + [grouped(group.metrics.devices)]
                + steps.map { String(percent(rows[$0].ofAll).filter { $0 != "%" }) }
        }
        return section(
            "\(heading(of: definition, arm)) by \(labels.joined(separator: ", "))",
            table.lines(width: width, style: style), remark: "percent of the group's devices")
    }

    /// A step's name on two lines where it is long.
    func broken(_ name: String) -> String {
        guard name.count > 8, let place = name.firstIndex(where: { $0 == "_" || $0 == ":" }) else {
            return name
        }
        let rest = name[name.index(after: place)...]
        return rest.isEmpty ? name : "\(name[..<place])\n\(rest)"
    }

    /// What apps read beside what is so.
    var statuses: [String] {
        var table = TextTable([
            .words("visible to the app"), .number(), .number(), .words("true"), .number(),
            .number(),
        ])
        for (visible, count) in zip(VisibleStatus.allCases, total.visible) {
            let kinds = zip(TrueStatus.allCases, total.trueStatus).filter {
                $0.0.visible == visible && ($0.1 > 0 || $0.0.rawValue == visible.rawValue)
            }
            let isSeen = count > 0
            guard isSeen || kinds.contains(where: { $0.1 > 0 }) else { continue }
            let left = [
                visible.rawValue, grouped(count), percent(Ratio(count, of: total.installed)),
            ]
            let right = kinds.map {
                [$0.0.rawValue, grouped($0.1), percent(Ratio($0.1, of: total.installed))]
            }
            let none = ["", "", ""]
            table.rows.append(left + (right.first ?? none))
            table.rows += right.dropFirst().map { none + $0 }
        }
        // Before the start nobody has the app yet.
        let hasBegun = report.endedBy != nil || report.standing != .notStarted
        let gone = hasBegun ? total.devices - total.installed : 0
        let remark =
            gone == 0
            ? "devices \(when)"
            : "devices with the app \(when); \(grouped(gone)) have deleted it"
        return section(
            whereDevicesStand, table.lines(width: width, style: style), remark: remark)
    }

    var prompts: [String] {
        var table = TextTable([
            .words("prompt and answers"), .number("shown"), .number("answered"), .number("share"),
            .number("no\nanswer"), .number("granted"), .number("grant\nrate"),
        ])
        for prompt in report.shownPrompts(of: total) {
            table.rows.append([
                prompt.kind.rawValue, grouped(prompt.shown), grouped(prompt.answered), "",
                grouped(prompt.shown - prompt.answered),
                prompt.canGrant ? grouped(prompt.granted) : "",
                prompt.canGrant ? percent(Ratio(prompt.granted, of: prompt.answered)) : "",
            ])
            table.rows += prompt.choices.map { choice, count in
                [
                    "  " + choice.rawValue, "", grouped(count),
                    percent(Ratio(count, of: prompt.answered)), "", "", "",
                ]
            }
        }
        let lines = table.rows.isEmpty ? ["  none"] : table.lines(width: width, style: style)
        return section("Prompts", lines)
    }
}

extension FunnelRow {
    /// Half of all devices have come here: then what comes next is due, be the fleet at its end or
    /// not.
    fileprivate var isOfHalf: Bool { reached >= all - reached }
}
