import AuthorizationCore
import Bundles
import Conformance
import Foundation
import JSONText
import Reports

/// The rules, what is open about them, and the cases that show them.
struct RuleBook {
    enum Entry {
        case rule(RuleCatalogue.Rule)
        case question(OpenQuestion)
    }

    var catalogue: RuleCatalogue
    var questions: [OpenQuestion]
    var cases: [ConformanceCase]
    /// As it can be typed.
    var casesPath: String

    private static let rulesName = "config/rules/rules.jsonl"
    private static let questionsName = "config/rules/questions.jsonl"
    private static let casesName = "config/conformance/cases.jsonl"

    static func shipped() throws(CommandError) -> RuleBook {
        let (rules, rulesPath) = try LibraryFile.read(rulesName)
        let (questions, questionsPath) = try LibraryFile.read(questionsName)
        let (cases, casesPath) = try LibraryFile.read(casesName)
        do throws(ConformanceError) {
            return RuleBook(
                catalogue: try RuleCatalogue.read(rules, name: rulesPath),
                questions: try OpenQuestion.read(questions, name: questionsPath),
                cases: try ConformanceFile.read(cases, name: casesPath), casesPath: casesPath)
        } catch { throw CommandError("\(error)") }
    }

    /// Ids are found whatever their case.
    ///
    /// - Throws: for an unknown id, with the nearest one.
    func entry(named id: String) throws(CommandError) -> Entry {
        if let rule = catalogue[id] { return .rule(rule) }
        if let question = questions.first(where: { $0.id == id.uppercased() }) {
            return .question(question)
        }
        let known = catalogue.rules.map(\.id) + questions.map(\.id)
        if let near = nearest(to: id.uppercased(), among: known) {
            throw CommandError("unknown rule '\(id)'; did you mean \(near)?")
        }
        throw CommandError("unknown rule '\(id)'; 'locfleet rules' lists them")
    }

    func page(of entry: Entry, width: Int) -> String {
        switch entry {
        case .rule(let rule): page(of: rule, width: width)
        case .question(let question): page(of: question, width: width)
        }
    }

    private func cases(of rule: RuleCatalogue.Rule) -> [ConformanceCase] {
        cases.filter { $0.rules.contains(rule.id) }
    }

    /// No line is longer than `width`, unless a word is.
    func table(width: Int) -> String {
        let rows = catalogue.rules.map {
            [$0.id, $0.versions, $0.confidence.rawValue, "\(cases(of: $0).count)", $0.statement]
        }
        return Self.columns(
            [["rule", "iOS", "confidence", "cases", "what it says"]] + rows, numbers: [3],
            width: width)
    }

    func questionTable(width: Int) -> String {
        let rows = questions.map { [$0.id, $0.question, $0.standard] }
        return Self.columns(
            [["open", "question, and what the model takes for it"]]
                + rows.map { [$0[0], "\($0[1]) \($0[2])"] }, numbers: [], width: width)
    }

    /// The last column is wrapped.
    private static func columns(_ rows: [[String]], numbers: Set<Int>, width: Int) -> String {
        let last = (rows.first?.count ?? 1) - 1
        let widths = (0..<last).map { column in rows.map { $0[column].count }.max() ?? 0 }
        let indent = widths.reduce(0, +) + 2 * last
        let margin = "\n" + String(repeating: " ", count: indent)
        return rows.map { row in
            let left = (0..<last).map { column in
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                return (numbers.contains(column) ? space + row[column] : row[column] + space)
                    + "  "
            }
            let lines = wrapped(row[last], width: max(20, width - indent))
            return left.joined() + lines.joined(separator: margin) + "\n"
        }.joined()
    }

    private func page(of rule: RuleCatalogue.Rule, width: Int) -> String {
        let cases = cases(of: rule)
        var facts = [("iOS", rule.versions), ("confidence", Self.meaning(rule.confidence))]
        if let setting = rule.setting { facts.append(("setting", Self.words(of: setting))) }
        for question in questions where question.rules.contains(rule.id) {
            facts.append(("open", "\(question.id)  \(question.question)"))
        }
        facts.append(("in the code", rule.noBranch ?? "a branch that bears its id"))
        for (index, test) in cases.enumerated() {
            facts.append((index == 0 ? "cases" : "", "\(test.id)  \(test.title)"))
        }
        if cases.isEmpty { facts.append(("cases", "none")) }
        let text = Self.page("\(rule.id)  \(rule.statement)", facts, width: width)
        guard !cases.isEmpty else { return text }
        return text + "  replay       locfleet conformance \(casesPath) --rule \(rule.id)\n"
    }

    private func page(of question: OpenQuestion, width: Int) -> String {
        var facts = [("what is known", question.known), ("the model", question.standard)]
        facts += question.settings.map { ("setting", Self.words(of: $0)) }
        if question.settings.isEmpty {
            facts.append(("setting", "none: the sources that count agree"))
        }
        facts += question.rules.compactMap { id in
            catalogue[id].map { ("rule", "\(id)  \($0.statement)") }
        }
        return Self.page("\(question.id)  \(question.question)", facts, width: width)
    }

    private static func words(of setting: String) -> String {
        let key = "rules.\(setting) of a scenario"
        guard let words = SystemRules.words(of: setting) else { return key }
        return "\(key): \(words.accepted); \(words.standard) by default (config/README.md)"
    }

    private static func page(_ title: String, _ facts: [(String, String)], width: Int) -> String {
        let column = max(11, facts.map(\.0.count).max() ?? 0) + 2
        let margin = "\n" + String(repeating: " ", count: column + 2)
        let lines = facts.map { name, fact in
            let space = String(repeating: " ", count: column - name.count)
            let text = wrapped(fact, width: max(20, width - column - 2))
            return "  " + name + space + text.joined(separator: margin) + "\n"
        }
        return wrapped(title, width: max(40, width)).joined(separator: "\n") + "\n\n"
            + lines.joined()
    }

    private static func meaning(_ confidence: RuleCatalogue.Confidence) -> String {
        switch confidence {
        case .documented: "documented by Apple"
        case .observed: "observed by developers or vendors"
        case .inferred: "inferred from other rules; no source says it"
        case .chosen: "chosen: sources are silent or disagree"
        }
    }

    func json(of entries: [Entry]) -> String {
        var writer = JSONWriter(.pretty)
        writer.object { writer in
            writer.key("rules")
            writer.array { writer in
                for case .rule(let rule) in entries { write(rule, to: &writer) }
            }
            writer.key("questions")
            writer.array { writer in
                for case .question(let question) in entries { Self.write(question, to: &writer) }
            }
        }
        return writer.text + "\n"
    }

    private func write(_ rule: RuleCatalogue.Rule, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", rule.id)
            writer.member("ios", rule.versions)
            writer.member("confidence", rule.confidence.rawValue)
            writer.member("statement", rule.statement)
            if let text = rule.noBranch { writer.member("no_branch", text) }
            if let text = rule.setting { writer.member("setting", text) }
            writer.key("cases")
            writer.array { writer in
                for test in cases(of: rule) { writer.string(test.id) }
            }
        }
    }

    private static func write(_ question: OpenQuestion, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", question.id)
            writer.member("question", question.question)
            writer.member("known", question.known)
            writer.member("default", question.standard)
            for (key, texts) in [("settings", question.settings), ("rules", question.rules)] {
                writer.key(key)
                writer.array { writer in
                    for text in texts { writer.string(text) }
                }
            }
        }
    }
}
