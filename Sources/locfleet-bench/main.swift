import Commands
import Foundation

let status = BenchTool.run(Array(CommandLine.arguments.dropFirst()), on: Terminal())
exit(status.rawValue)
