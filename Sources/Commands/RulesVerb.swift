import Bundles
import Conformance
import Foundation
import JSONText
import Reports

extension Verb {
    static let rules = Verb(
        name: "rules",
        usage: "[ID …] [--json | --markdown]",
        summary: "look up the rules of iOS that stories and cases name, such as A8",
        options: [
            .flag("--json", "print them as JSON"),
            .flag("--markdown", "print what every state answers to every event, as a page"),
        ],
        examples: [
            "locfleet rules", "locfleet rules A8", "locfleet rules | grep chosen",
            "locfleet rules --json | jq -r '.rules[] | select(.cases == []) | .id'",
        ],
        run: { arguments, terminal throws(CommandError) in try rules(arguments, terminal) })

    private static func rules(
        _ arguments: Arguments, _ terminal: Terminal
    ) throws(CommandError) -> ExitStatus {
        if arguments.has("--markdown") {
            guard !arguments.has("--json") else {
                throw CommandError("--json and --markdown exclude each other")
            }
            guard arguments.operands.isEmpty else {
                throw CommandError("--markdown prints all rules, not '\(arguments.operands[0])'")
            }
            try terminal.print(TransitionPage.markdown())
            return .done
        }
        let book = try RuleBook.shipped()
        var chosen: [RuleCatalogue.Rule] = []
        for id in arguments.operands { chosen.append(try book.catalogue.rule(named: id)) }
        if arguments.has("--json") {
            try terminal.print(book.json(of: chosen.isEmpty ? book.catalogue.rules : chosen))
        } else if chosen.isEmpty {
            try terminal.print(book.table(width: terminal.isOutATerminal ? terminal.outWidth : nil))
        } else {
            let pages = chosen.map { book.page(of: $0, width: terminal.outWidth) }
            try terminal.print(pages.joined(separator: "\n"))
        }
        return .done
    }
}

extension RuleCatalogue {
    /// - Throws: for an unknown id, with the nearest one.
    func rule(named id: String) throws(CommandError) -> Rule {
        if let rule = self[id] { return rule }
        if let near = nearest(to: id.uppercased(), among: rules.map(\.id)) {
            throw CommandError("unknown rule '\(id)'; did you mean \(near)?")
        }
        throw CommandError("unknown rule '\(id)'; 'locfleet rules' lists them")
    }
}

/// The rules and the cases that show them.
private struct RuleBook {
    var catalogue: RuleCatalogue
    var cases: [ConformanceCase]
    /// As it can be typed.
    var casesPath: String

    private static let rulesName = "config/rules/rules.jsonl"
    private static let casesName = "config/conformance/cases.jsonl"

    static func shipped() throws(CommandError) -> RuleBook {
        let (rules, rulesPath) = try file(rulesName)
        let (cases, casesPath) = try file(casesName)
        do throws(ConformanceError) {
            return RuleBook(
                catalogue: try RuleCatalogue.read(rules, name: rulesPath),
                cases: try ConformanceFile.read(cases, name: casesPath), casesPath: casesPath)
        } catch { throw CommandError("\(error)") }
    }

    /// A file of the library, and its path: a short one where the current folder is the library.
    private static func file(
        _ name: String
    ) throws(CommandError) -> (bytes: [UInt8], path: String) {
        let roots = Library.roots(
            executable: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath())
        for root in roots {
            let url = root.appending(path: name)
            guard let data = try? Data(contentsOf: url) else { continue }
            let here = URL(filePath: FileManager.default.currentDirectoryPath)
            let isHere = root.standardizedFileURL.path == here.standardizedFileURL.path
            return (Array(data), isHere ? name : url.path)
        }
        throw CommandError(
            "\(name) is not in the library; \(Library.environmentKey) names its folders")
    }

    private func cases(of rule: RuleCatalogue.Rule) -> [ConformanceCase] {
        cases.filter { $0.rules.contains(rule.id) }
    }

    /// - Parameter width: of a terminal; nil: a rule is a line, however long.
    func table(width: Int?) -> String {
        let head = ["rule", "iOS", "confidence", "cases", "what it says"]
        let rows = catalogue.rules.map {
            [$0.id, $0.versions, $0.confidence.rawValue, "\(cases(of: $0).count)", $0.statement]
        }
        let widths = (0..<4).map { column in
            ([head] + rows).map { $0[column].count }.max() ?? 0
        }
        let indent = widths.reduce(0, +) + 8
        return ([head] + rows).map { row in
            let left = (0..<4).map { column in
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                return (column == 3 ? space + row[column] : row[column] + space) + "  "
            }
            let lines = width.map { wrapped(row[4], width: max(20, $0 - indent)) } ?? [row[4]]
            return left.joined()
                + lines.joined(separator: "\n" + String(repeating: " ", count: indent)) + "\n"
        }.joined()
    }

    func page(of rule: RuleCatalogue.Rule, width: Int) -> String {
        let cases = cases(of: rule)
        var facts = [("iOS", rule.versions), ("confidence", Self.meaning(rule.confidence))]
        if let setting = rule.setting {
            facts.append(("setting", "rules.\(setting) of a scenario (config/README.md)"))
        }
        facts.append(("in the code", rule.noBranch ?? "a branch that bears its id"))
        for (index, test) in cases.enumerated() {
            facts.append((index == 0 ? "cases" : "", "\(test.id)  \(test.title)"))
        }
        if cases.isEmpty { facts.append(("cases", "none")) }
        var text =
            wrapped("\(rule.id)  \(rule.statement)", width: max(40, width))
            .joined(separator: "\n") + "\n\n"
        for (name, fact) in facts {
            let lines = wrapped(fact, width: max(20, width - 15))
            text +=
                "  " + name + String(repeating: " ", count: 13 - name.count)
                + lines.joined(separator: "\n" + String(repeating: " ", count: 15)) + "\n"
        }
        guard !cases.isEmpty else { return text }
        return text + "  replay       locfleet conformance \(casesPath) --rule \(rule.id)\n"
    }

    private static func meaning(_ confidence: RuleCatalogue.Confidence) -> String {
        switch confidence {
        case .documented: "documented by Apple"
        case .observed: "observed by developers or vendors"
        case .inferred: "inferred from other rules; no source says it"
        case .chosen: "chosen: sources are silent or disagree"
        }
    }

    func json(of rules: [RuleCatalogue.Rule]) -> String {
        var writer = JSONWriter(.pretty)
        writer.object { writer in
            writer.key("rules")
            writer.array { writer in
                for rule in rules {
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
            }
        }
        return writer.text + "\n"
    }
}
