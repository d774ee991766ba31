/// What Lua's message about a syntax error leaves out: what a beginner has meant to write.
struct SyntaxHint {
    /// Empty, or the hint after a semicolon.
    let text: String

    /// - Parameters:
    ///   - reason: Lua's message, without its place.
    ///   - line: the line that it names; nil where it names none.
    init(for reason: String, line: Int?, in source: String) {
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let code = line.flatMap { $0 > 0 && $0 <= lines.count ? String(lines[$0 - 1]) : nil } ?? ""
        let hint = Self.missing(reason, source) ?? Self.foreign(reason, code)
        text = hint.map { "; \($0)" } ?? ""
    }

    /// What is not there.
    private static func missing(_ reason: String, _ source: String) -> String? {
        if reason.hasPrefix("'end' expected") {
            let isSplit = source.contains("else if")
            return "each function, if, for and while has an end of its own"
                + (isSplit ? ", and elseif is one word" : "")
        }
        if ["','", "'}'"].contains(where: { reason == "unexpected symbol near \($0)" }) {
            return "an end may be missing above: each function, if, for and while has one"
        }
        if reason.hasPrefix("'<eof>' expected near 'end'") { return "there is an end too many" }
        if reason.hasPrefix("'}' expected") {
            return "commas stand between the entries of a table, also after the end of a function"
        }
        return nil
    }

    /// What other languages have.
    private static func foreign(_ reason: String, _ code: String) -> String? {
        let words: [(mark: String, near: String, hint: String)] = [
            ("!=", "!", "not equal is written ~="), ("&&", "&", "and is a word: a and b"),
            ("||", "|", "or is a word: a or b"), ("!", "!", "not is a word: not a"),
            ("++", "+", "there is no ++: write x = x + 1"),
            ("+=", "+", "there is no +=: write x = x + 1"),
            ("-=", "-", "there is no -=: write x = x - 1"),
            ("*=", "*", "there is no *=: write x = x * 2"),
            ("/=", "/", "there is no /=: write x = x / 2"),
            ("..=", "..", "there is no ..=: write s = s .. t"),
        ]
        return words.first { word in
            reason.hasSuffix("near '\(word.near)'") && code.contains(word.mark)
        }?.hint
    }
}
