extension Report {
    /// One row for each arm, group, funnel and step (RFC 4180: lines end with CR LF). Without
    /// groups, the rows of all devices. What has no value is empty; shares have up to six decimals.
    public var csv: String {
        let columns = [
            "funnel", "step", "reached", "of_previous", "of_previous_low", "of_previous_high",
            "of_all", "not_yet", "lost", "outside", "seconds_p50", "seconds_p90",
            "seconds_p50_low", "seconds_p50_high", "seconds_p90_low", "seconds_p90_high",
        ]
        let hasArms = arms.count > 1
        let labels = (hasArms ? ["arm"] : []) + (groups.first?.labels.map(\.name) ?? [])
        var lines = [labels + columns]
        for arm in arms {
            let groups =
                arm.groups.isEmpty ? [ReportGroup(labels: [], metrics: arm.total)] : arm.groups
            let name = hasArms ? [arm.name] : []
            lines += groups.flatMap(rows).map { name + $0 }
        }
        return lines.map { $0.map(field).joined(separator: ",") + "\r\n" }.joined()
    }

    private func rows(of group: ReportGroup) -> [[String]] {
        zip(scenario.funnels, group.metrics.funnels).flatMap { definition, counts in
            funnelRows(definition, counts, devices: group.metrics.devices).map { row in
                group.labels.map(\.value) + [definition.name] + fields(of: row)
            }
        }
    }

    private func fields(of row: FunnelRow) -> [String] {
        let fields = [
            row.step, String(row.reached), share(row.ofPrevious), share(row.interval?.low),
            share(row.interval?.high), share(row.ofAll), String(row.notYet), String(row.lost),
            String(row.outside), row.median.map { String(wholeSeconds($0)) } ?? "",
            row.p90.map { String(wholeSeconds($0)) } ?? "",
        ]
        let ranges = [row.median95, row.p9095].map { range -> [String] in
            range.map(outward).map { [String($0.low), String($0.high)] } ?? ["", ""]
        }
        return fields + ranges.joined()
    }

    private func share(_ ratio: Ratio?) -> String { ratio.map { JSONTree.share($0).inline } ?? "" }
    private func share(_ value: Double?) -> String {
        value.map { JSONTree.share($0).inline } ?? ""
    }

    private func field(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else {
            return text
        }
        // By scalar: a quote with a combining mark after it is still a quote.
        var inner = ""
        for scalar in text.unicodeScalars {
            if scalar == "\"" { inner.unicodeScalars.append(scalar) }
            inner.unicodeScalars.append(scalar)
        }
        return "\"\(inner)\""
    }
}
