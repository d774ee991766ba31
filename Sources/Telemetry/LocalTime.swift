import SimPrimitives

/// An instant as a person in the scenario's zone reads it.
public struct LocalTime: Hashable, Sendable {
    public let year: Int
    /// 1 ... 12.
    public let month: Int
    /// 1 ... 31.
    public let dayOfMonth: Int
    /// 0 is Monday.
    public let weekday: Int
    /// The day of the scenario: the one on which it starts is 0.
    public let day: Int
    /// Since local midnight by the wall clock, in 0 ..< 86,400,000,000.
    public let microsecondOfDay: Int64
    public let secondsFromUTC: Int32

    static let dayMicroseconds: Int64 = 86_400_000_000

    public init(_ time: SimTime, in zone: Zone) {
        let local = zone.localMicroseconds(at: time)
        let days = Self.floorDivided(local, by: Self.dayMicroseconds)
        (year, month, dayOfMonth) = Self.civil(fromDaysSince1970: days)
        weekday = Int((days % 7 + 7 + 3) % 7)  // 1970-01-01 was a Thursday.
        day = Int(zone.day(at: time))
        microsecondOfDay = local - days * Self.dayMicroseconds
        secondsFromUTC = zone.secondsFromUTC(at: time)
    }

    public var hour: Int { Int(microsecondOfDay / 3_600_000_000) }
    public var minute: Int { Int(microsecondOfDay / 60_000_000 % 60) }
    public var second: Int { Int(microsecondOfDay / 1_000_000 % 60) }

    /// `number` with zeros before it.
    static func digits(_ number: some BinaryInteger, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    /// The Gregorian date of a day number.
    ///
    /// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms" (2013),
    /// `civil_from_days`: years begin in March, eras are 400 years.
    static func civil(fromDaysSince1970 days: Int64) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = floorDivided(shifted, by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (Int(year), Int(month), Int(dayOfYear - (153 * marchMonth + 2) / 5 + 1))
    }

    static func floorDivided(_ value: Int64, by divisor: Int64) -> Int64 {
        let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }
}
