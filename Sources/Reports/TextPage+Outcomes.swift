import AuthorizationCore
import Simulation

/// What came of requests and taps, arm beside arm. Nothing where there is nothing.
extension TextPage {
    var requestsIgnoredOfArms: [String] {
        counts("Requests ignored", remark: "by reason") { total in
            zip(IgnoreReason.allCases, total.requestsIgnored).filter { $1 > 0 }
                .map { ($0.rawValue, $1) }
        }
    }

    var milestonesOfArms: [String] {
        counts("Milestones", remark: "times") { total in
            total.milestones.sorted { $0.key < $1.key }.map { ($0.key.text, $0.value) }
        }
    }

    /// Shares of a feature's uses, with the count of them.
    var featuresOfArms: [String] {
        let summaries = report.arms.map { arm in
            report.alone(arm).featureCounts(of: arm.total)
        }
        let features = unique(summaries.flatMap { $0.map(\.name) })
        var table = TextTable(
            [.words("feature"), .words("outcome")] + report.arms.map { .number(broken($0.name)) })
        for name in features {
            let rows = summaries.map { $0.first { $0.name == name } }
            table.rows.append([name, "uses"] + rows.map { grouped($0?.count ?? 0) })
            let outcomes = unique(rows.flatMap { ($0?.outcomes ?? []).map(\.name) })
            table.rows += outcomes.map { outcome in
                ["", outcome]
                    + rows.map { row in
                        let count = row?.outcomes.first { $0.name == outcome }?.count ?? 0
                        return percent(Ratio(count, of: row?.count ?? 0))
                    }
            }
        }
        return section(
            "Features", table.rows.isEmpty ? [] : table.lines(width: width, style: style),
            remark: "uses, and shares by outcome")
    }

    /// A row for each name, a column for each arm.
    private func counts(
        _ heading: String, remark: String, _ counts: (FleetMetrics) -> [(String, UInt64)]
    ) -> [String] {
        let all = report.arms.map { counts($0.total) }
        var table = TextTable([.words()] + report.arms.map { .number(broken($0.name)) })
        table.rows = unique(all.flatMap { $0.map(\.0) }).map { name in
            [name]
                + all.map { counts in grouped(counts.first { $0.0 == name }?.1 ?? 0) }
        }
        return section(
            heading, table.rows.isEmpty ? [] : table.lines(width: width, style: style),
            remark: remark)
    }

    /// Each once, in the order of their first appearance.
    private func unique(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }
}
