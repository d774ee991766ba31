import ControlProtocol
import DaemonRuntime
import Foundation
import JSONText

/// What every verb that talks to the daemon takes.
enum DaemonArguments {
    static let socket = OptionSpec.value(
        "--socket", "PATH", "the daemon's socket; without it $LOCFLEET_SOCKET, else the default")
    static let timeout = OptionSpec.value(
        "--timeout", "SECONDS", "give up after so long, with status 124")
    static let json = OptionSpec.flag("--json", "print the result as it came")
    static let all = [json, socket, timeout]
    /// What `--timeout` takes, in seconds: to some thirty years.
    static let timeouts = 0.001...1_000_000_000

    static func client(_ arguments: Arguments) throws(CommandError) -> ControlClient {
        let seconds = try arguments.decimal("--timeout", in: timeouts, " of seconds")
        let path = ControlSocketPath.chosen(arguments)
        do throws(ControlServerError) { try path.checkFolderIfThere() } catch {
            throw CommandError(error.message, status: .noDaemon)
        }
        return try ControlClient(path: path.path, timeoutSeconds: seconds)
    }

    /// The parameters of a call about one fleet.
    static func parameters(
        of fleet: String, _ more: (inout JSONLine.Members) -> Void = { _ in }
    ) -> String {
        JSONLine.object {
            $0.member("fleet", fleet)
            more(&$0)
        }
    }
}

extension ControlSocketPath {
    /// `--socket`, else `$LOCFLEET_SOCKET`, else that of a file, else the default.
    static func chosen(
        _ arguments: Arguments, or kept: String? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> ControlSocketPath {
        if let path = arguments.value("--socket") { return ControlSocketPath(path) }
        if let path = environment["LOCFLEET_SOCKET"], !path.isEmpty {
            return ControlSocketPath(path)
        }
        if let kept { return ControlSocketPath(kept) }
        return .default(environment: environment, uid: getuid())
    }

    /// Without the folder there is no daemon either: connecting says so.
    func checkFolderIfThere() throws(ControlServerError) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        guard FileManager.default.fileExists(atPath: folder) else { return }
        try checkFolder()
    }
}

extension [OptionSpec] {
    /// Options of a verb that talks to the daemon.
    static func daemon(_ own: [OptionSpec]) -> [OptionSpec] { own + DaemonArguments.all }
    static var daemonOptions: [OptionSpec] { DaemonArguments.all }
}
