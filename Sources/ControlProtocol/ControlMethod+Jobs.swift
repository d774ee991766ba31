/// The methods whose work takes its time, and those that take a fleet elsewhere.
extension ControlMethod {
    private static let job = ValueEntry.required("job", .longText, "what wait takes")

    public static let fleetStep = ControlMethod(
        "fleet.step", "Run a fleet for a span of simulated time, and pause it there",
        verb: "fleet step",
        parameters: [.fleet, .required("span", .text, "such as 1h or 2d12h")],
        result: .object([
            job, .fleet, .state,
            .required(
                "until_seconds", .nullable(.amount), unit: "seconds",
                "where it pauses, in simulated time since the start"),
        ]),
        errors: [.noSuchFleet, .wrongState, .stateError],
        example: Example(
            #"{"fleet":"demo","span":"1h"}"#,
            gives: #"{"job":"j1","fleet":"demo","state":"running","until_seconds":7200}"#)
    ) { .fleetStep(fleet: $0.text("fleet"), span: $0.text("span")) }

    public static let fleetUntil = ControlMethod(
        "fleet.until", "Run a fleet until a time or a condition on its figures, and pause it there",
        verb: "fleet until",
        parameters: [
            .fleet,
            .required(
                "until", .text,
                "a time since the start such as 30d, a local date such as 2026-03-01T08:00, or a "
                    + "condition such as count(authorizedAlways) >= 1000"),
        ],
        result: .object([
            job, .fleet, .state,
            .required(
                "until_seconds", .nullable(.amount), unit: "seconds",
                "where it pauses, in simulated time since the start; null: where the condition "
                    + "holds"),
        ]),
        errors: [.noSuchFleet, .wrongState, .stateError],
        example: Example(
            #"{"fleet":"demo","until":"count(authorizedAlways) >= 1000"}"#,
            gives: #"{"job":"j2","fleet":"demo","state":"running","until_seconds":null}"#)
    ) { .fleetUntil(fleet: $0.text("fleet"), until: $0.text("until")) }

    public static let fleetFork = ControlMethod(
        "fleet.fork", "Make a new fleet that has the past of another up to an instant",
        verb: "fleet fork",
        parameters: [
            .fleet, .required("name", .fleetName, "what the new fleet is called"),
            .optional(
                "at", .nullable(.text), default: "null",
                "a time since the start or a local date, as fleet.until takes; null: where the "
                    + "fleet is now"),
            .optional("paused", .bool, default: "false", "pause it there"),
            .optional(
                "rate", .nullable(.rate), default: "null",
                "how fast its time runs from there; null: as the other's"),
        ],
        result: .object([
            job, .fleet, .state,
            .required(
                "from_seconds", .amount, unit: "seconds",
                "up to where they have one past, in simulated time since the start"),
        ]),
        errors: [
            .noSuchFleet, .fleetExists, .wrongState, .scriptError, .outOfMemory, .stateError,
        ],
        example: Example(
            #"{"fleet":"demo","name":"what-if","at":"30d"}"#,
            gives: #"{"job":"j3","fleet":"what-if","state":"running","from_seconds":2592000}"#)
    ) {
        .fleetFork(
            fleet: $0.text("fleet"), name: $0.text("name"), at: $0.optionalText("at"),
            paused: $0.bool("paused"), rate: $0.optionalText("rate").flatMap { FleetRate($0) })
    }

    public static let fleetExport = ControlMethod(
        "fleet.export", "Give all that it takes to play a fleet again elsewhere",
        verb: "fleet export", parameters: [.fleet],
        result: .object([
            .fleet, .state,
            .required("locfleet", .longText, "the version of the daemon"),
            .required("bundle", .bundle, "the hash of its manifest"),
            .required("by", .list(of: .longText), "what its figures are kept apart by"),
            .required("at_us", .count, unit: "microseconds", "of simulated time since the start"),
            .required("digest", .nullable(.longText), "of all records up to there"),
            .required("journal", .list(of: .open([])), "interventions of clients, with at_us"),
            .required("files", .list(of: .sha256), "the bundle's, for blob.get"),
        ]),
        errors: [.noSuchFleet, .wrongState],
        example: Example(
            #"{"fleet":"demo"}"#,
            gives: #"{"fleet":"demo","state":"paused","locfleet":"0.1.0","#
                + #""bundle":"sha256:\#(String(repeating: "6f", count: 32))","by":[],"#
                + #""at_us":3600000000,"digest":"334383bc1cff551a3c653ab635f886ae","#
                + #""journal":[{"at_us":0,"do":"settings","value":"never","share":1}],"#
                + #""files":["\#(String(repeating: "6f", count: 32))"]}"#)
    ) { .fleetExport(fleet: $0.text("fleet")) }

    public static let blobGet = ControlMethod(
        "blob.get", "Give a piece of a file of a fleet's bundle", verb: nil,
        parameters: [
            .fleet, .required("sha256", .sha256, "of the file"),
            .optional("offset", .wholeNumber, default: "0", unit: "bytes", "where to begin"),
        ],
        result: .object([
            .required("base64", .base64, "up to 512 KiB"),
            .required("bytes", .count, unit: "bytes", "of the whole file"),
            .required("last", .bool, "whether the file ends with this piece"),
        ]),
        errors: [.noSuchFleet, .wrongState, .noSuchBlob],
        example: Example(
            #"{"fleet":"demo","sha256":"\#(String(repeating: "6f", count: 32))"}"#,
            gives: #"{"base64":"e30=","bytes":2,"last":true}"#)
    ) {
        .blobGet(
            fleet: $0.text("fleet"), sha256: $0.text("sha256"), offset: $0.integer("offset"))
    }

    // MARK: - Jobs

    private static let jobForm = ValueForm.named(
        "Job",
        .object([
            job, .required("method", .longText, "what began it"), .fleet,
            .required("goal", .longText, "what it waits for"),
            .required(
                "state", .choice(["running", "done", "missed", "cut"]),
                "missed: the fleet ended first; cut: somebody did something else to it"),
            .required("why", .nullable(.longText), "of one that was missed or cut"),
            .required(
                "at_seconds", .nullable(.amount), unit: "seconds",
                "of simulated time, where it ended"),
        ]))

    private static let shownJob =
        #"{"job":"j1","method":"fleet.step","fleet":"demo","goal":"1h","state":"done","#
        + #""why":null,"at_seconds":7200}"#

    public static let jobs = ControlMethod(
        "jobs", "List what was begun and takes its time, with the last that ended", verb: "jobs",
        result: .list(of: jobForm), example: Example(gives: "[\(shownJob)]")
    ) { _ in .jobs }

    public static let wait = ControlMethod(
        "wait", "Wait for the end of a job or of a fleet", verb: "wait",
        parameters: [
            .optional("fleet", .nullable(.text), default: "null", "a fleet, or job"),
            .optional("job", .nullable(.text), default: "null", "a job, or fleet"),
            .optional(
                "within_seconds", .number(ControlRequest.waitSeconds), default: "60",
                unit: "seconds", "of wall time; then the answer is that it goes on"),
        ],
        result: .object([
            .required("ended", .bool, "false: it goes on; ask again"),
            .optional("job", jobForm, "as jobs has it"),
            .optional("fleet", .named("Fleet", fleetForm), "as fleet.show has it"),
        ]),
        errors: [.noSuchFleet, .wrongState, .noSuchJob],
        example: Example(
            #"{"job":"j1","within_seconds":10}"#, gives: #"{"ended":true,"job":\#(shownJob)}"#)
    ) {
        .wait(
            fleet: $0.optionalText("fleet"), job: $0.optionalText("job"),
            withinSeconds: $0.number("within_seconds"))
    }

    // MARK: - One device

    public static let deviceShow = ControlMethod(
        "device.show", "Show how one device stands, and what has happened to it so far",
        verb: "device show",
        parameters: [
            .fleet, .required("device", .device, "its number"),
            .optional("arm", .nullable(.text), default: "null", "null: the base"),
        ],
        result: .object([
            .fleet, .atSeconds, .required("device", .device, "its number"),
            .optional("arm", .longText, "where there are more than one"),
            .required("persona", .longText, "who holds it"),
            .required("ios", .longText, "its version now"),
            .required("installed", .bool, "whether the app is"),
            .required("status", .nullable(.longText), "what the app sees"),
            .required("true_status", .nullable(.longText), "what is true"),
            .required("sessions", .count, "times that the person opened the app, as why counts"),
            .required(
                "records", .map(of: .count),
                "how many of each type; opened and closed also by the system, in the background"),
            .required("last", .nullable(.open([])), "the last record"),
        ]),
        errors: [.noSuchFleet, .wrongState, .noSuchDevice, .scriptError, .outOfMemory],
        example: Example(
            #"{"fleet":"demo","device":4}"#,
            gives: #"{"fleet":"demo","at_seconds":3600,"device":4,"persona":"depends","ios":"17","#
                + #""installed":true,"status":"denied","true_status":"denied","#
                + #""sessions":2,"records":{"opened":2},"last":null}"#)
    ) {
        .deviceShow(
            fleet: $0.text("fleet"), device: $0.device("device"), arm: $0.optionalText("arm"))
    }
}
