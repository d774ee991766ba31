import Metrics
import Reports
import Simulation
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

    @Test("lets no name of a script speak to the terminal")
    func controlCharacters() {
        var report = storeFinderReport()
        let name = "red\u{1B}[31m\u{9B}2J\r\n\u{7F}"
        report.total.milestones = [NameText(name): 1]
        report.total.features = [FeatureOutcome(NameText(name), NameText(name)): 1]
        for place in report.total.scriptFailureKinds.keys {
            report.total.scriptFailureKinds[place]?.first.message = name
        }
        report.scenario.name = name
        report.scenario.funnels[1].name = name
        report.scenario.funnels[1].steps[1] = .milestone(name)
        report.scenario.personas[0].options[1].name = name
        let isControl = { (scalar: Unicode.Scalar) in
            scalar.properties.generalCategory == .control && scalar != "\n"
        }
        #expect(!report.text().unicodeScalars.contains(where: isControl))
    }

    @Test("prints at every width", arguments: [1, 20, 40, 79, 120, 300])
    func widths(width: Int) {
        let lines = storeFinderReport(isSplit: true).text(width: width).split(separator: "\n")
        #expect(lines.count > 60 && lines.allSatisfy { $0.count <= max(width, 90) })
    }

    @Test("says why a run ended early")
    func endings() {
        for (ending, words) in [
            (EndedBy.endWhen, "its end_when came true"), (.interrupted, "Interrupted"),
            (.stopped, "Stopped"), (.scriptFailures, "too many script failures"),
        ] {
            #expect(storeFinderReport(endedBy: ending).text().contains(words))
        }
        var report = storeFinderReport(endedBy: .scriptFailures)
        report.scenario.scriptFailuresMax = 2
        #expect(
            report.text(width: 120).contains(
                "Ended early: more than 2 script failures (script_failures.end_run_after), judged "
                    + "every 1h (check_every)."))
    }
}
