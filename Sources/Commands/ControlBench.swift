import Bundles
import ControlProtocol
import Foundation
import JSONText

/// `locfleet-bench --control`: how fast the daemon answers, and its workers come to rest, while a
/// large fleet runs flat out; and how much slower it runs with ten watchers.
struct ControlBench {
    static let options: [OptionSpec] = [
        .flag("--control", "measure how fast the daemon answers while a fleet runs flat out"),
        .value(
            "--calls", "N", "with --control: calls of each method (1000); a tenth as many pauses"),
        .value("--scenario", "FILE", "with --control: what the fleet runs (progressive.json5)"),
    ]

    /// Between two calls: as people and dashboards ask, and not in one burst.
    private static let pauseMicroseconds: UInt32 = 10_000
    /// What the fleet does between two pauses, and what it does longer each time, so that pauses
    /// come at all points of an epoch.
    private static let runMicroseconds: (least: UInt32, more: UInt32) = (50_000, 7_919)
    /// The least of the latencies that are told, in seconds.
    static let answersDue = 0.1
    private static let restDue = 0.05

    let devices: UInt64
    /// Of each run of a pair.
    let days: String
    let rounds: Int
    let calls: Int
    let scenario: String
    let isJSON: Bool
    let terminal: Terminal

    private let fleet = DaemonArguments.parameters(of: "bench")

    init(_ arguments: Arguments, _ terminal: Terminal) throws(CommandError) {
        devices = try arguments.number("--devices", in: 1...10_000_000) ?? 1_000_000
        days = arguments.value("--days") ?? "3"
        rounds = try arguments.number("--rounds", in: 0...101) ?? 9
        calls = try arguments.number("--calls", in: 1...1_000_000) ?? 1_000
        scenario = arguments.value("--scenario") ?? "config/scenarios/progressive.json5"
        (isJSON, self.terminal) = (arguments.has("--json"), terminal)
    }

    func run() throws(CommandError) {
        let daemon = try BenchDaemon()
        defer { daemon.stop() }
        let bundle = try bundle(days: "3650")
        let client = try daemon.client()
        try BundleUpload(client: client).send(bundle)
        _ = try client.call(
            .fleetCreate,
            JSONLine.object {
                $0.member("name", "bench")
                $0.member("bundle", bundle.sha256)
            })
        var rows = try answers(client)
        rows += try pauses(client)
        let end = try client.call(.fleetShow, fleet).node
        rows += try stop(client)
        _ = try client.call(.fleetDelete, fleet)
        let short = try self.bundle(days: days)
        try BundleUpload(client: client).send(short)
        let pairs = try ControlPairs(daemon: daemon, bundle: short, terminal: terminal)
            .run(rounds: rounds)
        rows += ControlPage.rows(of: pairs)
        if terminal.showsProgress { terminal.draw("\r\u{1B}[K") }
        let page = ControlPage(devices: devices, rows: rows, fleet: end, days: days, pairs: pairs)
        try terminal.print(isJSON ? page.json : page.text)
        let late = rows.filter { !$0.isKept }.map(\.name)
        var complaints = late.isEmpty ? [] : ["later than due: \(late.joined(separator: ", "))"]
        if page.isSlowed {
            complaints.append(
                "slower with watchers than due: \(ControlPage.fixed(page.wallRatio)) times the "
                    + "wall time")
        }
        guard complaints.isEmpty else {
            throw CommandError(complaints.joined(separator: "; "), status: .verdictIsNo)
        }
    }

    private func bundle(days: String) throws(CommandError) -> Bundles.Bundle {
        let words = [scenario, "--devices", "\(devices)", "--days", days]
        let arguments = try Arguments(words, options: ScenarioArguments.options, verb: "run")
        return try ScenarioArguments(arguments, verb: "run").bundle
    }

    private func seconds(_ work: () throws(CommandError) -> Void) throws(CommandError) -> Double {
        let began = ContinuousClock.now
        try work()
        return (ContinuousClock.now - began) / .seconds(1)
    }

    private func show(_ what: String, _ index: Int, of count: Int) {
        guard terminal.showsProgress else { return }
        terminal.draw("\r\(what) \(index + 1) of \(count)\u{1B}[K")
    }

    /// Each question asked `calls` times.
    private func answers(_ client: ControlClient) throws(CommandError) -> [ControlPage.Row] {
        let list = DaemonArguments.parameters(of: "bench") {
            $0.member("where", "status = authorizedAlways")
        }
        let methods: [(ControlMethod, String)] = [
            (.daemonStatus, "{}"), (.funnel, fleet), (.metrics, fleet), (.fleetShow, fleet),
            (.deviceList, list),
        ]
        var rows = methods.map { ControlPage.Row($0.0.name, due: Self.answersDue) }
        for call in 0..<calls {
            for (index, (method, parameters)) in methods.enumerated() {
                rows[index].seconds.append(
                    try seconds { () throws(CommandError) in
                        _ = try client.call(method, parameters)
                    })
                usleep(Self.pauseMicroseconds)
            }
            show("call", call, of: calls)
        }
        return rows
    }

    /// Pauses and resumes; how long until the answer, and until the workers are at rest.
    private func pauses(_ client: ControlClient) throws(CommandError) -> [ControlPage.Row] {
        var (pause, resume) = (
            ControlPage.Row("fleet.pause", due: Self.answersDue),
            ControlPage.Row("fleet.resume", due: Self.answersDue)
        )
        var rest = ControlPage.Row("paused: at rest", due: Self.restDue)
        let count = max(1, calls / 10)
        for index in 0..<count {
            pause.seconds.append(
                try seconds { () throws(CommandError) in
                    _ = try client.call(.fleetPause, fleet)
                })
            rest.seconds.append(try secondsToRest(client))
            resume.seconds.append(
                try seconds { () throws(CommandError) in
                    _ = try client.call(.fleetResume, fleet)
                })
            usleep(Self.runMicroseconds.least + UInt32(index % 20) * Self.runMicroseconds.more)
            show("pause", index, of: count)
        }
        return [pause, rest, resume]
    }

    private func stop(_ client: ControlClient) throws(CommandError) -> [ControlPage.Row] {
        var stop = ControlPage.Row("fleet.stop", due: Self.answersDue)
        var rest = ControlPage.Row("stopped: at rest", due: Self.restDue)
        stop.seconds = [
            try seconds { () throws(CommandError) in _ = try client.call(.fleetStop, fleet) }
        ]
        rest.seconds = [try secondsToRest(client)]
        return [stop, rest]
    }

    /// Waits until the workers have come to rest, and asks how long they took.
    private func secondsToRest(_ client: ControlClient) throws(CommandError) -> Double {
        while true {
            let shown = try client.call(.fleetShow, fleet).node
            if let text = shown["halt_seconds"]?.number, let halt = Double(text) { return halt }
            usleep(1_000)
        }
    }
}
