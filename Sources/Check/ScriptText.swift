import JSONText
import Lint
import LuaScripting
import Simulation

/// What shows in the text of a script, whatever it would do in a run.
struct ScriptText {
    let path: String
    let tokens: [LuaToken]

    init(_ source: String, path: String) {
        (tokens, self.path) = (LuaTokens.read(source), path)
    }

    var strings: Set<String> {
        Set(tokens.lazy.filter { $0.kind == .string }.map(\.text))
    }

    /// The names that `feature` is compared with or that `feature_done` gives, each with its line.
    var features: [(name: String, line: Int)] {
        tokens.indices.compactMap { place in
            if tokens[place].isName("feature_done"), place + 2 < tokens.count,
                tokens[place + 1].isSymbol("("), tokens[place + 2].kind == .string
            {
                return (tokens[place + 2].text, tokens[place].line)
            }
            guard tokens[place].isSymbol("==") || tokens[place].isSymbol("~="), place > 0,
                place + 1 < tokens.count
            else { return nil }
            let (before, after) = (tokens[place - 1], tokens[place + 1])
            if before.isName("feature"), after.kind == .string { return (after.text, after.line) }
            if after.isName("feature"), before.kind == .string { return (before.text, before.line) }
            return nil
        }
    }

    func findings(_ outline: ScriptOutline, _ source: ScriptSource) -> [CheckFinding] {
        undescribed(outline, source) + unused(outline, source) + holes + unknownWords
    }

    // MARK: - Options

    /// Options of a script of which one thing is told.
    static let optionsToldMax = 50

    private func undescribed(
        _ outline: ScriptOutline, _ source: ScriptSource
    ) -> [CheckFinding] {
        told(.undescribedOption, outline.options, source) { option in
            var lacking: [String] = []
            if option.about?.isEmpty != false { lacking.append("about (what it is)") }
            if case .number = option.defaultValue, option.unit?.isEmpty != false {
                lacking.append("unit (such as \"share\" or \"s\")")
            }
            return lacking.isEmpty ? nil : "has no \(lacking.joined(separator: " and no "))"
        }
    }

    private func unused(_ outline: ScriptOutline, _ source: ScriptSource) -> [CheckFinding] {
        guard !readsOptionsByName else { return [] }
        let read = namesRead
        return told(.unusedOption, outline.options, source) {
            read.contains($0.name) ? nil : "is declared and nothing reads it"
        }
    }

    /// A warning for each of the first options of which `reason` says something, and how many
    /// others there are.
    private func told(
        _ code: CheckFinding.Code, _ options: [ScriptOutline.Option], _ source: ScriptSource,
        _ reason: (ScriptOutline.Option) -> String?
    ) -> [CheckFinding] {
        let all = options.compactMap { option in reason(option).map { (option.name, $0) } }
        var findings = all.prefix(Self.optionsToldMax).map { name, reason in
            CheckFinding(
                code, .warning, path, line: source.line(of: ["options", name]),
                "the option \(name) \(reason)")
        }
        let rest = all.count - findings.count
        if rest > 0 {
            let line = findings.compactMap(\.line).max()
            let reason = "and \(rest) more options of which the same is true"
            findings.append(CheckFinding(code, .warning, path, line: line, reason))
            findings[findings.count - 1].count = rest
        }
        return findings
    }

    /// What stands after a dot or in quotes.
    private var namesRead: Set<String> {
        var names = strings
        for (place, token) in tokens.enumerated()
        where token.kind == .name && place > 0 && tokens[place - 1].isSymbol(".") {
            names.insert(token.text)
        }
        return names
    }

    /// `options[name]` or `pairs(… options)`: then the text does not tell which are read.
    private var readsOptionsByName: Bool {
        tokens.indices.contains { place in
            guard tokens[place].isName("options"), place + 2 < tokens.count else { return false }
            if tokens[place + 1].isSymbol("["), tokens[place + 2].kind != .string { return true }
            return tokens[max(0, place - 4)..<place].contains { $0.isName("pairs") }
        }
    }

    // MARK: - Lists

    /// `{ 1, nil, 3 }`: Lua leaves open what `#` of it is, and so does a run.
    private var holes: [CheckFinding] {
        var findings: [CheckFinding] = []
        var open: [String] = []
        for (place, token) in tokens.enumerated() {
            if token.kind == .symbol {
                if ["{", "(", "["].contains(token.text) { open.append(token.text) }
                if ["}", ")", "]"].contains(token.text) { _ = open.popLast() }
            }
            guard token.isName("nil"), open.last == "{", place > 0, place + 1 < tokens.count
            else { continue }
            let begins = ["{", ",", ";"].contains(tokens[place - 1].text)
            let ends = ["}", ",", ";"].contains(tokens[place + 1].text)
            guard begins, ends, tokens[place - 1].kind == .symbol else { continue }
            findings.append(
                CheckFinding(
                    .listWithHole, .warning, path, line: token.line,
                    "a list with nil in it has no certain length: # of it may differ from run to "
                        + "run; use false, or leave it out"))
        }
        return findings
    }
}
