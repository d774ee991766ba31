import Metrics
import SimPrimitives
import Simulation
import Telemetry
import TestSupport
import Testing

@testable import Reports

@Suite("A report as OpenMetrics")
struct OpenMetricsTests {
    private static func text(_ reports: [(String, Report)]) -> String {
        var text = Exposition()
        for (name, report) in reports { report.add(to: &text, fleet: name) }
        return text.text(.openMetrics)
    }

    @Test("has every figure under the report's own words")
    func whole() throws {
        let text = Self.text([("demo", storeFinderReport())])
        #expect(try text == golden("report.openmetrics", rewrittenFrom: text))
    }

    @Test("keeps the rules of the format, for several fleets with arms and splits")
    func rules() {
        let text = OpenMetricsText(
            Self.text([
                ("a", storeFinderReport()), ("b", twoArmsReport(isSplit: true)),
                ("c", twoArmsReport()),
            ]))
        #expect(text.complaints.isEmpty, "\(text.complaints.prefix(3))")
        for family in text.families {
            #expect(family.name.hasPrefix("locfleet_"))
            #expect(family.help.hasSuffix("."), "\(family.name)")
            if ["seconds", "bytes", "ratio"].contains(where: { family.name.hasSuffix("_" + $0) }) {
                #expect(family.unit != nil, "\(family.name) has no unit")
            }
        }
    }

    @Test("adds up over a split to the figure without one")
    func split() {
        let split = OpenMetricsText(Self.text([("a", storeFinderReport(isSplit: true))]))
        let devices = split.family("locfleet_devices")?.samples ?? []
        #expect(devices.count == 6)
        #expect(devices.allSatisfy { $0.label("persona") != nil && $0.label("ios") != nil })
        // A sixth each, rounded down.
        #expect(devices.compactMap { UInt64($0.value) }.reduce(0, +) == 99_996)
    }

    @Test("counts waits in buckets exactly")
    func buckets() throws {
        var report = storeFinderReport(devices: 60)
        var waits = LogLinearHistogram()
        let edge: UInt64 = 1 << 30
        for value in [0, edge - 1, edge, edge + 1] { waits.record(value) }
        report.total.funnels[0].waits[1] = waits
        let samples =
            OpenMetricsText(Self.text([("a", report)]))
            .family("locfleet_funnel_wait_seconds")?.samples ?? []
        let step = samples.filter { $0.label("step") == "opened" && $0.label("funnel") == "funnel" }
        func count(_ bound: String) -> String? { step.first { $0.label("le") == bound }?.value }
        #expect(count("1.048575") == "1")
        #expect(count("1073.741823") == "2")
        #expect(count("4294.967295") == "4")
        #expect(count("+Inf") == "4")
    }

    @Test("sums what scripts saw exactly, and not where it is below 0")
    func scriptHistograms() {
        var report = storeFinderReport()
        for (name, values) in [("up", [0.001, 12_345.25]), ("down", [-1, 2])] {
            var histogram = ValueHistogram()
            for value in values { histogram.record(value) }
            report.total.histograms[NameText(name)] = histogram
        }
        let text = Self.text([("a", report)])
        #expect(
            text.contains(
                #"locfleet_script_histograms_sum{fleet="a",arm="base",name="up"} 12345.251"# + "\n")
        )
        #expect(text.contains(#"_histograms_count{fleet="a",arm="base",name="down"} 2"#))
        #expect(!text.contains(#"_histograms_sum{fleet="a",arm="base",name="down"}"#))
    }
}
