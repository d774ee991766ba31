import ControlProtocol
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

    static let all: [Verb] = [
        .run, .merge, .verifyDeterminism, .why, .check, .test, .new, .conformance, .lint, .rules,
        .api,
        .fleetCreate, .fleetList, .fleetShow, .fleetStart, .fleetPause, .fleetResume, .fleetRate,
        .fleetStep, .fleetUntil, .fleetFork, .fleetExport, .fleetStop, .fleetDelete,
        .funnel, .metrics, .top, .watch, .deviceList, .deviceShow, .deviceWhy, .intervene, .jobs,
        .wait, .rpc, .limits, .doctor, .daemonStatus, .daemonReload,
        .daemonStop,
    ]

    var help: String {
        var text = "\(summary)\n\nUsage: locfleet \(name) \(usage)\n"
        if !options.isEmpty {
            text += "\nOptions:\n" + Self.columns(of: options)
        }
        if !statuses.isEmpty {
            text += "\nExit status:\n" + Self.columns(statuses.map { ($0.status, $0.about) })
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
        'locfleet help METHOD', such as fleet.rate, explains a method of the daemon.
        Exit status: 0 done, 1 refused or failed, 2 wrong usage or input, 3 the verdict is no,
        4 no daemon, 124 timed out, 130 interrupted.

        """
    }

    static func columns(of options: [OptionSpec]) -> String {
        let heads = options.map { $0.value == nil ? $0.name : "\($0.name) \($0.value ?? "")" }
        return columns(zip(heads, options.map(\.about)))
    }

    static func columns(_ rows: some Sequence<(String, String)>) -> String {
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
            if rest.first == "--generate" {
                guard rest.count == 2 else { throw CommandError("--generate takes a folder") }
                let written = try GeneratedFiles.write(to: rest[1])
                try terminal.print(written.map { $0 + "\n" }.joined())
            } else if rest.count == 1, let method = ControlMethod(name: rest[0]),
                Verb.all.allSatisfy({ $0.name != method.name })
            {
                try terminal.print(MethodHelp.text(method))
            } else if rest.first != nil {
                try terminal.print(help(on: rest))
            } else {
                try terminal.print(Verb.overview)
            }
            return .done
        case "version", "--version":
            return try ProgramVersion.show("locfleet", rest, on: terminal)
        default:
            if rest.contains("--help") || rest.contains("-h") {
                try terminal.print(help(on: words))
                return .done
            }
            let (verb, rest) = try verb(words)
            let arguments = try Arguments(rest, options: verb.options, verb: verb.name)
            return try verb.run(arguments, terminal)
        }
    }

    /// Of a verb, or of all that begin with a word, such as `fleet`.
    private static func help(on words: [String]) throws(CommandError) -> String {
        let kin = Verb.all.filter { $0.name.hasPrefix(words[0] + " ") }
        let isWhole = words.count > 1 && !words[1].hasPrefix("-")
        guard !kin.isEmpty, !isWhole else { return try verb(words).verb.help }
        return kin.map(\.help).joined(separator: "\n")
    }

    /// The verb that the words begin with, which may be two, and what comes after it.
    private static func verb(
        _ words: [String]
    ) throws(CommandError) -> (verb: Verb, rest: [String]) {
        for count in [2, 1] {
            let name = words.prefix(count).joined(separator: " ")
            if words.count >= count, let verb = Verb.all.first(where: { $0.name == name }) {
                return (verb, Array(words.dropFirst(count)))
            }
        }
        let names = Verb.all.map(\.name)
        let kin = names.filter { $0.hasPrefix(words[0] + " ") }
        let given = kin.isEmpty ? words[0] : words.prefix(2).joined(separator: " ")
        if let near = nearest(to: given, among: names) {
            throw CommandError("unknown verb '\(given)'; did you mean '\(near)'?")
        }
        let listed = kin.joined(separator: ", ")
        let known = kin.isEmpty ? "'locfleet help' lists them" : "there are \(listed)"
        throw CommandError("unknown verb '\(given)'; \(known)")
    }
}
