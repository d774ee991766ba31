import JSONText
import Reports

/// One verb of the command line: its help and what it does.
struct Verb: Sendable {
    var name: String
    /// After `locfleet NAME`.
    var usage: String
    var summary: String
    var options: [OptionSpec]
    var examples: [String]
    var run: @Sendable (Arguments, Terminal) throws(CommandError) -> ExitStatus

    static let all: [Verb] = [.run, .why, .conformance]

    var help: String {
        var text = "\(summary)\n\nUsage: locfleet \(name) \(usage)\n"
        if !options.isEmpty {
            let heads = options.map { $0.value == nil ? $0.name : "\($0.name) \($0.value ?? "")" }
            text += "\nOptions:\n" + Self.columns(zip(heads, options.map(\.about)))
        }
        text += "\nExamples:\n" + examples.map { "  \($0)\n" }.joined()
        return text
    }

    /// The help without a verb.
    static var overview: String {
        """
        Locfleet simulates fleets of iOS devices: who grants an app location, when, and why not.

        Usage: locfleet VERB …

        Verbs:
        \(columns(all.map { ($0.name, $0.summary) }))
        'locfleet help VERB' explains one, with its options and an example.
        Exit status: 0 done, 1 failed, 2 wrong usage or input, 3 the verdict is no, 130 interrupted.

        """
    }

    private static func columns(_ rows: some Sequence<(String, String)>) -> String {
        let rows = Array(rows)
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { head, about in
            "  " + head + String(repeating: " ", count: width - head.count + 2) + about + "\n"
        }.joined()
    }
}

/// The command line: finds the verb and runs it.
public enum CommandLineTool {
    public static let version = Report.productVersion

    /// - Parameter words: without the name of the program.
    /// - Returns: what the shell is to see.
    public static func run(_ words: [String], on terminal: Terminal) -> ExitStatus {
        do throws(CommandError) {
            return try dispatch(words, terminal)
        } catch {
            terminal.complain("locfleet: \(printable(error.message))")
            return error.status
        }
    }

    private static func dispatch(
        _ words: [String], _ terminal: Terminal
    ) throws(CommandError) -> ExitStatus {
        guard let name = words.first else {
            terminal.complain(Verb.overview)
            return .usage
        }
        let rest = Array(words.dropFirst())
        switch name {
        case "help", "--help", "-h":
            if let topic = rest.first {
                try terminal.print(verb(topic).help)
            } else {
                try terminal.print(Verb.overview)
            }
            return .done
        case "version", "--version":
            try terminal.print("locfleet \(version)\n")
            return .done
        default:
            let verb = try verb(name)
            if rest.contains("--help") || rest.contains("-h") {
                try terminal.print(verb.help)
                return .done
            }
            let arguments = try Arguments(rest, options: verb.options, verb: verb.name)
            return try verb.run(arguments, terminal)
        }
    }

    private static func verb(_ name: String) throws(CommandError) -> Verb {
        if let verb = Verb.all.first(where: { $0.name == name }) { return verb }
        let names = Verb.all.map(\.name)
        if let near = nearest(to: name, among: names) {
            throw CommandError("unknown verb '\(name)'; did you mean '\(near)'?")
        }
        throw CommandError("unknown verb '\(name)'; there are \(names.joined(separator: ", "))")
    }
}
