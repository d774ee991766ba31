import JSONText

/// Why a condition cannot be read.
struct ConditionError: Error {
    /// Counted in characters, from 1.
    let column: Int
    let message: String
}

/// A word, number, sign or text of a condition, and where it stands.
struct ConditionToken {
    enum Kind: Equatable {
        case word(String)
        /// Digits with points, and a unit behind it where it is a duration: `0.5`, `17.6`, `30s`.
        case number(String)
        /// In quotes.
        case text(String)
        case sign(String)
        case end
    }

    let kind: Kind
    let column: Int

    /// As a message shows it.
    var shown: String {
        switch kind {
        case .word(let text), .number(let text), .sign(let text): quoted(text)
        case .text(let text): quoted("'\(text)'")
        case .end: "the end"
        }
    }

    private static let signs = ["==", "!=", "<=", ">=", "=", "<", ">", "(", ")"]

    /// All tokens of `text`, an `end` last.
    static func all(of text: String) throws(ConditionError) -> [ConditionToken] {
        let characters = Array(text)
        var tokens: [ConditionToken] = []
        var index = 0
        func run(_ isPart: (Character) -> Bool) -> String {
            let start = index
            while index < characters.count, isPart(characters[index]) { index += 1 }
            return String(characters[start..<index])
        }
        while index < characters.count {
            let (first, column) = (characters[index], index + 1)
            func add(_ kind: Kind) { tokens.append(ConditionToken(kind: kind, column: column)) }
            if first == " " {
                index += 1
            } else if first.isASCII, first.isLetter || first == "_" {
                add(
                    .word(run { $0.isASCII && ($0.isLetter || $0.isNumber) || "_.:-".contains($0) })
                )
            } else if first == "-", index + 1 < characters.count, characters[index + 1].isNumber {
                index += 1
                add(.number("-" + run { $0.isASCII && $0.isNumber || $0 == "." }))
            } else if first.isASCII, first.isNumber {
                add(.number(run { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "." }))
            } else if first == "'" || first == "\"" {
                index += 1
                let inner = run { $0 != first }
                guard index < characters.count else {
                    throw ConditionError(column: column, message: "this quote has no end")
                }
                index += 1
                add(.text(inner))
            } else if let sign = signs.first(where: {
                String(characters[index...].prefix($0.count)) == $0
            }) {
                index += sign.count
                add(.sign(sign))
            } else {
                throw ConditionError(
                    column: column,
                    message: "\(quoted(String(first))) has no meaning here; conditions are "
                        + "comparisons joined by and, or, not and brackets")
            }
        }
        tokens.append(ConditionToken(kind: .end, column: characters.count + 1))
        return tokens
    }
}
