/// One word of a Lua source. Comments are none.
package struct LuaToken: Hashable {
    package enum Kind: Hashable { case name, string, number, symbol }

    package var kind: Kind
    /// Of a string what it stands for, as far as a checker needs: unknown escapes as they stand.
    package var text: String
    /// From 1.
    package var line: Int

    package func isSymbol(_ text: String) -> Bool { kind == .symbol && self.text == text }
    package func isName(_ text: String) -> Bool { kind == .name && self.text == text }
}

/// Splits a Lua 5.4 source into its words. Total: what ends too early ends there.
package struct LuaTokens {
    private var rest: Substring.UTF8View
    private var line = 1

    package static func read(_ source: String) -> [LuaToken] {
        var reader = LuaTokens(rest: Substring(source).utf8)
        var tokens: [LuaToken] = []
        while let token = reader.next() { tokens.append(token) }
        return tokens
    }

    private init(rest: Substring.UTF8View) { self.rest = rest }

    private mutating func next() -> LuaToken? {
        skipBlanks()
        guard let byte = rest.first else { return nil }
        let start = line
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            return LuaToken(kind: .string, text: takeQuoted(by: byte), line: start)
        case UInt8(ascii: "["):
            if let text = takeLong() { return LuaToken(kind: .string, text: text, line: start) }
            return LuaToken(kind: .symbol, text: takeSymbol(), line: start)
        case 48...57:
            let text = take { Self.isWord($0) || $0 == UInt8(ascii: ".") }
            return LuaToken(kind: .number, text: text, line: start)
        case _ where Self.isWord(byte):
            return LuaToken(kind: .name, text: take(while: Self.isWord), line: start)
        default: return LuaToken(kind: .symbol, text: takeSymbol(), line: start)
        }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        48...57 ~= byte || 65...90 ~= byte || 97...122 ~= byte || byte == 95
    }

    private mutating func skipBlanks() {
        while let byte = rest.first {
            if byte <= 0x20 {
                step()
            } else if rest.starts(with: "--".utf8) {
                rest = rest.dropFirst(2)
                if takeLong() == nil { while let byte = rest.first, byte != 10 { step() } }
            } else {
                return
            }
        }
    }

    private mutating func step() {
        if rest.first == 10 { line += 1 }
        rest = rest.dropFirst()
    }

    private mutating func take(while belongs: (UInt8) -> Bool) -> String {
        var bytes: [UInt8] = []
        while let byte = rest.first, belongs(byte) {
            bytes.append(byte)
            step()
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The longest that fits.
    private mutating func takeSymbol() -> String {
        for symbol in ["...", "==", "~=", "<=", ">=", "..", "::", "//", "<<", ">>"]
        where rest.starts(with: symbol.utf8) {
            rest = rest.dropFirst(symbol.utf8.count)
            return symbol
        }
        let byte = rest.first ?? 0
        step()
        return String(decoding: [byte], as: UTF8.self)
    }

    /// A string in quotes. An end of line without a backslash ends it
    /// too.
    private mutating func takeQuoted(by quote: UInt8) -> String {
        step()
        var bytes: [UInt8] = []
        while let byte = rest.first {
            if byte == 10 { break }
            step()
            if byte == quote { break }
            guard byte == UInt8(ascii: "\\"), let escaped = rest.first else {
                bytes.append(byte)
                continue
            }
            step()
            switch escaped {
            case UInt8(ascii: "n"): bytes.append(10)
            case UInt8(ascii: "t"): bytes.append(9)
            case UInt8(ascii: "z"): while let byte = rest.first, byte <= 0x20 { step() }
            case quote, 10, UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"):
                bytes.append(escaped)
            default: bytes += [byte, escaped]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `[[…]]` or `[==[…]==]`; nil, and nothing taken, where none begins.
    private mutating func takeLong() -> String? {
        guard rest.first == UInt8(ascii: "[") else { return nil }
        let signs = rest.dropFirst().prefix { $0 == UInt8(ascii: "=") }.count
        guard rest.dropFirst(1 + signs).first == UInt8(ascii: "[") else { return nil }
        rest = rest.dropFirst(2 + signs)
        if rest.first == 10 { step() }
        let close = "]" + String(repeating: "=", count: signs) + "]"
        var bytes: [UInt8] = []
        while let byte = rest.first {
            if byte == UInt8(ascii: "]"), rest.starts(with: close.utf8) {
                rest = rest.dropFirst(close.utf8.count)
                break
            }
            bytes.append(byte)
            step()
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
