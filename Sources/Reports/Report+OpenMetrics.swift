import AuthorizationCore
import Metrics
import SimPrimitives
import Simulation
import Telemetry

/// The figures of a report as metrics. The words are those of the report as JSON.
extension Report {
    /// Adds every figure, by fleet and arm; where the figures are split, by the split alone, whose
    /// sum is the whole.
    public func add(to text: inout Exposition, fleet: String) {
        for arm in arms {
            let labels = [("fleet", fleet), ("arm", arm.name)]
            for (metrics, split) in Self.parts(of: arm) {
                let labels = labels + split
                alone(arm).addDevices(of: metrics, labels, &text)
                alone(arm).addPrompts(of: metrics, labels, &text)
                alone(arm).addFunnels(of: metrics, labels, &text)
                Self.addActivity(of: metrics, labels, &text)
                Self.addScripts(of: metrics, labels, &text)
            }
        }
        addComparisons(fleet, &text)
    }

    private static func parts(of arm: ReportArm) -> [(FleetMetrics, [Exposition.Label])] {
        guard !arm.groups.isEmpty else { return [(arm.total, [])] }
        return arm.groups.map { ($0.metrics, $0.labels.map { ($0.name, $0.value) }) }
    }

    // MARK: - Devices and prompts

    private func addDevices(
        of metrics: FleetMetrics, _ labels: [Exposition.Label], _ text: inout Exposition
    ) {
        text.family("locfleet_devices", .gauge, "Devices of the fleet.") {
            $0.sample(metrics.devices, labels)
        }
        text.family("locfleet_installed", .gauge, "Devices that have the app now.") {
            $0.sample(metrics.installed, labels)
        }
        text.family("locfleet_status_visible", .gauge, "Devices by the status that the app reads.")
        {
            for (status, count) in zip(VisibleStatus.allCases, metrics.visible) {
                $0.sample(count, labels + [("status", status.rawValue)])
            }
        }
        text.family("locfleet_status_true", .gauge, "Devices by what is really allowed.") {
            for (status, count) in zip(TrueStatus.allCases, metrics.trueStatus) {
                $0.sample(count, labels + [("status", status.rawValue)])
            }
        }
        for (word, count, help) in [
            ("population", metrics.authorized, "any location access"),
            ("population_always", metrics.authorizedAlways, "Always"),
        ] {
            text.family(
                "locfleet_opt_in_\(word)_ratio", .gauge, unit: "ratio",
                "Share of the devices with the app that grant \(help), as the app reads it."
            ) { $0.sample(share(count, of: metrics.installed), labels) }
        }
    }

    private func addPrompts(
        of metrics: FleetMetrics, _ labels: [Exposition.Label], _ text: inout Exposition
    ) {
        let prompts = shownPrompts(of: metrics)
        text.family("locfleet_prompts_shown", .counter, "Prompts shown, by kind.") {
            for prompt in prompts {
                $0.sample(prompt.shown, labels + [("kind", prompt.kind.rawValue)])
            }
        }
        text.family("locfleet_prompts_answered", .counter, "Answers, by kind and choice.") {
            for prompt in prompts {
                for (choice, count) in prompt.choices {
                    $0.sample(
                        count,
                        labels + [("kind", prompt.kind.rawValue), ("choice", choice.rawValue)])
                }
            }
        }
        text.family(
            "locfleet_prompts_granted", .counter, "Answers that left more than there was, by kind."
        ) {
            for prompt in prompts where prompt.canGrant {
                $0.sample(prompt.granted, labels + [("kind", prompt.kind.rawValue)])
            }
        }
        text.family(
            "locfleet_requests_ignored", .counter, "Requests without a prompt, by the reason."
        ) {
            for (reason, count) in zip(IgnoreReason.allCases, metrics.requestsIgnored) {
                $0.sample(count, labels + [("reason", reason.rawValue)])
            }
        }
    }

    // MARK: - Funnels

