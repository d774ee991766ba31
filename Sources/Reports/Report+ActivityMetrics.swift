import AuthorizationCore
import Metrics
import SimPrimitives
import Simulation
import Telemetry

/// What people, phones and scripts did, as metrics.
extension Report {
    static func addActivity(
        of metrics: FleetMetrics, _ labels: [Exposition.Label], _ text: inout Exposition
    ) {
        let activity = metrics.activity
        let counters: [(String, UInt64, String)] = [
            ("openings", activity.openings, "Sessions: a person opened the app."),
            ("openings_ignored", activity.openingsIgnored, "Openings of an app that was open."),
            ("closings", activity.closings, "Sessions that a person ended."),
            ("fixes_foreground", activity.fixesForeground, "Positions that the open app got."),
            ("fixes_background", activity.fixesBackground, "Positions that the app got elsewhere."),
            ("region_entries", activity.regionEntries, "Ways into a region of the map."),
            ("region_exits", activity.regionExits, "Ways out of a region of the map."),
            ("allow_once_lapsed", activity.allowOnceLapsed, "Times that Allow Once lapsed."),
            ("allow_once_kept", activity.allowOnceKept, "Times that Allow Once went on."),
        ]
        for (name, count, help) in counters {
            text.family("locfleet_\(name)", .counter, help) { $0.sample(count, labels) }
        }
        for (index, hazard) in metrics.hazards.enumerated() {
            let labels = labels + [("hazard", String(index + 1))]
            text.family(
                "locfleet_hazards_came", .counter, "How often the n-th hazard came to a device."
            ) { $0.sample(hazard.came, labels) }
            text.family("locfleet_hazards_acted", .counter, "How often it did something.") {
                $0.sample(hazard.acted, labels)
            }
        }
        text.family("locfleet_crashes", .counter, "Crashes of the app, by the rule it broke.") {
            for (rule, count) in metrics.crashesByRule {
                $0.sample(count, labels + [("rule", rule.rawValue)])
            }
        }
        text.family("locfleet_events", .counter, "Instants that fired.") {
            $0.sample(metrics.events, labels)
        }
        text.family("locfleet_records", .counter, "Records, be they kept or not.") {
            $0.sample(metrics.records, labels)
        }
    }

    static func addScripts(
        of metrics: FleetMetrics, _ labels: [Exposition.Label], _ text: inout Exposition
    ) {
        text.family("locfleet_features", .counter, "Uses of features, by their outcome.") {
            for (key, count) in metrics.features.sorted(by: { $0.key < $1.key }) {
                $0.sample(
                    count,
                    labels + [("feature", key.feature.text), ("outcome", key.outcome.text)])
            }
        }
        text.family("locfleet_milestones", .counter, "What scripts named milestones.") {
            for (name, count) in metrics.milestones.sorted(by: { $0.key < $1.key }) {
                $0.sample(count, labels + [("milestone", name.text)])
            }
        }
        text.family("locfleet_script_counters", .counter, "What scripts counted: metric.count.") {
            for (name, count) in metrics.counters.sorted(by: { $0.key < $1.key }) {
                $0.sample(count, labels + [("name", name.text)])
            }
        }
        text.family("locfleet_script_histograms", .summary, "What scripts saw: metric.observe.") {
            for (name, values) in metrics.histograms.sorted(by: { $0.key < $1.key }) {
                let shares = [("0.5", 0.5), ("0.9", 0.9), ("0.99", 0.99)]
                let isNegative = values.min.map { $0 < 0 } ?? false
                $0.summary(
                    shares.map { ($0.0, values.quantile($0.1)) }, count: values.count,
                    sum: isNegative ? nil : decimal(thousandths: values.thousandths),
                    labels + [("name", name.text)])
            }
        }
        var failures: [ScriptFailureCode: UInt64] = [:]
        for (place, kind) in metrics.scriptFailureKinds {
            failures[place.code, default: 0] += kind.count
        }
        text.family("locfleet_script_failures", .counter, "Failures of scripts, by their code.") {
            for code in ScriptFailureCode.allCases {
                $0.sample(failures[code] ?? 0, labels + [("code", code.rawValue)])
            }
        }
    }

    /// - Precondition: it is not negative.
    private static func decimal(thousandths: Int128) -> String {
        let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1_000)
        let digits = String(rest)
        return "\(whole)." + String(repeating: "0", count: 3 - digits.count) + digits
    }
}
