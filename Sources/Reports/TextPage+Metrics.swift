import Metrics
import Simulation

/// What scripts count and measure themselves. Nothing where they do not.
extension TextPage {
    var counters: [String] {
        var table = TextTable([.words(), .number("total"), .number("a device")])
        table.rows = total.counters.sorted { $0.key < $1.key }.map {
            [$0.key.text, grouped($0.value), perDevice($0.value)]
        }
        return section("Counters", table, remark: "metric.count of the scripts")
    }

    var histograms: [String] {
        var table = TextTable([.words()] + Self.histogramColumns)
        table.rows = total.histograms.sorted { $0.key < $1.key }.map {
            [$0.key.text] + cells(of: $0.value)
        }
        return section("Histograms", table, remark: "metric.observe of the scripts")
    }

    var countersOfArms: [String] {
        var table = TextTable([
            .words("counter"), .words("arm"), .number("total"), .number("a device"),
            .number("differ-\nence"), .number("ratio"),
        ])
        let rows = report.metricComparisons
        let names = report.arms.flatMap { $0.total.counters.map(\.key) }
        for name in unique(names) {
            for (index, arm) in report.arms.enumerated() {
                let count = arm.total.counters[name] ?? 0
                let row = rows.first { $0.arm == arm.name && $0.name == name && $0.isCounter }
                table.rows.append([
                    index == 0 ? name.text : "", arm.name, grouped(count), perDevice(count),
                    row?.difference.map(signed) ?? "",
                    index == 0 ? "" : row?.ratio.map { "×" + plain($0) } ?? "–",
                ])
            }
        }
        return section(
            "Counters", table, remark: "against the base; of totals, not of pairs: no interval")
    }

    var histogramsOfArms: [String] {
        var table = TextTable([.words("histogram"), .words("arm")] + Self.histogramColumns)
        for name in unique(report.arms.flatMap { $0.total.histograms.map(\.key) }) {
            table.rows += report.arms.enumerated().map { index, arm in
                [index == 0 ? name.text : "", arm.name]
                    + cells(of: arm.total.histograms[name] ?? ValueHistogram())
            }
        }
        return section("Histograms", table, remark: "metric.observe of the scripts")
    }

    private func section(_ heading: String, _ table: TextTable, remark: String) -> [String] {
        section(
            heading, table.rows.isEmpty ? [] : table.lines(width: width, style: style),
            remark: remark)
    }

    private static let histogramColumns: [TextTable.Column] = [
        .number("values"), .number("mean"), .number("min"), .number("p50"), .number("p90"),
        .number("p99"), .number("max"),
    ]

    private func cells(of values: ValueHistogram) -> [String] {
        [grouped(values.count)]
            + [
                values.mean, values.min, values.quantile(0.5), values.quantile(0.9),
                values.quantile(0.99), values.max,
            ].map { $0.map(plain) ?? "–" }
    }

    private func unique(_ names: [NameText]) -> [NameText] {
        var last: NameText?
        return names.sorted().filter { name in
            defer { last = name }
            return name != last
        }
    }

    private func perDevice(_ count: UInt64) -> String {
        total.devices == 0 ? "–" : plain(Double(count) / Double(total.devices))
    }

    /// Rounded to a thousandth, without zeros at the end; from a million on to a whole number.
    private func plain(_ value: Double) -> String {
        let sign = value < 0 ? "−" : ""
        guard value.magnitude < 1e6 else {
            return sign + grouped(UInt64(value.magnitude.rounded()))
        }
        let thousandths = UInt64((value.magnitude * 1_000).rounded())
        var text = fixed(thousandths, decimals: 3)
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return (thousandths == 0 ? "" : sign) + text
    }

    private func signed(_ value: Double) -> String {
        let text = plain(value)
        return value > 0 && text != "0" ? "+" + text : text
    }
}

extension MetricComparison {
    fileprivate var isCounter: Bool { if case .counter = figures { true } else { false } }
}
