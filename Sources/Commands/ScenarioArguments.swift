import Bundles
import Foundation
import LuaScripting
import Simulation

/// The operand and options that name a scenario and change it: `run` and `why` share them.
struct ScenarioArguments {
    static let options: [OptionSpec] = [
        .value("--devices", "N", "simulate N devices instead of the scenario's number"),
        .value("--days", "D", "simulate D days, such as 7 or 0.5"),
        .value("--seed", "S", "another seed: other people, other chance"),
        .list(
            "--set", "KEY=VALUE",
            "change any key, such as app.options.upgrade_after_uses=5; may be repeated"),
    ]

    let bundle: Bundle

    init(_ arguments: Arguments, verb: String) throws(CommandError) {
        let path = try arguments.onlyOperand("scenario", verb: verb)
        let overrides = try Self.overrides(arguments)
        let reader = BundleReader(
            library: Library.roots(
                executable: Self.executable, environment: ProcessInfo.processInfo.environment),
            outline: Self.outline)
        do throws(BundleError) {
            bundle = try reader.read(scenarioPath: path, overrides: overrides)
        } catch { throw CommandError("\(error)") }
        if let notYet = bundle.notYet.first { throw CommandError("\(notYet)") }
    }

    private static func overrides(_ arguments: Arguments) throws(CommandError) -> Overrides {
        var overrides = Overrides()
        overrides.devices = arguments.value("--devices")
        overrides.days = arguments.value("--days")
        overrides.seed = arguments.value("--seed")
        for word in arguments.all("--set") {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw CommandError("--set takes KEY=VALUE, such as seed=7, not '\(word)'")
            }
            overrides.sets.append((key: String(parts[0]), value: String(parts[1])))
        }
        return overrides
    }

    private static var executable: URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    }
}
