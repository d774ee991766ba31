import ControlProtocol
import Telemetry

/// What answers the requests that a `ControlServer` reads.
public protocol ControlHandler: AnyObject, Sendable {
    /// Takes one request.
    ///
    /// One at a time for each connection, on the connection's queue. `reply` is called exactly
    /// once, on any thread; the next request of that connection waits for it. What the connection
    /// is notified of after `reply` comes after the reply, except in a batch, whose replies wait
    /// for each other.
    ///
    /// - Parameter reply: takes the result as JSON on one line.
    func handle(
        _ request: ControlRequest, from connection: ControlConnection,
        reply: @escaping @Sendable (Result<String, ControlError>) -> Void)

    /// The peer is gone, and its request still open: a handler that only waits answers it now.
    /// On the connection's queue.
    func abandoned(_ connection: ControlConnection)

    /// The connection is gone; its subscriptions end. Called once, on the connection's queue, after
    /// the reply to its last request.
    func closed(_ connection: ControlConnection)
}

/// The process at the other end of a connection, as the kernel knew it when it connected.
public struct ControlPeer: Equatable, Sendable {
    public let pid: Int32
    public let uid: UInt32
    public let gid: UInt32

    public init(pid: Int32, uid: UInt32, gid: UInt32) {
        (self.pid, self.uid, self.gid) = (pid, uid, gid)
    }

    /// For the daemon's log.
    public var logFields: [(name: String, value: LogLine.Value)] {
        [("uid", .init(uid)), ("gid", .init(gid)), ("pid", .init(pid))]
    }
}
