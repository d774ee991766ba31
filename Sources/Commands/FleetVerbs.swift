import ControlProtocol
import JSONText
import Reports

extension Verb {
    static let fleetCreate = Verb(
        name: "fleet create",
        usage: "SCENARIO.json5 [--name NAME] [options]",
        summary: "send a scenario to the daemon and run it there",
        options: [
            .value("--name", "NAME", "what the fleet is called; without it, as the scenario is"),
            .flag("--paused", "create it and do nothing yet: 'fleet start' runs it"),
            FleetRate.option,
            .value("--by", "persona,ios", "keep the figures apart by persona, iOS version or both"),
            ScenarioArguments.arm,
        ] + ScenarioArguments.options + DaemonArguments.all,
        examples: [
            "locfleet fleet create config/scenarios/progressive.json5 --name demo",
            "locfleet fleet create my.json5 --name slow --rate 60x --devices 1000",
        ],
        run: { arguments, terminal throws(CommandError) in try create(arguments, terminal) })

    private static func create(
        _ arguments: Arguments, _ terminal: Terminal
    ) throws(CommandError) -> ExitStatus {
        let scenario = try ScenarioArguments(arguments, verb: "fleet create")
        let bundle = scenario.bundle
        scenario.notes.forEach(terminal.complain)
        let by = try Split(arguments.value("--by")).names
        let rate = try FleetRate(arguments)
        let client = try DaemonArguments.client(arguments)
        try BundleUpload(client: client).send(bundle)
        let result = try client.call(
            .fleetCreate,
            JSONLine.object {
                $0.member("name", arguments.value("--name") ?? bundle.scenario.name)
                $0.member("bundle", bundle.sha256)
                $0.member("paused", arguments.has("--paused"))
                $0.member("rate", rate.description)
                $0.member("by", by)
            })
        return try tell(result, arguments, terminal)
    }

    static let fleetList = Verb(
        name: "fleet list", usage: "[options]", summary: ControlMethod.fleetList.verbSummary,
        options: .daemonOptions,
        examples: [
            "locfleet fleet list",
            "locfleet fleet list --json | jq '.[] | select(.state == \"running\").fleet'",
        ],
        run: { arguments, terminal throws(CommandError) in
            try arguments.noOperand(verb: "fleet list")
            let client = try DaemonArguments.client(arguments)
            let result = try client.call(.fleetList)
            let refused = try client.call(.daemonStatus).node["not_taken_up"]?.array ?? []
            for line in refused { terminal.complain("locfleet: \(line.string ?? "")") }
            if arguments.has("--json") {
                try terminal.print(result.text + "\n")
                return .done
            }
            let columns: [(title: String, isNumber: Bool)] = [
                ("fleet", false), ("state", false), ("at", true), ("of", true), ("rate", true),
                ("devices", true), ("arms", true), ("scenario", false),
            ]
            let rows = (result.node.array ?? []).map { fleet in
                [
                    fleet["fleet"]?.string ?? "", fleet["state"]?.string ?? "",
                    human(fleet.span("at_seconds")), human(fleet.span("duration_seconds")),
                    fleet["rate"]?.string ?? "", grouped(fleet.count("devices")),
                    String(fleet["arms"]?.array?.count ?? 0), fleet["scenario"]?.string ?? "",
                ]
            }
            try terminal.print(
                rows.isEmpty
                    ? "there are no fleets; 'locfleet fleet create' makes one\n"
                    : Listing.text(columns, rows, isColored: terminal.hasColor))
            return .done
        })

    static let fleetShow = Verb(
        name: "fleet show", usage: "FLEET [options]", summary: ControlMethod.fleetShow.verbSummary,
        options: .daemonOptions, examples: ["locfleet fleet show demo"],
        run: { arguments, terminal throws(CommandError) in
            try show(.fleetShow, arguments, terminal)
        })

