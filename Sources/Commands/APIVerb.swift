import JSONText
import Reports
import ScriptAPI

extension Verb {
    static let api = Verb(
        name: "api",
        usage: "[NAME …] [--json | --annotations]",
        summary: "look up what scripts can call and what calls them, such as after or rng.pick",
        options: [
            .flag("--json", "print it as JSON"),
            .flag("--annotations", "print it for editors: scripts/locfleet.d.lua"),
        ],
        examples: [
            "locfleet api", "locfleet api answer_prompt rng",
            "locfleet api --json | jq -r '.api[] | select(.ios) | .name'",
        ],
        run: { arguments, terminal throws(CommandError) in try api(arguments, terminal) })

    private static func api(
        _ arguments: Arguments, _ terminal: Terminal
    ) throws(CommandError) -> ExitStatus {
        let (bytes, path) = try LibraryFile.read("config/scripting/api.jsonl")
        let catalogue: APICatalogue
        do throws(APICatalogue.Malformed) {
            catalogue = try APICatalogue.read(bytes)
        } catch { throw CommandError("\(path): \(error)") }
        if arguments.has("--annotations") {
            guard !arguments.has("--json"), arguments.operands.isEmpty else {
                throw CommandError("--annotations prints all names, without another word")
            }
            try terminal.print(catalogue.annotations())
            return .done
        }
        let (entries, complaints) = chosen(arguments.operands, of: catalogue)
        if entries.isEmpty, let first = complaints.first { throw CommandError(first) }
        if arguments.has("--json") {
            try terminal.print(json(of: entries))
        } else {
            try terminal.print(page(of: entries, in: catalogue, width: max(60, terminal.outWidth)))
        }
        if let first = complaints.first { throw CommandError(first) }
        return .done
    }

    /// By name, by owner, or by both with a point or colon between; all without a word. And what
    /// is wrong with words that name nothing.
    private static func chosen(
        _ words: [String], of catalogue: APICatalogue
    ) -> (entries: [APICatalogue.Entry], complaints: [String]) {
        if words.isEmpty { return (catalogue.entries, []) }
        var entries: [APICatalogue.Entry] = []
        var complaints: [String] = []
        for word in words {
            let name = word.split { ".:".contains($0) }.last.map(String.init) ?? word
            let found = catalogue.entries.filter {
                $0.owner.lowercased() == word.lowercased() || $0.name == word
                    || ($0.name == name && $0.signature.hasPrefix(word))
            }
            if found.isEmpty {
                let known = catalogue.entries.map(\.name) + catalogue.owners
                let hint = nearest(to: name, among: known).map { "; did you mean '\($0)'?" }
                complaints.append(
                    "scripts have no '\(word)'" + (hint ?? "; 'locfleet api' lists all names"))
            }
            entries += found
        }
        return (entries, complaints)
    }

    private static func page(
        of entries: [APICatalogue.Entry], in catalogue: APICatalogue, width: Int
    ) -> String {
        var text = ""
        for owner in catalogue.owners {
            let own = entries.filter { $0.owner == owner }
            guard !own.isEmpty else { continue }
            text += (text.isEmpty ? "" : "\n") + owner + "\n"
            for entry in own {
                let result = entry.returns.map { " → \($0)" } ?? ""
                let since = entry.since.map { "  (iOS \($0))" } ?? ""
                text += "  \(entry.signature)\(result)\(since)\n"
                for line in wrapped(entry.about, width: width - 6) { text += "      \(line)\n" }
            }
        }
        return text
    }

    private static func json(of entries: [APICatalogue.Entry]) -> String {
        var writer = JSONWriter(.pretty)
        writer.object { writer in
            writer.key("api")
            writer.array { writer in
                for entry in entries {
                    writer.object { writer in
                        writer.member("in", entry.owner)
                        writer.member("name", entry.name)
                        writer.member("kind", entry.kind.rawValue)
                        writer.member("signature", entry.signature)
                        if let returns = entry.returns { writer.member("returns", returns) }
                        if let since = entry.since { writer.member("ios", since) }
                        writer.member("about", entry.about)
                    }
                }
            }
        }
        return writer.text + "\n"
    }
}
