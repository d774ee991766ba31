import AuthorizationCore

/// What one event does in states of one section: a row where all answer alike, else a row for each
/// condition that tells them apart.
struct TransitionRows {
    var rows: [TransitionRow] = []

    init(_ event: PageEvent, _ states: [Authorization]) {
        let steps = states.map {
            Step(before: $0, transition: event.play($0), in: event.context)
        }
        for (conditions, leaf) in Self.split(steps) {
            rows.append(TransitionRow(conditions: conditions, steps: leaf))
        }
    }

    /// One state's answer.
    struct Step {
        let before: Authorization
        let transition: Authorization.Transition
        let hasCallback: Bool
        /// Rule and effect: what a row tells alike.
        let answer: String

        init(
            before: Authorization, transition: Authorization.Transition,
            in context: AuthorizationContext
        ) {
            (self.before, self.transition) = (before, transition)
            let after = transition.state
            hasCallback =
                before.visibleStatus != after.visibleStatus
                || before.accuracy(in: context) != after.accuracy(in: context)
            answer = "\(transition.rule.rawValue) \(transition.effect.word)"
        }

        func changes(_ field: StateFeature) -> Bool {
            field == .offers
                ? before.servicesOffers != transition.state.servicesOffers
                : field.value(of: before) != field.value(of: transition.state)
        }

        /// How a field ends. A count is told by its step.
        func end(_ field: StateFeature) -> String {
            field == .offers && before.servicesOffers < transition.state.servicesOffers
                ? "one more" : field.value(of: transition.state)
        }

        /// Nothing lies over the decision, before and after.
        var isPlain: Bool {
            [before, transition.state].allSatisfy { $0.isLocationServicesOn && !$0.isRestricted }
        }
    }

    private typealias Part = (values: [String], steps: [Step])

    /// The states of `steps` by the conditions that decide. Greedy: of all features the one that
    /// leaves the fewest answers apart, the first of equals.
    private static func split(_ steps: [Step]) -> [(conditions: [String], steps: [Step])] {
        if isUniform(steps) { return [([], steps)] }
        var best: (feature: StateFeature, parts: [Part])?
        var least = Int.max
        for feature in StateFeature.allCases {
            let parts = parts(of: steps, by: feature)
            guard parts.count > 1 else { continue }
            let leaves = parts.map { isUniform($0.steps) ? 1 : max(2, answers($0.steps).count) }
            let cost = leaves.reduce(0, +)
            if cost < least { (best, least) = ((feature, parts), cost) }
        }
        guard let best else { preconditionFailure("a feature of the state decides") }
        let values = best.parts.flatMap(\.values)
        return best.parts.flatMap { part in
            split(part.steps).map { leaf in
                let words = best.feature.words(part.values, among: values)
                return (conditions: [words] + leaf.conditions, steps: leaf.steps)
            }
        }
    }

    private static func answers(_ steps: [Step]) -> Set<String> { Set(steps.map(\.answer)) }

    /// By the feature's values; values whose states answer alike are together.
    private static func parts(of steps: [Step], by feature: StateFeature) -> [Part] {
        var parts: [Part] = []
        for step in steps {
            let value = feature.value(of: step.before)
            if let place = parts.firstIndex(where: { $0.values == [value] }) {
                parts[place].steps.append(step)
            } else {
                parts.append(([value], [step]))
            }
        }
        var merged: [Part] = []
        for part in parts {
            let place = merged.firstIndex { other in
                isUniform(part.steps)
                    ? isUniform(other.steps + part.steps)
                    : !isUniform(other.steps) && answers(other.steps) == answers(part.steps)
            }
            if let place {
                merged[place].values += part.values
                merged[place].steps += part.steps
            } else {
                merged.append(part)
            }
        }
        return merged
    }

    /// One rule and one effect; and each field of the state is left alone by all, or ends the same.
    private static func isUniform(_ steps: [Step]) -> Bool {
        guard let first = steps.first else { return true }
        guard steps.allSatisfy({ $0.answer == first.answer }) else { return false }
        return StateFeature.fields.allSatisfy { field in
            let end = first.end(field)
            return steps.allSatisfy { !$0.changes(field) }
                || steps.allSatisfy { $0.end(field) == end }
        }
    }
}

/// A line of a table.
struct TransitionRow {
    let conditions: [String]
    let steps: [TransitionRows.Step]

    /// Nothing happens, and that needs no reason.
    var isSilent: Bool {
        steps.allSatisfy {
            switch $0.transition.effect {
            case .ignore(.nothingToDo), .ignore(.noPromptOnScreen), .ignore(.choiceNotOffered):
                $0.before == $0.transition.state
            case .ignore, .show, .closePrompt: false
            case .none: $0.before == $0.transition.state && $0.before.prompt == nil
            }
        }
    }

