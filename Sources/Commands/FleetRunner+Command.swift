import DaemonRuntime
import LuaScripting
import Simulation

extension FleetRunner {
    /// A runner for a command: a script that does not load is wrong input.
    static func ready(_ scenario: Scenario, _ options: Options) throws(CommandError) -> FleetRunner
    {
        do throws(ScriptError) { return try FleetRunner(scenario, options: options) } catch {
            throw CommandError("\(error)")
        }
    }
}
