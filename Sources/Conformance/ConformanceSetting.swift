/// What `--set` can change in a case: most keys of a scenario's `rules`, not all.
public enum ConformanceSetting {
    /// Keys that no step of a case can show, and why.
    public static let idle: KeyValuePairs<String, String> = [
        "confirm_delay_min_seconds": confirm, "confirm_delay_max_seconds": confirm,
        "migration_keeps_decisions": "no step moves to a new phone",
    ]
    private static let confirm = "in a case the second prompt comes at the step `idle`"

    /// Keys that act with `--delays` alone.
    public static let delays = [
        "reboot_monitoring_delay_seconds", "visit_delay_min_seconds", "visit_delay_max_seconds",
        "pause_after_rest_seconds", "region_latency_min_seconds", "region_latency_max_seconds",
    ]
}

/// Every word that a case may hold where a word is due: what its README must name.
public enum ConformanceWords {
    public static var all: [String] {
        Set(
            Vocabulary.steps.keys + Vocabulary.services + Vocabulary.eventKinds.values.joined()
                + Vocabulary.flagNames + Vocabulary.errorCodes + Vocabulary.confidences
                + Vocabulary.caseKeys + Vocabulary.expectations.map(\.key)
                + Vocabulary.steps.values.joined().map(\.name)
        ).sorted()
    }
}
