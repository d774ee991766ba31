import SimPrimitives

extension LocalTime {
    /// Reads "2026-03-01", "2026-03-01T08:00" or "2026-03-01 08:00:30" by the wall clock of `zone`.
    ///
    /// A time that the clock skips is taken as if it had not been changed yet, and of one that
    /// comes twice the first is meant.
    ///
    /// - Returns: microseconds since the start, below 0 before it; nil where that is no such text.
    public static func microseconds(of text: String, in zone: Zone) -> Int64? {
        let parts = text.split(separator: text.contains("T") ? "T" : " ", maxSplits: 1)
        guard let date = parts.first,
            let days = days(of: date.split(separator: "-", omittingEmptySubsequences: false))
        else { return nil }
        var seconds = 0
        if parts.count == 2 {
            let clock = parts[1].split(separator: ":", omittingEmptySubsequences: false)
            guard 2...3 ~= clock.count, let hour = number(clock[0], 2, 0...23),
                let minute = number(clock[1], 2, 0...59)
            else { return nil }
            seconds = hour * 3_600 + minute * 60
            if clock.count == 3 {
                guard let second = number(clock[2], 2, 0...59) else { return nil }
                seconds += second
            }
        } else if text.contains("T") || text.contains(" ") {
            return nil
        }
        let local = days * dayMicroseconds + Int64(seconds) * 1_000_000
        return microseconds(ofLocal: local, in: zone)
    }

    private static func microseconds(ofLocal local: Int64, in zone: Zone) -> Int64 {
        func instant(_ offset: Zone.Offset) -> Int64 {
            local - (zone.startUnixSeconds + Int64(offset.secondsFromUTC)) * 1_000_000
        }
        for (index, offset) in zone.offsets.enumerated() {
            let candidate = instant(offset)
            let isLast = index + 1 == zone.offsets.count
            if isLast || candidate < zone.offsets[index + 1].from.microseconds {
                return candidate
            }
            // Skipped: later by this offset than its end, and earlier by the next than its start.
            if instant(zone.offsets[index + 1]) < zone.offsets[index + 1].from.microseconds {
                return candidate
            }
        }
        return instant(zone.offsets[0])
    }

    /// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms" (2013),
    /// `days_from_civil`.
    private static func days(of parts: [Substring]) -> Int64? {
        guard parts.count == 3, let year = number(parts[0], 4, 1...9_999),
            let month = number(parts[1], 2, 1...12), let day = number(parts[2], 2, 1...31)
        else { return nil }
        let marchYear = Int64(month <= 2 ? year - 1 : year)
        let era = floorDivided(marchYear, by: 400)
        let yearOfEra = marchYear - era * 400
        let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        // The thirty-first of a shorter month is no day.
        return civil(fromDaysSince1970: days) == (year, month, day) ? days : nil
    }

    private static func number(
        _ text: Substring, _ digits: Int, _ range: ClosedRange<Int>
    ) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ 48...57 ~= $0 }),
            let number = Int(text), range ~= number
        else { return nil }
        return number
    }
}

extension LocalTime {
    /// As records have it in `t`, to the second: "2026-03-01T08:00:00-05:00".
    public static func text(_ time: SimTime, in zone: Zone) -> String {
        let local = LocalTime(time, in: zone)
        let minutes = Int(local.secondsFromUTC.magnitude) / 60
        let sign = local.secondsFromUTC < 0 ? "-" : "+"
        return "\(padded(local.year, 4))-\(padded(local.month, 2))-\(padded(local.dayOfMonth, 2))"
            + "T\(padded(local.hour, 2)):\(padded(local.minute, 2)):\(padded(local.second, 2))"
            + "\(sign)\(padded(minutes / 60, 2)):\(padded(minutes % 60, 2))"
    }

    /// Two instants as `text` has them; with microseconds where they would read alike.
    public static func apart(
        _ one: SimTime, _ other: SimTime, in zone: Zone
    ) -> (String, String) {
        let (first, second) = (text(one, in: zone), text(other, in: zone))
        guard first == second, one != other else { return (first, second) }
        let length = first.count - "+00:00".count
        func exact(_ text: String, _ time: SimTime) -> String {
            let micros = LocalTime(time, in: zone).microsecondOfDay % 1_000_000
            return "\(text.prefix(length)).\(padded(Int(micros), 6))\(text.dropFirst(length))"
        }
        return (exact(first, one), exact(second, other))
    }
}
