import ControlProtocol
import Dispatch
import Synchronization

/// Serves the daemon's Unix socket: accepts clients, reads their requests, and carries the
/// handler's replies and notifications back. No thread waits for a client.
public final class ControlServer: Sendable {
    public struct Options: Sendable {
        /// 1 ... 107 bytes, in a folder that exists. Of a handed socket: what it is called.
        public var path: String
        /// Serve this socket, which somebody else made and removes, and make none. Its own mode has
        /// said who may connect: `mode` and `group` are not looked at.
        public var handed: HandedSocket?
        /// Who may connect, as file permissions. Without any for group and others, only the
        /// daemon's own user and root are served, whatever the kernel let in.
        public var mode: UInt16
        /// The socket file's group; nil leaves it as it comes.
        public var group: UInt32?
        public var limits: ControlLimits
        /// Where to say who comes and goes; nil: nowhere.
        public var log: DaemonLog?

        public init(
            path: String, mode: UInt16 = 0o600, group: UInt32? = nil,
            limits: ControlLimits = ControlLimits(), log: DaemonLog? = nil
        ) {
            (self.path, self.mode, self.group, self.limits) = (path, mode, group, limits)
            self.log = log
        }

        /// Whether others than the daemon's own user and root are served, if the kernel lets them
        /// in.
        var servesOthers: Bool { handed != nil || mode & 0o077 != 0 }
    }

    let options: Options
    let handler: any ControlHandler
    let tally = ControlTally()
    let file: ControlSocketFile
    let queue = DispatchQueue(label: "locfleet.control")
    let owner = ControlDescriptor.ownUser
    let connections = Mutex<[UInt64: ControlConnection]>([:])
    /// Safe: touched on `queue` alone, and in `init` and `deinit`, when nobody else has it.
    nonisolated(unsafe) var listening: ControlListening

    /// Locks the path, binds the socket and listens; nobody is served before `start`.
    ///
    /// - Throws: `ControlServerError` when the path cannot be served.
    public init(
        _ options: Options, handler: any ControlHandler
    ) throws(ControlServerError) {
        (self.options, self.handler) = (options, handler)
        file =
            if let handed = options.handed {
                ControlSocketFile(handed)
            } else {
                try ControlSocketFile(
                    path: options.path, mode: options.mode, group: options.group)
            }
        listening = ControlListening()
    }

    deinit {
        guard listening.phase == .fresh else { return }  // Serving, it holds itself until `stop`.
        file.closeListener()
        file.unlock()
    }

    public var connectionCount: Int { connections.withLock(\.count) }

    public var limits: ControlLimits { options.limits }

    public var counters: ControlCounters { tally.snapshot }

    /// Begins to serve. Once.
    public func start() {
        queue.async { self.listen() }
    }

    /// Accepts nobody any more, removes the socket if it is still its own, lets each connection
    /// have the replies to what it asked for, and closes it.
    ///
    /// - Parameters:
    ///   - seconds: of wall time; then connections that still wait for something are cut off.
    ///   - then: called when all are closed and the path is another daemon's to have, on a queue of
    ///     the server.
    public func stop(within seconds: Double, then: @escaping @Sendable () -> Void) {
        queue.async { self.stopListening(within: seconds, then: then) }
    }
}

/// Where a server stands.
struct ControlListening {
    enum Phase { case fresh, serving, stopping, stopped }

    var phase = Phase.fresh
    var gate: ControlGate?
    var lastID: UInt64 = 0
    /// Kept so that a newcomer can be told that no descriptor is left; -1 when there is none.
    var spare: Int32 = -1
    /// To be called at the end.
    var then: [@Sendable () -> Void] = []
    var isListenerClosed = false
}
