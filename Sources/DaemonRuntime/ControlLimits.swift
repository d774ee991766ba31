import ControlProtocol

/// What one client may cost the daemon. Reaching a limit is counted in `ControlCounters`.
public struct ControlLimits: Sendable {
    /// Bytes of a request's line without its ending. A longer one is answered `line_too_long`, and
    /// its connection closed.
    public var lineBytes = LineFramer.lineBytesMax
    /// Connections at a time. The newcomer over it gets one line with `limit_reached`.
    public var connections = 1_024
    /// Bytes of replies that wait for their peer before its next request waits too. One reply may
    /// be longer; in a batch, the calls after so many bytes are refused.
    public var queuedReplyBytes = 8 << 20
    /// Bytes of notifications that wait for their peer. Those over it are lost, and counted as
    /// that; only the last of a subscription never is.
    public var queuedNotificationBytes = 1 << 20
    /// Seconds of wall time that output may wait for a peer that reads nothing; then it is cut off.
    public var stalledSeconds = 30.0
    /// Milliseconds within which it is noticed that a peer is gone that waits for an answer.
    public var peerCheckMilliseconds = 1_000
    /// Bytes of one read.
    public var readBytes = 64 << 10
    /// Milliseconds for which the listener rests when the process or the system has no descriptor
    /// left.
    public var backOffMilliseconds = 100

    public init() {}
}

/// What a server's connections came to since it was made.
public struct ControlCounters: Equatable, Sendable {
    /// Connections that were served.
    public var accepted: UInt64 = 0
    /// Newcomers turned away: too many of them, no descriptor, or not permitted.
    public var refused: UInt64 = 0
    /// Peers that read nothing while output waited, or that did not at the end of `stop`.
    public var cut: UInt64 = 0
    /// Lines over the limit, and lines in which no call was understood.
    public var linesRefused: UInt64 = 0
    /// Notifications that found their connection's queue full.
    public var notificationsLost: UInt64 = 0
    /// How often each limit was reached.
    public var reached: [LimitName: UInt64] = [:]

    public init() {}
}
