import Bundles
import ControlProtocol
import Foundation
import JSONText
import LuaScripting
import Reports

/// What a client does to a running fleet.
extension Verb {
    static let intervene = Verb(
        name: "intervene", usage: "FLEET --do WHAT [options]",
        summary: ControlMethod.intervene.verbSummary,
        options: .daemon([
            .value(
                "--do", "WHAT",
                "such as settings, upgrade_os, strategy or options: config/README.md lists them all"
            ),
            .value(
                "--value", "VALUE",
                "what it takes, such as never, true, 26.0 or a Lua file"),
            .list("--option", "NAME=VALUE", "of the script, or of options and app_options"),
            .value("--where", "CONDITION", "for these devices; without it, for all"),
            .value("--share", "SHARE", "for this share of them, by a draw of each one's own"),
        ]),
        examples: [
            "locfleet intervene demo --where 'persona = depends' --do settings --value never",
            "locfleet intervene demo --do upgrade_os --value 26.0",
            "locfleet intervene demo --do strategy --value always_first.lua --share 0.5",
            "locfleet intervene demo --do options --option grant_share=0.2 "
                + "--where 'persona = depends'",
        ],
        run: { arguments, terminal throws(CommandError) in
            try intervene(arguments, terminal)
        })

    private static func intervene(
        _ arguments: Arguments, _ terminal: Terminal
    ) throws(CommandError) -> ExitStatus {
        let fleet = try arguments.onlyOperand("fleet", verb: "intervene")
        guard let word = arguments.value("--do") else {
            throw CommandError("--do is missing; see 'locfleet help intervene'")
        }
        let share = arguments.value("--share") ?? "1"
        guard let number = Double(plain: share), number > 0, number <= 1 else {
            throw CommandError(
                "--share is a number above 0 and at most 1, such as 0.3, not '\(share)'")
        }
        let options = try options(arguments.all("--option"))
        var (value, script) = (arguments.value("--value"), [UInt8]?.none)
        if let kind = scriptKinds[word], let file = value {
            script = try bytes(of: file, kind)
            value = file.split(separator: "/").last.map(String.init) ?? file
        }
        let client = try DaemonArguments.client(arguments)
        let hash = script.map { sha256($0) }
        if let script, let hash { try BundleUpload(client: client).send([hash: script]) }
        let isOfOptions = ["options", "app_options"].contains(word)
        let result = try client.call(
            .intervene,
            DaemonArguments.parameters(of: fleet) {
                $0.member("do", word)
                $0.member("share", number)
                if let condition = arguments.value("--where") { $0.member("where", condition) }
                if let hash { $0.member("sha256", hash) }
                if !options.isEmpty {
                    $0.member(
                        isOfOptions ? "value" : "options",
                        object: { members in
                            for (name, text) in options { put(name, text, &members) }
                        })
                }
                switch value {
                case nil: break
                case "true"?: $0.member("value", true)
                case "false"?: $0.member("value", false)
                case let text?: $0.member("value", text)
                }
            })
        if arguments.has("--json") {
            try terminal.print(result.text + "\n")
        } else {
            try terminal.print(told(result.node) + "\n")
        }
        return .done
    }

    private static func told(_ result: JSONNode) -> String {
        let ignored = result.count("ignored")
        let rest = ignored == 0 ? "" : " (not possible on \(grouped(ignored)) more)"
        var arms: [String] = []
        if case .object(let members)? = result["arms"]?.value {
            arms = members.map {
                "\(printable($0.name)) \(grouped($0.node.number.flatMap { UInt64($0) } ?? 0))"
            }
        }
        let split = arms.isEmpty ? "" : ": \(arms.joined(separator: ", "))"
        return "\(grouped(result.count("devices"))) devices\(rest), "
            + "\(human(result.span("at_seconds"))) after the start\(split)"
    }

    private static let scriptKinds: [String: Bundles.Bundle.Blob.Kind] = [
        "strategy": .strategy, "behavior": .behavior,
    ]

    /// Of a script that is typed: seen from the current folder, then in the library.
    private static func bytes(
        of file: String, _ kind: Bundles.Bundle.Blob.Kind
    ) throws(CommandError) -> [UInt8] {
        do throws(BundleError) {
            return try BundleReader.withLua(library: LibraryFile.roots).script(typed: file, kind)
        } catch { throw CommandError("--value: \(error)") }
    }

    /// Names and values, each as typed.
    private static func options(
        _ words: [String]
    ) throws(CommandError) -> [(name: String, text: String)] {
        var options: [(name: String, text: String)] = []
        for word in words {
            guard let equals = word.firstIndex(of: "="), equals > word.startIndex else {
                throw CommandError("--option is NAME=VALUE, such as grant_share=0.2, not '\(word)'")
            }
            let name = String(word[..<equals])
            guard !options.contains(where: { $0.name == name }) else {
                throw CommandError("--option \(name) is given twice")
            }
            options.append((name, String(word[word.index(after: equals)...])))
        }
        return options
    }

    /// `true` and `false` are no text, nor is what reads as a number.
    private static func put(_ name: String, _ text: String, _ members: inout JSONLine.Members) {
        let plain = text.hasPrefix("-") ? String(text.dropFirst()) : text
        switch (text, Double(plain: plain).flatMap { _ in Double(text) }) {
        case ("true", _): members.member(name, true)
        case ("false", _): members.member(name, false)
        case (_, let number?) where number.isFinite: members.member(name, number)
        default: members.member(name, text)
        }
    }
}
