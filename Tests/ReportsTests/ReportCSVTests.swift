import Reports
import SimPrimitives
import Simulation
import TestSupport
import Testing

@Suite("A report as CSV")
struct ReportCSVTests {
    @Test("is this text")
    func whole() throws {
        let text = storeFinderReport(isSplit: true).csv
        #expect(text == (try golden("report.csv", rewrittenFrom: text)))
    }

    @Test("without a split has no label columns and one row a step")
    func total() {
        let rows = storeFinderReport().csv.split(separator: "\r\n")
        #expect(rows.first?.hasPrefix("funnel,step,reached,") == true)
        #expect(rows.count == 1 + 8 + 3)
        for row in rows {
            #expect(row.split(separator: ",", omittingEmptySubsequences: false).count == 16)
        }
    }

    @Test("quotes what would break it")
    func quoting() {
        var report = storeFinderReport(isSplit: true)
        report.groups = [report.groups[0]]
        report.groups[0].labels[0].value = "a, \"b\"\u{301}\nc"
        #expect(report.csv.contains("\r\n\"a, \"\"b\"\"\u{301}\nc\",17.6,funnel,installed,"))
    }
}
