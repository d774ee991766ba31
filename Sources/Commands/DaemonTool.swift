import Bundles
import ControlProtocol
import ControlService
import DaemonRuntime
import Foundation
import StateStore
import Telemetry

/// `locfleetd`: serves fleets on a Unix socket until somebody stops it.
public enum DaemonTool {
    static let name = "locfleetd"
    static let options: [OptionSpec] = [
        .value(
            "--config", "FILE",
            "keys for what stands here, which options win over; without it "
                + "\(DaemonFile.standardPath), if it is there"),
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
                return try ProgramVersion.show(name, words, on: terminal)
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
        let environment = ProcessInfo.processInfo.environment
        let settings = try DaemonSettings(
            arguments, DaemonFile.read(arguments.value("--config")), environment: environment)
        let handed = try handed(environment)
        let manager = ServiceManager(environment)
        ServiceManager.forgetVariables()
        let log = DaemonLog(logOptions(settings, environment))
        Machine.raiseDescriptorLimit()
        let shutdown = Shutdown()
        let state = try state(settings)
        for line in state?.strangers ?? [] { log.log(.warning, .stateStranger, line) }
        let service = FleetService(
            reader: .withLua(library: []), workers: settings.workers, state: state,
            log: log, onStop: shutdown.request)
        let server = try server(settings, handed, service, log)
        let metrics = try settings.metricsPort.map { port throws(CommandError) in
            try self.metrics(port, service)
        }
        service.attach(to: server)
        let status: @Sendable () -> String = { [weak service] in service?.statusLine ?? "" }
        let reloader = DaemonReloader(
            arguments, environment: environment, started: settings, log: log, manager: manager,
            status: status)
        service.onReload { () throws(ControlError) in try reloader.reload() }
        let hangup = Hangup { [weak service] in _ = try? service?.reload() }
        do throws(StateError) { try service.restore() } catch {
            throw CommandError(error.message, status: .failed)
        }
        for complaint in service.complaints { log.log(.error, .fleetRefused, complaint) }
        server.start()
        tellStarted(settings, handed, log)
        manager?.ready(status())
        let heartbeat = manager.flatMap { Heartbeat($0, of: server, status) }
        shutdown.wait()
        log.log(.notice, .daemonStopping, "stopping")
        manager?.stopping()
        service.endWaits()
        metrics?.stop()
        server.stopAndWait(within: 5)
        service.stopFleetsAndWait()
        heartbeat?.stop()
        withExtendedLifetime(hangup) {}
        log.log(.notice, .daemonStopped, "stopped")
        log.flush(within: 1)
        return .done
    }

    private static func tellStarted(
        _ settings: DaemonSettings, _ handed: HandedSocket?, _ log: DaemonLog
    ) {
        let port = settings.metricsPort.map { ("metrics_port", LogLine.Value($0)) }
        let path = handed?.path ?? settings.socket.path
        log.log(
            .notice, .daemonStarted,
            "listening at \(path)"
                + (handed == nil ? "" : ", which was handed over with its mode and group"),
            [
                ("version", .text(CommandLineTool.version)), ("workers", .init(settings.workers)),
            ] + (port.map { [$0] } ?? []))
    }

    private static func handed(
        _ environment: [String: String]
    ) throws(CommandError) -> HandedSocket? {
        do throws(ControlServerError) { return try HandedSocket.taken(environment) } catch {
            throw CommandError(error.message, status: .failed)
        }
    }

    private static func state(_ settings: DaemonSettings) throws(CommandError) -> StateFolder? {
        guard let path = settings.state else { return nil }
        do throws(StateError) { return try StateFolder(path) } catch {
            throw CommandError(error.message, status: .failed)
        }
    }

    private static func server(
        _ settings: DaemonSettings, _ handed: HandedSocket?, _ service: FleetService,
        _ log: DaemonLog
    ) throws(CommandError) -> ControlServer {
        var options = ControlServer.Options(
            path: handed?.path ?? settings.socket.path, mode: settings.mode,
            group: settings.group, log: log)
        options.handed = handed
        do throws(ControlServerError) {
            if handed == nil { try settings.socket.prepareFolder() }
            return try ControlServer(options, handler: service)
        } catch {
            throw CommandError(
                error.message, status: error.code == .badPath ? .usage : .failed)
        }
    }
}
