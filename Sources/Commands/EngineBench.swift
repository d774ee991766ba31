import DaemonRuntime
import SimPrimitives
import Simulation

/// `locfleet-bench --engine`: what the engine costs, as ratios of programs run in turn in one
/// process.
///
/// Machines are noisy, so a figure alone says little: compare the medians of one table.
struct EngineBench {
    static let options: [OptionSpec] = [
        .flag(
            "--engine", "measure the demo and one hook in this process, with records and without"),
        .value(
            "--devices", "N",
            "with --engine or --lua: devices of each run (65536); with --control (1000000)"),
        .value(
            "--days", "D",
            "with --engine or --lua: simulated days of each run (30); with --control (3)"),
    ]

    let rounds: Int
    let devices: UInt64
    let days: String
    let terminal: Terminal
    /// The demo, and a scenario whose only hook is never called.
    let demo: Scenario
    let bare: Scenario

    init(_ arguments: Arguments, rounds: Int, terminal: Terminal) throws(CommandError) {
        let devices = try arguments.number("--devices", in: 1...1_000_000) ?? 65_536 as UInt64
        let days = arguments.value("--days") ?? "30"
        func scenario(_ path: String) throws(CommandError) -> Scenario {
            let arguments = try Arguments(
                [path, "--devices", "\(devices)", "--days", days],
                options: ScenarioArguments.options, verb: "run")
            return try ScenarioArguments(arguments, verb: "run").bundle.scenario
        }
        (self.rounds, self.devices, self.days) = (rounds, devices, days)
        self.terminal = terminal
        demo = try scenario("config/scenarios/progressive.json5")
        bare = try scenario("config/bench/bare.json5")
    }

    /// One row of the table.
    private struct Row {
        let name: String
        let scenario: Scenario
        let workers: Int
        let keepsRecords: Bool
    }

    func run() throws(CommandError) {
        let rows = [
            Row(name: "demo, 1 worker", scenario: demo, workers: 1, keepsRecords: false),
            Row(name: "demo, 2 workers", scenario: demo, workers: 2, keepsRecords: false),
            Row(name: "demo, 1 worker, records", scenario: demo, workers: 1, keepsRecords: true),
            Row(name: "one hook, 1 worker", scenario: bare, workers: 1, keepsRecords: false),
        ]
        var rates = [[Double]](repeating: [], count: rows.count)
        for round in 1...rounds {
            for (index, row) in rows.enumerated() {
                rates[index].append(try eventsPerSecond(row))
            }
            if terminal.showsProgress { terminal.draw("\rround \(round) of \(rounds)\u{1B}[K") }
        }
        if terminal.showsProgress { terminal.draw("\r\u{1B}[K") }
        try terminal.print(table(rows, rates))
    }

    private func eventsPerSecond(_ row: Row) throws(CommandError) -> Double {
        let runner = try FleetRunner.ready(
            [Arm(name: Arm.baseName, scenario: row.scenario)],
            FleetRunner.Options(workers: row.workers, keepsRecords: row.keepsRecords))
        let log: RecordLog?
        do throws(LogError) {
            log = row.keepsRecords ? try RecordLog(path: "/dev/null") : nil
        } catch { throw CommandError(error.message) }
        let clock = ContinuousClock()
        let began = clock.now
        guard case .duration = runner.run(log: log) else {
            throw CommandError("\(row.name): the run did not end", status: .failed)
        }
        let seconds = (clock.now - began) / .seconds(1)
        return Double(runner.eventCount) / max(seconds, 1e-9)
    }

    private func table(
        _ rows: [Row], _ rates: [[Double]]
    ) -> String {
        func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
        func millions(_ value: Double) -> String {
            let hundredths = Int((value / 1e4).rounded())
            return "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10)"
        }
        func cell(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.count)) + text
        }
        let first = median(rates[0])
        var text = "\(devices) devices, \(days) days, million events a second\n"
        text += "                          median   least    most   ratio to the first\n"
        for (row, values) in zip(rows, rates) {
            text += row.name + String(repeating: " ", count: max(1, 24 - row.name.count))
            text += cell(millions(median(values)), 8) + cell(millions(values.min() ?? 0), 8)
            text += cell(millions(values.max() ?? 0), 8)
            text += cell(millions(median(values) / first * 1e6), 8) + "\n"
        }
        return text
    }
}
