import AuthorizationCore
import Bundles
import DeviceCore
import JSONText
import LuaScripting
import Simulation

/// Words that a script compares with or names, and that do not exist.
extension ScriptText {
    /// Fields with a vocabulary of their own, and what they are fields of; nil: whatever stands
    /// before, since the name is Apple's.
    private static let fields: [(owners: Set<String>?, field: String, words: [String])] = [
        (["prompt"], "kind", PromptKind.allCases.map(\.rawValue)),
        (["person"], "status", VisibleStatus.allCases.map(\.rawValue)),
        (nil, "authorizationStatus", VisibleStatus.allCases.map(\.rawValue)),
        (nil, "accuracyAuthorization", Accuracy.allCases.map(\.rawValue)),
        (["event"], "state", ConditionState.allCases.map(\.rawValue)),
    ]

    /// `FIELD == "word"`, or the other way round, with a word that FIELD never has.
    var unknownWords: [CheckFinding] {
        tokens.indices.compactMap { place in
            guard tokens[place].isSymbol("==") || tokens[place].isSymbol("~="), place > 0,
                place + 1 < tokens.count
            else { return nil }
            let (before, after) = (place - 1, place + 1)
            if tokens[after].kind == .string {
                return finding(tokens[after].text, ofFieldEndingAt: before)
            }
            guard tokens[before].kind == .string else { return nil }
            var end = after
            while end + 2 < tokens.count, tokens[end + 1].isSymbol("."),
                tokens[end + 2].kind == .name
            {
                end += 2
            }
            return finding(tokens[before].text, ofFieldEndingAt: end)
        }
    }

    private func finding(_ word: String, ofFieldEndingAt place: Int) -> CheckFinding? {
        guard place >= 2, tokens[place].kind == .name, tokens[place - 1].isSymbol("."),
            tokens[place - 2].kind == .name || tokens[place - 2].isSymbol(")")
        else { return nil }
        let owner = tokens[place - 2].text
        let known = Self.fields.first { row in
            row.field == tokens[place].text && row.owners?.contains(owner) ?? true
        }
        guard let known, !known.words.contains(word) else { return nil }
        let hint =
            nearest(to: word, among: known.words).map { "did you mean '\($0)'?" }
            ?? "there are \(known.words.joined(separator: ", "))"
        return CheckFinding(
            .unknownWord, .warning, path, line: tokens[place].line,
            "\(known.field) is never '\(word)'; \(hint)")
    }

    /// - Parameter known: the ids of sources; nil: there is no list.
    func unknownSources(
        _ outline: LuaScripting.ScriptOutline, _ script: ScriptSource, _ known: [String]?
    ) -> [CheckFinding] {
        guard let known else { return [] }
        let findings = outline.options.lazy.compactMap { option -> CheckFinding? in
            guard let named = option.source, !known.contains(named) else { return nil }
            let hint = nearest(to: named, among: known).map { "; did you mean '\($0)'?" } ?? ""
            return CheckFinding(
                .unknownSource, .warning, path,
                line: script.line(of: ["options", option.name]),
                "the source '\(named)' of the option \(option.name) is none of "
                    + "\(Library.sourcesFile)\(hint); \"assumed\" says that there is none")
        }
        return Array(findings.prefix(Self.optionsToldMax))
    }
}
