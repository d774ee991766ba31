import AuthorizationCore

/// The keys of `rules`: the settings of section 15 of the specification.
enum RuleSettings {
    /// One key: where it goes, and what it takes.
    struct Entry {
        enum Kind {
            case number(WritableKeyPath<SystemRules, Double>, ClosedRange<Double>)
            case bool(WritableKeyPath<SystemRules, Bool>)
            /// The words, the one that stands, and how to put another.
            case word(
                [String], get: (SystemRules) -> String, set: (inout SystemRules, String) -> Void)
        }

        let name: String
        let kind: Kind

        init(
            _ name: String, _ path: WritableKeyPath<SystemRules, Double>,
            _ range: ClosedRange<Double>
        ) {
            (self.name, kind) = (name, .number(path, range))
        }

        init(_ name: String, _ path: WritableKeyPath<SystemRules, Bool>) {
            (self.name, kind) = (name, .bool(path))
        }

        init<Word: RawRepresentable & CaseIterable>(
            _ name: String, _ path: WritableKeyPath<SystemRules, Word>
        ) where Word.RawValue == String {
            self.name = name
            kind = .word(
                Word.allCases.map(\.rawValue), get: { $0[keyPath: path].rawValue },
                set: { rules, word in
                    if let value = Word(rawValue: word) { rules[keyPath: path] = value }
                })
        }
    }

    // swift-format-ignore
    static var entries: [Entry] {
        [
            Entry("allow_once_grace_seconds", \.allowOnceGraceSeconds, 0...3_600),
            Entry("confirm_delay_min_seconds", \.confirmDelayMinSeconds, 0...2_592_000),
            Entry("confirm_delay_max_seconds", \.confirmDelayMaxSeconds, 0...2_592_000),
            Entry("held_event_ttl_seconds", \.heldEventTTLSeconds, 0...2_592_000),
            Entry("reminder_first_days", \.reminderFirstDays, 0...365),
            Entry("reminder_interval_days", \.reminderIntervalDays, 0...365),
            Entry("legacy_reminder_repeats", \.legacyReminderRepeats),
            Entry("provisional_always", \.provisionalAlways),
            Entry("ask_next_time_clears_spent", \.askNextTimeClearsSpent),
            Entry("legacy_upgrade_prompt", \.legacyUpgradePrompt),
            Entry("request_during_prompt", \.requestDuringPrompt),
            Entry("prompt_on_leave", \.promptOnLeave),
            Entry("allow_once_row", \.allowOnceRow),
            Entry("ask_next_time_drops_widget", \.askNextTimeDropsWidget),
            Entry("app_clip_removal_days", \.appClipRemovalDays, 1...365),
            Entry("one_shot_timeout_seconds", \.oneShotTimeoutSeconds, 1...300),
            Entry("wake_run_seconds", \.wakeRunSeconds, 1...60),
            Entry("always_keys", \.alwaysKeys),
            Entry("services_off_status", \.servicesOffStatus),
            Entry("restriction_scope", \.restrictionScope),
            Entry("reinstall_keeps_decision", \.reinstallKeepsDecision),
            Entry("temporary_full_enables_regions", \.temporaryFullEnablesRegions),
            Entry("relaunch_after_force_quit", \.relaunchAfterForceQuit),
            Entry("background_refresh_blocks_relaunch", \.backgroundRefreshBlocksRelaunch),
            Entry("unauthorized_full_accuracy", \.unauthorizedFullAccuracy),
            Entry("reduced_ranging", \.reducedRanging),
            Entry("services_off_alert", \.servicesOffAlert),
            Entry("app_reset_ends_process", \.appResetEndsProcess),
            Entry("empty_purpose_text", \.emptyPurposeText),
            Entry("prompt_on_release", \.promptOnRelease),
            Entry("region_dwell_seconds", \.regionDwellSeconds, 0...3_600),
            Entry("region_cushion_meters", \.regionCushionMeters, 0...2_000),
            Entry("region_min_radius_meters", \.regionMinRadiusMeters, 1...1_000),
            Entry("region_max_radius_meters", \.regionMaxRadiusMeters, 1_000...20_000_000),
            Entry(
                "significant_change_interval_seconds", \.significantChangeIntervalSeconds,
                60...3_600),
            Entry("reduced_interval_seconds", \.reducedIntervalSeconds, 60...7_200),
            Entry("reduced_accuracy_meters", \.reducedAccuracyMeters, 1_000...20_000),
            Entry("explicit_session_key", \.explicitSessionKey),
            Entry("always_needs_session", \.alwaysNeedsSession),
            Entry("live_update_interval_seconds", \.liveUpdateIntervalSeconds, 0.5...10),
            Entry("undetermined_start", \.undeterminedStart),
            Entry("undetermined_start_error_seconds", \.undeterminedStartErrorSeconds, 0...60),
            Entry("unauthorized_accuracy", \.unauthorizedAccuracy),
            Entry("off_main_request", \.offMainRequest),
            Entry("migration_keeps_decisions", \.migrationKeepsDecisions),
            Entry("region_latency_min_seconds", \.regionLatencyMinSeconds, 0...3_600),
            Entry("region_latency_max_seconds", \.regionLatencyMaxSeconds, 0...3_600),
            Entry(
                "significant_change_distance_meters", \.significantChangeDistanceMeters,
                100...5_000),
            Entry("visit_delay_min_seconds", \.visitDelayMinSeconds, 0...7_200),
            Entry("visit_delay_max_seconds", \.visitDelayMaxSeconds, 0...7_200),
            Entry("pause_after_rest_seconds", \.pauseAfterRestSeconds, 60...86_400),
            Entry("reboot_monitoring_delay_seconds", \.rebootMonitoringDelaySeconds, 0...3_600),
        ]
    }

    /// Least and most of one span: the first is at most the second.
    static let pairs: [(min: String, max: String)] = [
        ("confirm_delay_min_seconds", "confirm_delay_max_seconds"),
        ("region_latency_min_seconds", "region_latency_max_seconds"),
        ("visit_delay_min_seconds", "visit_delay_max_seconds"),
    ]

    /// The number that stands under `name`; nil where it names no number.
    static func number(_ name: String, in rules: SystemRules) -> Double? {
        guard let entry = entries.first(where: { $0.name == name }),
            case .number(let path, _) = entry.kind
        else { return nil }
        return rules[keyPath: path]
    }
}

extension SystemRules {
    /// The defaults, with `settings` laid over them: keys of `rules` and their values as typed.
    ///
    /// - Throws: what a scenario with these would be refused for; the first of it.
    public init(settings: [(key: String, value: String)]) throws(BundleError) {
        guard settings.count <= ScenarioLimits.setsMax else {
            throw BundleError(
                .tooMany, place: "--set", "at most \(ScenarioLimits.setsMax) may be given")
        }
        var root = Setting(.table([]), .option("--set"))
        for (key, value) in settings {
            let option = "--set \(key)"
            let setting = Setting(try Setting(typed: value, option).value, .option(option))
            do throws(PathError) {
                try root.overlay(key, setting.given(by: .option(option), layer: 1))
            } catch { throw BundleError(.unknownKey, place: option, error.message) }
        }
        let complaints = Complaints(file: "", text: [])
        self = ScenarioDecoder.rules(Field(setting: root, path: "rules", complaints: complaints))
        if let first = complaints.errors.first { throw first }
    }
}
