import AuthorizationCore
import Simulation

/// The counters of section 6 of `config/reference-workload/reference-workload.md`, of a fleet.
struct WorkloadCounts {
    /// Those whose sum is the number of events.
    private static let events = [
        "opens", "closes", "answer_while_using", "answer_once", "answer_never", "always_yes",
        "always_no", "once_expired", "fixes_foreground", "fixes_background", "reminders",
        "settings_fired",
    ]

    /// In the order of the yardstick.
    let counts: [(name: String, count: UInt64)]
    let events: UInt64

    /// - Parameter metrics: of the whole fleet, whose scenario has one hazard.
    init(_ metrics: FleetMetrics) {
        let activity = metrics.activity
        func prompt(_ kind: PromptKind) -> PromptCounts { metrics.prompts[kind.index] }
        let (use, always) = (prompt(.whenInUse), prompt(.alwaysUpgrade))
        let reminder = prompt(.backgroundReminder)
        let yes = always.choices[Choice.changeToAlwaysAllow.index]
        func final(_ status: TrueStatus) -> UInt64 {
            zip(TrueStatus.allCases, metrics.trueStatus).first { $0.0 == status }?.1 ?? 0
        }
        let counts: [(name: String, count: UInt64)] = [
            ("opens", activity.openings + activity.openingsIgnored),
            ("opens_ignored", activity.openingsIgnored), ("closes", activity.closings),
            ("asked_when_in_use", use.shown), ("asked_always", always.shown),
            ("abandoned", use.shown - use.answered + always.shown - always.answered),
            ("answer_while_using", use.choices[Choice.allowWhileUsing.index]),
            ("answer_once", use.choices[Choice.allowOnce.index]),
            ("answer_never", use.choices[Choice.dontAllow.index]),
            ("always_yes", yes), ("always_no", always.answered - yes),
            ("once_expired", activity.allowOnceLapsed), ("once_kept", activity.allowOnceKept),
            ("reminders", reminder.answered),
            ("downgrades", reminder.choices[Choice.changeToOnlyWhileUsing.index]),
            ("settings_fired", metrics.hazards[0].came),
            ("settings_never", metrics.hazards[0].acted),
            ("fixes_foreground", activity.fixesForeground),
            ("fixes_background", activity.fixesBackground),
            ("fence_enter", activity.regionEntries), ("fence_exit", activity.regionExits),
            ("final_not_determined", final(.notDetermined)), ("final_denied", final(.denied)),
            ("final_while_using", final(.whenInUse)), ("final_once", final(.allowOnce)),
            ("final_always", final(.always)),
        ]
        self.counts = counts
        events = counts.reduce(0) { $0 + (Self.events.contains($1.name) ? $1.count : 0) }
    }
}
