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
            case "local_hour": return .number(people[index].localHour)
            default: return look(at: arguments.verb, ofActs: people[index].acts)
            }
        default:
            try set(arguments.verb, &arguments, of: &people[index])
            return .none
        }
    }

    private func set(
        _ trait: String, _ arguments: inout TestArguments, of person: inout PersonStage
    ) throws(TestRefusal) {
        if trait == "status" {
            person.status = try arguments.word(VisibleStatus.self, "a status")
            return
        }
        let value = arguments.next()
        if trait == "local_hour" {
            guard let hour = value.number, (0..<24).contains(hour) else {
                throw TestRefusal("local_hour is a number from 0 to below 24, not \(value)")
            }
            person.localHour = hour
        } else {
            guard let number = value.number, let day = Int64(exactly: number),
                (0...36_500).contains(day)
            else { throw TestRefusal("day is a whole number in 0 ... 36500, not \(value)") }
            person.day = day
        }
    }

    /// What hooks have done to the phone, or have noted of the person.
    private func look(at trait: String, ofActs acts: [PhoneAct]) -> TestValue {
        let metrics = acts.compactMap { act -> ScriptMetric? in
            if case .metric(let metric) = act { metric } else { nil }
        }
        switch trait {
        case "counters": return counters(metrics)
        case "observed": return observed(metrics)
        case "milestones":
            return .list(
                acts.compactMap { act in
                    if case .milestone(let name) = act { .text(names[name]) } else { nil }
                })
        default: return .list(acts.compactMap { Self.text(of: $0).map { .text($0) } })
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
            try prompt.count("ordinal", from: 1), try prompt.count("asked_before", from: 0)
        )
        let reply = try Self.heard { () throws(HookError) in
            try person.answerPrompt(
                kind, isPrimed: isPrimed, isExpected: isExpected, ordinal: ordinal,
                askedBefore: askedBefore)
        }
        return .text(reply.choice.rawValue)
    }

    /// `settings never`, `precise false`, `reboot`; nil where nothing is done to the phone.
    private static func text(of act: PhoneAct) -> String? {
        switch act {
        case .milestone, .metric: return nil
        default: break
        }
        let word = InterventionAction.act(act).kind.rawValue
        switch act {
        case .settings(let row): return "\(word) \(row.rawValue)"
        case .precise(let on), .locationServices(let on), .restriction(let on),
            .backgroundRefresh(let on):
            return "\(word) \(on)"
        case .upgradeOS(let version): return "\(word) \(version)"
        case .reinstall(let wait): return "\(word) \(TestValue.number(wait.seconds))"
        default: return word
        }
    }
}
