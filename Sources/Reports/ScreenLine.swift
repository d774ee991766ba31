import JSONText

/// A line of a screen: pieces of text, each with a look, that can be cut to a width.
struct ScreenLine {
    enum Look { case plain, bold, dim, alarming, chosen }

    private var pieces: [(text: String, look: Look)] = []
    private(set) var width = 0

    init() {}

    init(_ text: String, _ look: Look = .plain) { add(text, look) }

    /// Adds text from anybody: nothing in it can move the cursor or turn the direction of writing.
    mutating func add(_ text: String, _ look: Look = .plain) {
        let safe = Self.safe(text)
        pieces.append((safe, look))
        width += Self.columns(of: safe)
    }

    /// Adds text that fills just so many columns.
    mutating func add(_ text: String, columns: Int, isNumber: Bool = false, _ look: Look = .plain) {
        let cut = Self.cut(Self.safe(text), to: columns)
        let padding = String(repeating: " ", count: max(0, columns - Self.columns(of: cut)))
        add(isNumber ? padding + cut : cut + padding, look)
    }

    /// The line as bytes for a terminal, of at most `columns` columns.
    func text(columns: Int, isColored: Bool) -> String {
        var (left, line) = (columns, "")
        for (text, look) in pieces where left > 0 {
            let cut = Self.cut(text, to: left)
            left -= Self.columns(of: cut)
            line += isColored ? look.begin + cut + look.end : cut
        }
        guard isColored || !line.hasSuffix(" ") else {
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
        return line
    }

    // MARK: - Text on a screen

    /// Without control characters, and without those that only turn the direction of what follows.
    static func safe(_ text: String) -> String {
        let plain = printable(text)
        let isFormat = { (scalar: Unicode.Scalar) in
            switch scalar.properties.generalCategory {
            case .format, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
        guard plain.unicodeScalars.contains(where: isFormat) else { return plain }
        var safe = ""
        safe.unicodeScalars.append(contentsOf: plain.unicodeScalars.filter { !isFormat($0) })
        return safe
    }

    static func columns(of text: String) -> Int {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text.utf8.count }
        return text.reduce(0) { $0 + columns(of: $1) }
    }

    /// Two for what East Asian type and emoji take.
    ///
    /// Source: Unicode Standard Annex #11, version 15, the blocks whose characters are wide.
    private static func columns(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
            0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default:
            let isMark = scalar.properties.generalCategory == .nonspacingMark
            return isMark ? 0 : character.unicodeScalars.contains("\u{FE0F}") ? 2 : 1
        }
    }

    /// The beginning of `text` that fits; a text that is cut ends with a tilde.
    static func cut(_ text: String, to columns: Int) -> String {
        guard Self.columns(of: text) > columns else { return text }
        var (cut, used) = ("", 0)
        for character in text {
            let next = used + Self.columns(of: character)
            if next > columns - 1 { break }
            cut.append(character)
            used = next
        }
        return columns > 0 ? cut + "~" : ""
    }
}

extension ScreenLine.Look {
    fileprivate var begin: String {
        switch self {
        case .plain: ""
        case .bold: "\u{1B}[1m"
        case .dim: "\u{1B}[2m"
        case .alarming: "\u{1B}[31m"
        case .chosen: "\u{1B}[7m"
        }
    }

    fileprivate var end: String { self == .plain ? "" : "\u{1B}[0m" }
}
