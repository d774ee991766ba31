import Metrics
import TestSupport
import Testing

@testable import Reports

@Suite("Metrics of scripts in a report")
struct ReportMetricsTests {
    private func histogram(_ values: [Double]) -> ValueHistogram {
        var histogram = ValueHistogram()
        for value in values { histogram.record(value) }
        return histogram
    }

    @Test("stand under their names, with what is a device's share of them")
    func text() {
        var report = storeFinderReport()
        report.total.counters = ["reloads": 250_000, "a": 1]
        report.total.histograms = ["wait": histogram([1, 2, 2, 30])]
        let text = report.text(width: 100)
        #expect(
            text.contains(
                """
                Counters  metric.count of the scripts
                             total  a device
                  a              1         0
                  reloads  250,000       2.5

                Histograms  metric.observe of the scripts
                        values  mean  min  p50  p90  p99  max
                  wait       4  8.75    1    2   30   30   30
                """), "\(text)")
    }

    @Test("have keys of their own in JSON, and none where there are none")
    func json() throws {
        var report = storeFinderReport()
        #expect(!report.json.contains("\"counters\"") && !report.json.contains("\"histograms\""))
        report.total.counters = ["b": 2, "a\n\"": 1]
        report.total.histograms = ["wait": histogram([-1.5, 2])]
        let read = try ReadReport(report.json)
        #expect(read.keys("arms.0.counters") == ["a\n\"", "b"])
        #expect(
            read.keys("arms.0.histograms.wait") == [
                "count", "mean", "min", "p50", "p90", "p99", "max",
            ])
        #expect(
            report.json.split(separator: /\s+/).joined(separator: " ").contains(
                #""mean": 0.25, "min": -1.5, "p50": -1.488"#))
    }

    @Test("are compared with the base by totals and means, without an interval")
    func arms() throws {
        var report = twoArmsReport()
        #expect(!report.json.contains("\"compared\""))
        #expect(!report.text().contains("Counters"))
        report.arms[0].total.counters = ["both": 120_000, "base alone": 7]
        report.arms[1].total.counters = ["both": 60_000, "arm alone": 60_000]
        report.arms[0].total.histograms = ["wait": histogram([1, 2])]
        report.arms[1].total.histograms = ["wait": histogram([4]), "new": histogram([1])]
        let (json, text) = (report.json, report.text(width: 100))
        for part in [
            #""counter": "both", "base": 120000, "total": 60000,"#,
            #""difference_per_device": -1, "ratio": 0.5"#,
            #""counter": "arm alone", "base": 0, "total": 60000,"#,
            #""ratio": null"#,
            #""histogram": "wait", "base_mean": 1.5, "mean": 4, "difference": 2.5"#,
            #""histogram": "new", "base_mean": null, "mean": 1, "difference": null"#,
        ] {
            #expect(json.split(separator: /\s+/).joined(separator: " ").contains(part), "\(part)")
        }
        #expect(text.contains("Counters  against the base; of totals, not of pairs: no interval"))
        #expect(text.contains("−1   ×0.5"), "\(text)")
    }
}
