import Reports
import TestSupport
import Testing

@Suite("A report of several arms")
struct ArmsTests {
    @Test("has every arm's funnel, the pairs, thresholds with their margins, and what happened")
    func text() throws {
        let text = twoArmsReport().text(width: 100)
        #expect(text == (try golden("arms.txt", rewrittenFrom: text)))
    }

    @Test("is split by group as a whole, and in its pairs")
    func split() throws {
        let text = twoArmsReport(isSplit: true).text(width: 100)
        #expect(text.contains("on-launch against base by persona, ios"))
        #expect(text.contains("Funnel of on-launch, progressive.lua by persona, ios"))
    }

    @Test("has the same as JSON, with the contract's names")
    func json() throws {
        let json = twoArmsReport(isSplit: true).json
        #expect(json == (try golden("arms.json", rewrittenFrom: json)))
    }

    @Test("has a row for every arm, group and step as CSV")
    func csv() {
        let rows = twoArmsReport(isSplit: true).csv.split(separator: "\r\n")
        #expect(rows[0].hasPrefix("arm,persona,ios,funnel,step,"))
        #expect(rows.count { $0.hasPrefix("base,") } == rows.count { $0.hasPrefix("on-launch,") })
    }

    @Test("says no where a threshold of any arm is missed")
    func verdict() {
        var report = twoArmsReport()
        #expect(!report.isVerdictYes)
        report.arms[0].judgements.removeFirst()
        #expect(report.isVerdictYes)
    }
}