    /// What follows the event's name.
    var cells: [String] {
        let rule = steps.first?.transition.rule.rawValue ?? ""
        return [conditions.joined(separator: "; "), becomes, prompt, callback, rule]
    }

    /// Of states over which nothing lies, where there are such.
    private var callback: String {
        let plain = steps.filter(\.isPlain)
        let steps = plain.isEmpty ? steps : plain
        let heard = steps.count(where: \.hasCallback)
        return heard == 0 ? "–" : heard == steps.count ? "yes" : "if it reads otherwise"
    }

    private var becomes: String {
        guard let first = steps.first?.transition else { return "" }
        if case .ignore(let reason) = first.effect {
            return "*ignored: \(reason.rawValue.replacing("_", with: " "))*"
        }
        if [.g9, .g10, .g15, .x2].contains(first.rule) {
            return "Not Determined, all flags cleared"
        }
        let changes = StateFeature.fields.filter { field in
            field != .prompt && steps.contains { $0.changes(field) }
        }
        let words = changes.map { $0.ending(first.state) }
        return words.isEmpty ? "–" : words.joined(separator: ", ")
    }

    private var prompt: String {
        guard let effect = steps.first?.transition.effect else { return "–" }
        return switch effect {
        case .show(let prompt): "shows \(prompt.kind.pageName)"
        case .closePrompt: "closes unanswered"
        case .none, .ignore: "–"
        }
    }
}

extension AuthorizationEffect {
    /// Equal for effects that a row tells alike.
    fileprivate var word: String {
        switch self {
        case .none: "none"
        case .show(let prompt): "show \(prompt.kind.rawValue)"
        case .closePrompt: "close"
        case .ignore(let reason): reason.rawValue
        }
    }
}

/// What a row's condition may ask of a state, the most telling first.
enum StateFeature: CaseIterable {
    case screen, decision, prompt, restriction, services, spent, row, accuracy, precise, temporary
    case confirm, offers, button, widgets

    /// Without what only sums up others.
    static let fields = allCases.filter { $0 != .screen && $0 != .accuracy }

    func value(of state: Authorization) -> String {
        switch self {
        case .screen:
            state.prompt.map {
                $0.kind.isRaisedByApp ? "a prompt that the app raised" : "a prompt of the system's"
            } ?? "no prompt"
        case .decision: state.decision.pageName
        case .prompt: state.prompt.map(name) ?? "no prompt"
        case .restriction: state.isRestricted ? "restricted" : "not restricted"
        case .services:
            state.isLocationServicesOn ? "Location Services on" : "Location Services off"
        case .spent: state.isAlwaysRequestSpent ? "spent" : "not spent"
        case .row: state.isRowPresent ? "has a row" : "no row yet"
        case .accuracy:
            state.isPreciseOn || state.hasTemporaryFullAccuracy
                ? "full accuracy" : "reduced accuracy"
        case .precise: state.isPreciseOn ? "Precise on" : "Precise off"
        case .temporary:
            state.hasTemporaryFullAccuracy
                ? "temporary full accuracy" : "no temporary full accuracy"
        case .confirm: state.isConfirmDue ? "second prompt due" : "no second prompt due"
        case .offers:
            state.servicesOffers < Authorization.servicesOffersMax
                ? "fewer than two offers answered" : "two offers answered"
        case .button: state.isButtonAgreed ? "button agreed to" : "button not agreed to"
        case .widgets: state.hasWidgetGrant ? "shared with widgets" : "not shared with widgets"
        }
    }

    private func name(_ prompt: Prompt) -> String {
        prompt.kind == .whenInUse && prompt.asked == .always
            ? "the When In Use prompt of an Always request" : prompt.kind.pageName
    }

    /// How it ends, for the column of what becomes of it.
    func ending(_ state: Authorization) -> String {
        switch self {
        case .offers: "one more offer answered"
        case .row: "gets a row"
        case .confirm where !state.isConfirmDue: "no second prompt"
        default: value(of: state)
        }
    }

    /// - Parameter all: what the other rows of the event have, too.
    func words(_ values: [String], among all: [String]) -> String {
        if self == .screen, values.count == 2, !values.contains("no prompt") {
            return "a prompt on screen"
        }
        let others = all.filter { !values.contains($0) }
        return values.count > 2 && others.count < values.count
            ? "any but \(others.joined(separator: " or "))" : values.joined(separator: " or ")
    }
}
