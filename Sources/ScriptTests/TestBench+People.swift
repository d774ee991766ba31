import AuthorizationCore
import LuaScripting
import SimPrimitives
import Simulation

/// What a test asks a person: the methods and fields of `person` in `Prelude/tests.lua`.
extension TestBench {
    func ask(
        _ index: Int, _ call: String, _ given: TestArguments
    ) throws(TestRefusal) -> TestValue {
        var arguments = given
        switch call {
        case "hook":
            var person = people[index]
            defer { people[index] = person }
            return try hook(arguments.verb, &arguments, &person)
        case "trait":
            switch arguments.verb {
            case "status": return .text(people[index].status.rawValue)
            case "day": return .number(Double(people[index].day))
            default: return .list(people[index].acts.map { .text(InterventionAction.text(of: $0)) })
            }
        default:
            if arguments.verb == "status" {
                people[index].status = try arguments.word(VisibleStatus.self, "a status")
            } else {
                let value = arguments.next()
                guard let number = value.number, let day = Int64(exactly: number),
                    (0...36_500).contains(day)
                else { throw TestRefusal("day is a whole number in 0 ... 36500, not \(value)") }
                people[index].day = day
            }
            return .none
        }
    }

    private func hook(
        _ name: String, _ arguments: inout TestArguments, _ person: inout PersonStage
    ) throws(TestRefusal) -> TestValue {
        if let hook = HookName(rawValue: name), !person.has(hook) {
            throw TestRefusal("the behavior has no hook \(name)")
        }
        switch name {
        case "answer_prompt": return try answerPrompt(&arguments, &person)
        case "answer_primer":
            let text = try arguments.text("the id of a primer")
            guard text.utf8.count <= NameTable.bytesMax, let id = names.id(of: text) else {
                throw TestRefusal(
                    "answer_primer: an id has at most \(NameTable.bytesMax) bytes")
            }
            return .text(
                try Self.heard { () throws(HookError) in try person.answerPrimer(id) }.rawValue)
        case "answer_settings_alert":
            return .text(
                try Self.heard { () throws(HookError) in try person.answerSettingsAlert() }
                    .rawValue)
        case "next_open":
            let wait = try Self.heard { () throws(HookError) in try person.nextOpen() }
            return wait.map { .number($0.seconds) } ?? .none
        case "session_length":
            return .number(
                try Self.heard { () throws(HookError) in try person.sessionLength() }.seconds)
        case "next_tap":
            let tap = try Self.heard { () throws(HookError) in try person.nextTap() }
            return tap.map {
                .named(["feature": .text(features[$0.feature]), "after": .number($0.after.seconds)])
            } ?? .none
        default:
            try Self.heard { () throws(HookError) in try person.eachDay() }
            return .none
        }
    }

    /// `person:answer_prompt { kind = "when_in_use", primed = true }`
    private func answerPrompt(
        _ arguments: inout TestArguments, _ person: inout PersonStage
    ) throws(TestRefusal) -> TestValue {
        let prompt = try arguments.options([
            "kind", "primed", "expected", "ordinal", "asked_before",
        ])
        var named = TestArguments("answer_prompt", [prompt["kind"]])
        let kind = try named.word(PromptKind.self, "a kind of prompt")
        let (isPrimed, isExpected) = (
            try prompt.flag("primed", or: false), try prompt.flag("expected", or: false)
        )
        let (ordinal, askedBefore) = (
            try prompt.count("ordinal"), try prompt.count("asked_before")
        )
        let reply = try Self.heard { () throws(HookError) in
            try person.answerPrompt(
                kind, isPrimed: isPrimed, isExpected: isExpected, ordinal: ordinal,
                askedBefore: askedBefore)
        }
        return .text(reply.choice.rawValue)
    }
}

extension InterventionAction {
    /// `settings never`, `precise false`, `reboot`.
    static func text(of act: PhoneAct) -> String {
        let word = InterventionAction.act(act).kind.rawValue
        switch act {
        case .settings(let row): return "\(word) \(row.rawValue)"
        case .precise(let on), .locationServices(let on), .restriction(let on),
            .backgroundRefresh(let on):
            return "\(word) \(on)"
        case .upgradeOS(let version): return "\(word) \(version)"
        default: return word
        }
    }
}
