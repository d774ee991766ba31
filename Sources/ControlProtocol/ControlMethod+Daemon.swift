/// The methods about the daemon and the files that it is sent.
extension ControlMethod {
    /// All of them, in the order of help. The place of a method here is all that makes it known.
    public static let allCases: [ControlMethod] = [
        .discover, .daemonStatus, .daemonReload, .daemonStop, .limits, .blobHave,
        .blobPut,
        .fleetCreate, .fleetList, .fleetShow, .fleetStart, .fleetPause, .fleetResume, .fleetStop,
        .fleetDelete, .fleetRate, .fleetStep, .fleetUntil, .fleetFork, .fleetExport, .blobGet,
        .funnel, .metrics, .funnelSubscribe, .watch, .unsubscribe,
        .deviceList, .deviceShow, .why, .deviceWhy, .intervene,
        .jobs, .wait,
    ]

    public static let discover = ControlMethod(
        "rpc.discover", "Describe every method as an OpenRPC document", verb: nil,
        result: .open([
            .required("openrpc", .longText, "the version of OpenRPC"),
            .required(
                "info",
                .open([
                    .required("title", .longText, "of the document"),
                    .required("version", .longText, "of the program"),
                ]), "of what this is"),
            .required("methods", .list(of: .open([])), "each with parameters and result"),
        ]),
        example: Example(
            gives: #"{"openrpc":"1.3.2","info":{"title":"locfleetd","version":"0.1.0"},"#
                + #""methods":[]}"#)
    ) { _ in .discover }

    public static let daemonStatus = ControlMethod(
        "daemon.status", "Show the daemon's version, uptime and counters", verb: "daemon status",
        result: .object([
            .required("version", .longText, "of the daemon"),
            .required("fleets", .count, "how many there are"),
            .required("uptime_seconds", .amount, unit: "seconds", "since it began"),
            .required("running", .count, "fleets that run"),
            .required("devices", .count, "of all fleets"),
            .required("workers", .count, "threads that run fleets"),
            .required("resident_bytes", .count, unit: "bytes", "of memory"),
            .optional("allocated_bytes", .count, unit: "bytes", "in use, while no fleet runs"),
            .required("blob_bytes", .count, unit: "bytes", "of files that were sent"),
            .required("subscriptions", .count, "that are open"),
            .optional(
                "not_taken_up", .list(of: .longText),
                "fleets that are kept and damaged, or of a later version: where, and what to do"),
            .optional("connections", .count, "that are open"),
            .optional("connections_accepted_total", .count, "that were served"),
            .optional("connections_refused_total", .count, "that were turned away"),
            .optional("connections_cut_total", .count, "whose peer read nothing"),
            .optional("lines_refused_total", .count, "in which no call was understood"),
            .optional(
                "notifications_lost_total", .count,
                "that found their queue full, or their fleet in haste"),
        ]),
        example: Example(
            gives: #"{"version":"0.1.0","fleets":1,"uptime_seconds":12.4,"running":1,"#
                + #""devices":20000,"workers":2,"resident_bytes":52428800,"#
                + #""allocated_bytes":3145728,"blob_bytes":18313,"#
                + #""subscriptions":0}"#)
    ) { _ in .daemonStatus }

    public static let daemonReload = ControlMethod(
        "daemon.reload", "Read the daemon's file again; a file that is wrong changes nothing",
        verb: "daemon reload",
        result: .object([
            .required("config", .nullable(.longText), "the file; null: there is none"),
            .required("changed", .list(of: .longText), "keys that are different from here on"),
            .required(
                "needs_restart", .list(of: .longText),
                "keys that are not as the daemon began with, and wait for the next"),
        ]),
        errors: [.invalidConfig, .wrongState],
        example: Example(
            gives: #"{"config":"/etc/locfleet/locfleetd.json5","changed":["log_level"],"#
                + #""needs_restart":["workers"]}"#)
    ) { _ in .daemonReload }

    public static let daemonStop = ControlMethod(
        "daemon.stop", "Stop the daemon; its fleets go on when it starts again",
        verb: "daemon stop",
        result: .object([.required("stopping", .bool, "true")]),
        example: Example(gives: #"{"stopping":true}"#)
    ) { _ in .daemonStop }

    public static let limits = ControlMethod(
        "limits", "Show every named limit, and how often it was reached", verb: "limits",
        result: .object([
            .required(
                "limits",
                .list(
                    of: .named(
                        "Limit",
                        .object([
                            .required("limit", .longText, "its name"),
                            .required("part", .longText, "whose it is"),
                            .required("value", .count, "what there may be at most"),
                            .required("unit", .longText, "of the value"),
                            .required("then", .longText, "what happens when it is reached"),
                            .required(
                                "reached", .nullable(.count),
                                "how often so far; null: not counted"),
                        ]))), "in a fixed order")
        ]),
        example: Example(
            gives: #"{"limits":[{"limit":"line_bytes","part":"protocol","value":1048576,"#
                + #""unit":"bytes","then":"refused, and the connection is closed","reached":0}]}"#)
    ) { _ in .limits }

    // MARK: - Files

    private static let hash = String(repeating: "6f", count: 32)

    public static let blobHave = ControlMethod(
        "blob.have", "Tell which of these files have not been sent yet", verb: nil,
        parameters: [
            .required(
                "sha256", .list(of: .sha256, 1...ControlRequest.hashCountMax),
                "the hashes of files")
        ],
        result: .object([
            .required("missing", .list(of: .sha256), "those that the daemon has not")
        ]),
        example: Example(#"{"sha256":["\#(hash)"]}"#, gives: #"{"missing":["\#(hash)"]}"#)
    ) { .blobHave(sha256: $0.texts("sha256")) }

    public static let blobPut = ControlMethod(
        "blob.put", "Send a piece of a file", verb: nil,
        parameters: [
            .required("sha256", .sha256, "of the whole file"),
            .required(
                "offset", .wholeNumber, unit: "bytes", "where the piece begins; 0 begins anew"),
            .required("base64", .base64, "the piece; an empty one is fine"),
            .optional("last", .bool, default: "false", "whether the file ends with it"),
        ],
        result: .object([.required("have", .bool, "whether the file is whole")]),
        errors: [.blobMismatch],
        example: Example(
            #"{"sha256":"\#(hash)","offset":0,"base64":"aGk="}"#, gives: #"{"have":false}"#)
    ) {
        .blobPut(
            sha256: $0.text("sha256"), offset: $0.integer("offset"), bytes: $0.bytes("base64"),
            last: $0.bool("last"))
    }
}
