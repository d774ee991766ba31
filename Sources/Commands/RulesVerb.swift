import Conformance
import Reports

extension Verb {
    static let rules = Verb(
        name: "rules",
        usage: "[ID …] [--json | --markdown]",
        summary: "look up the rules of iOS and its open questions, such as A8 or D3",
        options: [
            .flag("--questions", "list the open questions alone (D1, D2 …)"),
            .flag("--json", "print them as JSON"),
            .flag("--markdown", "print what every state answers to every event, as a page"),
        ],
        examples: [
            "locfleet rules", "locfleet rules A8 D3", "locfleet rules --questions",
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
        let isAboutQuestions = arguments.has("--questions")
        if isAboutQuestions, let first = arguments.operands.first {
            throw CommandError("--questions lists all questions, without '\(first)'")
        }
        let width = max(60, terminal.outWidth)
        if !arguments.operands.isEmpty {
            var chosen: [RuleBook.Entry] = []
            for id in arguments.operands { chosen.append(try book.entry(named: id)) }
            let pages = chosen.map { book.page(of: $0, width: width) }
            try terminal.print(
                arguments.has("--json") ? book.json(of: chosen) : pages.joined(separator: "\n"))
            return .done
        }
        let questions = book.questions.map(RuleBook.Entry.question)
        let rules = isAboutQuestions ? [] : book.catalogue.rules.map(RuleBook.Entry.rule)
        if arguments.has("--json") {
            try terminal.print(book.json(of: rules + questions))
        } else {
            let table = isAboutQuestions ? "" : book.table(width: width) + "\n"
            try terminal.print(table + book.questionTable(width: width))
        }
        return .done
    }
}
