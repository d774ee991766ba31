import Bundles
import ControlService
import Foundation
import JSONText
import Reports
import SimPrimitives
import Simulation

/// The operand and options that name a scenario and change it: `run` and `why` share them.
struct ScenarioArguments {
    static let options: [OptionSpec] = [
        .value("--devices", "N", "simulate N devices instead of the scenario's number"),
        .value("--days", "D", "simulate D days, such as 7 or 0.5; also 7d or 36h"),
        .value("--seed", "S", "another seed: other people, other chance"),
        .list(
            "--set", "KEY=VALUE",
            "change any key, such as app.options.upgrade_after_uses=5; may be repeated"),
    ]

    /// Of verbs that run arms.
    static let arm = OptionSpec.list(
        "--arm", "FILE|NAME",
        "compare with an arm: a strategy's file, or one of the scenario's arms")

    let bundle: Bundles.Bundle
    /// What the person should know of the files that were taken.
    let notes: [String]

    init(_ arguments: Arguments, verb: String) throws(CommandError) {
        let path = try arguments.onlyOperand("scenario", verb: verb)
        let overrides = try Self.overrides(arguments)
        let reader = Self.reader
        do throws(BundleError) {
            bundle = try reader.read(scenarioPath: path, overrides: overrides)
        } catch { throw CommandError("\(error)") }
        let named =
            overrides.arms.map { (kind: Bundles.Bundle.Blob.Kind.strategy, file: $0) }
            + overrides.sets.map {
                ($0.key.hasSuffix("behavior") ? .behavior : .strategy, $0.value)
            }
        notes = named.compactMap { kind, file in
            guard file.hasSuffix(".lua"), !file.hasPrefix("."),
                let taken = reader.path(of: file, kind, scenarioPath: path)
            else { return nil }
            return Self.note(on: file, taken: taken)
        }
    }

    /// Of scenarios and bundles, with the library that belongs to this program.
    static var reader: BundleReader {
        .withLua(
            library: Library.roots(
                executable: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath(),
                environment: ProcessInfo.processInfo.environment))
    }

    /// A file of the current folder that another one stands before.
    private static func note(on file: String, taken: String) -> String? {
        let (own, other) = (URL(filePath: file), URL(filePath: taken))
        guard FileManager.default.fileExists(atPath: own.path),
            own.resolvingSymlinksInPath().standardizedFileURL
                != other.resolvingSymlinksInPath().standardizedFileURL
        else { return nil }
        return printable(
            "locfleet: note: \(file) is \(taken), and not the file of the current folder; "
                + "./\(file) is that one")
    }

    /// The words that name the same scenario to another verb. Without `--arm`, of which others take
    /// another number.
    static func command(_ verb: String, _ arguments: Arguments) -> String {
        let words = arguments.operands + words(options, of: arguments)
        return (["locfleet", verb] + words.map(shellWord)).joined(separator: " ")
    }

    /// Those of `options` that were given, as they were.
    static func words(_ options: [OptionSpec], of arguments: Arguments) -> [String] {
        options.flatMap { option in arguments.all(option.name).flatMap { [option.name, $0] } }
    }

    private static func overrides(_ arguments: Arguments) throws(CommandError) -> Overrides {
        var overrides = Overrides(
            devices: try arguments.number("--devices", in: devices),
            days: try days(arguments.value("--days")),
            seed: try arguments.number("--seed", in: 0...UInt64.max),
            arms: arguments.all("--arm"))
        overrides.sets = try sets(arguments, example: "seed=7")
        return overrides
    }

    /// What `--set` gives, in order.
    static func sets(
        _ arguments: Arguments, example: String
    ) throws(CommandError) -> [(key: String, value: String)] {
        var sets: [(key: String, value: String)] = []
        for word in arguments.all("--set") {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw CommandError("--set takes KEY=VALUE, such as \(example), not '\(word)'")
            }
            sets.append((key: String(parts[0]), value: String(parts[1])))
        }
        return sets
    }

    private static var devices: ClosedRange<UInt64> {
        UInt64(ScenarioLimits.devices.lowerBound)...UInt64(ScenarioLimits.devices.upperBound)
    }

    private static func days(_ text: String?) throws(CommandError) -> Double? {
        guard let text else { return nil }
        let max = ScenarioLimits.durationMax.microseconds / SimDuration.days(1).microseconds
        let span = SimDuration(units: text).map { $0.seconds / SimDuration.days(1).seconds }
        guard let days = Double(plain: text) ?? span, days > 0, days <= Double(max) else {
            throw CommandError("--days is a number above 0 and at most \(max), not '\(text)'")
        }
        return days
    }
}
