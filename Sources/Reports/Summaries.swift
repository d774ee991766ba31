import AuthorizationCore
import Simulation

extension FleetMetrics {
    /// Devices whose app reads one of the two authorized statuses.
    var authorized: UInt64 { count(.authorizedWhenInUse) + authorizedAlways }
    var authorizedAlways: UInt64 { count(.authorizedAlways) }

    /// Crashes of the app, in the order of the rules that it broke.
    var crashesByRule: [(rule: RuleID, count: UInt64)] {
        RuleID.allCases.compactMap { rule in crashes[rule].map { (rule, $0) } }
    }

    private func count(_ status: VisibleStatus) -> UInt64 {
        zip(VisibleStatus.allCases, visible).first { $0.0 == status }?.1 ?? 0
    }
}

/// The prompts of one kind, with every button that they can have had.
struct PromptSummary {
    var kind: PromptKind
    var shown: UInt64
    var answered: UInt64
    var granted: UInt64
    /// In display order, the newest version's first.
    var choices: [(choice: Choice, count: UInt64)]

    /// A reminder can only leave what there is.
    var canGrant: Bool { kind != .backgroundReminder }
}

/// The outcomes of one feature: `success` first, then by name.
struct FeatureSummary {
    var name: String
    var outcomes: [(name: String, count: UInt64)]

    var count: UInt64 { outcomes.reduce(0) { $0 + $1.count } }
}

extension Report {
    /// The kinds that were shown at least once.
    func shownPrompts(of metrics: FleetMetrics) -> [PromptSummary] {
        let versions = scenario.iosMix.map(\.value).sorted(by: >)
        return zip(PromptKind.allCases, metrics.prompts).filter { $1.shown > 0 }
            .map { kind, counts in
                var choices: [Choice] = []
                for choice in versions.flatMap(kind.choices) + Choice.allCases
                where !choices.contains(choice) {
                    choices.append(choice)
                }
                let offered = Set(versions.flatMap(kind.choices))
                return PromptSummary(
                    kind: kind, shown: counts.shown, answered: counts.answered,
                    granted: counts.granted,
                    choices: choices.map { ($0, counts.choices[$0.index]) }
                        .filter { offered.contains($0.0) || $0.1 > 0 })
            }
    }

    /// In the order of the scenario's features, then those that only scripts name.
    func featureCounts(of metrics: FleetMetrics) -> [FeatureSummary] {
        let byFeature = Dictionary(grouping: metrics.features, by: \.key.feature)
        let known = scenario.features.map { NameText($0) }
        let strays = byFeature.keys.filter { !known.contains($0) }.sorted()
        return (known + strays).compactMap { name in
            guard let counts = byFeature[name] else { return nil }
            let sorted = counts.sorted {
                ($0.key.outcome == "success" ? 0 : 1, $0.key.outcome)
                    < ($1.key.outcome == "success" ? 0 : 1, $1.key.outcome)
            }
            return FeatureSummary(
                name: name.text, outcomes: sorted.map { ($0.key.outcome.text, $0.value) })
        }
    }
}
