import SimPrimitives
import Simulation

/// A figure that a result leans on though nobody has measured it.
enum Assumption: Hashable {
    /// `source`: what the script says, which is in no list.
    case option(script: String, name: String, value: ScriptOption.Value, source: String?)
    /// A setting of the scenario left at its default.
    case setting(name: String, value: String)
}

extension Report {
    /// Those of all arms, each once.
    var assumptions: [Assumption] {
        var found: [Assumption] = []
        let journal = journal.map(\.intervention)
        for arm in arms {
            for assumption in arm.scenario.assumptions(after: journal)
            where !found.contains(assumption) {
                found.append(assumption)
            }
        }
        return found
    }
}

extension Scenario {
    /// Each once: those of the personas' scripts, of the app's, of those that its interventions
    /// and the journal's bring, and the delays left at defaults.
    func assumptions(after journal: [Intervention] = []) -> [Assumption] {
        var found: [Assumption] = []
        var seen: Set<Assumption> = []
        func add(_ assumption: Assumption) {
            if seen.insert(assumption).inserted { found.append(assumption) }
        }
        func add(_ options: [ScriptOption], of script: Int) {
            for option in options where option.isAssumed || option.statedSource != nil {
                add(
                    .option(
                        script: scripts[script].name, name: option.name, value: option.value,
                        source: option.statedSource))
            }
        }
        for persona in personas { add(persona.options, of: persona.behavior) }
        add(app.options, of: app.strategy)
        for change in (interventions + journal).compactMap(\.action.change) {
            if let script = index(of: change.source) { add(change.options, of: script) }
        }
        delays.assumptions.forEach(add)
        return found
    }
}

extension SystemDelays {
    /// What the scenario has not set otherwise. Durations as scenarios write them.
    fileprivate var assumptions: [Assumption] {
        let standard = SystemDelays()
        let rows: [(name: String, isStandard: Bool, value: String)] = [
            ("answer", answer == standard.answer, scenarioText(answer)),
            ("suspension", suspension == standard.suspension, scenarioText(suspension)),
            (
                "termination_mean", terminationMean == standard.terminationMean,
                terminationMean.map { scenarioText($0) } ?? ""
            ),
            ("position", position == standard.position, scenarioText(position)),
            (
                "position_failure_share", positionFailureShare == standard.positionFailureShare,
                plainText(positionFailureShare)
            ),
            (
                "update_interval", updateInterval == standard.updateInterval,
                scenarioText(updateInterval)
            ),
            (
                "significant_changes_per_day",
                significantChangesPerDay == standard.significantChangesPerDay,
                plainText(significantChangesPerDay)
            ),
        ]
        return rows.filter(\.isStandard).map {
            .setting(name: "delays.\($0.name)", value: $0.value)
        }
    }
}

/// `90s`, `6h`: in the largest unit that divides it.
package func scenarioText(_ duration: SimDuration) -> String {
    let units: [(Int64, String)] = [
        (86_400_000_000, "d"), (3_600_000_000, "h"), (60_000_000, "m"), (1_000_000, "s"),
    ]
    for (unit, name) in units where duration.microseconds % unit == 0 && duration > .zero {
        return "\(duration.microseconds / unit)\(name)"
    }
    return plainText(duration.seconds) + "s"
}

/// Without a point where the number is whole.
package func plainText(_ value: Double) -> String {
    value == value.rounded() && value.magnitude < 1e15 ? String(Int64(value)) : value.description
}
