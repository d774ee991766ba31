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
            remark: missed == 0 ? "all met" : "\(missed) of \(judgements.count) missed")
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
        var table = TextTable(
            [.words(), .words()] + report.arms.map { .number($0.name) })
        table.rows = report.journal.map { intervention, devices in
            [human(intervention.at - .start), intervention.action.kind.rawValue]
                + devices.map(grouped)
        }
        return section(
            "Interventions of clients",
            table.rows.isEmpty ? [] : table.lines(width: width, style: style),
            remark: "when, what, and on how many devices of each arm")
    }

    var interventions: [String] {
        let arm = report.arms[0]
        var table = TextTable([.words(), .words(), .number("devices")])
        table.rows = arm.scenario.interventions.enumerated().map { index, intervention in
            let count = index < arm.interventions.count ? arm.interventions[index] : nil
            return [
                human(intervention.at - .start), intervention.action.kind.rawValue,
                count.map(grouped) ?? "not reached",
            ]
        }
        return section(
            "Interventions", table.rows.isEmpty ? [] : table.lines(width: width, style: style),
            remark: "when, what, and on how many devices")
    }
}
