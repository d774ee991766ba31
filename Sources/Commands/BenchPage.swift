import Foundation
import Reports

/// What the bench measured, as tables for people.
struct BenchPage {
    let results: [WorkloadBench.Result]
    let rounds: Int
    let figures: [(figure: BenchFigure, verdict: BenchThresholds.Verdict)]

    var text: String {
        results.map(table).joined(separator: "\n") + shares + "\n" + Self.table(of: figures)
    }

    private func table(_ result: WorkloadBench.Result) -> String {
        var rows = [
            [
                "million events a CPU second", "median", "least", "most", "CPU s", "build s",
                "wall s", "bytes a device",
            ]
        ]
        for program in BenchProgram.allCases {
            let runs = result.runs[program] ?? []
            let rates = runs.map { $0.rate / 1e6 }
            func median(_ value: (BenchRun) -> Double) -> String {
                fixed(BenchFigure.median(runs.map(value)), 3)
            }
            rows.append([
                program.title, fixed(BenchFigure.median(rates), 2), fixed(rates.min() ?? 0, 2),
                fixed(rates.max() ?? 0, 2), median(\.cpuSeconds), median(\.setupSeconds),
                median(\.wallSeconds), fixed(BenchFigure.median(result.bytes(program)), 0),
            ])
        }
        let events = result.runs[.scripts]?.first?.events ?? 0
        return "\(grouped(result.size.devices)) devices, \(result.size.days) days, "
            + "\(grouped(events)) events, \(rounds) round\(rounds == 1 ? "" : "s")\n"
            + aligned(rows)
    }

    /// Where the time of ours goes, by part.
    private var shares: String {
        var text = "\n"
        for result in results {
            for program in BenchProgram.profiled {
                guard let run = result.profiles[program] else { continue }
                let parts = run.shares.map { "\($0.part) \(fixed($0.share * 100, 0)) %" }
                text += "\(program.title), \(result.size.key), \(run.looks) looks: "
                text += "\(parts.joined(separator: ", "))\n"
            }
        }
        return text
    }

    // MARK: - Figures

    static func table(of figures: [(figure: BenchFigure, verdict: BenchThresholds.Verdict)])
        -> String
    {
        let rows = figures.map { figure, verdict -> [String] in
            let bound = figure.name.isBetterHigher ? "least" : "most"
            let noise = verdict.noise.map { " +- \(fixed($0 * 100, 0)) %" } ?? ""
            return [
                figure.name.rawValue, figure.size, fixed(figure.median, 3),
                fixed(figure.values.min() ?? .nan, 3), fixed(figure.values.max() ?? .nan, 3),
                verdict.due.map { "\(bound) \(fixed($0, 1))" } ?? "",
                verdict.recorded.map { fixed($0, 3) + noise } ?? "-",
                words(verdict),
            ]
        }
        return aligned(
            [["figure", "size", "median", "least", "most", "due", "recorded", ""]] + rows)
    }

    private static func words(_ verdict: BenchThresholds.Verdict) -> String {
        if verdict.isRegression { return "WORSE than recorded" }
        return verdict.isReached.map { $0 ? "reached" : "missed" } ?? ""
    }

    /// One line for each figure that is worse than it was.
    static func regressions(
        _ figures: [(figure: BenchFigure, verdict: BenchThresholds.Verdict)]
    ) -> [String] {
        figures.filter(\.verdict.isRegression).map { figure, verdict in
            let (recorded, noise) = (verdict.recorded ?? 0, verdict.noise ?? 0)
            let isHigher = figure.name.isBetterHigher
            let bound = recorded * (isHigher ? 1 - noise : 1 + noise)
            return "\(figure.name.rawValue) at \(figure.size) is \(fixed(figure.median, 4)), and "
                + "\(isHigher ? "at least" : "at most") \(fixed(bound, 4)) is due: recorded as "
                + "\(fixed(recorded, 4)) with a noise of \(fixed(noise * 100, 0)) %"
        }
    }
}

/// Rows in columns: the first flush left, the last where it is words too.
private func aligned(_ rows: [[String]]) -> String {
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0
    }
    let lines = rows.map { row in
        let cells = zip(row, widths).enumerated().map { column, cell in
            let gap = String(repeating: " ", count: cell.1 - cell.0.count)
            return column == 0 || column == row.count - 1 && row[column].first?.isLetter == true
                ? cell.0 + gap : gap + cell.0
        }
        var line = cells.joined(separator: "  ")
        while line.hasSuffix(" ") { line.removeLast() }
        return line + "\n"
    }
    return lines.joined()
}

private func fixed(_ value: Double, _ decimals: Int) -> String {
    guard value.isFinite else { return "-" }
    return String(format: "%.\(decimals)f", value)
}
