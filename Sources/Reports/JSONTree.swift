import JSONText

/// A JSON value to be printed, with its members in order.
indirect enum JSONTree {
    /// A number or a word, as it is to stand there.
    case literal(String)
    case list([JSONTree])
    case object([(String, JSONTree)])

    static let null = literal("null")
    static func text(_ text: String) -> JSONTree { literal(quoted(text)) }
    static func count(_ count: UInt64) -> JSONTree { literal(String(count)) }
    /// Whole numbers without a point; what JSON cannot say is null.
    static func number(_ value: Double) -> JSONTree {
        guard value.isFinite else { return .null }
        guard value == value.rounded(), value.magnitude < 1e15 else {
            return literal(value.description)
        }
        return literal(String(Int64(value)))
    }
    /// In 0 ... 1, with up to six decimals, never fewer than one.
    static func share(_ ratio: Ratio?) -> JSONTree {
        ratio.map { literal(decimal(millionths: $0.scaled(1_000_000))) } ?? .null
    }
    static func share(_ value: Double) -> JSONTree {
        literal(decimal(millionths: UInt64((value * 1_000_000).rounded())))
    }

    /// In -1 ... 1.
    static func signedShare(_ value: Double) -> JSONTree {
        let millionths = UInt64((value.magnitude * 1_000_000).rounded())
        let sign = value < 0 && millionths > 0 ? "-" : ""
        return literal(sign + decimal(millionths: millionths))
    }

    var isFlat: Bool {
        switch self {
        case .literal: true
        case .list(let values): values.allSatisfy(\.isLiteral)
        case .object: false
        }
    }

    var isLiteral: Bool { if case .literal = self { true } else { false } }

    /// All on one line.
    var inline: String {
        switch self {
        case .literal(let text): return text
        case .list(let values): return "[" + values.map(\.inline).joined(separator: ", ") + "]"
        case .object(let members):
            guard !members.isEmpty else { return "{}" }
            let parts = members.map { quoted($0.0) + ": " + $0.1.inline }
            return "{ " + parts.joined(separator: ", ") + " }"
        }
    }

    /// Over several lines where one is too short: two spaces a level, and members without inner
    /// structure side by side.
    ///
    /// - Parameter column: where the value begins on its line.
    func printed(indent: Int = 0, column: Int = 0, width: Int = 120) -> String {
        let line = inline
        // One column stays free for the comma.
        if column + line.count < width { return line }
        switch self {
        case .literal: return line
        case .list(let values):
            let parts = values.map { (key: "", value: $0) }
            return Self.wrapped(parts, in: ("[", "]"), indent: indent, width: width)
        case .object(let members):
            let parts = members.map { (key: quoted($0.0) + ": ", value: $0.1) }
            return Self.wrapped(parts, in: ("{", "}"), indent: indent, width: width)
        }
    }

    private static func wrapped(
        _ parts: [(key: String, value: JSONTree)], in brackets: (String, String), indent: Int,
        width: Int
    ) -> String {
        let isCompact = parts.allSatisfy(\.value.isFlat)
        let margin = String(repeating: " ", count: indent + 2)
        var lines: [String] = []
        var line = isCompact ? brackets.0 + " " : margin
        var used = indent + 2
        var isFresh = true
        for (index, part) in parts.enumerated() {
            let comma = index == parts.count - 1 ? "" : ","
            let text =
                part.key
                + part.value.printed(
                    indent: indent + 2, column: indent + 2 + part.key.count, width: width) + comma
            let standsAlone = !part.value.isFlat
            if !isFresh, standsAlone || used + 1 + text.count >= width {
                lines.append(line)
                (line, used, isFresh) = (margin, indent + 2, true)
            }
            line += (isFresh ? "" : " ") + text
            used += (isFresh ? 0 : 1) + text.count
            isFresh = false
            if standsAlone, !comma.isEmpty {
                lines.append(line)
                (line, used, isFresh) = (margin, indent + 2, true)
            }
        }
        lines.append(line)
        let body = lines.joined(separator: "\n")
        return isCompact
            ? body + " " + brackets.1
            : brackets.0 + "\n" + body + "\n" + String(repeating: " ", count: indent) + brackets.1
    }
}

/// `991200` as `0.9912`.
package func decimal(millionths: UInt64) -> String {
    var digits = String(millionths % 1_000_000)
    digits = String(repeating: "0", count: 6 - digits.utf8.count) + digits
    while digits.hasSuffix("0"), digits.utf8.count > 1 { digits.removeLast() }
    return "\(millionths / 1_000_000).\(digits)"
}
