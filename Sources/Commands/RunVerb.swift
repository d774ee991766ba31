import Bundles
import DaemonRuntime
import Foundation
import Reports
import SimPrimitives
import Simulation

extension Verb {
    static let run = Verb(
        name: "run",
        usage: "SCENARIO.json5 [options]",
        summary: "run a fleet in this process and print its funnel",
        options: ScenarioArguments.options + [
            ScenarioArguments.arm,
            .value("--by", "persona,ios", "split the figures by persona, iOS version or both"),
            .value("--workers", "W", "threads to use; the result does not depend on it"),
            .value(
                "--log", "FILE",
                "write every record as a line of JSON; - to standard output, with the report on "
                    + "standard error"
            ),
            .flag("--json", "print the report as JSON"),
            .flag("--csv", "print the funnels as CSV"),
        ],
        examples: [
            "locfleet run config/scenarios/progressive.json5 --devices 10000 --days 7",
            "locfleet run my.json5 --set app.options.upgrade_after_uses=10 --by persona",
            "locfleet run config/scenarios/progressive.json5 --arm ask_on_launch.lua",
            "locfleet run my.json5 --devices 100 --log - | jq 'select(.type == \"answer\")'",
        ],
        run: { arguments, terminal throws(CommandError) in
            try RunCommand(arguments).run(on: terminal)
        })
}

/// `locfleet run`: from the words of the command line to the report.
struct RunCommand {
    static let workersMax = 1_024

    private enum Format { case text, json, csv }

    private let bundle: Bundles.Bundle
    private let notes: [String]
    private let split: Split
    private let workers: Int
    private let logPath: String?
    private let format: Format
    /// See `Report.why`.
    private let why: String

    init(_ arguments: Arguments) throws(CommandError) {
        format = arguments.has("--json") ? .json : arguments.has("--csv") ? .csv : .text
        if arguments.has("--json"), arguments.has("--csv") {
            throw CommandError("--json and --csv exclude each other")
        }
        logPath = arguments.value("--log")
        if logPath == "-", format != .text {
            throw CommandError(
                "--log - and --json or --csv would share standard output; name a file")
        }
        workers =
            try arguments.number("--workers", in: 1...Self.workersMax)
            ?? ProcessInfo.processInfo.activeProcessorCount
        split = try Split(arguments.value("--by"))
        let scenario = try ScenarioArguments(arguments, verb: "run")
        (bundle, notes) = (scenario.bundle, scenario.notes)
        why = ScenarioArguments.command("why", arguments)
        try refuseLogOverInput(arguments.operands.first ?? "")
    }

    /// A log in the place of the scenario or a file that it names would destroy it.
    private func refuseLogOverInput(_ scenario: String) throws(CommandError) {
        guard let logPath, logPath != "-" else { return }
        func place(_ path: URL) -> String {
            path.resolvingSymlinksInPath().standardizedFileURL.path(percentEncoded: false)
        }
        let folder = URL(filePath: scenario).deletingLastPathComponent()
        let inputs =
            [URL(filePath: scenario)] + bundle.blobs.map { folder.appending(path: $0.name) }
        let log = place(URL(filePath: logPath))
        guard inputs.contains(where: { place($0) == log }) else { return }
        throw CommandError("--log \(logPath): the run reads this file; name another")
    }

    func run(on terminal: Terminal) throws(CommandError) -> ExitStatus {
        let clock = ContinuousClock()
        let began = clock.now
        let interrupt = Interrupt()
        let scenario = bundle.scenario
        if let lack = Machine.lackOfMemory(for: bundle.arms) {
            throw CommandError("\(lack); run fewer with --devices", status: .failed)
        }
        for note in notes { terminal.complain(note) }
        let runner = try makeRunner()
        let log = try openLog()
        var bar = ProgressBar(terminal, duration: scenario.duration)
        let end = runner.run(
            isInterrupted: { interrupt.isRequested },
            log: log,
            onBorder: { bar.show($0, events: $1) })
        bar.clear()
        let wallSeconds = (clock.now - began) / .seconds(1)

        let endedBy: EndedBy
        switch end {
        case .duration: endedBy = .duration
        case .endWhen: endedBy = .endWhen
        case .interrupted: endedBy = .interrupted
        case .scriptFailures: endedBy = .scriptFailures
        case .failed(let failure):
            log?.discard()
            throw CommandError(
                "device \(failure.device): \(failure.code.rawValue): \(failure.detail)",
                status: .failed)
        case .logFailed(let message):
            log?.discard()
            throw CommandError(message, status: .failed)
        }
        try finish(log)
        let report = report(of: runner, endedBy: endedBy, wallSeconds: wallSeconds)
        // With the log on standard output the report goes to standard error, beside the bar.
        let text = rendered(report, on: terminal)
        if logPath == "-" { terminal.complain(text) } else { try terminal.print(text) }
        switch endedBy {
        case .interrupted: return .interrupted
        case .scriptFailures: return .failed
        case .duration, .endWhen, .stopped: return report.isVerdictYes ? .done : .verdictIsNo
        }
    }

    private func makeRunner() throws(CommandError) -> FleetRunner {
        try .ready(
            bundle.arms,
            FleetRunner.Options(
                workers: workers, groups: split.groups(of: bundle.scenario),
                keepsRecords: logPath != nil))
    }

    private func openLog() throws(CommandError) -> RecordLog? {
        guard let logPath else { return nil }
        do throws(LogError) { return try RecordLog(path: logPath) } catch {
            throw CommandError(error.message)
        }
    }

    private func finish(_ log: RecordLog?) throws(CommandError) {
        do throws(LogError) { try log?.finish() } catch {
            throw CommandError(error.message, status: .failed)
        }
    }

    private func report(
        of runner: FleetRunner, endedBy: EndedBy, wallSeconds: Double
    ) -> Report {
        let figures = runner.figures()
        let states = UInt64(bundle.scenario.deviceCount) * UInt64(bundle.arms.count)
        var report = Report(
            bundle.arms, figures, bundle: bundle.sha256, endedBy: endedBy,
            groupLabels: split.labels(of: bundle.scenario),
            machine: MachineFacts(
                workers: workers, wallSeconds: wallSeconds,
                residentBytes: Machine.residentBytesMax,
                bytesPerDevice: figures.stateBytes / states))
        report.why = why
        return report
    }

    private func rendered(_ report: Report, on terminal: Terminal) -> String {
        switch format {
        case .json: report.json
        case .csv: report.csv
        case .text:
            report.text(
                isColored: terminal.hasColor && logPath != "-", width: terminal.outWidth)
        }
    }
}
