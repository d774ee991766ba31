import AuthorizationCore
import Metrics
import SimPrimitives
import Simulation

extension Report {
    /// The report as `contract/report.json` shapes it, ending with a newline.
    public var json: String { tree.printed() + "\n" }

    /// The same on one line, for the wire, after what says whose it is.
    public func line(of fleet: String, state: String) -> String {
        guard case .object(let members) = tree else { return tree.inline }
        let hasThresholds = arms.contains { !$0.judgements.isEmpty }
        let verdict: [(String, JSONTree)] =
            hasThresholds ? [("thresholds_met", .literal(isVerdictYes ? "true" : "false"))] : []
        return JSONTree.object(Self.head(fleet, state) + verdict + members).inline
    }

    /// The funnels alone, on one line.
    public func funnelLine(of fleet: String, state: String) -> String {
        JSONTree.object(Self.head(fleet, state) + funnelMembers).inline
    }

    /// The members of `funnelLine` without the fleet: what a notification carries.
    ///
    /// - Parameter head: members that come first, as JSON with a comma at the end.
    public func funnelNotification(_ head: String, state: String) -> String {
        let members = [("state", JSONTree.text(state))] + funnelMembers
        return "{" + head + JSONTree.object(members).inline.dropFirst()
    }

    private static func head(_ fleet: String, _ state: String) -> [(String, JSONTree)] {
        [("fleet", .text(fleet)), ("state", .text(state))]
    }

    private var funnelMembers: [(String, JSONTree)] {
        var members: [(String, JSONTree)] = [("at_seconds", .number(simulated.seconds))]
        members += funnels(of: total)
        if !groups.isEmpty {
            let split = arms.flatMap { arm in
                arm.groups.map { group -> JSONTree in
                    let name = arms.count > 1 ? [("arm", JSONTree.text(arm.name))] : []
                    return .object(
                        name + group.labels.map { ($0.name, .text($0.value)) }
                            + alone(arm).funnels(of: group.metrics))
                }
            }
            members.append(("by", .list(split)))
        }
        guard arms.count > 1 else { return members }
        let others = arms.map { arm -> JSONTree in
            .object([("name", .text(arm.name))] + alone(arm).funnels(of: arm.total))
        }
        return members + [("arms", .list(others)), ("paired", .list(comparisons.map(\.tree)))]
    }

    private var tree: JSONTree {
        var members: [(String, JSONTree)] = [
            ("locfleet", .text(Self.productVersion)),
            ("bundle", .text("sha256:\(bundle)")),
            ("seed", .count(scenario.seed)),
            ("devices", .count(total.devices)),
            ("simulated_seconds", .number(simulated.seconds)),
            ("digest", .text(digest.description)),
        ]
        if let original {
            members += [
                ("replays", .text(original.fleet)),
                ("digest_is_the_fleets", .literal(isOriginal == true ? "true" : "false")),
            ]
        }
        members += [
            ("ended_by", endedBy.map { .text($0.rawValue) } ?? .null),
            ("quantile_relative_error", .number(LogLinearHistogram.relativeError)),
            ("arms", .list(arms.map(tree))),
            ("paired", .list(comparisons.map(\.tree))),
        ]
        if !metricComparisons.isEmpty {
            members.append(("compared", .list(metricComparisons.map(\.tree))))
        }
        if !groups.isEmpty {
            members += [
                ("by", .list(arms.flatMap { arm in arm.groups.map { tree(of: $0, in: arm) } })),
                ("paired_by", .list(groupComparisons.map(\.tree))),
            ]
        }
        if !journal.isEmpty { members.append(("journal", .list(journal.map(tree)))) }
        members.append(("assumptions", .list(assumptions.map(\.tree))))
        if let machine { members.append(("machine", tree(of: machine))) }
        return .object(members)
    }

    private func tree(of arm: ReportArm) -> JSONTree {
        let digest = arms.count > 1 ? [("digest", JSONTree.text(arm.digest.description))] : []
        let judgements = arm.judgements.isEmpty ? [] : [("thresholds", thresholds(of: arm))]
        let happened =
            arm.scenario.interventions.isEmpty ? [] : [("interventions", interventions(of: arm))]
        return .object(
            [("name", .text(arm.name))] + digest + alone(arm).figures(of: arm.total) + judgements
                + happened)
    }

    private func tree(of group: ReportGroup, in arm: ReportArm) -> JSONTree {
        let name = arms.count > 1 ? [("arm", JSONTree.text(arm.name))] : []
        return .object(
            name + group.labels.map { ($0.name, .text($0.value)) }
                + [("devices", .count(group.metrics.devices))]
                + alone(arm).figures(of: group.metrics))
    }

    private func thresholds(of arm: ReportArm) -> JSONTree {
        .list(
            arm.judgements.map { judgement in
                .object([
                    ("condition", .text(judgement.text)),
                    ("met", .literal(judgement.isMet ? "true" : "false")),
                    ("comparisons", .list(judgement.parts.map(\.tree))),
                ])
            })
    }

