import AuthorizationCore
import ControlProtocol
import Simulation

/// What a shell offers where a word of the command line is due.
enum Offer: Equatable {
    /// Any file.
    case files
    /// Files with this ending, and folders.
    case filesEnding(String)
    case folders
    /// Names of the daemon's fleets.
    case fleets
    case words([String])
    /// Each of these.
    case either([Offer])
    /// A number, or a text of one's own.
    case nothing

    /// Of interventions: rows of Settings, and what switches take.
    private static let interventionValues =
        SettingsRow.allCases.filter { $0 != .whileUsingOrWidgets }.map(\.rawValue)
        + ["true", "false"]

    /// By what stands for the word in usages and in help.
    private static let byPlaceholder: [String: Offer] = [
        "FILE": .files, "PATH": .files, "FILE…": .files, "PART…": .files, "FOLDER": .folders,
        "DIR": .folders,
        "FILE.lua": .filesEnding(".lua"), "FILE.lua…": .filesEnding(".lua"),
        "FILE|NAME": .filesEnding(".lua"), "FILE.jsonl": .filesEnding(".jsonl"),
        "Info.plist": .filesEnding(".plist"), "SCENARIO.json5": .filesEnding(".json5"),
        "SCENARIO.json5|EXPORT": .filesEnding(".json5"),
        "[SCENARIO.json5|EXPORT]": .filesEnding(".json5"), "[FLEET…]": .fleets,
        "FORMAT": .words(["text", "json", "openmetrics"]), "PORT": .nothing,
        "LEVEL": .words(["error", "warning", "notice", "info", "debug"]),
        "text|json": .words(["text", "json"]),
        "SCENARIO.json5|FLEET|EXPORT": .either([.fleets, .filesEnding(".json5")]),
        "FLEET": .fleets,
        "[FLEET]": .fleets,
        "behavior|strategy|scenario": .words(["behavior", "strategy", "scenario"]),
        "KIND": .words(["behavior", "strategy"]),
        "TYPE": .words(RecordType.allCases.map(\.rawValue)),
        "WHAT": .words(InterventionAction.Kind.askable.map(\.rawValue)),
        "RATE": .words(["max", "1x", "60x", "3600x"]),
        "persona,ios": .words(["persona", "ios", "persona,ios"]),
        "METHOD": .words(ControlMethod.allCases.map(\.name)),
        "0600": .words(["0600", "0660", "0666"]),
        "ID": .nothing, "N": .nothing, "D": .nothing, "S": .nothing, "W": .nothing, "R": .nothing,
        "NAME": .nothing, "TEXT": .nothing, "LIST": .nothing,
        "VALUE": .either([.words(interventionValues), .filesEnding(".lua")]),
        "SPAN": .nothing,
        "SECONDS": .nothing, "SHARE": .nothing, "VERSIONS": .nothing, "CONDITION": .nothing,
        "KEY=VALUE": .nothing, "i/N": .nothing, "[ID": .nothing, "[NAME": .nothing,
        "[JSON]": .nothing, "DEVICE": .nothing, "NEW": .nothing, "TIME": .nothing,
        "TIME|CONDITION": .nothing, "NAME=VALUE": .nothing, "JOB": .nothing, "N,NxD": .nothing,
        "PLAYERS": .nothing,
    ]

    /// Nil where nobody has said what it stands for: a test holds that all are known.
    init?(placeholder: String) {
        guard let offer = Self.byPlaceholder[placeholder] else { return nil }
        self = offer
    }
}

extension Verb {
    /// The words of the usage that stand for operands, in their order.
    var operands: [String] {
        var words: [String] = []
        for word in usage.split(separator: " ").map(String.init) {
            // What follows is options, or a list in brackets.
            guard word != "[options]", word != "|", !word.hasPrefix("-"), !word.hasPrefix("[--")
            else { break }
            if word != "…]" { words.append(word) }
        }
        return words
    }

    /// What is offered for the operand there; the last stands for all that follow where there may
    /// be many.
    func offer(at index: Int) -> Offer {
        let operands = self.operands
        if operands.indices.contains(index) {
            return Offer(placeholder: operands[index]) ?? .nothing
        }
        guard let last = operands.last, last.hasSuffix("…") else { return .nothing }
        return Offer(placeholder: last) ?? .nothing
    }

    /// The first words of verbs of two, such as `fleet`.
    static var families: [String] {
        var names: [String] = []
        for verb in all where verb.words.count == 2 && names.last != verb.words[0] {
            if !names.contains(verb.words[0]) { names.append(verb.words[0]) }
        }
        return names
    }

    var words: [String] { name.split(separator: " ").map(String.init) }
}

extension OptionSpec {
    /// What is offered for its value; nil where it takes none.
    var offer: Offer? { value.map { Offer(placeholder: $0) ?? .nothing } }
}
