import ControlProtocol
import JSONText

/// What reading the daemon's file again came to.
public struct DaemonReload: Equatable, Sendable {
    /// The file that was read; nil: there is none.
    public let config: String?
    /// Keys that are different from here on.
    public let changed: [String]
    /// Keys that are not as the daemon began with, and take effect when it begins anew.
    public let needsRestart: [String]

    public init(config: String?, changed: [String], needsRestart: [String]) {
        (self.config, self.changed, self.needsRestart) = (config, changed, needsRestart)
    }

    public var sentence: String {
        guard let config else { return "there is no file to read again" }
        let changes = changed.isEmpty ? "nothing changed" : "changed: \(listed(changed))"
        let rest = needsRestart.isEmpty ? "" : "; after a restart: \(listed(needsRestart))"
        return "read \(config) again; \(changes)\(rest)"
    }

    private func listed(_ keys: [String]) -> String { keys.joined(separator: ", ") }
}

extension FleetService {
    public typealias Reload = @Sendable () throws(ControlError) -> DaemonReload

    /// What `daemon.reload` does; without it that is refused.
    public func onReload(_ reload: @escaping Reload) { reloading.withLock { $0 = reload } }

    /// One line about the fleets, for whoever supervises the daemon.
    public var statusLine: String {
        let all = self.all
        let running = all.count { $0.hosted.fleet.status.state == .running }
        return "\(all.count) \(all.count == 1 ? "fleet" : "fleets"), \(running) running"
    }

    /// Reads the daemon's file again, one at a time.
    public func reload() throws(ControlError) -> DaemonReload {
        try reloading.withLock { reload throws(ControlError) in
            guard let reload else {
                throw ControlError(.wrongState, "this daemon has no file to read again")
            }
            return try reload()
        }
    }

    func reloaded() throws(ControlError) -> String {
        let done = try reload()
        return JSONLine.object {
            $0.member("config", done.config)
            $0.member("changed", done.changed)
            $0.member("needs_restart", done.needsRestart)
        }
    }
}
