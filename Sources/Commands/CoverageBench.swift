import ControlProtocol
import JSONText

/// `locfleet-bench --coverage`: holds the intervals of reports against the truth, a line of JSON
/// for each. The verdict is no where one keeps its promise too seldom, or too often.
struct CoverageBench {
    static let options: [OptionSpec] = [
        .flag("--coverage", "measure how often 95 % intervals hold what is true; prints JSON"),
        .value("--runs", "N", "with --coverage: runs, with the seeds 1 to N (10000)"),
    ]

    let runs: UInt64
    let terminal: Terminal

    func run() throws(CommandError) {
        let coverage: Coverage
        do { coverage = try measured() } catch let error as CommandError {
            throw error
        } catch { throw CommandError("\(error)") }
        for row in coverage.rows {
            try terminal.print(
                JSONLine.object {
                    $0.member("interval", row.figure)
                    $0.member("truth", millionths(row.truth))
                    $0.member("runs", row.runs)
                    $0.member("held", row.held)
                    $0.member("coverage", millionths(row.coverage))
                    $0.member("least", millionths(row.band.lowerBound))
                    $0.member("most", millionths(row.band.upperBound))
                    $0.member("kept", row.isKept)
                } + "\n")
        }
        let ratio = coverage.varianceRatio
        try terminal.print(
            JSONLine.object {
                $0.member("figure", "variance_ratio, granted")
                $0.member("truth", millionths(ratio.truth))
                $0.member("stated", millionths(ratio.stated))
                $0.member("observed", millionths(ratio.observed))
                $0.member("kept", ratio.isKept)
            } + "\n")
        let failed =
            coverage.rows.filter { !$0.isKept }.map(\.figure)
            + (ratio.isKept ? [] : ["variance_ratio"])
        guard failed.isEmpty else {
            throw CommandError(
                "not as promised: \(failed.joined(separator: "; "))", status: .verdictIsNo)
        }
    }

    private func measured() throws -> Coverage {
        var coverage = try Coverage()
        for seed in 1...runs {
            try coverage.run(seed: seed)
            if terminal.showsProgress, seed.isMultiple(of: 100) {
                terminal.draw("\rrun \(seed) of \(runs)\u{1B}[K")
            }
        }
        if terminal.showsProgress { terminal.draw("\r\u{1B}[K") }
        return coverage
    }

    private func millionths(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }
}
