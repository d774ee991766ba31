import SimPrimitives

extension SimDuration {
    private static let units: [(name: String, microseconds: Int64)] = [
        ("w", 604_800_000_000), ("d", 86_400_000_000), ("h", 3_600_000_000), ("m", 60_000_000),
        ("s", 1_000_000), ("ms", 1_000),
    ]

    /// Reads "90s", "1h30m" or "1.5d": each unit at most once, the longest first, and decimals
    /// down to the microsecond. Nil when that is no duration, or one longer than `max`.
    public init?(units text: String) {
        guard let total = Self.total(of: text), total <= SimDuration.max.microseconds else {
            return nil
        }
        self.init(microseconds: total)
    }

    /// Whether that is a duration in form, and longer than `max`.
    static func isTooLong(units text: String) -> Bool {
        total(of: text).map { $0 > SimDuration.max.microseconds } ?? false
    }

    /// In microseconds; what is longer than `max` may come out less, and longer all the same.
    private static func total(of text: String) -> Int64? {
        var rest = text[...]
        var total: Int64 = 0
        var unitsLeft = Self.units[...]
        guard !text.isEmpty else { return nil }
        while !rest.isEmpty {
            let number = rest.prefix { "0"..."9" ~= $0 || $0 == "." }
            rest = rest.dropFirst(number.count)
            let name = rest.prefix { "a"..."z" ~= $0 }
            rest = rest.dropFirst(name.count)
            guard let index = unitsLeft.firstIndex(where: { $0.name == name }),
                let part = Self.microseconds(number, unit: unitsLeft[index].microseconds)
            else { return nil }
            unitsLeft = unitsLeft[(index + 1)...]
            total += part  // At most six parts of little more than a hundred years each.
        }
        return total
    }

    private static func microseconds(_ number: Substring, unit: Int64) -> Int64? {
        let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let isNumber = !parts[0].isEmpty && parts[0].allSatisfy { "0"..."9" ~= $0 }
        guard isNumber else { return nil }
        let (product, overflows) = (Int64(parts[0]) ?? .max).multipliedReportingOverflow(by: unit)
        guard !overflows, product <= SimDuration.max.microseconds else {
            return SimDuration.max.microseconds + 1
        }
        guard parts.count == 2 else { return product }
        let digits = parts[1].prefix(6)
        guard digits.count == parts[1].count, let decimals = Int64(digits) else { return nil }
        let scale = (0..<digits.count).reduce(Int64(1)) { scale, _ in scale * 10 }
        return product + decimals * unit / scale
    }

    /// Such a text, to the microsecond.
    var inExactUnits: String {
        let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return "\(seconds).\(String(1_000_000 + rest).dropFirst())s"
    }

    /// The shortest such text, down to the millisecond: "30d", "1h30m", "0s".
    var inUnits: String {
        var (rest, text) = (microseconds, "")
        for (name, size) in Self.units where name != "w" && rest >= size {
            text += "\(rest / size)\(name)"
            rest %= size
        }
        return text.isEmpty ? "0s" : text
    }
}
