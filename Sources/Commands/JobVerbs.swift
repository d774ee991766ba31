import ControlProtocol
import JSONText
import Reports

/// Verbs whose work takes its time.
extension Verb {
    private static let noWait = OptionSpec.flag(
        "--no-wait", "return at once, with the job that 'locfleet wait' takes")

    static let fleetStep = Verb(
        name: "fleet step", usage: "FLEET SPAN [options]",
        summary: "run a fleet for a span of simulated time, and pause it there",
        options: .daemon([noWait]),
        examples: ["locfleet fleet step demo 1h", "locfleet fleet step demo 2d12h --json"],
        run: { arguments, terminal throws(CommandError) in
            let (fleet, span) = try operands(arguments, "a span", verb: "fleet step")
            return try begin(
                .fleetStep, DaemonArguments.parameters(of: fleet) { $0.member("span", span) },
                arguments, terminal)
        })

    static let fleetUntil = Verb(
        name: "fleet until", usage: "FLEET TIME|CONDITION [options]",
        summary: "run a fleet until a time or a condition on its figures, and pause it there",
        options: .daemon([noWait]),
        examples: [
            "locfleet fleet until demo 30d",
            "locfleet fleet until demo 'count(authorizedAlways) >= 1000'",
        ],
        run: { arguments, terminal throws(CommandError) in
            let (fleet, goal) = try operands(
                arguments, "a time or a condition", verb: "fleet until")
            return try begin(
                .fleetUntil, DaemonArguments.parameters(of: fleet) { $0.member("until", goal) },
                arguments, terminal)
        })

    static let fleetFork = Verb(
        name: "fleet fork", usage: "FLEET NEW [options]",
        summary: "make a new fleet that has the past of another up to an instant",
        options: .daemon([
            .value("--at", "TIME", "up to where, such as 30d or a local date; without it, to now"),
            .flag("--paused", "pause it there"),
            .value(
                "--rate", "RATE", "how fast its time runs from there; without it as the other's"),
            noWait,
        ]),
        examples: [
            "locfleet fleet fork demo what-if --at 30d --paused",
            "locfleet fleet fork demo what-if --rate max",
        ],
        run: { arguments, terminal throws(CommandError) in
            let (fleet, name) = try operands(arguments, "a new name", verb: "fleet fork")
            let rate = try arguments.value("--rate").map { text throws(CommandError) in
                try FleetRate(word: text, named: "--rate")
            }
            return try begin(
                .fleetFork,
                DaemonArguments.parameters(of: fleet) {
                    $0.member("name", name)
                    if let at = arguments.value("--at") { $0.member("at", at) }
                    $0.member("paused", arguments.has("--paused"))
                    if let rate { $0.member("rate", rate.description) }
                }, arguments, terminal)
        })

    private static func operands(
        _ arguments: Arguments, _ second: String, verb: String
    ) throws(CommandError) -> (String, String) {
        guard arguments.operands.count == 2 else {
            throw CommandError("a fleet and \(second) are taken; see 'locfleet help \(verb)'")
        }
        return (arguments.operands[0], arguments.operands[1])
    }

    /// Begins a job, and waits for its end unless it is not to.
    private static func begin(
        _ method: ControlMethod, _ parameters: String, _ arguments: Arguments, _ terminal: Terminal
    ) throws(CommandError) -> ExitStatus {
        let client = try DaemonArguments.client(arguments)
        let begun = try client.call(method, parameters)
        let job = begun.node["job"]?.string ?? ""
        if arguments.has("--no-wait") {
            let fleet = begun.node["fleet"]?.string ?? ""
            try terminal.print(
                arguments.has("--json")
                    ? begun.text + "\n" : "\(fleet): running; 'locfleet wait --job \(job)'\n")
            return .done
        }
        let wait = JobWait(client: client, terminal: terminal)
        return try tell(
            try wait.end(job: job, of: begun.node["fleet"]?.string), arguments, terminal)
    }

    private static func tell(
        _ result: ControlResult, _ arguments: Arguments, _ terminal: Terminal
    ) throws(CommandError) -> ExitStatus {
        let job = result.node["job"]
        let (fleet, state) = (job?["fleet"]?.string ?? "", job?["state"]?.string ?? "")
        if arguments.has("--json") {
            try terminal.print(result.text + "\n")
        } else if state == "done" {
            let at = human(job?.span("at_seconds") ?? .zero)
            try terminal.print("\(fleet): there, \(at) after the start\n")
        } else {
            let why = job?["why"]?.string ?? ""
            terminal.complain("locfleet: \(fleet): not reached: \(why)")
        }
        switch state {
        case "done": return .done
        case "missed": return .verdictIsNo
        default: return .failed
        }
    }

    // MARK: - Waiting

    static let wait = Verb(
        name: "wait", usage: "[FLEET] [options]",
        summary: "wait for the end of a fleet or, with --job, of a job",
        options: .daemon([
            .value("--job", "JOB", "in place of a fleet: such as j1, see 'locfleet jobs'")
        ]),
        examples: [
            "locfleet wait demo --timeout 60", "locfleet wait --job j1",
            "locfleet wait demo && locfleet funnel demo",
        ],
        run: { arguments, terminal throws(CommandError) in
            if let job = arguments.value("--job") {
                try arguments.noOperand(verb: "wait")
                let client = try DaemonArguments.client(arguments)
                return try tell(
                    try JobWait(client: client, terminal: terminal).end(job: job), arguments,
                    terminal)
            }
            guard !arguments.operands.isEmpty else {
                throw CommandError("a fleet or --job JOB is missing; see 'locfleet help wait'")
            }
            let fleet = try arguments.onlyOperand("fleet", verb: "wait")
            let client = try DaemonArguments.client(arguments)
            let wait = JobWait(client: client, terminal: terminal)
            if client.timeoutSeconds == nil { try wait.tellIfHalted(fleet) }
            let result = try wait.end(fleet: fleet)
            let shown = result.node["fleet"]
            let state = shown?["state"]?.string ?? ""
            try terminal.print(
                arguments.has("--json") ? result.text + "\n" : "\(fleet): \(state)\n")
            if let error = shown?["error"]?.string {
                terminal.complain("locfleet: \(fleet): \(printable(error))")
            }
            guard state == "finished" else { return .failed }
            return shown?["thresholds_met"]?.bool == false ? .verdictIsNo : .done
        })

    static let jobs = Verb(
        name: "jobs", usage: "[options]",
        summary: "list what was begun and takes its time, with the last that ended",
        options: .daemonOptions,
        examples: [
            "locfleet jobs", "locfleet jobs --json | jq '.[] | select(.state == \"running\")'",
        ],
        run: { arguments, terminal throws(CommandError) in
            try arguments.noOperand(verb: "jobs")
            let result = try DaemonArguments.client(arguments).call(.jobs)
            if arguments.has("--json") {
                try terminal.print(result.text + "\n")
                return .done
            }
            let names = ["job", "method", "fleet", "goal", "state", "at", "why"]
            let rows = (result.node.array ?? []).map { job in
                names.map { name in
                    guard name == "at" else { return printable(job[name]?.string ?? "") }
                    return job["at_seconds"]?.number == nil ? "" : human(job.span("at_seconds"))
                }
            }
            try terminal.print(
                rows.isEmpty
                    ? "there are no jobs\n"
                    : Listing.text(
                        names.map { (title: $0, isNumber: $0 == "at") }, rows,
                        isColored: terminal.hasColor))
            return .done
        })
}
