import Commands
import Foundation

StandardDescriptors.fill()
let status = DaemonTool.run(Array(CommandLine.arguments.dropFirst()), on: Terminal())
exit(status.rawValue)
