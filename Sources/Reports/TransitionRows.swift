import AuthorizationCore

/// What one event does in states of one section: a row where all answer alike, else a row for each
/// condition that tells them apart.
struct TransitionRows {
    var rows: [TransitionRow] = []

    init(_ event: PageEvent, _ states: [Authorization], ios: IOSVersion) {
        let steps = states.map { Step(before: $0, transition: event.play($0), ios: ios) }
        for (conditions, leaf) in Self.split(steps) {
            rows.append(TransitionRow(event: event.name, conditions: conditions, steps: leaf))
        }
    }

    /// One state's answer.
    struct Step {
        let before: Authorization
        let transition: Authorization.Transition
        let hasCallback: Bool

        init(before: Authorization, transition: Authorization.Transition, ios: IOSVersion) {
            (self.before, self.transition) = (before, transition)
            let after = transition.state
            hasCallback =
                before.visibleStatus != after.visibleStatus
                || before.accuracy(on: ios) != after.accuracy(on: ios)
        }
    }

    /// The states of `steps` by the conditions that decide. Greedy: of all features the one that
    /// leaves the fewest parts undecided, the first of equals.
    private static func split(_ steps: [Step]) -> [(conditions: [String], steps: [Step])] {
        if isUniform(steps) { return [([], steps)] }
        var best: (feature: StateFeature, parts: [(values: [String], steps: [Step])])?
        var least = Int.max
        for feature in StateFeature.allCases {
            let parts = parts(of: steps, by: feature)
            guard parts.count > 1 else { continue }
            let cost = parts.count { !isUniform($0.steps) } * 100 + parts.count
            if cost < least { (best, least) = ((feature, parts), cost) }
        }
        guard let best else { preconditionFailure("a feature of the state decides") }
        return best.parts.flatMap { part in
            split(part.steps).map { leaf in
                (conditions: [best.feature.words(part.values)] + leaf.conditions, steps: leaf.steps)
            }
        }
    }

    /// By the feature's values; values whose states answer alike are together.
    private static func parts(
        of steps: [Step], by feature: StateFeature
    ) -> [(values: [String], steps: [Step])] {
        var parts: [(values: [String], steps: [Step])] = []
        for step in steps {
            let value = feature.value(of: step.before)
            if let place = parts.firstIndex(where: { $0.values == [value] }) {
                parts[place].steps.append(step)
            } else {
                parts.append(([value], [step]))
            }
        }
        var merged: [(values: [String], steps: [Step])] = []
        for part in parts {
            if isUniform(part.steps),
                let place = merged.firstIndex(where: { isUniform($0.steps + part.steps) })
            {
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
        let effect = first.transition.effect.word
        guard
            steps.allSatisfy({
                $0.transition.rule == first.transition.rule && $0.transition.effect.word == effect
            })
        else { return false }
        return StateFeature.allCases.allSatisfy { feature in
            let end = feature.value(of: first.transition.state)
            return steps.allSatisfy {
                feature.value(of: $0.before) == feature.value(of: $0.transition.state)
            } || steps.allSatisfy { feature.value(of: $0.transition.state) == end }
        }
    }
}

/// A line of a table.
struct TransitionRow {
    let event: String
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

    var line: String {
        let heard = steps.count(where: \.hasCallback)
        let callback = heard == 0 ? "–" : heard == steps.count ? "yes" : "if that is news"
        let rule = steps.first?.transition.rule.rawValue ?? ""
        let cells = [event, conditions.joined(separator: "; "), becomes, prompt, callback, rule]
        return "| " + cells.joined(separator: " | ") + " |"
    }

    private var becomes: String {
        if case .ignore(let reason) = steps.first?.transition.effect {
            return "*ignored: \(reason.rawValue.replacing("_", with: " "))*"
        }
        let isFresh = steps.allSatisfy {
            var fresh = $0.transition.state
            fresh = Authorization.reduce(
                fresh, .locationPrivacyReset, in: TransitionRow.anyContext
            ).state
            return fresh == $0.transition.state
        }
        let changes = StateFeature.allCases.filter { feature in
            feature != .prompt
                && steps.contains {
                    feature.value(of: $0.before) != feature.value(of: $0.transition.state)
                }
        }
        if isFresh, changes.count > 3 { return "Not Determined, all forgotten" }
        let words = changes.map { $0.words([$0.value(of: steps[0].transition.state)]) }
        return words.isEmpty ? "–" : words.joined(separator: ", ")
    }

    private static let anyContext = AuthorizationContext(
        ios: .v17, capabilities: AppCapabilities())

    private var prompt: String {
        switch steps.first?.transition.effect {
        case .show(let prompt): "shows \(prompt.kind.pageName)"
        case .closePrompt: "closes unanswered"
        case .none? where steps.allSatisfy({ $0.before.prompt != nil && $0.transition.state.prompt == nil }):
            "answered"
        default: "–"
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
    case decision, prompt, restriction, services, spent, row, precise, temporary, confirm, offers

    func value(of state: Authorization) -> String {
        switch self {
        case .decision: state.decision.pageName
        case .prompt: state.prompt.map { $0.kind.pageName + ($0.kind == .whenInUse && $0.asked == .always ? " of an Always request" : "") } ?? "no prompt"
        case .restriction: state.isRestricted ? "restricted" : "not restricted"
        case .services: state.isLocationServicesOn ? "Location Services on" : "Location Services off"
        case .spent: state.isAlwaysRequestSpent ? "spent" : "not spent"
        case .row: state.isRowPresent ? "has a row" : "no row yet"
        case .precise: state.isPreciseOn ? "Precise on" : "Precise off"
        case .temporary: state.hasTemporaryFullAccuracy ? "temporary full accuracy" : "no temporary full accuracy"
        case .confirm: state.isConfirmDue ? "second prompt due" : "no second prompt due"
        case .offers: state.servicesOffers >= Authorization.servicesOffersMax ? "two offers used" : "\(state.servicesOffers) of two offers used"
        }
    }

    func words(_ values: [String]) -> String { values.joined(separator: " or ") }
}
