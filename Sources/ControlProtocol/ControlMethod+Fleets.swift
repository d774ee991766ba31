/// The methods about a fleet's life.
extension ControlMethod {
    public static let fleetCreate = ControlMethod(
        "fleet.create", "Create a fleet of a bundle that was sent, and run it",
        verb: "fleet create",
        parameters: [
            .required("name", .fleetName, "what the fleet is called"),
            .required("bundle", .bundle, "the hash of the bundle's manifest"),
            .optional("paused", .bool, default: "false", "do nothing yet: fleet.start runs it"),
            .optional("rate", .rate, default: #""max""#, "how fast its time runs"),
            .optional(
                "by", .choices(ControlRequest.Grouping.allCases.map(\.rawValue)), default: "[]",
                "keep its figures apart by these"),
        ],
        result: .object([
            .fleet, .state, .required("digest", .nullable(.longText), "null: nothing has run yet"),
        ]),
        errors: [
            .fleetExists, .noSuchBlob, .invalidBundle, .scriptError, .outOfMemory, .stateError,
        ],
        example: Example(
            #"{"name":"demo","bundle":"\#(String(repeating: "6f", count: 32))","rate":"60x"}"#,
            gives: #"{"fleet":"demo","state":"running","digest":null}"#)
    ) {
        .fleetCreate(
            name: $0.text("name"), bundle: $0.bundle("bundle"), paused: $0.bool("paused"),
            rate: $0.rate("rate"), by: $0.choices("by"))
    }

    public static let fleetList = ControlMethod(
        "fleet.list", "List the fleets", verb: "fleet list", result: .list(of: fleetForm),
        example: Example(gives: "[\(shown)]")
    ) { _ in .fleetList }

    public static let fleetShow = ControlMethod(
        "fleet.show", "Show one fleet", verb: "fleet show", parameters: [.fleet],
        result: fleetForm, errors: [.noSuchFleet, .wrongState, .stateError],
        example: Example(#"{"fleet":"demo"}"#, gives: shown)
    ) { .fleetShow(fleet: $0.text("fleet")) }

    static let fleetForm = ValueForm.named(
        "Fleet",
        .object([
            .fleet, .state,
            .required("digest", .nullable(.longText), "of all records so far"),
            .required("scenario", .longText, "its name"),
            .required("bundle", .bundle, "the hash of its manifest"),
            .required("seed", .count, "of its chance"),
            .required("devices", .count, "in each arm"),
            .required("arms", .list(of: .longText), "their names, the base first"),
            .atSeconds,
            .required("duration_seconds", .amount, unit: "seconds", "of simulated time in all"),
            .required("rate", .rate, "how fast its time runs"),
            .required("lag_seconds", .amount, unit: "seconds", "of wall time behind its rate"),
            .required("ended_by", .nullable(.longText), "null: it goes on, or there is no result"),
            .optional(
                "thresholds_met", .bool,
                "so far or, where it has ended, at its end; where it has some"),
            .required("error", .nullable(.longText), "why it failed"),
            .required("events", .count, "so far"),
            .required("busy_seconds", .amount, unit: "seconds", "of wall time in epochs"),
            .required(
                "epoch_seconds_max", .amount, unit: "seconds", "of wall time of the longest epoch"),
            .optional(
                "halt_seconds", .amount, unit: "seconds",
                "until workers were at rest after the last pause or stop"),
            .required("journal", .count, "interventions of clients so far"),
            .required("at", .longText, "the same as at_seconds, in the scenario's zone"),
            .optional("goal", .longText, "where it is to pause"),
            .optional(
                "replay_until_seconds", .amount, unit: "seconds",
                "what was there before the daemon started, or the fork, is played again up to here"
            ),
            .optional("state_error", .longText, "why its progress or results are not kept"),
        ]))

    private static let shown =
        #"{"fleet":"demo","state":"running","digest":"334383bc1cff551a3c653ab635f886ae","#
        + #""scenario":"progressive","bundle":"sha256:\#(String(repeating: "6f", count: 32))","#
        + #""seed":7,"devices":20000,"arms":["base"],"at_seconds":3600,"duration_seconds":7776000,"#
        + #""rate":"60x","lag_seconds":0,"ended_by":null,"error":null,"events":1234,"#
        + #""busy_seconds":0.25,"epoch_seconds_max":0.02,"journal":0,"#
        + #""at":"2026-01-05T01:00:00+00:00"}"#

    /// A method that changes a fleet's state and gives it.
    private static func change(
        _ name: String, _ summary: String, _ state: String,
        _ request: @escaping @Sendable (String) -> ControlRequest
    ) -> ControlMethod {
        ControlMethod(
            name, summary, verb: name.split(separator: ".").joined(separator: " "),
            parameters: [.fleet], result: .object([.fleet, .state]),
            errors: [.noSuchFleet, .wrongState, .stateError],
            example: Example(#"{"fleet":"demo"}"#, gives: #"{"fleet":"demo","state":"\#(state)"}"#)
        ) { request($0.text("fleet")) }
    }

    public static let fleetStart = change(
        "fleet.start", "Start a fleet that was created paused", "running"
    ) { .fleetStart(fleet: $0) }
    public static let fleetPause = change(
        "fleet.pause", "Pause a running fleet at once", "paused"
    ) { .fleetPause(fleet: $0) }
    public static let fleetResume = change(
        "fleet.resume", "Let a paused fleet run on", "running"
    ) { .fleetResume(fleet: $0) }
    public static let fleetStop = change(
        "fleet.stop", "Stop a fleet for good and keep its results", "stopped"
    ) { .fleetStop(fleet: $0) }

    public static let fleetDelete = ControlMethod(
        "fleet.delete", "Forget a fleet and its results; one that runs is stopped",
        verb: "fleet delete", parameters: [.fleet],
        result: .object([.fleet, .required("deleted", .bool, "true")]),
        errors: [.noSuchFleet, .wrongState, .stateError],
        example: Example(#"{"fleet":"demo"}"#, gives: #"{"fleet":"demo","deleted":true}"#)
    ) { .fleetDelete(fleet: $0.text("fleet")) }

    public static let fleetRate = ControlMethod(
        "fleet.rate", "Change how fast a fleet's time runs: max, or a ratio such as 60x",
        verb: "fleet rate",
        parameters: [.fleet, .required("rate", .rate, "simulated time to wall time, or max")],
        result: .object([.fleet, .state]), errors: [.noSuchFleet, .wrongState, .stateError],
        example: Example(
            #"{"fleet":"demo","rate":"60x"}"#, gives: #"{"fleet":"demo","state":"running"}"#)
    ) { .fleetRate(fleet: $0.text("fleet"), rate: $0.rate("rate")) }
}

extension ValueEntry {
    static let fleet = required("fleet", .fleetName, "the fleet's name")
    static let state = required(
        "state", .choice(["ready", "running", "paused", "finished", "stopped", "failed"]),
        "of its life")
    static let atSeconds = required(
        "at_seconds", .amount, unit: "seconds", "of simulated time since the start")
}