    /// Powers of two of microseconds at which buckets of waits end: a second to 35 years, each
    /// four times as long as the one before.
    private static let waitPowers = stride(from: 20, through: 50, by: 2)

    private func addFunnels(
        of metrics: FleetMetrics, _ labels: [Exposition.Label], _ text: inout Exposition
    ) {
        for (definition, counts) in zip(scenario.funnels, metrics.funnels) {
            let rows = funnelRows(definition, counts, devices: metrics.devices)
            for (row, waits) in zip(rows, counts.waits) {
                let labels = labels + [("funnel", definition.name), ("step", row.step)]
                Self.add(row, labels, &text)
                text.family(
                    "locfleet_funnel_wait_seconds", .histogram, unit: "seconds",
                    "Simulated time from the step before, of the devices that reached this one."
                ) {
                    let buckets = Self.waitPowers.map { power in
                        (
                            atMost: Double((1 << UInt64(power)) - 1 as UInt64) / 1e6,
                            count: waits.count(belowPowerOfTwo: power)
                        )
                    }
                    $0.histogram(buckets, count: waits.count, labels)
                }
            }
        }
    }

    private static func add(
        _ row: FunnelRow, _ labels: [Exposition.Label], _ text: inout Exposition
    ) {
        text.family(
            "locfleet_funnel_reached", .counter, "Devices that reached the step, in order."
        ) { $0.sample(row.reached, labels) }
        text.family(
            "locfleet_funnel_lost", .counter, "Devices that let the step's window pass."
        ) { $0.sample(row.lost, labels) }
        text.family(
            "locfleet_funnel_not_yet", .gauge, "Devices at the step before that may still come."
        ) { $0.sample(row.notYet, labels) }
        text.family(
            "locfleet_funnel_outside", .gauge, "Devices to which it happened outside the order."
        ) { $0.sample(row.outside, labels) }
        text.family(
            "locfleet_funnel_of_all_ratio", .gauge, unit: "ratio",
            "Share of all devices that reached the step."
        ) { family in row.ofAll.map { family.sample($0.value, labels) } }
        text.family(
            "locfleet_funnel_of_previous_ratio", .gauge, unit: "ratio",
            "Share of the devices at the step before that reached this one."
        ) { family in row.ofPrevious.map { family.sample($0.value, labels) } }
        text.family(
            "locfleet_funnel_of_previous_95_ratio", .gauge, unit: "ratio",
            "Bounds of the 95 % interval of that share, by Wilson's score."
        ) { family in add(row.interval, labels, &family) }
    }

    private static func add(
        _ interval: (low: Double, high: Double)?, _ labels: [Exposition.Label],
        _ family: inout Exposition.Family
    ) {
        guard let interval else { return }
        family.sample(interval.low, labels + [("bound", "low")])
        family.sample(interval.high, labels + [("bound", "high")])
    }

    /// Arms against the base, all devices together.
    private func addComparisons(_ fleet: String, _ text: inout Exposition) {
        for comparison in comparisons {
            let subject: [Exposition.Label] =
                switch comparison.subject {
                case .step(let funnel, let step):
                    [("funnel", funnel ?? FunnelDefinition.builtIn.name), ("step", step)]
                case .atEnd(let status): [("at_end", status)]
                }
            let labels =
                [("fleet", fleet), ("arm", comparison.arm), ("against", Arm.baseName)] + subject
            text.family(
                "locfleet_paired_difference_ratio", .gauge, unit: "ratio",
                "Share in an arm less that in the base, of the same people."
            ) { $0.sample(comparison.counts.difference, labels) }
            text.family(
                "locfleet_paired_difference_95_ratio", .gauge, unit: "ratio",
                "Bounds of the 95 % interval of that difference, by Newcombe's method."
            ) { Self.add(Intervals.newcombe95(comparison.counts), labels, &$0) }
        }
    }

    private func share(_ count: UInt64, of total: UInt64) -> Double {
        Ratio(count, of: total)?.value ?? .nan
    }
}

extension Ratio {
    fileprivate var value: Double { Double(count) / Double(total) }
}
