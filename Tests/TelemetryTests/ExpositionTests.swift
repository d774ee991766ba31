import TestSupport
import Testing

@testable import Telemetry

@Suite("Metrics as text")
struct ExpositionTests {
    private static var sample: Exposition {
        var text = Exposition()
        for fleet in ["a", "b\\ \"q\"\nnext"] {
            text.family("x_things", .counter, "Things that \"were\"\nseen.") {
                $0.sample(7 as UInt64, [("fleet", fleet)])
            }
            text.family("x_state", .stateset, "Where it stands.") {
                $0.states(["on", "off"], now: "off", [("fleet", fleet)])
            }
            text.family("x_wait_seconds", .histogram, unit: "seconds", "How long it took.") {
                $0.histogram([(1, 2), (4.5, 2)], count: 3, sum: "9.5", [("fleet", fleet)])
            }
            text.family("x_values", .summary, "What was seen.") {
                $0.summary([("0.5", 2.5), ("0.9", nil)], count: 3, sum: nil, [("fleet", fleet)])
            }
        }
        text.family("x_build", .info, "The program.") {
            $0.sample(1 as UInt64, [("version", "1")])
        }
        text.family("x_nothing", .gauge, "Of which there is nothing to say.") {
            $0.sample(.nan, [])
        }
        return text
    }

    @Test("keeps a family's lines together, whoever adds to it, and escapes what it quotes")
    func openMetrics() {
        #expect(
            Self.sample.text(.openMetrics) == #"""
                # TYPE x_things counter
                # HELP x_things Things that \"were\"\nseen.
                x_things_total{fleet="a"} 7
                x_things_total{fleet="b\\ \"q\"\nnext"} 7
                # TYPE x_state stateset
                # HELP x_state Where it stands.
                x_state{fleet="a",x_state="on"} 0
                x_state{fleet="a",x_state="off"} 1
                x_state{fleet="b\\ \"q\"\nnext",x_state="on"} 0
                x_state{fleet="b\\ \"q\"\nnext",x_state="off"} 1
                # TYPE x_wait_seconds histogram
                # UNIT x_wait_seconds seconds
                # HELP x_wait_seconds How long it took.
                x_wait_seconds_bucket{fleet="a",le="1.0"} 2
                x_wait_seconds_bucket{fleet="a",le="4.5"} 2
                x_wait_seconds_bucket{fleet="a",le="+Inf"} 3
                x_wait_seconds_sum{fleet="a"} 9.5
                x_wait_seconds_count{fleet="a"} 3
                x_wait_seconds_bucket{fleet="b\\ \"q\"\nnext",le="1.0"} 2
                x_wait_seconds_bucket{fleet="b\\ \"q\"\nnext",le="4.5"} 2
                x_wait_seconds_bucket{fleet="b\\ \"q\"\nnext",le="+Inf"} 3
                x_wait_seconds_sum{fleet="b\\ \"q\"\nnext"} 9.5
                x_wait_seconds_count{fleet="b\\ \"q\"\nnext"} 3
                # TYPE x_values summary
                # HELP x_values What was seen.
                x_values{fleet="a",quantile="0.5"} 2.5
                x_values_count{fleet="a"} 3
                x_values{fleet="b\\ \"q\"\nnext",quantile="0.5"} 2.5
                x_values_count{fleet="b\\ \"q\"\nnext"} 3
                # TYPE x_build info
                # HELP x_build The program.
                x_build_info{version="1"} 1
                # EOF

                """#)
        let read = OpenMetricsText(Self.sample.text(.openMetrics))
        #expect(read.complaints.isEmpty, "\(read.complaints)")
        #expect(read.families.count == 5)
    }

    @Test("has the older names for those that do not read OpenMetrics")
    func prometheus() {
        let text = Self.sample.text(.prometheus)
        #expect(text.contains("# TYPE x_things_total counter\n"))
        #expect(text.contains("\nx_things_total{fleet=\"a\"} 7\n"))
        #expect(
            text.contains("# TYPE x_state gauge\n") && text.contains("# TYPE x_build_info gauge\n"))
        #expect(!text.contains("# UNIT") && !text.contains("# EOF"))
        #expect(text.contains(#"Things that "were"\nseen."#))
    }

    @Test(
        "is what a client reads",
        arguments: [
            (nil, true), ("*/*", true), ("application/openmetrics-text;version=1.0.0", true),
            ("application/openmetrics-text;q=0.8,text/plain;q=0.2", true),
            ("text/plain;version=0.0.4;q=1,*/*;q=0.1", false), ("TEXT/PLAIN", false),
        ] as [(String?, Bool)])
    func accept(_ accept: String?, _ isOpen: Bool) {
        let isFound =
            if case .openMetrics = Exposition.Format(accept: accept) { true } else { false }
        #expect(isFound == isOpen)
    }

    @Test("the reader of these tests finds what breaks the rules")
    func reader() {
        let broken = [
            "# TYPE a counter\n# HELP a x\na 1\n# EOF\n",
            "# TYPE a counter\n# HELP a x\na_total 1\n",
            "# TYPE a gauge\n# HELP a x\na{b=\"1\"} 1\na{b=\"2\"} 1\na{b=\"1\"} 1\n# EOF\n",
            "# TYPE a gauge\n# HELP a x\na{b=\"\\t\"} 1\n# EOF\n",
            "# TYPE a gauge\n# UNIT a seconds\n# HELP a x\na 1\n# EOF\n",
            "# TYPE a histogram\n# HELP a x\na_bucket{le=\"1.0\"} 2\na_bucket{le=\"+Inf\"} 1\n# EOF\n",
            "# TYPE a histogram\n# HELP a x\na_bucket{le=\"+Inf\"} 1\na_count 1\n# EOF\n",
            "# TYPE a gauge\n# HELP a x\n# TYPE a gauge\n# HELP a x\n# EOF\n",
        ]
        for text in broken { #expect(!OpenMetricsText(text).complaints.isEmpty, "\(text)") }
    }
}
