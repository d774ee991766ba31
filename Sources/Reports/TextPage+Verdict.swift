import JSONText
import SimPrimitives
import Simulation

/// What a scenario set out to do to its devices, and what it asked of them.
extension TextPage {
    var thresholds: [String] {
        let judgements = report.arms[0].judgements
        var table = TextTable([.words(), .words(), .number("value"), .number("margin")])
        for judgement in judgements {
            let word = judgement.isMet ? "met" : "missed"
            let isPlain = judgement.parts.count == 1
            table.rows.append(
                [word, judgement.text] + (isPlain ? cells(of: judgement.parts[0]) : ["", ""]))
            guard !isPlain else { continue }
            table.rows += judgement.parts.map { part in
                let bound = "\(part.comparison.comparison.rawValue) \(plain(part.comparison.bound))"
                return ["", "  \(part.comparison.text) \(bound)"] + cells(of: part)
            }
        }
        let missed = judgements.count { !$0.isMet }
        return section(
            "Thresholds", table.rows.isEmpty ? [] : table.lines(width: width, style: style),
            remark: (missed == 0 ? "all met" : "\(missed) of \(judgements.count) missed")
                + (report.endedBy == nil ? " so far" : ""))
    }

    private func cells(of part: Judgement.Part) -> [String] {
        [part.value.map(plain) ?? "none", part.margin.map(signed) ?? ""]
    }

    private func signed(_ value: Double) -> String {
        (value < 0 ? "−" : "+") + plain(value.magnitude)
    }

    /// With up to four decimals.
    private func plain(_ value: Double) -> String { plainText((value * 1e4).rounded() / 1e4) }

    /// What clients did: it is no part of the bundle.
    var journal: [String] {
        let hasIgnored = report.journal.contains { $0.reach.contains { $0.ignored > 0 } }
        var table = TextTable(
            [.words(), .words()]
                + report.arms.flatMap { arm in
                    [.number(arm.name)] + (hasIgnored ? [.number("not\npossible")] : [])
                })
        table.rows = report.journal.flatMap { intervention, reach in
            rows(
                of: intervention,
                reach.flatMap {
                    [grouped($0.devices)] + (hasIgnored ? [grouped($0.ignored)] : [])
                })
        }
        return section(
            "Interventions of clients",
            table.rows.isEmpty ? [] : table.lines(width: width, style: style),
            remark: "when, what, and on how many devices of each arm")
    }

    var interventions: [String] {
        let arm = report.arms[0]
        let hasIgnored = arm.interventions.contains { $0.ignored > 0 }
        var table = TextTable(
            [.words(), .words(), .number("devices")]
                + (hasIgnored ? [.number("not\npossible")] : []))
        table.rows = arm.scenario.interventions.enumerated().flatMap { index, intervention in
            let reach = index < arm.interventions.count ? arm.interventions[index] : nil
            let ignored = reach.map { grouped($0.ignored) } ?? ""
            return rows(
                of: intervention,
                [reach.map { grouped($0.devices) } ?? "not reached"]
                    + (hasIgnored ? [ignored] : []))
        }
        return section(
            "Interventions", table.rows.isEmpty ? [] : table.lines(width: width, style: style),
            remark: "when, what, and on how many devices")
    }

    /// Its figures stand in the first row; a long condition goes on below.
    private func rows(of intervention: Intervention, _ figures: [String]) -> [[String]] {
        wrapped(printable(intervention.text), width: max(20, width - 16 - 12 * figures.count))
            .enumerated().map { index, part in
                index == 0
                    ? [human(intervention.at - .start), part] + figures
                    : ["", "  " + part] + figures.map { _ in "" }
            }
    }
}
