import AuthorizationCore

/// Since when there is what a step needs: "A step that needs an API occurs only on versions that
/// have it."
extension Vocabulary {
    struct Need: Hashable {
        /// As a person would call it.
        let what: String
        let since: IOSVersion

        init(_ what: String, _ since: IOSVersion) { (self.what, self.since) = (what, since) }
    }

    static let needs: [String: Need] = [
        "request_location": Need("requestLocation()", .v9),
        "allow_background_updates": Need("allowsBackgroundLocationUpdates", .v9),
        "shows_indicator": Need("showsBackgroundLocationIndicator", .v11),
        "request_temporary_full_accuracy": Need("temporary full accuracy", .v14),
        "add_widget": Need("location in widgets", .v14),
        "remove_app_clip": Need("App Clips", .v14),
        "location_alert_map": Need("a switch for maps in location alerts", .v14),
        "tap_location_button": Need("a location button", .v15),
        "background_session": Need("CLBackgroundActivitySession", .v17),
        "open_monitor": Need("CLMonitor", .v17),
        "service_session": Need("CLServiceSession", .v18),
    ]

    /// The same of services: `start`, `stop` and `event`.
    static let serviceNeeds: [String: Need] = [
        "live_updates": Need("live updates", .v17), "monitor": Need("CLMonitor", .v17),
    ]

    static let preciseNeed = Need("a Precise switch", .v14)
    static let clipNeed = Need("App Clips", .v14)

    /// The calls that a process must make itself.
    static let calls: Set<String> = [
        "request_when_in_use", "request_always", "request_temporary_full_accuracy", "start", "stop",
        "request_location", "request_state", "allow_background_updates", "shows_indicator",
        "pauses_automatically", "service_session", "background_session", "create_manager",
        "release_manager", "open_monitor",
    ]
}

extension ConformanceCase.Act {
    var need: Vocabulary.Need? {
        if let need = Vocabulary.needs[name] { return need }
        if texts["desired_accuracy"] == "reduced" {
            return Vocabulary.Need("kCLLocationAccuracyReduced", .v14)
        }
        return texts["service"].flatMap { Vocabulary.serviceNeeds[$0] }
    }
}
