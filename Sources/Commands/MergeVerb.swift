import Bundles
import DaemonRuntime
import Foundation
import JSONText
import Reports
import Shards
import SimPrimitives
import Simulation

extension Verb {
    static let merge = Verb(
        name: "merge",
        usage: "PART… [options]",
        summary: "put the shards of a run together and print its report",
        options: ReportFormat.options,
        examples: [
            "locfleet run config/scenarios/progressive.json5 --shard 1/2 -o part1.json",
            "locfleet run config/scenarios/progressive.json5 --shard 2/2 -o part2.json",
            "locfleet merge part*.json",
            "locfleet merge part*.json --json | jq .digest",
        ],
        run: { arguments, terminal throws(CommandError) in try merge(arguments, terminal) })

    private static func merge(
        _ arguments: Arguments, _ terminal: Terminal
    ) throws(CommandError) -> ExitStatus {
        let format = try ReportFormat(arguments)
        guard !arguments.operands.isEmpty else {
            throw CommandError(
                "parts are missing: the files of 'locfleet run --shard'; see 'locfleet help merge'")
        }
        var parts: [(file: String, part: ShardPart)] = []
        for file in arguments.operands {
            parts.append(
                (
                    file,
                    try named(file) { () throws(ShardError) in
                        try ShardPart(try contents(of: file))
                    }
                ))
        }
        let ordered = try refused { () throws(ShardError) in try ShardPart.ordered(parts) }
        let bundle = try bundle(of: parts[0])
        let report = try report(of: ordered, parts, bundle)
        try terminal.print(format.rendered(report, on: terminal))
        return report.status
    }

    private static func contents(of file: String) throws(ShardError) -> [UInt8] {
        do { return [UInt8](try Data(contentsOf: URL(filePath: file))) } catch {
            throw ShardError("cannot be read: \(reason(error, file))")
        }
    }

    private static func reason(_ error: any Error, _ path: String) -> String {
        guard let error = error as? CocoaError else { return "\(error)" }
        switch error.code {
        case .fileReadNoSuchFile: return "there is no such file"
        default:
            var status = stat()
            guard stat(path, &status) == 0 else { return "permission denied" }
            switch status.st_mode & S_IFMT {
            case S_IFREG: return "permission denied"
            case S_IFDIR: return "it is no file"
            default: return "parts are regular files, and it is none"
            }
        }
    }

    private static func refused<Value>(
        _ body: () throws(ShardError) -> Value
    ) throws(CommandError) -> Value {
        do throws(ShardError) { return try body() } catch { throw CommandError(error.message) }
    }

    private static func named<Value>(
        _ file: String, _ body: () throws(ShardError) -> Value
    ) throws(CommandError) -> Value {
        do throws(ShardError) { return try body() } catch {
            throw CommandError("\(file): \(error.message)")
        }
    }

    private static func bundle(
        of one: (file: String, part: ShardPart)
    ) throws(CommandError) -> Bundles.Bundle {
        guard one.part.origin.locfleet == CommandLineTool.version else {
            throw CommandError(
                "\(one.file): was made by locfleet \(printable(one.part.origin.locfleet)), and "
                    + "this is \(CommandLineTool.version): merge with the version that made it")
        }
        let (manifest, blobs) = try named(one.file) { () throws(ShardError) in
            try one.part.bundle()
        }
        do throws(BundleError) {
            return try ScenarioArguments.reader.read(manifest: manifest) { blobs[$0] }
        } catch { throw CommandError("\(one.file): \(error)") }
    }

    private static func report(
        of ordered: [ShardPart], _ parts: [(file: String, part: ShardPart)],
        _ bundle: Bundles.Bundle
    ) throws(CommandError) -> Report {
        let split = try Split(names: ordered[0].origin.by)
        let groupCount = split.groups(of: bundle.scenario).count
        var sum: FleetFigures?
        for one in parts {
            let figures = try named(one.file) { () throws(ShardError) in
                try one.part.figures(bundle.arms, groupCount: groupCount)
            }
            sum?.merge(figures)
            sum = sum ?? figures
        }
        guard var figures = sum else { preconditionFailure("a run has at least one part") }
        try refuseFailures(figures, bundle)
        figures.judge(bundle.arms)
        let all = ordered.map(\.circumstances)
        let states = UInt64(bundle.scenario.deviceCount) * UInt64(bundle.arms.count)
        var report = Report(
            bundle.arms, figures, bundle: bundle.sha256, endedBy: .duration,
            groupLabels: split.labels(of: bundle.scenario),
            machine: MachineFacts(
                workers: all.reduce(0) { $0 + Int($1.workers) },
                wallSeconds: Double(all.map(\.wallMilliseconds).max() ?? 0) / 1_000,
                residentBytes: all.map(\.residentBytes).max() ?? 0,
                bytesPerDevice: figures.stateBytes / states))
        report.why = all[0].why
        return report
    }

    /// Failures only grow: where they are no more at the end than may be, no check before has found
    /// more either. Else the whole run would have ended, and its shards did not.
    private static func refuseFailures(
        _ figures: FleetFigures, _ bundle: Bundles.Bundle
    ) throws(CommandError) {
        for (arm, figure) in zip(bundle.arms, figures.arms) {
            let count = figure.groups.reduce(0) { $0 + $1.scriptFailures }
            guard let limit = arm.scenario.scriptFailuresMax, count > limit else { continue }
            throw CommandError(
                "arm \(quoted(arm.name)): scripts failed \(count) times, and the scenario's "
                    + "script_failures.end_run_after of \(limit) ends a whole run before its time; "
                    + "no shard can know when: run it without --shard",
                status: .failed)
        }
    }
}
