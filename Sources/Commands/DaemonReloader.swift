import ControlProtocol
import ControlService
import DaemonRuntime
import Foundation
import Telemetry

/// Reads the daemon's file again and lets what can change while it runs be as it says.
final class DaemonReloader: Sendable {
    private let arguments: Arguments
    private let environment: [String: String]
    private let log: DaemonLog
    private let manager: ServiceManager?
    private let status: @Sendable () -> String
    private let started: DaemonSettings
    /// Safe: `FleetService` reloads one at a time.
    nonisolated(unsafe) private var now: DaemonSettings

    /// - Parameter status: one line about the daemon, for its service manager.
    init(
        _ arguments: Arguments, environment: [String: String], started: DaemonSettings,
        log: DaemonLog, manager: ServiceManager?, status: @escaping @Sendable () -> String
    ) {
        (self.arguments, self.environment, self.log) = (arguments, environment, log)
        (self.manager, self.status) = (manager, status)
        (self.started, now) = (started, started)
    }

    /// On any thread, one at a time. A file that is wrong changes nothing.
    func reload() throws(ControlError) -> DaemonReload {
        manager?.reloading()
        defer { manager?.ready(status()) }
        do throws(CommandError) {
            let file = try DaemonFile.read(arguments.value("--config"))
            let new = try DaemonSettings(arguments, file, environment: environment)
            let changed = new.differences(from: now).filter(\.isLive)
            let waiting = new.differences(from: started).filter { !$0.isLive }
            (now.logLevel, now.logFormat) = (new.logLevel, new.logFormat)
            log.change(to: new.logLevel, new.logFormat)
            let reload = DaemonReload(
                config: file?.path, changed: changed.map(\.rawValue),
                needsRestart: waiting.map(\.rawValue))
            tell(reload)
            return reload
        } catch {
            let message = "\(error.message); nothing was changed"
            log.log(.warning, .daemonNotReloaded, "not reloaded: \(message)")
            throw ControlError(.invalidConfig, message)
        }
    }

    private func tell(_ reload: DaemonReload) {
        log.log(
            .notice, .daemonReloaded, reload.sentence,
            [
                ("changed", .text(reload.changed.joined(separator: ","))),
                ("needs_restart", .text(reload.needsRestart.joined(separator: ","))),
            ])
    }
}
