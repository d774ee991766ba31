import Bundles
import Foundation
import SimPrimitives
import Testing

@Suite("A duration in a scenario")
struct DurationTests {
    // swift-format-ignore
    static let rows: [(text: String, microseconds: Int64?)] = [
        ("90s", 90_000_000), ("5m", 300_000_000), ("6h", 21_600_000_000), ("30d", 2_592_000_000_000),
        ("2w", 1_209_600_000_000), ("250ms", 250_000), ("1h30m", 5_400_000_000),
        ("1.5h", 5_400_000_000), ("0.000001s", 1), ("1d0h", 86_400_000_000), ("3650d", 315_360_000_000_000),
        ("", nil), ("s", nil), ("1", nil), ("1 s", nil), ("-1s", nil), ("+1s", nil), ("1e3s", nil),
        ("30m1h", nil), ("1s1s", nil), ("1.s", nil), (".5s", nil), ("1.0000001s", nil), ("1.2.3s", nil),
        ("99999999999999999999d", nil), ("9223372036854775807s", nil), ("３d", nil), ("1S", nil), ("1y", nil),
    ]

    @Test("is read to the microsecond, or refused", arguments: rows)
    func reads(text: String, microseconds: Int64?) throws {
        let workplace = try Workplace()
        defer { workplace.remove() }
        let duration = try? workplace.read(
            plain("funnels: [{ name: \"f\", steps: [\"opened\"], window: \"\(text)\" }],")
        ).scenario.funnels[1].window
        // The least window is a millisecond; shorter ones are seen through `delays`.
        let delay = try? workplace.read(plain("delays: { answer: \"\(text)\" },")).scenario.delays
            .answer
        #expect((duration ?? delay)?.microseconds == microseconds)
    }

    @Test(
        "that is too long is told the longest, however long it is",
        arguments: ["3651d", "99999d", "10000000000s", "99999999999999999999d", "9999w9999h"])
    func tooLong(text: String) throws {
        let workplace = try Workplace()
        defer { workplace.remove() }
        #expect {
            try workplace.read(plain("duration: \"\(text)\","))
        } throws: { "\($0)".contains("at most 3650d") }
    }
}
