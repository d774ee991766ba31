import Reports
import SimPrimitives
import Testing

@Suite("Figures for people")
struct HumanTextTests {
    static let durations: [(microseconds: Int64, text: String)] = [
        (0, "0 s"), (1, "<0.1 s"), (400_000, "0.4 s"), (9_940_000, "9.9 s"), (52_310_000, "52 s"),
        (99_900_000, "100 s"), (100_000_000, "1.7 min"), (2_040_000_000, "34 min"),
        (6_000_000_000, "1.7 h"), (50_400_000_000, "14 h"), (172_800_000_000, "2 d"),
        (181_440_000_000, "2.1 d"), (7_776_000_000_000, "90 d"),
    ]

    @Test("say durations in the unit that suits", arguments: durations)
    func duration(microseconds: Int64, text: String) {
        #expect(human(SimDuration(microseconds: microseconds)) == text)
    }

    @Test("never round some to none, or not all to all")
    func percents() {
        #expect(percent(Ratio(1, of: 1_000_000)) == "<0.1%")
        #expect(percent(Ratio(999_999, of: 1_000_000)) == ">99.9%")
        #expect(percent(Ratio(0, of: 7)) == "0.0%")
        #expect(percent(Ratio(7, of: 7)) == "100.0%")
        #expect(percent(Ratio(2, of: 3)) == "66.7%")
        #expect(percent(Ratio(0, of: 0)) == "–")
    }

    @Test("group thousands")
    func thousands() {
        #expect(
            [0, 999, 1_000, 1_234_567, .max].map { grouped($0) } == [
                "0", "999", "1,000", "1,234,567", "18,446,744,073,709,551,615",
            ])
    }

    @Test("count in English")
    func ordinals() {
        #expect(
            [1, 2, 3, 4, 11, 12, 13, 21, 101, 111].map { ordinal($0) } == [
                "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "101st", "111th",
            ])
    }

    @Test("round shares exactly, for the greatest counts too")
    func ratios() {
        #expect(Ratio(.max - 1, of: .max)?.scaled(1_000_000) == 1_000_000)
        #expect(Ratio(.max / 2, of: .max)?.scaled(1_000) == 500)
        #expect(Ratio(1, of: 2_000)?.scaled(1_000) == 1)  // Half up.
        #expect(decimal(millionths: 991_200) == "0.9912")
        #expect(decimal(millionths: 1_000_000) == "1.0")
        #expect(decimal(millionths: 0) == "0.0")
        #expect(decimal(millionths: 1) == "0.000001")
    }

    @Test("wrap at spaces, and never inside a fact or a button")
    func wrapping() {
        #expect(wrapped("aaa bbb ccc", width: 7) == ["aaa bbb", "ccc"])
        #expect(wrapped("aaa\u{A0}bbb ccc", width: 5) == ["aaa bbb", "ccc"])
        #expect(joined(["one fact", "two", "three"], width: 14) == ["one fact · two", "three"])
    }

    @Test("write durations as scenarios do")
    func scenarioDurations() {
        #expect(scenarioText(.days(14)) == "14d")
        #expect(scenarioText(.hours(6)) == "6h")
        #expect(scenarioText(.seconds(90)) == "90s")
        #expect(scenarioText(.milliseconds(1_500)) == "1.5s")
        #expect(scenarioText(.zero) == "0s")
    }
}
