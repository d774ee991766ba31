import Bundles
import ControlProtocol
import DaemonRuntime
import Foundation
import Reports
import Shards
import SimPrimitives
import Simulation

extension Verb {
    static let run = Verb(
        name: "run",
        usage: "SCENARIO.json5|EXPORT [options]",
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
            .value(
                "--epoch", "SPAN",
                "simulated time between two borders, such as 1h; the result does not depend on it"),
            FleetRate.option,
            .flag("--profile", "say where the time went, by part and by hook of scripts"),
            .value("--digests", "FILE", "write the digest of every device's records as a line"),
        ] + ReportFormat.options + ShardArguments.options,
        examples: [
            "locfleet run config/scenarios/progressive.json5 --devices 10000 --days 7",
            "locfleet run my.json5 --set app.options.upgrade_after_uses=10 --by persona",
            "locfleet run config/scenarios/progressive.json5 --arm ask_on_launch.lua",
            "locfleet run my.json5 --devices 100 --log - | jq 'select(.type == \"answer\")'",
            "locfleet run my.json5 --rate 60x --log - | jq .type",
            "locfleet run my.json5 --profile --json | jq .machine.profile",
            "locfleet run my.json5 --shard 2/8 -o part2.json",
        ],
        run: { arguments, terminal throws(CommandError) in
            try RunCommand(arguments).run(on: terminal)
        })
}

/// `locfleet run`: from the words of the command line to the report.
struct RunCommand {
    static let workersMax = 1_024

    private let bundle: Bundles.Bundle
    private let notes: [String]
    /// Nil: a scenario is run.
    private let export: FleetExport?
    private let split: Split
    private let workers: Int
    private let logPath: String?
    private let format: ReportFormat
    private let shard: ShardArguments?
    private let epoch: SimDuration?
    private let rate: FleetRate
    private let digestsPath: String?
    private let profile: WorkProfile?
    /// See `Report.why`.
    private let why: String

    init(_ arguments: Arguments) throws(CommandError) {
        format = try ReportFormat(arguments)
        digestsPath = arguments.value("--digests")
        epoch = try Self.epoch(arguments.value("--epoch"))
        rate = try FleetRate(arguments)
        logPath = arguments.value("--log")
        if logPath == "-", format != .text {
            throw CommandError(
                "--log - and --json or --csv would share standard output; name a file")
        }
        workers =
            try arguments.number("--workers", in: 1...Self.workersMax)
            ?? ProcessInfo.processInfo.activeProcessorCount
        if let path = arguments.operands.first, FleetExport.isThere(path) {
            let export = try FleetExport(path, arguments, verb: "run")
            (bundle, notes, self.export) = (export.bundle, [], export)
            split =
                arguments.has("--by")
                ? try Split(arguments.value("--by")) : try Split(names: export.by)
        } else {
            split = try Split(arguments.value("--by"))
            let scenario = try ScenarioArguments(arguments, verb: "run")
            (bundle, notes, export) = (scenario.bundle, scenario.notes, nil)
        }
        why = ScenarioArguments.command("why", arguments)
        shard = try ShardArguments(arguments, bundle)
        if shard != nil, arguments.has("--profile") {
            throw CommandError(
                "--profile belongs to a report, and a part of a run has none: run it whole")
        }
        if format == .csv, arguments.has("--profile") {
            throw CommandError("--profile has no place among funnels in CSV; --json has one")
        }
        profile = arguments.has("--profile") ? WorkProfile() : nil
        var places: [String: String] = [:]
        for (option, path) in [("--log", logPath), ("--digests", digestsPath), ("-o", shard?.path)]
        {
            guard let path, path != "-" else { continue }
            let place = Self.place(URL(filePath: path))
            if let other = places.updateValue(option, forKey: place) {
                throw CommandError("\(other) and \(option) name one file, \(path)")
            }
            try refuse(option, path, overInput: arguments.operands.first ?? "")
        }
    }

    private static func epoch(_ text: String?) throws(CommandError) -> SimDuration? {
        guard let text else { return nil }
        guard let epoch = SimDuration(units: text), epoch >= .seconds(1) else {
            throw CommandError(
                "--epoch is a span of at least a second, such as 1s, 6h or 30d, not '\(text)'")
        }
        return epoch
    }

    private static func place(_ path: URL) -> String {
        path.resolvingSymlinksInPath().standardizedFileURL.path(percentEncoded: false)
    }

    /// A log in the place of the scenario or a file that it names would destroy it.
    private func refuse(
        _ option: String, _ path: String, overInput scenario: String
    ) throws(CommandError) {
        let folder = URL(filePath: scenario).deletingLastPathComponent()
        let inputs =
            [URL(filePath: scenario)] + bundle.blobs.map { folder.appending(path: $0.name) }
        let output = Self.place(URL(filePath: path))
        guard inputs.contains(where: { Self.place($0) == output }) else { return }
        throw CommandError("\(option) \(path): the run reads this file; name another")
    }

