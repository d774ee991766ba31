import Bundles
import ControlProtocol
import DaemonRuntime
import Foundation
import JSONText
import Reports
import SimPrimitives
import Simulation
import Telemetry

extension Verb {
    static let why = Verb(
        name: "why",
        usage: "SCENARIO.json5|FLEET|EXPORT --device N [options]",
        summary: "replay one device alone and tell its life as a story",
        options: [
            .value("--device", "N", "the device's number, from 0"),
            .value("--arm", "FILE|NAME", "its life in this arm: a strategy's file, or a name"),
        ]
            + ScenarioArguments.options + [
                .flag("--json", "print its records as lines of JSON"), DaemonArguments.socket,
                DaemonArguments.timeout,
            ],
        examples: [
            "locfleet why config/scenarios/progressive.json5 --device 17",
            "locfleet why my.json5 --device 17 --json | jq -c 'select(.type == \"status\")'",
            "locfleet why demo --device 17", "locfleet why demo.export --device 17",
        ],
        run: { arguments, terminal throws(CommandError) in try why(arguments, terminal) })

    private static func why(
        _ arguments: Arguments, _ terminal: Terminal
    ) throws(CommandError) -> ExitStatus {
        if arguments.operands.count == 2, UInt32(arguments.operands[1]) != nil {
            throw CommandError(
                "a device's number goes to --device, as in 'locfleet why "
                    + "\(shellWord(arguments.operands[0])) --device \(arguments.operands[1])'")
        }
        guard let word = arguments.value("--device") else {
            throw CommandError("--device is missing; see 'locfleet help why'")
        }
        let operand = try arguments.onlyOperand("scenario, fleet or export", verb: "why")
        if isFleet(operand) { return try whyInDaemon(operand, word, arguments, terminal) }
        return try WhyCommand(operand, arguments).tell(word, arguments.has("--json"), terminal)
    }

    /// Without a file of that name it is a fleet in the daemon; with a slash or a dot before its
    /// ending it is meant as a file.
    private static func isFleet(_ operand: String) -> Bool {
        !FileManager.default.fileExists(atPath: operand) && !operand.contains("/")
            && !operand.hasSuffix(".json5") && !operand.hasSuffix(".json")
    }

    static func whyInDaemon(
        _ fleet: String, _ device: String, _ arguments: Arguments, _ terminal: Terminal
    ) throws(CommandError) -> ExitStatus {
        guard let number = UInt32(device) else {
            throw CommandError("--device is a whole number, not '\(device)'")
        }
        for name in ["--devices", "--days", "--seed", "--set"] where arguments.has(name) {
            throw CommandError(
                "\(name) changes a scenario; '\(fleet)' is no file, and a fleet stays as it is")
        }
        let isJSON = arguments.has("--json")
        let client = try DaemonArguments.client(arguments)
        var from: String? = "0"
        while let first = from {
            let result = try client.call(
                .why,
                DaemonArguments.parameters(of: fleet) {
                    $0.member("device", number)
                    $0.member("from", Int(first) ?? 0)
                    if let arm = arguments.value("--arm") { $0.member("arm", arm) }
                    look(&$0, isJSON, terminal)
                })
            from = result.node["next"]?.number
            let records = result.node["records"]?.array ?? []
            let story = result.node["story"]?.string ?? ""
            try terminal.print(
                isJSON
                    ? records.map { $0.text + "\n" }.joined()
                    : story + (from == nil ? "" : "\n"))
        }
        return .done
    }
}

/// `locfleet why` of a scenario or an export: one device, played in this process.
private struct WhyCommand {
    let bundle: Bundles.Bundle
    let place: Int
    let export: FleetExport?

    init(_ operand: String, _ arguments: Arguments) throws(CommandError) {
        guard FleetExport.isThere(operand) else {
            (bundle, export) = (try ScenarioArguments(arguments, verb: "why").bundle, nil)
            place = arguments.has("--arm") ? bundle.arms.count - 1 : 0
            return
        }
        let export = try FleetExport(operand, arguments, verb: "why")
        (bundle, self.export) = (export.bundle, export)
        let (names, wanted) = (bundle.arms.map(\.name), arguments.value("--arm"))
        guard let place = names.firstIndex(of: wanted ?? Arm.baseName) else {
            throw CommandError(
                "--arm: the export has no arm \"\(wanted ?? "")\"; there are: "
                    + names.joined(separator: ", "))
        }
        self.place = place
    }

    func tell(
        _ word: String, _ isJSON: Bool, _ terminal: Terminal
    ) throws(CommandError) -> ExitStatus {
        var arm = bundle.arms[place]
        let last = arm.scenario.deviceCount - 1
        guard let number = UInt32(word), number <= last else {
            throw CommandError(
                "--device is a whole number in 0 ... \(last): the "
                    + "\(export == nil ? "scenario" : "fleet") has \(arm.scenario.deviceCount) "
                    + "devices; not '\(word)'")
        }
        let runner = try FleetRunner.ready(
            [arm],
            FleetRunner.Options(
                workers: 1, devices: number..<number + 1, keepsRecords: true, listens: true),
            arm: place, journal: export?.journal ?? [])
        if case .failed(let failure) = runner.run(until: export?.until) {
            throw CommandError("\(failure.code.rawValue): \(failure.detail)", status: .failed)
        }
        arm.scenario.take(export?.journal ?? [])
        let scenario = arm.scenario
        let (records, names) = runner.takeRecords()
        guard isJSON else {
            let writer = StoryWriter(
                scenario: scenario, facts: StoryWriter.Facts(of: number, in: scenario),
                isColored: terminal.hasColor, width: terminal.outWidth)
            try terminal.print(
                writer.story(
                    of: records, names: names, speech: runner.speech,
                    upTo: export.flatMap { $0.hasEnded ? nil : $0.until }))
            return .done
        }
        var writer = RecordWriter(
            zone: scenario.zone, scripts: scenario.scripts.map(\.name))
        var bytes: [UInt8] = []
        for record in records { writer.append(record, names: names, to: &bytes) }
        try terminal.print(bytes)
        return .done
    }
}
