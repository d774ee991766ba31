import ControlProtocol
import ControlService
import Foundation
import JSONText
import Reports
import SimPrimitives

/// What the daemon shows of a fleet.
extension Verb {
    static let funnel = Verb(
        name: "funnel", usage: "FLEET [options]",
        summary: "show the funnel of a fleet in the daemon",
        options: .daemon([
            .flag("--watch", "again and again, until the fleet has come to its end"),
            .value("--every", "SECONDS", "between two of them (1)"),
            .value("--count", "N", "with --watch: end after so many"),
        ]),
        examples: [
            "locfleet funnel demo", "locfleet funnel demo --watch --every 5",
            "locfleet funnel demo --json | jq '.funnel[] | {step, reached}'",
        ],
        run: { arguments, terminal throws(CommandError) in
            guard arguments.has("--watch") else {
                for option in ["--every", "--count"] where arguments.has(option) {
                    throw CommandError("\(option) is for --watch")
                }
                return try view(.funnel, arguments, terminal)
            }
            return try watchFunnel(arguments, terminal)
        })

    static let metrics = Verb(
        name: "metrics", usage: "[FLEET] [options]",
        summary: "show all figures of a fleet; status 3 when it ended and missed a threshold",
        options: .daemon([
            .value(
                "--format", "FORMAT",
                "text, json, or openmetrics: then without a fleet of the daemon and all fleets")
        ]),
        examples: [
            "locfleet metrics demo", "locfleet metrics demo --json | jq .arms[0].opt_in",
            "locfleet metrics --format openmetrics | grep locfleet_funnel_reached",
        ],
        run: { arguments, terminal throws(CommandError) in
            switch arguments.value("--format") {
            case nil, "text"?, "json"?: try view(.metrics, arguments, terminal)
            case "openmetrics"?: try exposition(arguments, terminal)
            case let text?:
                throw CommandError("--format is text, json or openmetrics, not '\(text)'")
            }
        })

    private static func exposition(
        _ arguments: Arguments, _ terminal: Terminal
    ) throws(CommandError) -> ExitStatus {
        guard arguments.operands.count < 2 else {
            throw CommandError("one fleet is taken, not also '\(arguments.operands[1])'")
        }
        let result = try DaemonArguments.client(arguments).call(
            .metrics,
            JSONLine.object {
                if let fleet = arguments.operands.first { $0.member("fleet", fleet) }
                $0.member("format", ControlMethod.openMetrics)
            })
        let text = result.node["text"]?.string ?? ""
        try terminal.print(arguments.has("--json") ? result.text + "\n" : text)
        return .done
    }

    private static func view(
        _ method: ControlMethod, _ arguments: Arguments, _ terminal: Terminal
    ) throws(CommandError) -> ExitStatus {
        if method == .metrics, arguments.operands.isEmpty {
            throw CommandError(
                "a fleet is missing: only --format openmetrics tells of all; see "
                    + "'locfleet help metrics'")
        }
        let fleet = try arguments.onlyOperand("fleet", verb: method.name)
        let isJSON = arguments.has("--json") || arguments.value("--format") == "json"
        let result = try DaemonArguments.client(arguments).call(
            method, DaemonArguments.parameters(of: fleet) { look(&$0, isJSON, terminal) })
        try terminal.print(isJSON ? result.text + "\n" : result.node["text"]?.string ?? "")
        let isMissed = result.node["thresholds_met"]?.bool == false
        let isOver = finalStates.contains(result.node["state"]?.string ?? "")
        return isMissed && isOver ? .verdictIsNo : .done
    }

    /// In which nothing changes any more.
    static let finalStates = ["finished", "stopped", "failed"]

    /// How a view is to look on this terminal.
    static func look(
        _ members: inout JSONLine.Members, _ isJSON: Bool, _ terminal: Terminal
    ) {
        members.member("format", isJSON ? "json" : "text")
        guard !isJSON else { return }
        members.member("width", min(max(terminal.outWidth, 20), 1_000))
        members.member("color", terminal.hasColor)
    }

    private static func watchFunnel(
        _ arguments: Arguments, _ terminal: Terminal
    ) throws(CommandError) -> ExitStatus {
        let fleet = try arguments.onlyOperand("fleet", verb: "funnel")
        let isJSON = arguments.has("--json")
        let seconds =
            try arguments.decimal("--every", in: ControlRequest.everySeconds, " of seconds") ?? 1
        return try FunnelWatch(
            client: try DaemonArguments.client(arguments), fleet: fleet, everySeconds: seconds,
            count: try arguments.number("--count", in: 1...UInt64.max), isJSON: isJSON
        ).run(terminal)
    }

    // MARK: - Records

    static let watch = Verb(
        name: "watch", usage: "FLEET [options]",
        summary: "print a fleet's records as they happen, as lines of JSON",
        options: [
            .list("--type", "TYPE", "only these, such as answer; may be repeated"),
            .value("--where", "CONDITION", "only of these devices, such as 'persona = depends'"),
            .flag("--json", "as it prints anyway"),
            DaemonArguments.socket, DaemonArguments.timeout,
        ],
        examples: [
            "locfleet watch demo --type status | jq -c '{device, true}'",
            "locfleet watch demo --where 'device < 100'",
        ],
        run: { arguments, terminal throws(CommandError) in
            try watchRecords(arguments, terminal)
        })

