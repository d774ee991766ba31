import Commands
import Foundation

signal(SIGXFSZ, SIG_IGN)  // A file at its limit is told by `write`.
let status = CommandLineTool.run(Array(CommandLine.arguments.dropFirst()), on: Terminal())
exit(status.rawValue)
