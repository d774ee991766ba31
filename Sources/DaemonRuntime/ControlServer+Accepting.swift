import ControlProtocol
import Dispatch
import Synchronization
import Telemetry

/// Newcomers, and the end. All on the server's queue.
extension ControlServer {
    /// Newcomers taken at one go.
    private static let newcomersMax = 64

    func listen() {
        guard listening.phase == .fresh else { return }
        listening.phase = .serving
        listening.spare = ControlDescriptor.makeSpare()
        // Dispatch takes a descriptor for its first timer that has to wait. Where none is left by
        // then the timer is never heard of (observed), and `backOff` needs it just then: so one
        // is made now, far enough ahead that it does wait.
        queue.asyncAfter(deadline: .now() + .seconds(60)) {}
        let source = DispatchSource.makeReadSource(fileDescriptor: file.listener, queue: queue)
        listening.gate = ControlGate(
            source, event: { self.acceptNewcomers() }, cancelled: { self.closeListener() })
        listening.gate?.set(isOpen: true)
    }

    private func acceptNewcomers() {
        guard listening.phase == .serving else { return }
        for _ in 0..<Self.newcomersMax {
            let descriptor = ControlDescriptor.accept(file.listener)
            if descriptor >= 0 {
                admit(descriptor)
            } else if ControlDescriptor.wouldWait {
                return
            } else if !ControlDescriptor.isNewcomerGone {
                return backOff()
            }
        }
    }

    /// Serves those who are here, and leaves newcomers waiting for a moment: no descriptor is left.
    private func backOff() {
        if listening.spare >= 0 {
            ControlDescriptor.close(listening.spare)
            let descriptor = ControlDescriptor.accept(file.listener)
            if descriptor >= 0 {
                turnAway(
                    descriptor, .limitReached, "the daemon has no descriptor left; try later",
                    .descriptors)
            }
            listening.spare = ControlDescriptor.makeSpare()
        }
        listening.gate?.set(isOpen: false)
        let pause = DispatchTimeInterval.milliseconds(options.limits.backOffMilliseconds)
        queue.asyncAfter(deadline: .now() + pause) { [weak self] in
            guard let self, listening.phase == .serving else { return }
            if listening.spare < 0 { listening.spare = ControlDescriptor.makeSpare() }
            listening.gate?.set(isOpen: true)
        }
    }

    private func admit(_ descriptor: Int32) {
        guard let peer = ControlDescriptor.peer(of: descriptor),
            options.servesOthers || peer.uid == owner || peer.uid == 0
        else {
            return turnAway(
                descriptor, .notPermitted, "this daemon serves user \(owner) and root alone",
                level: .warning)
        }
        guard connectionCount < options.limits.connections else {
            return turnAway(
                descriptor, .limitReached,
                "the daemon serves at most \(options.limits.connections) connections at a time; "
                    + "try later", .connections)
        }
        listening.lastID += 1
        let connection = ControlConnection(
            id: listening.lastID, descriptor: descriptor, peer: peer, limits: options.limits,
            handler: handler, tally: tally, onEnd: { self.ended($0) })
        connections.withLock { $0[connection.id] = connection }
        tally.count(\.accepted)
        options.log?.log(
            .info, .connected, "connected",
            [("connection", .init(connection.id))] + peer.logFields)
        connection.start()
    }

    private func turnAway(
        _ descriptor: Int32, _ code: ControlError.Code, _ message: String,
        _ limit: LimitName? = nil, level: LogLevel = .notice
    ) {
        tally.count(\.refused)  // First: whoever has read the answer finds it counted.
        tally.count(limit)
        options.log?.log(
            level, .refused, message,
            [("code", .text(code.rawValue))]
                + (ControlDescriptor.peer(of: descriptor)?.logFields ?? []))
        ControlDescriptor.turnAway(descriptor, ControlError(code, message, limit: limit).line)
    }

    // MARK: - The end

    /// From a connection's queue.
    private func ended(_ connection: ControlConnection) {
        let fields = [("connection", LogLine.Value(connection.id))]
        if connection.session.wasCut {
            options.log?.log(
                .notice, .cut, "cut off: it took nothing of what waits for it",
                fields + connection.peer.logFields)
        } else {
            options.log?.log(.info, .disconnected, "gone", fields)
        }
        connections.withLock { $0[connection.id] = nil }
        queue.async { self.finishIfDone() }
    }

    func stopListening(within seconds: Double, then: @escaping @Sendable () -> Void) {
        listening.then.append(then)
        switch listening.phase {
        case .fresh:
            listening.phase = .stopping
            closeListener()
        case .serving:
            listening.phase = .stopping
            listening.gate?.cancel()
            for connection in everybody { connection.stop() }
            queue.asyncAfter(deadline: .now() + max(seconds, 0)) { [weak self] in
                for connection in self?.everybody ?? [] { connection.cutOff() }
            }
        case .stopping: return
        case .stopped: finishIfDone()
        }
    }

    private var everybody: [ControlConnection] { connections.withLock { Array($0.values) } }

    private func closeListener() {
        listening.gate = nil
        file.closeListener()
        if listening.spare >= 0 { ControlDescriptor.close(listening.spare) }
        listening.isListenerClosed = true
        finishIfDone()
    }

    private func finishIfDone() {
        guard listening.isListenerClosed, connectionCount == 0 else { return }
        if listening.phase == .stopping { file.unlock() }
        listening.phase = .stopped
        let then = listening.then
        listening.then = []
        for call in then { call() }
    }
}
