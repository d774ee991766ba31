import Commands
import Testing

/// A twentieth of what `locfleet-bench --coverage` runs, with a band as much wider as chance wants:
/// 3.2 standard errors.
@Suite("Intervals of 95 %, over 500 runs whose truth is known")
struct CoverageTests {
    @Test("hold the truth so often: shares, quantiles and paired differences; and so does pairing")
    func coverage() throws {
        var coverage = try Coverage()
        for seed in UInt64(1)...500 { try coverage.run(seed: seed) }
        #expect(coverage.rows.count == 6)
        for row in coverage.rows {
            #expect(row.isKept, "\(row.figure): \(row.held) of \(row.runs), due \(row.band)")
        }
        let ratio = coverage.varianceRatio
        #expect(ratio.isKept, "\(ratio)")
    }
}