    func run(on terminal: Terminal) throws(CommandError) -> ExitStatus {
        let clock = ContinuousClock()
        let began = clock.now
        let interrupt = Interrupt()
        let scenario = bundle.scenario
        if let lack = Machine.lackOfMemory(for: bundle.arms, devices: shard?.devices.count) {
            throw CommandError("\(lack); run fewer with --devices", status: .failed)
        }
        for note in notes { terminal.complain(note) }
        let runner = try makeRunner()
        var files: [RecordLog?] = []
        var isDone = false
        defer { if !isDone { for file in files { file?.discard() } } }
        for (path, option) in [(logPath, "--log"), (digestsPath, "--digests"), (shard?.path, "-o")]
        {
            files.append(try open(path, option))
        }
        let (log, digests, part) = (files[0], files[1], files[2])
        var bar = ProgressBar(terminal, duration: scenario.duration)
        let end = runner.run(
            until: export?.until, isInterrupted: { interrupt.isRequested },
            log: log,
            onBorder: { bar.show($0) })
        bar.clear()
        let wallSeconds = (clock.now - began) / .seconds(1)

        let endedBy: EndedBy?
        switch end {
        case .duration: endedBy = .duration
        case .endWhen: endedBy = .endWhen
        case .interrupted:
            let isThere = export != nil && !interrupt.isRequested
            endedBy = !isThere ? .interrupted : export?.hasEnded == true ? .stopped : nil
        case .scriptFailures: endedBy = .scriptFailures
        case .failed(let failure):
            throw CommandError(
                "device \(failure.device): \(failure.code.rawValue): \(failure.detail)",
                status: .failed)
        case .logFailed(let message):
            throw CommandError(message, status: .failed)
        }
        if digests != nil { try write(Self.lines(of: runner), to: digests) }
        if let shard, let part {
            guard endedBy == .duration else {
                throw CommandError(
                    "interrupted: a part of a run that did not end is none; nothing is written",
                    status: .interrupted)
            }
            try write(
                shard.part(
                    runner.figures(), of: bundle, split,
                    ShardPart.Circumstances(
                        workers: UInt32(workers), wallMilliseconds: UInt64(wallSeconds * 1_000),
                        residentBytes: Machine.residentBytesMax, why: why)), to: part)
            isDone = true
            try finish(log, digests, part)
            let note = shard.note(of: scenario.deviceCount)
            if logPath == "-" { terminal.complain(note) } else { try terminal.print(note) }
            return .done
        }
        isDone = true
        try finish(log, digests)
        var report = report(of: runner, endedBy: endedBy, wallSeconds: wallSeconds)
        if let export, endedBy != .interrupted {
            report.original = Report.Original(fleet: export.name, digest: export.digest)
        }
        // With the log on standard output the report goes to standard error, beside the bar.
        let text = format.rendered(report, on: terminal, isColored: logPath != "-")
        if logPath == "-" { terminal.complain(text) } else { try terminal.print(text) }
        if let export, report.isOriginal == false {
            terminal.complain(
                "locfleet: the export has digest \(export.digest), and this run another: it was "
                    + "made by another version of locfleet, or changed")
            return .verdictIsNo
        }
        return report.status
    }

    private func makeRunner() throws(CommandError) -> FleetRunner {
        try .ready(
            bundle.arms,
            FleetRunner.Options(
                workers: workers, devices: shard?.devices,
                groups: split.groups(of: bundle.scenario),
                keepsRecords: logPath != nil, epoch: epoch, rate: rate, profile: profile),
            journal: export?.journal ?? [])
    }

    private func open(
        _ path: String?, _ option: String
    ) throws(CommandError) -> RecordLog? {
        guard let path else { return nil }
        do throws(LogError) { return try RecordLog(path: path, option: option) } catch {
            throw CommandError(error.message)
        }
    }

    private func write(_ bytes: [UInt8], to file: RecordLog?) throws(CommandError) {
        do throws(LogError) { try file?.write(bytes) } catch {
            throw CommandError(error.message, status: .failed)
        }
    }

    private func finish(_ files: RecordLog?...) throws(CommandError) {
        do throws(LogError) { for file in files { try file?.finish() } } catch {
            throw CommandError(error.message, status: .failed)
        }
    }

    /// Arm, device and the digest of its records, a line each.
    private static func lines(of runner: FleetRunner) -> [UInt8] {
        var bytes: [UInt8] = []
        for (arm, devices) in zip(runner.arms, runner.deviceDigests()) {
            for (device, digest) in devices {
                bytes += Array("\(arm.name) \(device.number) \(digest)\n".utf8)
            }
        }
        return bytes
    }

    private func report(
        of runner: FleetRunner, endedBy: EndedBy?, wallSeconds: Double
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
        (report.why, report.whyNamesArms) = (why, export != nil)
        report.standing = .paused
        if let profile {
            report.machine?.profile = ProfileShares(
                profile.stop(),
                scripts: runner.arms.map { $0.scenario.scripts.map(\.name) })
        }
        return report
    }
}
