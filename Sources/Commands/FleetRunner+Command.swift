import DaemonRuntime
import LuaScripting
import Simulation

extension FleetRunner {
    /// A runner for a command: a script that does not load is wrong input.
    static func ready(_ arms: [Arm], _ options: Options) throws(CommandError) -> FleetRunner {
        do throws(ScriptError) { return try FleetRunner(arms, options: options) } catch {
            throw CommandError("\(error)", status: error.code == .outOfMemory ? .failed : .usage)
        }
    }
}
