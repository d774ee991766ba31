import AuthorizationCore
import JSONText

/// The steps of a case.
extension CaseReader {
    func step(
        _ node: JSONNode, _ place: String
    ) throws(ConformanceError) -> ConformanceCase.Step {
        let members = try object(node, place)
        let kinds = ["do", "answer", "settings", "expect"].filter { members[$0] != nil }
        guard kinds.count == 1, let kind = kinds.first, let value = members[kind] else {
            let names = members.keys.sorted().joined(separator: ", ")
            throw error(
                "\(place) has exactly one of do, answer, settings, expect; it has \(names)")
        }
        switch kind {
        case "do": return .act(try act(text(value, "\(place): do"), members, place))
        case "answer":
            try check(members, among: ["answer", "precise"], of: place)
            let name = try word(
                text(value, "\(place): answer"), among: Choice.allCases.map(\.rawValue),
                in: "\(place): answer")
            guard let choice = Choice(rawValue: name) else { throw error(place) }
            return .answer(
                choice,
                isPrecise: try members["precise"].map { node throws(ConformanceError) in
                    try boolean(node, "\(place): precise")
                })
        case "settings":
            try check(members, among: ["settings", "on"], of: place)
            let rows = ["never", "ask_next_time", "while_using", "always", "precise"]
            let name = try word(
                text(value, "\(place): settings"), among: rows, in: "\(place): settings")
            if name == "precise" {
                return .precise(try boolean(required("on", of: members, in: place), "\(place): on"))
            }
            guard members["on"] == nil, let row = SettingsRow(rawValue: name) else {
                throw error("\(place): on goes with \"settings\": \"precise\" alone")
            }
            return .settings(row)
        default: return .expect(try expectations(object(value, place), place))
        }
    }

    private func act(
        _ name: String, _ members: [String: JSONNode], _ place: String
    ) throws(ConformanceError) -> ConformanceCase.Act {
        let known = Vocabulary.steps.keys.sorted()
        _ = try word(name, among: known, in: "\(place): do")
        let expected = Vocabulary.steps[name] ?? []
        try check(members, among: ["do"] + expected.map(\.name), of: "\(place): \(name)")
        var act = ConformanceCase.Act(name: name)
        for member in expected {
            let here = "\(place): \(member.name)"
            guard let node = members[member.name] else {
                if member.isRequired { throw error("\(place): \(name) needs \(member.name)") }
                continue
            }
            switch member.kind {
            case .text: act.texts[member.name] = try text(node, here)
            case .number(let max):
                let least = member.name == "edge_m" ? -max : 0
                let number = try number(node, here)
                guard number >= least, number <= max else {
                    throw error("\(here) is a number in \(Int64(least)) ... \(Int64(max))")
                }
                act.numbers[member.name] = number
            case .count(let max):
                let number = try number(node, here)
                guard number >= 1, number <= Double(max), number == number.rounded() else {
                    throw error("\(here) is \(member.kind.description)")
                }
                act.numbers[member.name] = number
            case .boolean: act.booleans[member.name] = try boolean(node, here)
            case .object: act.plist = try plist(object(node, here))
            case .word(let words):
                act.texts[member.name] = try word(text(node, here), among: words, in: here)
            }
        }
        if let service = act.texts["service"] {
            try checkMembers(of: act, service, members, place)
        }
        if name == "upgrade_os" { _ = try version(act.texts["to"] ?? "", in: "\(place): to") }
        return act
    }

    /// What a service takes, and what it cannot do without.
    private func checkMembers(
        of act: ConformanceCase.Act, _ service: String, _ members: [String: JSONNode],
        _ place: String
    ) throws(ConformanceError) {
        let step = "\(place): \(act.name) \(service)"
        guard let known = Vocabulary.members(of: act.name, service) else {
            throw error("\(place): \(service) has no events")
        }
        try check(members, among: ["do", "service"] + known.needed + known.optional, of: step)
        for name in known.needed where members[name] == nil {
            throw error("\(step) needs \(name)")
        }
        guard let kind = act.texts["kind"], let kinds = Vocabulary.eventKinds[service] else {
            return
        }
        _ = try word(kind, among: kinds, in: "\(step): kind")
    }

    private func expectations(
        _ members: [String: JSONNode], _ place: String
    ) throws(ConformanceError) -> [ConformanceCase.Expectation] {
        try check(
            members, among: Vocabulary.expectations.map(\.key), of: "\(place): expect")
        var result: [ConformanceCase.Expectation] = []
        // In a fixed order: logs are read and consumed.
        for (key, shape) in Vocabulary.expectations {
            guard let node = members[key] else { continue }
            result.append(
                ConformanceCase.Expectation(
                    key: key, value: try expected(node, shape, "\(place): expect: \(key)")))
        }
        return result
    }
}
