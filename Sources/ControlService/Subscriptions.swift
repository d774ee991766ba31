import ControlProtocol
import DaemonRuntime
import Synchronization

/// Who is told of what, again and again.
final class Subscriptions: Sendable {
    /// Subscriptions of one connection.
    static let perConnectionMax = 64
    /// Subscriptions of all connections.
    static let countMax = 1_024

    /// One subscription, for what feeds it.
    final class Line: Sendable {
        let id: String
        let connection: ControlConnection
        private let lostCount = Atomic<UInt64>(0)
        private let onEnd = Mutex<(@Sendable () -> Void)?>(nil)
        private let isOver = Atomic(false)

        init(id: String, connection: ControlConnection) {
            (self.id, self.connection) = (id, connection)
        }

        /// Whether the subscriber has room for more: a line that would be lost need not be made.
        var hasRoom: Bool { connection.hasRoomForNotifications }

        /// What was not made.
        ///
        /// - Parameter isForRoom: the subscriber had none; else the fleet spared its time.
        func lose(_ count: Int = 1, isForRoom: Bool = true) {
            lostCount.wrappingAdd(UInt64(count), ordering: .relaxed)
            connection.countLost(isForRoom ? .queuedNotificationBytes : .watchedTime)
        }

        /// What the subscriber has missed so far.
        var lost: UInt64 { lostCount.load(ordering: .relaxed) }

        /// - Parameters:
        ///   - count: of what the line tells, for `lost`.
        ///   - isLast: it says that nothing more comes, and is not lost.
        func send(_ line: String, count: Int = 1, isLast: Bool = false) {
            guard !isOver.load(ordering: .relaxed) else { return }
            if !connection.notify(line, isLast: isLast) {
                lostCount.wrappingAdd(UInt64(count), ordering: .relaxed)
            }
        }

        /// What stops the feeding. Called once, or at once where the line is over already.
        func atEnd(_ body: @escaping @Sendable () -> Void) {
            onEnd.withLock { $0 = body }
            if isOver.load(ordering: .sequentiallyConsistent) { runEnd() }
        }

        fileprivate func end() {
            isOver.store(true, ordering: .sequentiallyConsistent)
            runEnd()
        }

        private func runEnd() {
            let body = onEnd.withLock { body -> (@Sendable () -> Void)? in
                defer { body = nil }
                return body
            }
            body?()
        }
    }

    private struct State {
        var lines: [String: Line] = [:]
        /// By connection, how many it has.
        var counts: [UInt64: Int] = [:]
        var lastNumber: UInt64 = 0
    }

    private let state = Mutex(State())

    var count: Int { state.withLock(\.lines.count) }

    func begin(for connection: ControlConnection) throws(ControlError) -> Line {
        var limit: LimitName?
        let line = state.withLock { state -> Line? in
            let own = state.counts[connection.id, default: 0]
            if own >= Self.perConnectionMax { limit = .connectionSubscriptions }
            if limit == nil, state.lines.count >= Self.countMax { limit = .subscriptions }
            guard limit == nil else { return nil }
            state.counts[connection.id] = own + 1
            state.lastNumber += 1
            let line = Line(id: "s\(state.lastNumber)", connection: connection)
            state.lines[line.id] = line
            return line
        }
        guard let line else {
            throw ControlError(
                .limitReached,
                "a connection has at most \(Self.perConnectionMax) subscriptions, and the daemon "
                    + "\(Self.countMax); end one", limit: limit)
        }
        connection.setHasSubscriptions(true)
        return line
    }

    /// Ends one that its own connection asks to end.
    func end(_ id: String, of connection: ControlConnection) throws(ControlError) {
        let line = state.withLock { $0.lines[id] }
        guard let line, line.connection === connection else {
            throw ControlError(
                .noSuchSubscription, "this connection has no subscription \"\(id)\"",
                parameter: "subscription")
        }
        end(line)
    }

    func end(_ line: Line) {
        let isLast = state.withLock { state -> Bool in
            guard state.lines.removeValue(forKey: line.id) != nil else { return false }
            let left = state.counts[line.connection.id, default: 1] - 1
            state.counts[line.connection.id] = left == 0 ? nil : left
            return left == 0
        }
        line.end()
        if isLast { line.connection.setHasSubscriptions(false) }
    }

    func end(of connection: ControlConnection) {
        let own = state.withLock { $0.lines.values.filter { $0.connection === connection } }
        for line in own { end(line) }
    }
}
