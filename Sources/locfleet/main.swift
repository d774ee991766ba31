import Commands
import Foundation

signal(SIGXFSZ, SIG_IGN)  // A file at its limit is told by `write`.
let terminal = Terminal()  // It says where standard output was closed.
StandardDescriptors.fill()
let status = CommandLineTool.run(Array(CommandLine.arguments.dropFirst()), on: terminal)
exit(status.rawValue)