    private static func watchRecords(
        _ arguments: Arguments, _ terminal: Terminal
    ) throws(CommandError) -> ExitStatus {
        let fleet = try arguments.onlyOperand("fleet", verb: "watch")
        let client = try DaemonArguments.client(arguments)
        _ = try client.call(
            .watch,
            DaemonArguments.parameters(of: fleet) {
                $0.member("types", arguments.all("--type"))
                if let condition = arguments.value("--where") { $0.member("where", condition) }
            })
        var lost = "0"
        while true {
            let news = try client.nextNotification(of: fleet)
            let records = news.parameters["records"]?.array ?? []
            try terminal.print(records.map { $0.text + "\n" }.joined())
            if let count = news.parameters["lost"]?.number, count != lost {
                terminal.complain(
                    "locfleet: \(count) records lost so far: this reader is slow, or the fleet "
                        + "runs flat out and spares its time; 'locfleet fleet rate' paces it")
                lost = count
            }
            if news.parameters["ended"]?.bool == true { return .done }
        }
    }

    // MARK: - Devices

    static let deviceList = Verb(
        name: "device list", usage: "FLEET [options]",
        summary: ControlMethod.deviceList.verbSummary,
        options: .daemon([
            .value("--where", "CONDITION", "such as 'persona = depends and status = denied'"),
            .value("--limit", "N", "at most so many (20)"),
            .value("--after", "N", "only devices with greater numbers: the next page"),
        ]),
        examples: [
            "locfleet device list demo --where 'status = authorizedAlways' --limit 5",
            "locfleet device list demo --where 'ios < 17' --json | jq '.devices[].device'",
        ],
        run: { arguments, terminal throws(CommandError) in
            try listDevices(arguments, terminal)
        })

    private static func listDevices(
        _ arguments: Arguments, _ terminal: Terminal
    ) throws(CommandError) -> ExitStatus {
        let fleet = try arguments.onlyOperand("fleet", verb: "device list")
        let limit = try arguments.number("--limit", in: 1...10_000)
        let after = try arguments.number("--after", in: 0...UInt32.max)
        let result = try DaemonArguments.client(arguments).call(
            .deviceList,
            DaemonArguments.parameters(of: fleet) {
                if let condition = arguments.value("--where") { $0.member("where", condition) }
                if let limit { $0.member("limit", limit) }
                if let after { $0.member("after", after) }
            })
        if arguments.has("--json") {
            try terminal.print(result.text + "\n")
            return .done
        }
        let devices = result.node["devices"]?.array ?? []
        let hasArms = devices.contains { $0["arm"] != nil }
        let names =
            ["device"] + (hasArms ? ["arm"] : []) + ["persona", "ios", "status", "true_status"]
        let rows = devices.map { device in
            names.map { device[$0]?.string ?? device[$0]?.number ?? "deleted" }
        }
        let columns = names.map { (title: $0, isNumber: $0 == "device" || $0 == "ios") }
        try terminal.print(
            rows.isEmpty
                ? "no device is like that\n"
                : Listing.text(columns, rows, isColored: terminal.hasColor))
        if let next = result.node["next"]?.number {
            terminal.complain("there are more: --after \(next)")
        }
        return .done
    }

    // MARK: - The daemon

    static let daemonStatus = Verb(
        name: "daemon status", usage: "[options]",
        summary: ControlMethod.daemonStatus.verbSummary, options: .daemonOptions,
        examples: ["locfleet daemon status", "locfleet daemon status --json | jq .fleets"],
        run: { arguments, terminal throws(CommandError) in
            try show(.daemonStatus, arguments, terminal)
        })

    static let daemonReload = Verb(
        name: "daemon reload", usage: "[options]",
        summary: ControlMethod.daemonReload.verbSummary,
        options: .daemonOptions, examples: ["locfleet daemon reload"],
        run: { arguments, terminal throws(CommandError) in
            try arguments.noOperand(verb: "daemon reload")
            let result = try DaemonArguments.client(arguments).call(.daemonReload)
            if arguments.has("--json") {
                try terminal.print(result.text + "\n")
                return .done
            }
            func keys(_ name: String) -> [String] {
                result.node[name]?.array?.compactMap(\.string) ?? []
            }
            let reload = DaemonReload(
                config: result.node["config"]?.string, changed: keys("changed"),
                needsRestart: keys("needs_restart"))
            try terminal.print(reload.sentence + "\n")
            return .done
        })

    static let daemonStop = Verb(
        name: "daemon stop", usage: "[options]",
        summary: ControlMethod.daemonStop.verbSummary,
        options: .daemonOptions, examples: ["locfleet daemon stop"],
        run: { arguments, terminal throws(CommandError) in
            try arguments.noOperand(verb: "daemon stop")
            let client = try DaemonArguments.client(arguments)
            let result = try client.call(.daemonStop)
            try terminal.print(arguments.has("--json") ? result.text + "\n" : "stopping\n")
            client.waitForEnd()
            return .done
        })
}
