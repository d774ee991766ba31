import Simulation

extension ScriptFailurePlace {
    /// `archetype.lua:57`
    func text(in scenario: Scenario) -> String {
        scenario.scripts[Int(script)].name + (line == 0 ? "" : ":\(line)")
    }

    /// A message without the place that it begins with.
    func reason(of message: String, in scenario: Scenario) -> String {
        let places = [text(in: scenario), scenario.scripts[Int(script)].name].map { $0 + ": " }
        let place = places.first { message.hasPrefix($0) } ?? ""
        return String(message.dropFirst(place.count))
    }
}

extension HookName {
    /// What happened instead, where the hook failed.
    var sequel: String {
        switch self {
        case .nextOpen, .sessionLength, .nextTap, .answerPrompt, .answerPrimer,
            .answerSettingsAlert:
            "the fallback stood in"
        case .timer: "nothing of it was done; a periodic timer goes on, a task has ended"
        default: "nothing of it was done"
        }
    }
}
