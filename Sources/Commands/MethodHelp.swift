import ControlProtocol

extension ControlMethod {
    /// The summary as a verb has it.
    var verbSummary: String { summary.prefix(1).lowercased() + summary.dropFirst() }
}

/// What the table says of a method, for people: `locfleet help METHOD`, and the manual pages.
enum MethodHelp {
    static func text(_ method: ControlMethod) -> String {
        var text = "\(method.summary)\n\nMethod: \(method.name)"
        if let verb = method.verb { text += ", by 'locfleet \(verb)'" }
        text += "\n"
        if !method.parameters.isEmpty {
            text += "\nParameters:\n" + rows(method.parameters, orElse: leftOut)
        }
        let members = members(of: method.result)
        text += members.isEmpty ? "" : "\nResult:\n" + rows(members, orElse: missing)
        if let notification = method.notification {
            text += "\nThen notifications \"\(notification.name)\":\n"
            text += rows(self.members(of: notification.form), orElse: missing)
        }
        text += "\nRefusals: \(method.errors.map(\.rawValue).joined(separator: ", "))\n"
        return text + "\nExample:\n  \(call(method))\n  \(method.example.result)\n"
    }

    /// The example as a line of the shell.
    static func call(_ method: ControlMethod) -> String {
        let parameters = method.example.parameters
        return "locfleet rpc \(method.name)" + (parameters == "{}" ? "" : " '\(parameters)'")
    }

    /// Of an object, of what a list has, or of what may be null.
    static func members(of form: ValueForm) -> [ValueEntry] {
        switch form {
        case .object(let entries, _): entries
        case .named(_, let form), .list(let form, _), .nullable(let form): members(of: form)
        case .bool, .integer, .count, .number, .share, .anyNumber, .text, .fleetName, .sha256,
            .bundle, .base64, .rate, .choice, .choices, .scalar, .scalarOrMap, .map:
            []
        }
    }

    /// What it is, its form, and what stands for it.
    ///
    /// - Parameter word: for one that is not required.
    static func about(_ entry: ValueEntry, orElse word: String) -> String {
        var parts = [entry.about, form(entry)]
        if let text = entry.defaultText, text != "null" {
            parts.append("default \(text)")
        } else if !entry.isRequired {
            parts.append(word)
        }
        return parts.joined(separator: "; ")
    }

    private static func form(_ entry: ValueEntry) -> String {
        let claim = claim(entry.form)
        guard let unit = entry.unit, !claim.contains(unit) else { return claim }
        return "\(claim), \(unit)"
    }

    /// As refusals have it, but short where that would go on for long.
    private static func claim(_ form: ValueForm) -> String {
        switch form {
        case .object(let entries, _) where !entries.isEmpty:
            "an object of " + entries.map(\.name).joined(separator: ", ")
        case .list(let form, _) where !members(of: form).isEmpty: "a list, each \(claim(form))"
        case .list(.object, _): "a list of objects"
        case .nullable(let form): claim(form) + ", or null"
        case .named(_, let form): claim(form)
        default: form.claim
        }
    }

    /// Of a parameter, and of a member of a result, that is not required.
    static let (leftOut, missing) = ("may be left out", "may be missing")

    private static func rows(_ entries: [ValueEntry], orElse word: String) -> String {
        Verb.columns(entries.map { ($0.name, about($0, orElse: word)) })
    }
}
