import ControlProtocol
import JSONText
import Reports

extension Verb {
    static let limits = Verb(
        name: "limits", usage: "[options]",
        summary: "show every named limit, what happens there, and how often it did",
        options: .daemonOptions,
        examples: [
            "locfleet limits",
            "locfleet limits --json | jq '.limits[] | select(.reached > 0)'",
        ],
        run: { arguments, terminal throws(CommandError) in
            try arguments.noOperand(verb: "limits")
            let result = try DaemonArguments.client(arguments).call(.limits)
            if arguments.has("--json") {
                try terminal.print(result.text + "\n")
                return .done
            }
            let rows = (result.node["limits"]?.array ?? []).map { limit in
                [
                    limit["part"]?.string ?? "", limit["limit"]?.string ?? "",
                    limit["value"]?.number.flatMap { UInt64($0) }.map { grouped($0) } ?? "",
                    limit["unit"]?.string ?? "", limit["reached"]?.number ?? "",
                    limit["then"]?.string ?? "",
                ]
            }
            let columns: [(title: String, isNumber: Bool)] = [
                ("of", false), ("limit", false), ("at most", true), ("", false),
                ("reached", true), ("then", false),
            ]
            try terminal.print(Listing.text(columns, rows, isColored: terminal.hasColor))
            return .done
        })
}
