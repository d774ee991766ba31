import Check
import DaemonRuntime
import Foundation
import JSONText

extension Verb {
    static let new = Verb(
        name: "new",
        usage: "behavior|strategy|scenario NAME [options]",
        summary: "write a commented script or scenario to begin with",
        options: [
            .value("--in", "FOLDER", "where it is written; default: the current folder"),
            .flag("--json", "print what was written as JSON"),
        ],
        examples: [
            "locfleet new scenario pilot",
            "locfleet new strategy gentle --in scripts/strategies",
        ],
        run: { arguments, terminal throws(CommandError) in try new(arguments, terminal) })

    private static func new(
        _ arguments: Arguments, _ terminal: Terminal
    ) throws(CommandError) -> ExitStatus {
        let words = arguments.operands
        let kinds = StartingPoint.Kind.allCases.map(\.rawValue)
        guard let word = words.first else {
            throw CommandError("what to write is missing: \(kinds.joined(separator: ", "))")
        }
        guard let kind = StartingPoint.Kind(rawValue: word) else {
            let hint =
                nearest(to: word, among: kinds).map { "did you mean '\($0)'?" }
                ?? "there are \(kinds.joined(separator: ", "))"
            throw CommandError("nothing new is called '\(word)'; \(hint)")
        }
        guard words.count == 2 else {
            throw CommandError(
                words.count < 2
                    ? "NAME is missing; see 'locfleet help new'"
                    : "one NAME is taken, not also '\(words[2])'")
        }
        let point: StartingPoint
        do throws(StartingPoint.Failure) {
            point = try StartingPoint(kind, name: words[1])
        } catch { throw CommandError(error.message) }
        let folder = arguments.value("--in") ?? "."
        guard !folder.isEmpty else { throw CommandError("--in: a folder is due, not \"\"") }
        let path = folder == "." ? point.file : "\(folder.trimmingSlashes)/\(point.file)"
        try write(point.text, to: path)
        let next = next(after: point, path)
        try terminal.print(
            arguments.has("--json")
                ? JSONLine.object {
                    $0.member("wrote", path)
                    $0.member("next", next)
                } + "\n" : "wrote \(path)\nnext: \(next)\n")
        return .done
    }

    /// Never over what is there: also not where it appears in the same moment. Leaves nothing
    /// behind where it fails.
    private static func write(_ text: String, to path: String) throws(CommandError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            let number = errno
            throw CommandError("\(path): \(reason(number, path))", status: status(number))
        }
        let isWritten = writeFully(Array(text.utf8), to: descriptor)
        let number = errno
        let isClosed = close(descriptor) == 0
        guard isWritten && isClosed else {
            let last = isWritten ? errno : number
            unlink(path)
            throw CommandError("\(path): \(reason(last, path))", status: status(last))
        }
    }

    private static func status(_ number: Int32) -> ExitStatus {
        [ENOSPC, EDQUOT, EIO].contains(number) ? .failed : .usage
    }

    private static func reason(_ number: Int32, _ path: String) -> String {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        switch number {
        case EEXIST where FileManager.default.fileExists(atPath: path):
            return "this file is there already, and stays as it is; give another name"
        case EEXIST:
            return "a link that leads to no file has this name; give another name"
        case ENOENT where !FileManager.default.fileExists(atPath: folder):
            return "there is no such folder; make it, or name another"
        case ENOENT: return "no file can be made in this folder; name another"
        case ENOTDIR: return "this is in no folder but in a file; name a folder"
        default: return String(cString: strerror(number))
        }
    }

    private static func next(after point: StartingPoint, _ path: String) -> String {
        let check = "locfleet check \(path)"
        let typed = path.hasPrefix("/") ? path : "./\(path)"
        return switch point.kind {
        case .scenario: "locfleet run \(path) --devices 1000"
        case .behavior: "\(check), then name it in a scenario as a persona's behavior"
        case .strategy: "\(check), then locfleet run SCENARIO --arm \(typed)"
        }
    }
}

extension String {
    /// Without slashes at its end; "/" stays.
    fileprivate var trimmingSlashes: String {
        var text = self
        while text.count > 1, text.hasSuffix("/") { text.removeLast() }
        return text == "/" ? "" : text
    }
}
