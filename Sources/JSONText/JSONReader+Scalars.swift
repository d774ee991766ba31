/// Numbers and strings.
extension JSONReader {
    /// A number by the grammar of JSON; see `JSONValue.number` for what JSON5 adds.
    mutating func number() throws(JSONError) -> String {
        let start = offset
        let sign = take("-") ? "-" : ""
        if isJSON5, sign.isEmpty { _ = take("+") }
        if isJSON5, next == "I" || next == "N" {
            let word = takeWhile { "a"..."z" ~= $0 || "A"..."Z" ~= $0 }
            throw error("\(sign)\(word) is refused: a number is finite", at: start)
        }
        let whole = takeDigits()
        if isJSON5, whole == "0", take("x") || take("X") {
            return sign + (try hexadecimal(from: start))
        }
        var isNumber = whole == "0" || !whole.isEmpty && !whole.hasPrefix("0")
        var fraction = ""
        if take(".") {
            fraction = takeDigits()
            isNumber =
                isJSON5
                ? (isNumber || whole.isEmpty) && !(whole.isEmpty && fraction.isEmpty)
                : isNumber && !fraction.isEmpty
        }
        var exponent = ""
        if take("e") || take("E") {
            let exponentSign = take("-") ? "-" : take("+") ? "+" : ""
            let digits = takeDigits()
            exponent = "e" + exponentSign + digits
            isNumber = isNumber && !digits.isEmpty
        }
        guard isNumber else {
            throw error("this is not a number, such as 10, -2.5 or 1e6", at: start)
        }
        guard isJSON5 else { return String(decoding: text[start..<offset], as: UTF8.self) }
        return sign + (whole.isEmpty ? "0" : whole) + (fraction.isEmpty ? "" : "." + fraction)
            + exponent
    }

    private mutating func hexadecimal(from start: Int) throws(JSONError) -> String {
        let digits = takeWhile(\.properties.isASCIIHexDigit)
        guard let number = UInt64(digits, radix: 16) else {
            throw error("a hexadecimal number is 0x and up to 64 bits of digits", at: start)
        }
        return String(number)
    }

    mutating func string() throws(JSONError) -> String {
        let start = offset
        guard let quote = next, quote == "\"" || isJSON5 && quote == "'" else {
            throw error("a string is due here")
        }
        offset += 1
        var bytes: [UInt8] = []
        while !take(quote) {
            guard let character = next, character != "\n", character != "\r" else {
                throw error("this string has no end", at: start)
            }
            guard isJSON5 || character >= " " else {
                throw error("a control character in a string is written \\u00XX")
            }
            if take("\\") {
                bytes += Array(try escaped().utf8)
            } else {
                bytes.append(text[offset])
                offset += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What stands after a backslash.
    private mutating func escaped() throws(JSONError) -> String {
        let start = offset - 1
        let letter = next
        offset += 1
        switch letter {
        case "\"", "\\", "/": return String(Unicode.Scalar(text[offset - 1]))
        case "b": return "\u{08}"
        case "f": return "\u{0C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u": return try utf16(from: start)
        case let letter? where isJSON5: return try escapedInJSON5(letter, from: start)
        default: throw noEscape(at: start)
        }
    }

    private mutating func utf16(from start: Int) throws(JSONError) -> String {
        var units = [UInt16(try codeUnit(digitCount: 4))]
        if UTF16.isLeadSurrogate(units[0]), take("\\"), take("u") {
            units.append(UInt16(try codeUnit(digitCount: 4)))
        }
        guard let string = String(validating: units, as: UTF16.self) else {
            throw error("this is half of a surrogate pair", at: start)
        }
        return string
    }

    /// What JSON5 adds: a line that goes on, three more letters, and any other character as itself.
    private mutating func escapedInJSON5(
        _ letter: Unicode.Scalar, from start: Int
    ) throws(JSONError) -> String {
        switch letter {
        case "\n": return ""
        case "\r":
            _ = take("\n")
            return ""
        case "v": return "\u{0B}"
        case "0" where !(next.map { "0"..."9" ~= $0 } ?? false): return "\0"
        case "x":
            let unit = try codeUnit(digitCount: 2)
            return String(Unicode.Scalar(UInt8(unit)))
        case "0"..."9": throw noEscape(at: start)
        default:
            guard let (scalar, length) = scalar(at: start + 1) else { return "" }
            offset = start + 1 + length
            return scalar == "\u{2028}" || scalar == "\u{2029}" ? "" : String(scalar)
        }
    }

    private func noEscape(at start: Int) -> JSONError {
        error("there is no such escape; a backslash itself is \\\\", at: start)
    }

    private mutating func codeUnit(digitCount: Int) throws(JSONError) -> UInt32 {
        let start = offset
        let digits = takeWhile(\.properties.isASCIIHexDigit, countMax: digitCount)
        guard digits.utf8.count == digitCount, let unit = UInt32(digits, radix: 16) else {
            let count = digitCount == 4 ? "four" : "two"
            throw error("\(count) hexadecimal digits are due here", at: start)
        }
        return unit
    }

    private mutating func takeDigits() -> String { takeWhile { "0"..."9" ~= $0 } }
}
