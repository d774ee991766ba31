import AuthorizationCore
import JSONText

/// What is allowed and says nothing: most likely a slip of the pen.
extension ConformanceCase {
    var slips: [ConformanceNote] {
        unknownRules + emptyExpectations + strangers
    }

    /// "Ids of the rules in `../spec/corelocation.md`", its findings LI and questions D included.
    private static let ruleIDs =
        RuleID.allCases.map(\.rawValue) + (1...16).map { "LI\($0)" } + (1...35).map { "D\($0)" }

    private var unknownRules: [ConformanceNote] {
        rules.filter { !Self.ruleIDs.contains($0) }.map { id in
            let hint =
                nearest(to: id.uppercased(), among: Self.ruleIDs).map { "; did you mean \($0)?" }
                ?? ""
            return ConformanceNote(step: 0, text: "the specification has no rule '\(id)'\(hint)")
        }
    }

    private var emptyExpectations: [ConformanceNote] {
        var notes: [ConformanceNote] = []
        var expectsAnything = false
        for (index, step) in steps.enumerated() {
            guard case .expect(let expectations) = step else { continue }
            expectsAnything = expectsAnything || !expectations.isEmpty
            if expectations.isEmpty {
                notes.append(ConformanceNote(step: index + 1, text: "it expects nothing"))
            }
            for each in expectations where each.isVacuous {
                notes.append(
                    ConformanceNote(step: index + 1, text: "it expects nothing of \(each.key)"))
            }
        }
        if !expectsAnything, notes.isEmpty {
            notes.append(ConformanceNote(step: 0, text: "no step expects anything"))
        }
        return notes
    }

    /// Ids that an `event`, `stop`, `request_state` or `position` names and no `start` does: there,
    /// "nothing happens".
    private var strangers: [ConformanceNote] {
        var started: [String: Set<String>] = [:]
        for case .act(let act) in steps where act.name == "start" {
            started[act.texts["service"] ?? "", default: []].formUnion(Stage.names(act))
        }
        let places = started["region", default: []].union(started["monitor", default: []])
        var notes: [ConformanceNote] = []
        for (index, step) in steps.enumerated() {
            guard case .act(let act) = step, let id = act.texts["id"] else { continue }
            let known: Set<String>
            switch act.name {
            case "event", "stop": known = started[act.texts["service"] ?? "", default: []]
            case "request_state": known = started["region", default: []]
            case "position": known = places
            default: continue
            }
            let names = act.numbers["count"] == nil ? [id] : Stage.names(act)
            guard known.isDisjoint(with: names) else { continue }
            // A slip of the pen is made in a case that a person has written: few names.
            let hint =
                known.count > 100
                ? nil : nearest(to: id, among: known.sorted()).map { "; did you mean '\($0)'?" }
            notes.append(
                ConformanceNote(
                    step: index + 1,
                    text: "it does nothing: no step starts '\(id)'\(hint ?? "")"))
        }
        return notes
    }
}

extension ConformanceCase.Expectation {
    /// Any phone meets it.
    fileprivate var isVacuous: Bool {
        switch (key, value) {
        case ("diagnostics", .object(let members)), ("manager_callbacks", .object(let members)):
            members.isEmpty
        case ("delivered_count", .object(let members)):
            members["min"] == nil && members["max"] == nil
        default: false
        }
    }
}
