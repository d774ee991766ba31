import DaemonRuntime
import LuaScripting
import Simulation

extension FleetRunner {
    /// A runner for a command: a script that does not load is wrong input.
    static func ready(
        _ arms: [Arm], _ options: Options, arm: Int = 0, journal: [Intervention] = []
    ) throws(CommandError) -> FleetRunner {
        do throws(ScriptError) {
            return try FleetRunner(arms, options: options, arm: arm, journal: journal)
        } catch {
            throw CommandError("\(error)", status: error.code == .outOfMemory ? .failed : .usage)
        }
    }
}
