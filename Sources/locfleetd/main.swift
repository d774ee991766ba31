import Commands
import Foundation

let status = DaemonTool.run(Array(CommandLine.arguments.dropFirst()), on: Terminal())
exit(status.rawValue)