    /// A client's: what it came to in every arm.
    private func tree(of intervention: Intervention, reach: [InterventionReach]) -> JSONTree {
        .object(
            intervention.members + [
                ("devices", .object(zip(arms, reach).map { ($0.name, .count($1.devices)) })),
                ("ignored", .object(zip(arms, reach).map { ($0.name, .count($1.ignored)) })),
            ])
    }

    private func interventions(of arm: ReportArm) -> JSONTree {
        .list(
            arm.scenario.interventions.enumerated().map { index, intervention in
                let reach = index < arm.interventions.count ? arm.interventions[index] : nil
                return .object(
                    intervention.members + [
                        ("devices", reach.map { .count($0.devices) } ?? .null),
                        ("ignored", reach.map { .count($0.ignored) } ?? .null),
                    ])
            })
    }

    /// What an arm and a group say alike.
    private func figures(of metrics: FleetMetrics) -> [(String, JSONTree)] {
        funnels(of: metrics) + [
            ("status", status(of: metrics)), ("opt_in", optIn(of: metrics)),
            ("prompts", .list(shownPrompts(of: metrics).map(\.tree))),
            ("requests_ignored", requestsIgnored(of: metrics)),
            ("activity", activity(of: metrics)),
            ("features", features(of: metrics)),
            (
                "milestones",
                .object(
                    metrics.milestones.sorted { $0.key < $1.key }.map {
                        ($0.key.text, .count($0.value))
                    }
                )
            ),
        ] + scriptMetrics(of: metrics) + [
            ("crashes", crashes(of: metrics)),
            ("script_failures", scriptFailures(of: metrics)),
        ]
    }

    private func funnels(of metrics: FleetMetrics) -> [(String, JSONTree)] {
        let funnels = zip(scenario.funnels, metrics.funnels).map { definition, counts in
            (definition, funnelRows(definition, counts, devices: metrics.devices))
        }
        var members: [(String, JSONTree)] = []
        if let (_, rows) = funnels.first {
            members += [("funnel", .list(rows.map(\.tree))), ("outside", outside(rows))]
        }
        let custom = funnels.dropFirst().map { definition, rows -> JSONTree in
            .object(
                [("name", .text(definition.name))]
                    + (definition.window.map { [("window", .text(scenarioText($0)))] } ?? [])
                    + [("steps", .list(rows.map(\.tree))), ("outside", outside(rows))])
        }
        if !custom.isEmpty { members.append(("funnels", .list(custom))) }
        return members
    }

    private func outside(_ rows: [FunnelRow]) -> JSONTree {
        .object(rows.filter { $0.outside > 0 }.map { ($0.step, .count($0.outside)) })
    }

    private func status(of metrics: FleetMetrics) -> JSONTree {
        .object([
            (
                "visible",
                .object(
                    zip(VisibleStatus.allCases, metrics.visible).map { ($0.rawValue, .count($1)) })
            ),
            (
                "true",
                .object(
                    zip(TrueStatus.allCases, metrics.trueStatus).map { ($0.rawValue, .count($1)) })
            ),
        ])
    }

    private func optIn(of metrics: FleetMetrics) -> JSONTree {
        .object([
            ("population", .share(Ratio(metrics.authorized, of: metrics.installed))),
            ("population_always", .share(Ratio(metrics.authorizedAlways, of: metrics.installed))),
        ])
    }

    private func requestsIgnored(of metrics: FleetMetrics) -> JSONTree {
        let always: Set<IgnoreReason> = [.allowOnce, .missingUsageDescription]
        return .object(
            zip(IgnoreReason.allCases, metrics.requestsIgnored)
                .filter { $1 > 0 || always.contains($0) }
                .map { ($0.rawValue, .count($1)) })
    }

    private func activity(of metrics: FleetMetrics) -> JSONTree {
        let activity = metrics.activity
        return .object([
            ("openings", .count(activity.openings)),
            ("openings_ignored", .count(activity.openingsIgnored)),
            ("closings", .count(activity.closings)),
            ("fixes_foreground", .count(activity.fixesForeground)),
            ("fixes_background", .count(activity.fixesBackground)),
            ("region_entries", .count(activity.regionEntries)),
            ("region_exits", .count(activity.regionExits)),
            ("allow_once_lapsed", .count(activity.allowOnceLapsed)),
            ("allow_once_kept", .count(activity.allowOnceKept)),
            (
                "hazards",
                .list(
                    metrics.hazards.map {
                        .object([("came", .count($0.came)), ("acted", .count($0.acted))])
                    })
            ),
        ])
    }

    private func features(of metrics: FleetMetrics) -> JSONTree {
        .object(
            featureCounts(of: metrics).map { feature in
                (feature.name, .object(feature.outcomes.map { ($0.name, .count($0.count)) }))
            })
    }

    private func crashes(of metrics: FleetMetrics) -> JSONTree {
        .object(metrics.crashesByRule.map { ($0.rule.rawValue, .count($0.count)) })
    }

