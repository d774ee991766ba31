import Reports
import TestSupport
import Testing

@Suite("A report as JSON")
struct ReportJSONTests {
    @Test("is this text")
    func golden() throws {
        let text = storeFinderReport(isSplit: true).json
        #expect(text == (try TestSupport.golden("report.json", rewrittenFrom: text)))
    }
}
@Suite("A report as CSV")
struct ReportCSVTests {
    @Test("is this text")
    func golden() throws {
        let text = storeFinderReport(isSplit: true).csv
        #expect(text == (try TestSupport.golden("report.csv", rewrittenFrom: text)))
    }
}
