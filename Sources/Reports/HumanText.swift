import SimPrimitives

/// `1,234,567`
package func grouped(_ number: UInt64) -> String {
    let digits = Array(String(number))
    var text = ""
    for (index, digit) in digits.enumerated() {
        if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
        text.append(digit)
    }
    return text
}

/// `64.7%`; a dash where there is nothing to take a share of. What is neither none nor all never
/// reads `0.0%` or `100.0%`.
package func percent(_ ratio: Ratio?) -> String {
    guard let ratio else { return "–" }
    let tenths = ratio.scaled(1_000)
    if tenths == 0, ratio.count > 0 { return "<0.1%" }
    if tenths == 1_000, ratio.count < ratio.total { return ">99.9%" }
    return "\(fixed(tenths, decimals: 1))%"
}

/// `number` in units of ten to the minus `decimals`.
func fixed(_ number: UInt64, decimals: Int) -> String {
    guard decimals > 0 else { return String(number) }
    var digits = String(number)
    digits = String(repeating: "0", count: max(0, decimals + 1 - digits.utf8.count)) + digits
    return "\(digits.dropLast(decimals)).\(digits.suffix(decimals))"
}

/// `52 s`, `3.4 min`, `14 h`, `2.1 d`: two or three digits, in the unit that suits.
package func human(_ duration: SimDuration) -> String {
    let micros = UInt64(duration.microseconds)
    if micros == 0 { return "0 s" }
    let units: [(micros: UInt64, name: String, end: UInt64)] = [
        (1_000_000, "s", 100), (60_000_000, "min", 100), (3_600_000_000, "h", 48),
        (86_400_000_000, "d", .max),
    ]
    for unit in units {
        let tenths = (micros * 10 + unit.micros / 2) / unit.micros
        if unit.end != .max, tenths >= unit.end * 10 { continue }
        if tenths == 0 { return "<0.1 \(unit.name)" }
        let isWhole = tenths >= 100 || tenths % 10 == 0
        return "\(isWhole ? String((tenths + 5) / 10) : fixed(tenths, decimals: 1)) \(unit.name)"
    }
    preconditionFailure("days have no end")
}

/// `1st`, `2nd`, `3rd`, `11th`.
package func ordinal(_ number: UInt64) -> String {
    let ending =
        switch (number % 10, number % 100) {
        case (_, 11...13): "th"
        case (1, _): "st"
        case (2, _): "nd"
        case (3, _): "rd"
        default: "th"
        }
    return grouped(number) + ending
}

/// `58.2 MB`, in powers of 1,000.
func humanBytes(_ bytes: UInt64) -> String {
    let units: [(UInt64, String)] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")]
    for (size, name) in units where bytes >= size {
        let tenths = (bytes * 10 + size / 2) / size
        return
            "\(tenths >= 1_000 ? grouped((tenths + 5) / 10) : fixed(tenths, decimals: 1)) \(name)"
    }
    return "\(bytes) B"
}

/// `text` in lines of at most `width` characters, broken at spaces where possible, but not at
/// no-break spaces, which come out as plain ones.
package func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
        if !line.isEmpty, line.count + 1 + word.count > width {
            lines.append(line)
            line = ""
        }
        line += (line.isEmpty ? "" : " ") + word
    }
    return (lines + [line]).map { $0.replacing("\u{A0}", with: " ") }
}

/// `facts` with dots between them, in lines of at most `width` characters: none is torn apart.
package func joined(_ facts: [String], width: Int) -> [String] {
    var lines: [String] = []
    for fact in facts {
        if let last = lines.last, last.count + 3 + fact.count <= width {
            lines[lines.count - 1] = "\(last) · \(fact)"
        } else {
            lines.append(fact)
        }
    }
    return lines
}

/// A bar of `width` characters at most, in eighths of one.
func bar(_ ratio: Ratio?, width: Int) -> String {
    guard let ratio else { return "" }
    let eighths = min(Int(clamping: ratio.scaled(UInt64(width) * 8)), width * 8)
    let tips = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    if eighths == 0 { return ratio.count > 0 ? "▏" : "" }
    return String(repeating: "█", count: eighths / 8) + tips[eighths % 8]
}