    private func scriptFailures(of metrics: FleetMetrics) -> JSONTree {
        let kinds = failureKinds(of: metrics).map { kind -> JSONTree in
            .object([("count", .count(kind.count))] + members(of: kind.first))
        }
        return .object(
            [
                ("count", .count(metrics.scriptFailures)),
                ("first", metrics.firstScriptFailure.map { .object(members(of: $0)) } ?? .null),
            ] + (kinds.isEmpty ? [] : [("kinds", .list(kinds))]))
    }

    private func members(of failure: FirstScriptFailure) -> [(String, JSONTree)] {
        let place = failure.place
        return [
            ("script", .text(scenario.scripts[Int(place.script)].name)),
            ("line", place.line == 0 ? .null : .count(UInt64(place.line))),
            ("hook", .text(place.hook.rawValue)), ("code", .text(place.code.rawValue)),
            ("device", .count(UInt64(failure.key.device.number))),
            ("us", .count(UInt64(failure.key.time.microseconds))),
            ("message", .text(failure.message)),
        ]
    }

    private func tree(of machine: MachineFacts) -> JSONTree {
        var members: [(String, JSONTree)] = [
            ("workers", .count(UInt64(machine.workers))),
            ("wall_seconds", .number((machine.wallSeconds * 1_000).rounded() / 1_000)),
            ("events", .count(events)),
            ("events_per_second", .count(machine.eventsPerSecond(events))),
            ("resident_bytes", .count(machine.residentBytes)),
            ("bytes_per_device", .count(machine.bytesPerDevice)),
        ]
        if let profile = machine.profile { members.append(("profile", profile.tree)) }
        return .object(members)
    }
}

extension Judgement.Part {
    fileprivate var tree: JSONTree {
        .object([
            ("of", .text(comparison.text)),
            ("value", value.map { .number(rounded($0)) } ?? .null),
            ("is", .text(comparison.comparison.rawValue)),
            ("bound", .number(comparison.bound)),
            ("margin", margin.map { .number(rounded($0)) } ?? .null),
        ])
    }

    /// To millionths, as shares are.
    private func rounded(_ value: Double) -> Double {
        value.magnitude < 1e9 ? (value * 1e6).rounded() / 1e6 : value
    }
}

extension FunnelRow {
    fileprivate var tree: JSONTree {
        let range = interval.map { JSONTree.list([.share($0.low), .share($0.high)]) }
        let counts: [(String, JSONTree)] = [
            ("step", .text(step)), ("reached", .count(reached)),
            ("of_previous", .share(ofPrevious)), ("of_all", .share(ofAll)),
            ("not_yet", .count(notYet)),
        ]
        let waits: [(String, JSONTree)] = [
            ("of_previous_95", range ?? .null),
            ("seconds_p50", median.map { .count(wholeSeconds($0)) } ?? .null),
            ("seconds_p90", p90.map { .count(wholeSeconds($0)) } ?? .null),
            ("seconds_p50_95", seconds(median95)), ("seconds_p90_95", seconds(p9095)),
        ]
        return .object(counts + (previous == nil ? [] : [("lost", .count(lost))]) + waits)
    }

    private func seconds(_ range: (low: SimDuration, high: SimDuration)?) -> JSONTree {
        guard let (low, high) = range.map(outward) else { return .null }
        return .list([.count(low), .count(high)])
    }
}

extension PromptSummary {
    fileprivate var tree: JSONTree {
        .object([
            ("kind", .text(kind.rawValue)), ("shown", .count(shown)),
            ("answered", .count(answered)),
            ("granted", .count(granted)), ("grant_rate", .share(Ratio(granted, of: answered))),
            ("choices", .object(choices.map { ($0.choice.rawValue, .count($0.count)) })),
        ])
    }
}

extension Assumption {
    fileprivate var tree: JSONTree {
        switch self {
        case .option(let script, let name, let value, let source):
            .object(
                [("script", .text(script)), ("option", .text(name)), ("value", value.tree)]
                    + (source.map { [("stated_source", .text($0))] } ?? []))
        case .setting(let name, let value):
            .object([
                ("setting", .text(name)),
                ("value", Double(value) == nil ? .text(value) : .literal(value)),
            ])
        }
    }
}

extension ScriptOption.Value {
    var tree: JSONTree {
        switch self {
        case .number(let number): .number(number)
        case .boolean(let flag): .literal(flag ? "true" : "false")
        case .string(let text): .text(text)
        }
    }
}

/// Whole seconds that hold the range.
func outward(_ range: (low: SimDuration, high: SimDuration)) -> (low: UInt64, high: UInt64) {
    (
        UInt64(range.low.microseconds / 1_000_000),
        UInt64((range.high.microseconds + 999_999) / 1_000_000)
    )
}

/// Rounded half up.
func wholeSeconds(_ duration: SimDuration) -> UInt64 {
    UInt64((duration.microseconds + 500_000) / 1_000_000)
}
