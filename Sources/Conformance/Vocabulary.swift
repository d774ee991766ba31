/// What a step may hold: the words of `config/conformance/README.md`.
enum Vocabulary {
    /// The type of a member's value.
    enum Kind {
        case text
        /// At least 0, at most this.
        case number(max: Double)
        /// A whole number from 1 to this.
        case count(max: Int)
        case boolean
        case object
        case word([String])

        var description: String {
            switch self {
            case .text: "a string"
            case .number(let max): "a number in 0 ... \(Int64(max))"
            case .count(let max): "a whole number in 1 ... \(max)"
            case .boolean: "true or false"
            case .object: "an object"
            case .word(let words): words.map { "\"\($0)\"" }.joined(separator: ", ")
            }
        }
    }

    struct Member {
        let name: String
        let kind: Kind
        let isRequired: Bool

        init(_ name: String, _ kind: Kind, optional: Bool = false) {
            (self.name, self.kind, isRequired) = (name, kind, !optional)
        }
    }

    /// Ten years.
    static let waitSecondsMax = 315_360_000.0
    /// A week: a drive has a fix each second.
    static let driveSecondsMax = 604_800.0
    /// Around the earth.
    static let radiusMetersMax = 40_000_000.0
    static let countMax = 1_000
    static let stepCountMax = 10_000

    /// The most that the steps of one case come to together, by `do`: in the member named, or in
    /// steps where they lack it.
    static let sumMax: [String: (member: String, max: Double, of: String)] = [
        "wait": ("seconds", waitSecondsMax, "seconds of wait"),
        "drive": ("seconds", driveSecondsMax, "seconds of drive"),
        "start": ("count", 10_000, "starts"), "stop": ("count", 10_000, "stops"),
    ]

    static let services = [
        "updates", "significant_change", "visits", "region", "monitor", "live_updates", "heading",
        "ranging",
    ]
    private static let on = [Member("on", .boolean)]
    private static let request = [
        Member("manager", .text, optional: true),
        Member("thread", .word(["background"]), optional: true),
    ]
    private static let service = [
        Member("service", .word(services)), Member("id", .text, optional: true),
        Member("radius_m", .number(max: radiusMetersMax), optional: true),
        Member("notify_on_entry", .boolean, optional: true),
        Member("notify_on_exit", .boolean, optional: true),
        Member("count", .count(max: countMax), optional: true),
        Member("desired_accuracy", .word(["best", "reduced"]), optional: true),
    ]

    /// The members of each `do`, beside its name.
    static let steps: [String: [Member]] = [
        "launch": [
            Member("delegate", .word(["legacy", "new_only"]), optional: true),
            Member("restart_services", .boolean, optional: true),
        ],
        "background": [], "foreground": [], "terminate": [], "force_quit": [], "wake": [],
        "wait": [Member("seconds", .number(max: waitSecondsMax))], "idle": [], "reboot": [],
        "unlock": [],
        "request_when_in_use": request, "request_always": request,
        "request_temporary_full_accuracy": [
            Member("purpose", .text), Member("manager", .text, optional: true),
        ],
        "start": service, "stop": service, "request_location": [],
        "request_state": [Member("id", .text)], "allow_background_updates": on,
        "shows_indicator": on, "pauses_automatically": on,
        "service_session": on + [
            Member("level", .word(["when_in_use", "always"])),
            Member("purpose", .text, optional: true),
        ],
        "background_session": on,
        "create_manager": [
            Member("id", .text), Member("thread", .word(["background"]), optional: true),
        ],
        "release_manager": [Member("id", .text)], "open_monitor": [], "fix": [],
        "drive": [Member("seconds", .number(max: driveSecondsMax))], "at_rest": [],
        "event": [
            Member("service", .word(services)), Member("id", .text, optional: true),
            Member("kind", .word(eventKinds.values.joined().sorted()), optional: true),
        ],
        "position": [Member("id", .text), Member("edge_m", .number(max: radiusMetersMax))],
        "tap_location_button": [Member("readable", .boolean, optional: true)], "add_widget": [],
        "location_services": on, "location_alert_map": on, "background_app_refresh": on,
        "restrict_location": on, "reset_location_privacy": [], "reset_app_location": [],
        "reinstall": [], "remove_app_clip": [], "update_app": [Member("plist", .object)],
        "upgrade_os": [Member("to", .text)],
    ]

    /// The kinds of the events that have one.
    static let eventKinds = [
        "region": ["enter", "exit"], "monitor": ["satisfied", "unsatisfied"],
        "visits": ["arrival", "departure"],
    ]

    /// What a `start`, `stop` or `event` needs and may have beside it, for one service; nil: there
    /// is no such step.
    static func members(
        of step: String, _ service: String
    ) -> (needed: [String], optional: [String])? {
        let isPlace = service == "region" || service == "monitor"
        let names = isPlace || service == "ranging" ? ["id"] : []
        switch step {
        case "start":
            if !isPlace { return (names, service == "updates" ? ["desired_accuracy"] : []) }
            let wishes = service == "region" ? ["notify_on_entry", "notify_on_exit"] : []
            return (names + ["radius_m"], wishes + ["count"])
        case "stop": return (names, isPlace ? ["count"] : [])
        case "event":
            if service == "updates" || service == "live_updates" { return nil }
            return (names + (eventKinds[service] == nil ? [] : ["kind"]), [])
        default: return ([], [])
        }
    }

    static let confidences = ["documented", "observed", "inferred", "chosen"]

    static let caseKeys = [
        "id", "title", "ios", "plist", "kind", "steps", "source", "confidence", "rules",
    ]
}
