import Reports
import TestSupport
import Testing

@Suite("A report for people")
struct ReportTextTests {
    @Test("is this text, within 80 columns")
    func plain() throws {
        let text = storeFinderReport().text()
        #expect(text == (try golden("report.txt", rewrittenFrom: text)))
        for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }

    @Test("draws bars where the terminal is wide, and colors where it has them")
    func wide() throws {
        let text = storeFinderReport().text(isColored: true, width: 110)
        #expect(text == (try golden("report-wide.txt", rewrittenFrom: text)))
    }

    @Test("has a compact funnel for each split, within 80 columns")
    func split() throws {
        let text = storeFinderReport(isSplit: true, endedBy: .interrupted).text()
        #expect(text == (try golden("report-by.txt", rewrittenFrom: text)))
        for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }
}
