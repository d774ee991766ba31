import AuthorizationCore
import JSONText
import Metrics
import SimPrimitives
import Simulation

/// Reads the conditions of `where`, thresholds and `end_when`; resolves every name.
///
///     or        = and { "or" and }
///     and       = unary { "and" unary }
///     unary     = "not" unary | "(" or ")" | comparison
///     comparison = term ("=" | "==" | "!=" | "<" | "<=" | ">" | ">=") value
///
/// What a term is differs between conditions on devices and on fleets: see the two extensions.
struct ConditionReader {
    /// Brackets and `not`s within one another.
    static let depthMax = 32

    let vocabulary: ConditionVocabulary
    private let tokens: [ConditionToken]
    private let characters: [Character]
    private var position = 0
    private var depth = 0

    init(_ text: String, _ vocabulary: ConditionVocabulary) throws(ConditionError) {
        self.vocabulary = vocabulary
        characters = Array(text)
        tokens = try ConditionToken.all(of: text)
    }

    // MARK: - Tokens

    var next: ConditionToken { tokens[position] }

    mutating func take() -> ConditionToken {
        defer { position = min(position + 1, tokens.count - 1) }
        return next
    }

    mutating func takes(_ sign: String) -> Bool {
        guard next.kind == .sign(sign) else { return false }
        position += 1
        return true
    }

    mutating func expect(_ sign: String, _ after: String) throws(ConditionError) {
        guard takes(sign) else {
            throw complaint("\(quoted(sign)) is due \(after), not \(next.shown)")
        }
    }

    func complaint(_ message: String, at token: ConditionToken? = nil) -> ConditionError {
        ConditionError(column: (token ?? next).column, message: message)
    }

    /// Whether the token after the next one closes a bracket.
    var isLastBeforeBracket: Bool {
        position + 1 < tokens.count && tokens[position + 1].kind == .sign(")")
    }

    /// The condition's text between two columns.
    func text(from start: Int, to end: Int) -> String {
        String(characters[(start - 1)..<(end - 1)]).trimmed
    }

    mutating func finish() throws(ConditionError) {
        guard next.kind == .end else {
            throw complaint("\"and\", \"or\" or the end is due here, not \(next.shown)")
        }
    }

    // MARK: - What joins comparisons

    mutating func joined<Part>(
        all: ([Part]) -> Part, any: ([Part]) -> Part, not: (Part) -> Part,
        _ comparison: (inout ConditionReader) throws(ConditionError) -> Part
    ) throws(ConditionError) -> Part {
        func or(_ reader: inout ConditionReader) throws(ConditionError) -> Part {
            var parts = [try and(&reader)]
            while reader.takesWord("or") { parts.append(try and(&reader)) }
            return parts.count == 1 ? parts[0] : any(parts)
        }
        func and(_ reader: inout ConditionReader) throws(ConditionError) -> Part {
            var parts = [try unary(&reader)]
            while reader.takesWord("and") { parts.append(try unary(&reader)) }
            return parts.count == 1 ? parts[0] : all(parts)
        }
        func unary(_ reader: inout ConditionReader) throws(ConditionError) -> Part {
            reader.depth += 1
            defer { reader.depth -= 1 }
            guard reader.depth <= Self.depthMax else {
                throw reader.complaint("brackets nest at most \(Self.depthMax) deep")
            }
            if reader.takesWord("not") { return not(try unary(&reader)) }
            guard reader.takes("(") else { return try comparison(&reader) }
            let inner = try or(&reader)
            try reader.expect(")", "to close the bracket")
            return inner
        }
        return try or(&self)
    }

    mutating func takesWord(_ word: String) -> Bool {
        guard next.kind == .word(word) else { return false }
        position += 1
        return true
    }

    mutating func comparison(after term: String) throws(ConditionError) -> Comparison {
        let token = take()
        if case .sign(let sign) = token.kind {
            if sign == "=" { return .equal }
            if let comparison = Comparison(rawValue: sign) { return comparison }
        }
        throw complaint(
            "a comparison is due after \(quoted(term)): =, !=, <, <=, > or >=, not \(token.shown)",
            at: token)
    }

    /// A name as a value: a word, or anything in quotes.
    mutating func name(of what: String) throws(ConditionError) -> (String, ConditionToken) {
        let token = take()
        switch token.kind {
        case .word(let text), .text(let text), .number(let text): return (text, token)
        case .sign, .end: throw complaint("\(what) is due here, not \(token.shown)", at: token)
        }
    }

    /// - Parameter isSeconds: a duration such as `30s` is a number of seconds.
    mutating func number(
        for term: String, isSeconds: Bool = false
    ) throws(ConditionError) -> Double {
        let token = take()
        switch token.kind {
        case .number(let text), .text(let text):
            if let number = Double(text), number.isFinite { return number }
            if isSeconds, let duration = SimDuration(units: text) { return duration.seconds }
        case .word, .sign, .end: break
        }
        let due = isSeconds ? "a number of seconds, or a duration such as '30s'" : "a number"
        throw complaint("\(quoted(term)) is compared with \(due), not \(token.shown)", at: token)
    }

    /// `=` and `!=` alone suit names.
    func isEqual(_ comparison: Comparison, _ term: String, at token: ConditionToken)
        throws(ConditionError) -> Bool
    {
        switch comparison {
        case .equal: return true
        case .notEqual: return false
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            throw complaint("\(quoted(term)) is compared with = or !=", at: token)
        }
    }
}

extension String {
    fileprivate var trimmed: String {
        let inner = drop { $0 == " " }
        return String(inner.reversed().drop { $0 == " " }.reversed())
    }
}

/// The names that conditions of one arm may use.
struct ConditionVocabulary {
    /// Of each arm, where a condition is for all of them; else of the one it is for. Their names
    /// are the same in all.
    var personas: [[Scenario.Persona]]
    var funnels: [FunnelDefinition]
    /// Of scripts that interventions bring.
    var brought: [ScriptOption] = []
    var arm = Arm.baseName
    var arms = [Arm.baseName]
    /// That the scenario has, and that are not run.
    var armsLeftOut: [String] = []

    func noArm(_ name: String) -> String {
        armsLeftOut.contains(name)
            ? "arm \(quoted(name)) is not run here; --arm \(name) runs it, too"
            : unknown("arm", name, among: arms)
    }
}