    /// A verb that only changes a fleet's state.
    private static func change(
        _ method: ControlMethod
    ) -> Verb {
        let name = method.name.split(separator: ".").joined(separator: " ")
        return Verb(
            name: name, usage: "FLEET [options]", summary: method.verbSummary,
            options: .daemonOptions,
            examples: ["locfleet \(name) demo"],
            run: { arguments, terminal throws(CommandError) in
                let fleet = try arguments.onlyOperand("fleet", verb: name)
                let client = try DaemonArguments.client(arguments)
                let result = try client.call(method, DaemonArguments.parameters(of: fleet))
                return try tell(result, arguments, terminal)
            })
    }

    static let fleetStart = change(.fleetStart)
    static let fleetPause = change(.fleetPause)
    static let fleetResume = change(.fleetResume)
    static let fleetStop = change(.fleetStop)
    static let fleetDelete = change(.fleetDelete)

    static let fleetRate = Verb(
        name: "fleet rate", usage: "FLEET RATE [options]",
        summary: ControlMethod.fleetRate.verbSummary,
        options: .daemonOptions,
        examples: ["locfleet fleet rate demo 3600x", "locfleet fleet rate demo max"],
        run: { arguments, terminal throws(CommandError) in
            guard arguments.operands.count == 2 else {
                throw CommandError(
                    "a fleet and a rate are taken; see 'locfleet help fleet rate'")
            }
            let rate = try FleetRate(word: arguments.operands[1], named: "a rate")
            let client = try DaemonArguments.client(arguments)
            let result = try client.call(
                .fleetRate,
                DaemonArguments.parameters(of: arguments.operands[0]) {
                    $0.member("rate", rate.description)
                })
            return try tell(result, arguments, terminal)
        })

    // MARK: - What is printed

    /// The fleet and its new state in one line, or the result as it came.
    private static func tell(
        _ result: ControlResult, _ arguments: Arguments, _ terminal: Terminal
    ) throws(CommandError) -> ExitStatus {
        if arguments.has("--json") {
            try terminal.print(result.text + "\n")
        } else {
            let state = result.node["state"]?.string ?? "deleted"
            try terminal.print("\(result.node["fleet"]?.string ?? "fleet"): \(state)\n")
        }
        return .done
    }

    /// Every member of a result on a line of its own, or the result as it came.
    static func show(
        _ method: ControlMethod, _ arguments: Arguments, _ terminal: Terminal
    ) throws(CommandError) -> ExitStatus {
        let isAboutFleet = method == .fleetShow
        if !isAboutFleet { try arguments.noOperand(verb: "daemon") }
        let parameters =
            isAboutFleet
            ? DaemonArguments.parameters(
                of: try arguments.onlyOperand("fleet", verb: "fleet show")) : "{}"
        return try show(
            try DaemonArguments.client(arguments).call(method, parameters), arguments, terminal)
    }

    static func show(
        _ result: ControlResult, _ arguments: Arguments, _ terminal: Terminal
    ) throws(CommandError) -> ExitStatus {
        guard !arguments.has("--json"), case .object(let members) = result.node.value else {
            try terminal.print(result.text + "\n")
            return .done
        }
        let rows = members.map { [$0.name, $0.node.plain] }
        try terminal.print(
            Listing.text([("", false), ("", false)], rows, isColored: terminal.hasColor))
        return .done
    }
}

extension JSONNode {
    /// As a person would write it.
    fileprivate var plain: String {
        switch value {
        case .null: "–"
        case .bool(let bool): bool ? "yes" : "no"
        case .number(let text), .string(let text): text
        case .array(let items): items.map(\.plain).joined(separator: ", ")
        case .object(let members):
            members.map { "\($0.name) \($0.node.plain)" }.joined(separator: ", ")
        }
    }
}

extension Arguments {
    func noOperand(verb: String) throws(CommandError) {
        guard operands.isEmpty else {
            throw CommandError("'\(operands[0])' is not taken; see 'locfleet help \(verb)'")
        }
    }
}
