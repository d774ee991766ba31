import ControlProtocol
import Dispatch
import Synchronization

/// One client of the daemon.
///
/// Everything that happens to it happens on its own serial queue, one request after the other. Its
/// output is appended to from any thread.
public final class ControlConnection: Sendable {
    /// In the order of connecting, from 1, unique while the server lives.
    public let id: UInt64
    public let peer: ControlPeer

    let queue: DispatchQueue
    let descriptor: Int32
    let limits: ControlLimits
    let handler: any ControlHandler
    let tally: ControlTally
    let onEnd: @Sendable (ControlConnection) -> Void
    let output = Mutex(ControlOutput())
    private let hasSubscriptionsFlag = Atomic(false)
    /// Safe: touched on `queue` alone.
    nonisolated(unsafe) var session: ControlSession

    /// Takes over `descriptor`, and closes it when the connection ends.
    ///
    /// - Parameter onEnd: called once, when the descriptor is closed.
    init(
        id: UInt64, descriptor: Int32, peer: ControlPeer, limits: ControlLimits,
        handler: any ControlHandler, tally: ControlTally,
        onEnd: @escaping @Sendable (ControlConnection) -> Void
    ) {
        (self.id, self.descriptor, self.peer, self.limits) = (id, descriptor, peer, limits)
        (self.handler, self.tally, self.onEnd) = (handler, tally, onEnd)
        queue = DispatchQueue(label: "locfleet.control.\(id)")
        session = ControlSession(framer: LineFramer(bytesMax: limits.lineBytes))
    }

    /// Queues a line for the peer, from any thread.
    ///
    /// - Parameters:
    ///   - line: JSON, without a newline at its end.
    ///   - isLast: it ends a subscription, and is queued however much waits: a peer that is slow
    ///     would wait for it for ever.
    /// - Returns: false, and nothing is queued, when the peer's queue of notifications is full, or
    ///   the peer is gone: the caller counts the line as lost.
    public func notify(_ line: String, isLast: Bool = false) -> Bool {
        let bytes = Self.framed(line)
        let bytesMax = isLast ? Int.max : limits.queuedNotificationBytes
        let (isQueued, isClosed) = output.withLock { output in
            (
                output.append(notification: bytes, bytesMax: bytesMax),
                output.isClosed
            )
        }
        if isQueued {
            queue.async { self.advance() }
        } else if !isClosed {
            countLost(.queuedNotificationBytes)
        }
        return isQueued
    }

    /// Counts a notification that was lost, or not even made, because of `limit`.
    public func countLost(_ limit: LimitName) {
        tally.count(\.notificationsLost)
        tally.count(limit)
    }

    /// Whether more than a quarter of the peer's queue of notifications is free: else one that
    /// takes long to make would most likely be made in vain.
    public var hasRoomForNotifications: Bool {
        output.withLock { $0.notificationBytes < limits.queuedNotificationBytes / 4 * 3 }
    }

    /// While a connection has subscriptions it stays open after its peer has shut down its writing
    /// side. From any thread; before the reply to the request that made or ended the last one.
    public func setHasSubscriptions(_ on: Bool) {
        hasSubscriptionsFlag.store(on, ordering: .releasing)
        queue.async { self.advance() }
    }

    var hasSubscriptions: Bool { hasSubscriptionsFlag.load(ordering: .acquiring) }

    /// `line` with its newline, and without any other: in JSON those are only ever space.
    static func framed(_ line: String) -> [UInt8] {
        var bytes = Array(line.utf8)
        for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
            bytes[index] = UInt8(ascii: " ")
        }
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}

/// Where a connection stands.
struct ControlSession {
    var framer: LineFramer
    var reading: ControlGate?
    /// Only while output waits for the peer.
    var writing: ControlGate?
    /// Sources that still hold a descriptor.
    var sourceCount = 0
    /// There may be something to read. Dispatch tells of a hangup once, so what it told of is
    /// remembered until a read finds nothing.
    var isReadDue = true
    /// A request is with the handler.
    var isBusy = false
    /// The server ended it, for its peer took nothing.
    var wasCut = false
    /// The peer has shut down its writing side.
    var hasEnded = false
    /// No line is taken any more: the last one was too long.
    var isOver = false
    /// The daemon is shutting down.
    var isStopping = false
    /// The peer is gone, or cut off.
    var isClosed = false
    /// The peer is gone, and its last request still with the handler.
    var isAbandoned = false
    var isDescriptorClosed = false
    /// What is being written, and up to where it was.
    var chunk: [UInt8] = []
    var written = 0
    /// Since when the peer has taken nothing while output waits; nil when it takes what comes.
    var stalledSince: DispatchTime?
    var isStallCheckDue = false
    /// Goes with the connection: work for later would be kept until it is due.
    var stallAlarm: Alarm?
    var isRetryDue = false
    var isPeerCheckDue = false
}

/// The counters of one server, which its connections share.
final class ControlTally: Sendable {
    private let counters = Mutex(ControlCounters())

    var snapshot: ControlCounters { counters.withLock { $0 } }

    func count(_ limit: LimitName?) {
        guard let limit else { return }
        counters.withLock { $0.reached[limit, default: 0] += 1 }
    }

    func count(_ counter: WritableKeyPath<ControlCounters, UInt64> & Sendable) {
        counters.withLock { $0[keyPath: counter] += 1 }
    }
}
