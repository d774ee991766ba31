import Bundles
import ControlProtocol
import DaemonRuntime
import Foundation
import Reports
import SimPrimitives
import Simulation

extension Verb {
    static let verifyDeterminism = Verb(
        name: "verify-determinism",
        usage: "SCENARIO.json5 [options]",
        summary: "run a scenario in many ways and hold the results against each other",
        options: ScenarioArguments.options + [
            ScenarioArguments.arm,
            .flag("--json", "print the runs, their digests and the first difference as JSON"),
        ],
        examples: [
            "locfleet verify-determinism config/scenarios/progressive.json5 --days 7",
            "locfleet verify-determinism config/scenarios/progressive.json5 --devices 200",
            "locfleet verify-determinism my.json5 --devices 50 --days 2 --json | jq .agree",
        ],
        run: { arguments, terminal throws(CommandError) in
            try verifyDeterminism(arguments, terminal)
        })

    private static func verifyDeterminism(
        _ arguments: Arguments, _ terminal: Terminal
    ) throws(CommandError) -> ExitStatus {
        let input = try ScenarioArguments(arguments, verb: "verify-determinism")
        for note in input.notes { terminal.complain(note) }
        let scenario = input.bundle.scenario
        let devices = min(scenario.deviceCount, arguments.has("--devices") ? .max : 1_000)
        var words = arguments.operands
        words += ScenarioArguments.words(ScenarioArguments.options, of: arguments)
        if !arguments.has("--devices") { words += ["--devices", "\(devices)"] }

        let folder = FileManager.default.temporaryDirectory.appending(
            path: "locfleet-determinism-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw CommandError(
                "\(folder.path(percentEncoded: false)) cannot be made", status: .failed)
        }
        defer { try? FileManager.default.removeItem(at: folder) }
        let samples = DeterminismSample.all(
            duration: scenario.duration, devices: devices,
            // What is judged over all devices while they run is unknown to a shard.
            mayShard: input.bundle.arms.allSatisfy {
                $0.scenario.endWhen == nil && $0.scenario.scriptFailuresMax == nil
            })
        let player = SamplePlayer(
            scenario: words, arms: ScenarioArguments.words([ScenarioArguments.arm], of: arguments),
            folder: folder)
        var proof = DeterminismProof(player: player)
        for sample in samples where try !proof.add(sample) { break }
        let page = DeterminismPage(
            scenario: arguments.operands.first ?? "", devices: devices,
            duration: scenario.duration, proof: proof)
        try terminal.print(arguments.has("--json") ? page.json : page.text)
        return proof.difference == nil ? .done : .verdictIsNo
    }
}

/// One way to run a scenario that must not change what comes of it.
struct DeterminismSample {
    var name: String
    var words: [String]
    /// More than one: as shards, merged.
    var shards: UInt32 = 1
    var hasLog = false

    private static let pacedRatioMax = FleetRate.ratios.upperBound
    /// Of wall time, in which the whole scenario can be paced.
    private static let pacedSecondsMax = 10.0

    /// Every way once. Each is a process of its own, or several: one may agree with itself.
    static func all(duration: SimDuration, devices: UInt32, mayShard: Bool) -> [Self] {
        // Some hundred thousand borders take seconds.
        let shortest = max(1, duration.microseconds / 1_000_000 / 200_000)
        let whole = "\(max(1, duration.microseconds / 1_000_000 + 1))s"
        var samples = [
            Self(name: "one worker", words: ["--workers", "1"]),
            Self(name: "one worker, with a log", words: ["--workers", "1"], hasLog: true),
            Self(name: "2 workers", words: ["--workers", "2"]),
            Self(name: "3 workers, with a log", words: ["--workers", "3"], hasLog: true),
            Self(name: "7 workers", words: ["--workers", "7"]),
            Self(
                name: "epochs of \(shortest) s",
                words: ["--workers", "1", "--epoch", "\(shortest)s"]
            ),
            Self(name: "one epoch", words: ["--workers", "2", "--epoch", whole]),
            Self(name: "one epoch, with a log", words: ["--epoch", whole], hasLog: true),
        ]
        let ratio = FleetRate.ratio(min(max(duration.seconds, 0.001), pacedRatioMax))
        if duration.seconds / pacedRatioMax <= pacedSecondsMax {
            samples.append(
                Self(name: "paced at \(ratio)", words: ["--workers", "2", "--rate", "\(ratio)"]))
        }
        for count in [UInt32(2), 7] where mayShard && count <= devices {
            samples.append(
                Self(
                    name: "\(count) shards, merged", words: ["--workers", "1"], shards: count,
                    hasLog: count == 2))
        }
        return samples
    }
}
