/// The methods that look at a fleet, follow it, and change something in it.
extension ControlMethod {
    /// Parameters of a method that can answer for people.
    private static let view: [ValueEntry] = [
        .optional(
            "format", .choice(ControlRequest.View.Format.allCases.map(\.rawValue)),
            default: #""json""#, "text: for people, in the member text or story"),
        .optional(
            "width", .integer(ControlRequest.widths), default: "80", unit: "columns", "of text"),
        .optional("color", .bool, default: "false", "whether text has colors"),
    ]

    private static func shown(_ more: [ValueEntry]) -> ValueForm {
        .open(
            [.fleet, .state] + more
                + [.optional("text", .longText, "for people, where that was asked for")])
    }

    private static let subscribed = ValueForm.object([
        .required("subscription", .longText, "what unsubscribe takes")
    ])

    private static let news: [ValueEntry] = [
        .required("subscription", .longText, "whose news this is"),
        .required("lost", .count, "how much was not told: this client was slow, or the fleet fast"),
    ]

    public static let funnel = ControlMethod(
        "funnel", "Show a fleet's funnels", verb: "funnel", parameters: [.fleet] + view,
        result: shown([
            .atSeconds,
            .optional("funnel", .list(of: .open([])), "the steps of the built-in funnel"),
        ]),
        errors: [.noSuchFleet, .wrongState, .stateError],
        example: Example(
            #"{"fleet":"demo"}"#,
            gives: #"{"fleet":"demo","state":"running","at_seconds":3600,"#
                + #""funnel":[{"step":"installed","reached":20000}]}"#)
    ) { .funnel(fleet: $0.text("fleet"), view: $0.view()) }

    /// The word of `format` that asks for all figures as a collector of metrics reads them.
    public static let openMetrics = "openmetrics"

    public static let metrics = ControlMethod(
        "metrics", "Show all figures of a fleet: the report", verb: "metrics",
        parameters: [
            .optional(
                "fleet", .nullable(.fleetName), default: "null",
                "its name; null, with openmetrics: the daemon and all its fleets"),
            .optional(
                "format",
                .choice(ControlRequest.View.Format.allCases.map(\.rawValue) + [openMetrics]),
                default: #""json""#,
                "text: for people, in the member text; openmetrics: OpenMetrics 1.0, there too"),
        ] + view.dropFirst(),
        result: .open([
            .optional("fleet", .fleetName, "where one is meant"),
            .optional("state", .longText, "of its life"),
            .optional(
                "thresholds_met", .bool,
                "so far or, where it has ended, at its end; where it has some"),
            .optional("text", .longText, "where that was asked for"),
        ]),
        errors: [.noSuchFleet, .wrongState, .stateError, .missingParameter],
        example: Example(
            #"{"fleet":"demo"}"#,
            gives: #"{"fleet":"demo","state":"running","scenario":"progressive"}"#)
    ) { parameters in
        let fleet = parameters.optionalText("fleet")
        let (width, color) = (parameters.integer("width"), parameters.bool("color"))
        guard let format = ControlRequest.View.Format(rawValue: parameters.text("format")) else {
            return .exposition(fleet: fleet)
        }
        return .metrics(
            fleet: fleet,
            view: ControlRequest.View(format: format, width: width, color: color))
    }

    public static let funnelSubscribe = ControlMethod(
        "funnel.subscribe", "Be told a fleet's funnels again and again", verb: "funnel --watch",
        parameters: [
            .fleet,
            .optional(
                "every_seconds", .number(ControlRequest.everySeconds), default: "1",
                unit: "seconds", "of wall time between two of them"),
        ] + view,
        result: subscribed, errors: [.noSuchFleet, .wrongState, .stateError],
        example: Example(
            #"{"fleet":"demo","every_seconds":1}"#, gives: #"{"subscription":"s1"}"#),
        notification: Notification(
            name: "funnel",
            form: .open(
                news + [
                    .state, .atSeconds,
                    .optional("funnel", .list(of: .open([])), "the steps of the built-in funnel"),
                    .optional("text", .longText, "for people, where that was asked for"),
                ]))
    ) {
        .funnelSubscribe(
            fleet: $0.text("fleet"), everySeconds: $0.number("every_seconds"), view: $0.view())
    }

    public static let watch = ControlMethod(
        "watch", "Be told a fleet's records as they happen", verb: "watch",
        parameters: [
            .fleet,
            .optional(
                "types", .list(of: .text, 0...ControlRequest.typeCountMax), default: "[]",
                "only records of these types; none: of all"),
            .condition,
        ],
        result: subscribed, errors: [.noSuchFleet, .wrongState, .stateError],
        example: Example(
            #"{"fleet":"demo","types":["answer"]}"#, gives: #"{"subscription":"s2"}"#),
        notification: Notification(
            name: "watch",
            form: .object(
                news + [
                    .required("records", .list(of: .open([])), "in their order"),
                    .optional("ended", .bool, "true: these are the last"),
                ]))
    ) {
        .watch(
            fleet: $0.text("fleet"), types: $0.texts("types"), where: $0.optionalText("where"))
    }

    public static let unsubscribe = ControlMethod(
        "unsubscribe", "End a subscription of this connection", verb: nil,
        parameters: [.required("subscription", .text, "as it was given")],
        result: subscribed, errors: [.noSuchSubscription],
        example: Example(#"{"subscription":"s1"}"#, gives: #"{"subscription":"s1"}"#)
    ) { .unsubscribe(subscription: $0.text("subscription")) }

    // MARK: - Devices

    public static let deviceList = ControlMethod(
        "device.list", "List devices and how they stand", verb: "device list",
        parameters: [
            .fleet, .condition,
            .optional(
                "limit", .integer(ControlRequest.deviceLimits), default: "20", unit: "devices",
                "at most so many"),
            .optional(
                "after", .nullable(.device), default: "null",
                "only devices with greater numbers: the next page"),
        ],
        result: .object([
            .fleet, .atSeconds,
            .required(
                "devices",
                .list(
                    of: .named(
                        "Device",
                        .object([
                            .required("device", .device, "its number"),
                            .optional("arm", .longText, "where the fleet has more than one"),
                            .required("persona", .longText, "of its person"),
                            .required("ios", .longText, "its version"),
                            .required("installed", .bool, "whether the app is"),
                            .required("status", .nullable(.longText), "that the app sees"),
                            .required("true_status", .nullable(.longText), "that holds"),
                        ]))), "each in every arm that is meant"),
            .required("next", .nullable(.device), "what after takes; null: these were the last"),
        ]),
        errors: [.noSuchFleet, .wrongState, .stateError],
        example: Example(
            #"{"fleet":"demo","where":"status = denied","limit":1}"#,
            gives: #"{"fleet":"demo","at_seconds":3600,"devices":[{"device":4,"#
                + #""persona":"depends","ios":"17","installed":true,"status":"denied","#
                + #""true_status":"denied"}],"next":4}"#)
    ) {
        .deviceList(
            fleet: $0.text("fleet"), where: $0.optionalText("where"), limit: $0.integer("limit"),
            after: $0.optionalDevice("after"))
    }

    public static let why = story("why")
    /// The same among the verbs about devices.
    public static let deviceWhy = story("device.why")

    private static func story(_ name: String) -> ControlMethod {
        ControlMethod(
            name, "Tell one device's life as a story",
            verb: name.split(separator: ".").joined(separator: " "),
            parameters: [
                .fleet, .required("device", .device, "its number"),
                .optional("arm", .nullable(.text), default: "null", "null: the base"),
                .optional("from", .wholeNumber, default: "0", unit: "lines", "to leave out"),
            ] + view,
            result: .object([
                .fleet, .required("device", .device, "its number"),
                .optional("records", .list(of: .open([])), "in their order"),
                .optional("story", .longText, "for people, where text was asked for"),
                .required("next", .nullable(.wholeNumber), "what from takes; null: this was all"),
            ]),
            errors: [
                .noSuchFleet, .wrongState, .stateError, .noSuchDevice, .scriptError, .outOfMemory,
            ],
            example: Example(
                #"{"fleet":"demo","device":4}"#,
                gives: #"{"fleet":"demo","device":4,"records":[],"next":null}"#)
        ) {
            .why(
                fleet: $0.text("fleet"), device: $0.device("device"), arm: $0.optionalText("arm"),
                from: $0.integer("from"), view: $0.view())
        }
    }

    // MARK: - Interventions

    public static let intervene = ControlMethod(
        "intervene", "Change something for some of a fleet's devices, from now on",
        verb: "intervene",
        parameters: [
            .fleet, .required("do", .text, "what to change, as in a scenario's interventions"),
            .optional(
                "value", .scalarOrMap, "what it takes, where it takes something: a script by name"),
            .condition,
            .optional(
                "share", .share(upTo: 1), default: "1",
                "of them, by a draw of each device's own"),
            .optional(
                "sha256", .nullable(.sha256), default: "null",
                "of the script that the value names, sent before with blob.put"),
            .optional(
                "options", .nullable(.map(of: .scalar)), default: "null",
                "of that script, by name"),
        ],
        result: .object([
            .atSeconds, .required("devices", .count, "that it reached, in all arms"),
            .required("journal", .count, "its number among those of clients, from 1"),
            .required("ignored", .count, "devices on which it was not possible, in all arms"),
            .optional(
                "arms", .map(of: .count),
                "devices that it reached in each, where there are more than one"),
        ]),
        errors: [.noSuchFleet, .wrongState, .noSuchBlob, .scriptError, .limitReached, .stateError],
        example: Example(
            #"{"fleet":"demo","where":"persona = depends","share":0.5,"do":"settings","#
                + #""value":"never"}"#,
            gives: #"{"at_seconds":3660,"devices":16012,"journal":1,"ignored":0}"#)
    ) {
        .intervene(
            fleet: $0.text("fleet"), where: $0.optionalText("where"), share: $0.number("share"),
            do: $0.text("do"), value: $0.scalarOrMap("value"),
            sha256: $0.optionalText("sha256"), options: $0.options())
    }
}

extension ValueEntry {
    static let condition = optional(
        "where", .nullable(.text), default: "null",
        "a condition on devices, as in a scenario; null: all")
}
