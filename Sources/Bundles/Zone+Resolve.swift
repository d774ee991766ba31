import Foundation
import SimPrimitives

extension Zone {
    /// Names that can be given: those of the time zone database, and UTC.
    static var knownNames: [String] { ["UTC"] + TimeZone.knownTimeZoneIdentifiers.sorted() }

    /// The database's zone of that name. Names of fixed offsets that Foundation makes up, such as
    /// GMT+2, are refused: nobody is sure of their sign.
    static func timeZone(named name: String) -> TimeZone? {
        let isPlain = name.utf8.allSatisfy { byte in
            switch Unicode.Scalar(byte) {
            case "a"..."z", "A"..."Z", "0"..."9", "/", "_", "+", "-": true
            default: false
            }
        }
        let isKnown = name == "UTC" || TimeZone.knownTimeZoneIdentifiers.contains(name)
        guard isKnown || isPlain && name.contains("/") else { return nil }
        return TimeZone(identifier: name)
    }

    /// The offsets from `start` to `start` + `duration`; nil if clocks skip `start` there.
    ///
    /// A start that clocks show twice is the first of the two. Changes are found by asking for each
    /// day and halving the days between which the offset differs: no zone changes twice in a day.
    init?(name: String, _ zone: TimeZone, start: WallTime, duration: SimDuration) {
        func offset(_ unix: Int64) -> Int32 {
            Int32(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(unix))))
        }
        let local = start.secondsSince1970
        let nearby = [local - 93_600, local, local + 93_600].map { Int64(offset($0)) }
        let instants = nearby.map { local - $0 }.filter { $0 + Int64(offset($0)) == local }
        guard let first = instants.min() else { return nil }
        var offsets = [Offset(from: .start, secondsFromUTC: offset(first))]
        let end = first + duration.microseconds / 1_000_000
        var day = first
        while day < end {
            let next = min(day + 86_400, end)
            if offset(next) != offset(day) {
                var (before, after) = (day, next)
                while after - before > 1 {
                    let middle = before + (after - before) / 2
                    if offset(middle) == offset(day) { before = middle } else { after = middle }
                }
                let since = SimTime(microseconds: (after - first) * 1_000_000)
                offsets.append(Offset(from: since, secondsFromUTC: offset(after)))
            }
            day = next
        }
        self.init(name: name, startUnixSeconds: first, offsets: offsets)
    }
}

/// A date and time as a clock on the wall shows them, of no zone.
struct WallTime: Equatable {
    var (year, month, day, second) = (2026, 1, 5, 0)

    /// Reads "2026-01-05", "2026-01-05T09:30" or "2026-01-05T09:30:00": a day that exists, in
    /// `ScenarioLimits.startYears`.
    init?(_ text: String) {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        guard parts.count <= 2, let date = Self.numbers(parts[0], "-", [4, 2, 2]) else {
            return nil
        }
        (year, month, day) = (date[0], date[1], date[2])
        guard ScenarioLimits.startYears.contains(year), 1...12 ~= month,
            1...Self.dayCount(year, month) ~= day
        else { return nil }
        guard parts.count == 2 else { return }
        guard
            let time = Self.numbers(parts[1], ":", [2, 2, 2])
                ?? Self.numbers(parts[1], ":", [2, 2]).map({ $0 + [0] }),
            time[0] < 24, time[1] < 60, time[2] < 60
        else { return nil }
        second = time[0] * 3_600 + time[1] * 60 + time[2]
    }

    /// As if the wall were in Greenwich.
    ///
    /// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil:
    /// years begin in March, so that a leap day is the last of its year.
    var secondsSince1970: Int64 {
        let marchYear = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
        return Int64(marchYear * 365 + leapDays + dayOfYear - 719_468) * 86_400 + Int64(second)
    }

    private static func dayCount(_ year: Int, _ month: Int) -> Int {
        if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
        return [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Numbers of just these lengths, between `separator`.
    private static func numbers(
        _ text: Substring, _ separator: Character, _ lengths: [Int]
    ) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == lengths,
            parts.allSatisfy({ $0.utf8.allSatisfy { 48...57 ~= $0 } })
        else { return nil }
        return parts.compactMap { Int($0) }
    }
}
