import Bundles
import ControlProtocol
import ControlService
import DaemonRuntime
import Foundation
import StateStore

/// `locfleetd`: serves fleets on a Unix socket until somebody stops it.
public enum DaemonTool {
    static let name = "locfleetd"
    static let options: [OptionSpec] = [
        .value(
            "--socket", "PATH", "where to listen; without it $LOCFLEET_SOCKET, else the default"),
        .value("--mode", "0600", "permissions of the socket, in octal: 0600, 0660 or 0666"),
        .value("--group", "NAME", "the socket's group, for --mode 0660"),
        .value(
            "--state", "DIR",
            "where fleets are kept; without it $XDG_STATE_HOME/locfleet, for root "
                + "/var/lib/locfleet, else ~/.local/state/locfleet"),
        .flag("--no-state", "keep nothing: fleets end with the daemon"),
        .value("--workers", "W", "threads that run fleets; results do not depend on it"),
        .value(
            "--metrics-port", "PORT",
            "serve OpenMetrics at http://127.0.0.1:PORT/metrics, for this machine alone"),
        .value("--log-level", "LEVEL", "error, warning, notice, info or debug (notice)"),
        .value("--log-format", "text|json", "a line each on standard error"),
    ]

    private static let usage = """
        Runs fleets in the background and answers on a Unix socket.

        Usage: locfleetd [options]

        Options:

        """

    public static func run(_ words: [String], on terminal: Terminal) -> ExitStatus {
        do throws(CommandError) {
            if words.contains("--help") || words.contains("-h") {
                try terminal.print(usage + Verb.columns(of: options) + examples)
                return .done
            }
            if words.contains("--version") {
                try terminal.print("locfleetd \(CommandLineTool.version)\n")
                return .done
            }
            return try serve(Arguments(words, options: options, verb: name), terminal)
        } catch {
            terminal.complain("locfleetd: \(error.message)")
            return error.status
        }
    }

    static let exampleLines = [
        "locfleetd &",
        "locfleet fleet create config/scenarios/progressive.json5 --name demo",
        #"echo '{"id":1,"method":"fleet.list"}' | nc -UN "$XDG_RUNTIME_DIR/locfleet.sock" | jq"#,
    ]

    private static let examples = "\nExamples:\n" + exampleLines.map { "  \($0)\n" }.joined()

    private static func serve(
        _ arguments: Arguments, _ terminal: Terminal
    ) throws(CommandError) -> ExitStatus {
        guard arguments.operands.isEmpty else {
            throw CommandError("locfleetd takes options only, not '\(arguments.operands[0])'")
        }
        let path = ControlSocketPath.chosen(arguments)
        let workers =
            try arguments.number("--workers", in: 1...RunCommand.workersMax)
            ?? ProcessInfo.processInfo.activeProcessorCount
        let port = try arguments.number("--metrics-port", in: 1...UInt16.max)
        let log = DaemonLog(try logOptions(arguments))
        let shutdown = Shutdown()
        let state = try state(arguments)
        let service = FleetService(
            reader: .withLua(library: []), workers: workers, state: state, log: log,
            onStop: shutdown.request)
        let server = try server(path, arguments, service, log)
        let metrics = try port.map { port throws(CommandError) in try self.metrics(port, service) }
        service.attach(to: server)
        do throws(StateError) { try service.restore() } catch {
            throw CommandError(error.message, status: .failed)
        }
        for complaint in service.complaints { log.log(.error, .fleetRefused, complaint) }
        server.start()
        log.log(
            .notice, .daemonStarted, "listening at \(path.path)",
            [("version", .text(CommandLineTool.version)), ("workers", .init(workers))]
                + (port.map { [("metrics_port", .init($0))] } ?? []))
        shutdown.wait()
        log.log(.notice, .daemonStopping, "stopping")
        service.endWaits()
        metrics?.stop()
        server.stopAndWait(within: 5)
        service.stopFleetsAndWait()
        log.log(.notice, .daemonStopped, "stopped")
        log.flush(within: 1)
        return .done
    }

    private static func state(_ arguments: Arguments) throws(CommandError) -> StateFolder? {
        if arguments.has("--no-state") {
            guard arguments.value("--state") == nil else {
                throw CommandError("--state and --no-state contradict each other; take one")
            }
            return nil
        }
        let path =
            arguments.value("--state")
            ?? StateFolder.standard(
                environment: ProcessInfo.processInfo.environment, uid: getuid())
        guard let path, !path.isEmpty else {
            throw CommandError(
                "there is no place for the state: $HOME is not set; name one with --state, or give "
                    + "--no-state")
        }
        do throws(StateError) { return try StateFolder(path) } catch {
            throw CommandError(error.message, status: .failed)
        }
    }

    private static func server(
        _ path: ControlSocketPath, _ arguments: Arguments, _ service: FleetService,
        _ log: DaemonLog
    ) throws(CommandError) -> ControlServer {
        let options = ControlServer.Options(
            path: path.path, mode: try mode(arguments), group: try group(arguments), log: log)
        do throws(ControlServerError) {
            try path.prepareFolder()
            return try ControlServer(options, handler: service)
        } catch {
            throw CommandError(
                error.message, status: error.code == .badPath ? .usage : .failed)
        }
    }

    private static func mode(_ arguments: Arguments) throws(CommandError) -> UInt16 {
        guard let text = arguments.value("--mode") else {
            return arguments.has("--group") ? 0o660 : 0o600
        }
        guard let mode = UInt16(text, radix: 8), [0o600, 0o660, 0o666].contains(mode) else {
            throw CommandError("--mode is 0600, 0660 or 0666, not '\(text)'")
        }
        return mode
    }

    private static func group(_ arguments: Arguments) throws(CommandError) -> UInt32? {
        guard let name = arguments.value("--group") else { return nil }
        guard let entry = getgrnam(name) else {
            throw CommandError("--group: there is no group '\(name)' on this machine")
        }
        return entry.pointee.gr_gid
    }
}
