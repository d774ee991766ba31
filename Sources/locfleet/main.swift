import Commands
import Foundation

let status = CommandLineTool.run(Array(CommandLine.arguments.dropFirst()), on: Terminal())
exit(status.rawValue)
