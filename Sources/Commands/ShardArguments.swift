import Bundles
import DaemonRuntime
import Foundation
import Reports
import Shards
import SimPrimitives
import Simulation

/// `--shard` and `-o` of `run`: which devices, and where their part goes.
struct ShardArguments {
    static let options: [OptionSpec] = [
        .value(
            "--shard", "i/N",
            "run the i-th of N shares of the devices, counted from 1, for 'locfleet merge'; auto "
                + "or /N takes it from SLURM, Kubernetes or Open MPI"),
        .value("-o", "FILE", "where a shard's part goes"),
    ]

    let shard: Shard
    let path: String
    let devices: Range<UInt32>

    /// Nil where no shard is asked for.
    init?(_ arguments: Arguments, _ bundle: Bundles.Bundle) throws(CommandError) {
        guard let text = arguments.value("--shard") else {
            guard arguments.has("-o") else { return nil }
            throw CommandError("-o is where the part of a --shard goes; there is no --shard")
        }
        guard let path = arguments.value("-o"), path != "-", !path.isEmpty else {
            throw CommandError("--shard \(text) needs -o FILE: where its part goes")
        }
        for name in ["--json", "--csv"] where arguments.has(name) {
            throw CommandError(
                "--shard \(text) writes a part and no report; 'locfleet merge' takes \(name)")
        }
        if path == arguments.value("--log") {
            throw CommandError("-o and --log both name \(path)")
        }
        let scenario = bundle.scenario
        do throws(ShardError) {
            shard = try Shard(text, environment: ProcessInfo.processInfo.environment)
        } catch { throw CommandError(error.message) }
        guard shard.count <= scenario.deviceCount else {
            throw CommandError(
                "--shard \(shard.text): \(scenario.deviceCount) devices make at most as many shards"
            )
        }
        guard !bundle.arms.contains(where: { $0.scenario.endWhen != nil }) else {
            throw CommandError(
                "--shard \(shard.text): the scenario's end_when is judged over all devices while "
                    + "they run, and a shard has only its own; run it whole, or with "
                    + "--set end_when=null")
        }
        (self.path, devices) = (path, shard.devices(of: scenario.deviceCount))
    }

    /// The file as it is to be written.
    func part(
        _ figures: FleetFigures, of bundle: Bundles.Bundle, _ split: Split,
        _ circumstances: ShardPart.Circumstances
    ) throws(CommandError) -> [UInt8] {
        let part = ShardPart(
            origin: ShardPart.Origin(
                locfleet: CommandLineTool.version, bundle: bundle, by: split.names),
            shard: shard, circumstances: circumstances)
        do throws(ShardError) { return try part.bytes(figures, of: bundle) } catch {
            throw CommandError("-o \(path): \(error.message)", status: .failed)
        }
    }

    /// What is said once it is written.
    func note(of total: UInt32) -> String {
        "\(path): shard \(shard.text), devices \(devices.lowerBound) ... "
            + "\(devices.upperBound - 1) of \(total); "
            + (shard.count == 1
                ? "it is the whole run\n"
                : "'locfleet merge' puts all \(shard.count) together\n")
    }
}
