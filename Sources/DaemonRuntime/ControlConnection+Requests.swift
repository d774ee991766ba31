import ControlProtocol
import Dispatch
import Synchronization

/// Requests: one at a time, each answered before the next is taken. All on the queue.
extension ControlConnection {
    func start() {
        queue.async {
            let source = DispatchSource.makeReadSource(
                fileDescriptor: self.descriptor, queue: self.queue)
            self.session.sourceCount += 1
            self.session.reading = ControlGate(
                source, event: { self.readable() }, cancelled: { self.sourceEnded() })
            self.advance()
        }
    }

    /// Takes no more requests, answers those that came, and ends.
    func stop() {
        queue.async {
            self.session.isStopping = true
            self.session.reading?.cancel()
            self.advance()
        }
    }

    /// Ends at once.
    func cutOff() {
        queue.async {
            guard !self.session.isClosed else { return }
            self.session.wasCut = true
            self.tally.count(\.cut)
            self.end()
        }
    }

    /// Does whatever is due next: the one place that decides.
    func advance() {
        guard !session.isClosed else { return }
        flush()  // First: it makes room for the next reply.
        if !session.isClosed, !session.isBusy, hasRoomForReply {
            if let line = nextLine() { serve(line) }
            if session.isOver { flush() }
        }
        guard !session.isClosed else { return }
        if session.isBusy || session.hasEnded { checkPeerLater() }
        if isListening {
            if session.reading?.isOpen == false {
                session.reading?.set(isOpen: true)
                session.isReadDue = true
            }
            if session.isReadDue { return read() }
        }
        guard !session.isBusy, output.withLock(\.isEmpty) else { return }
        if session.isOver || session.isStopping {
            end()
        } else if session.hasEnded {
            if !hasSubscriptions { end() }
        }
    }

    private var isListening: Bool {
        !session.isBusy && !session.hasEnded && !session.isOver && !session.isStopping
            && hasRoomForReply
    }

    private var hasRoomForReply: Bool {
        output.withLock(\.replyBytes) < limits.queuedReplyBytes
    }

    private func nextLine() -> [UInt8]? {
        guard !session.isOver else { return nil }
        do throws(ControlError) {
            let line = try session.framer.next()
            return line ?? (session.hasEnded ? session.framer.takeRest() : nil)
        } catch {
            session.isOver = true
            session.reading?.cancel()
            tally.count(\.linesRefused)
            tally.count(error.limit)
            reply(error.line)
            return nil
        }
    }

    private func readable() {
        session.isReadDue = true
        // Or it would be told again and again.
        if !isListening { session.reading?.set(isOpen: false) }
        advance()
    }

    /// Reads once, and again after what else the queue has to do, until nothing is there.
    private func read() {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limits.readBytes) { buffer, used in
            count = ControlDescriptor.receive(buffer, from: descriptor)
            used = max(count, 0)
        }
        if count > 0 {
            session.framer.receive(bytes)
        } else if count == 0 {
            session.hasEnded = true
            session.reading?.cancel()
        } else if ControlDescriptor.wouldWait {
            session.isReadDue = false
        } else {
            return end()
        }
        queue.async { self.advance() }
    }

    // MARK: - One message

    private func serve(_ line: [UInt8]) {
        let message = ControlMessage(line: line)
        if message.calls.allSatisfy({ if case .failure = $0.request { true } else { false } }) {
            tally.count(\.linesRefused)
        }
        session.isBusy = true
        serve(message, after: [])
    }

    /// Serves the first call of `message` that has no place in `responses` yet.
    private func serve(_ message: ControlMessage, after responses: [String?]) {
        let call = message.calls[responses.count]
        let reply = OneReply { result in
            if case .failure(let error) = result { self.tally.count(error.limit) }
            let responses = responses + [call.response(result)]
            let isLast = responses.count == message.calls.count
            // At once, so that what the handler notifies of next comes after it.
            if isLast, let line = message.reply(responses) { self.reply(line) }
            self.queue.async {
                if isLast { self.served() } else { self.serve(message, after: responses) }
            }
        }
        switch call.request {
        case .failure(let error): reply.take(.failure(error))
        case .success where session.isStopping:
            reply.take(.failure(ControlError(.shuttingDown, "the daemon is shutting down")))
        case .success where session.isClosed || session.isAbandoned:
            reply.take(.failure(ControlError(.internalError, "the peer is gone")))
        case .success where responses.isOver(bytes: limits.queuedReplyBytes):
            let message =
                "the replies to a batch are \(limits.queuedReplyBytes) bytes before its last one; "
                + "ask for fewer things at a time"
            reply.take(.failure(ControlError(.limitReached, message, limit: .queuedReplyBytes)))
        case .success(let request):
            handler.handle(request, from: self) { reply.take($0) }
        }
    }

    private func served() {
        session.isBusy = false
        if session.isClosed {
            handler.closed(self)
        } else if session.isAbandoned {
            end()
        } else {
            advance()
        }
    }

    private func reply(_ line: String) {
        let bytes = Self.framed(line)
        output.withLock { $0.append(reply: bytes) }
    }

    // MARK: - The end

    /// Looks in a moment whether a peer that nothing is read from is gone: it listens and says no
    /// more, or waits for an answer. Dispatch would not tell.
    private func checkPeerLater() {
        guard !session.isPeerCheckDue else { return }
        session.isPeerCheckDue = true
        queue.asyncAfter(deadline: .now() + .milliseconds(limits.peerCheckMilliseconds)) {
            [weak self] in
            guard let self else { return }
            session.isPeerCheckDue = false
            guard !session.isClosed else { return }
            if session.isBusy || session.hasEnded, ControlDescriptor.isPeerGone(descriptor) {
                return abandon()
            }
            advance()
        }
    }

    /// The peer is gone. What it asked for last still counts as its connection until it is done, so
    /// that work that nobody waits for has a limit too.
    private func abandon() {
        guard session.isBusy else { return end() }
        session.isAbandoned = true
        handler.abandoned(self)
    }

    func end() {
        guard !session.isClosed else { return }
        session.isClosed = true
        output.withLock { $0.close() }
        (session.chunk, session.written) = ([], 0)
        session.stallAlarm = nil
        session.reading?.cancel()
        session.writing?.cancel()
        if !session.isBusy { handler.closed(self) }
        closeDescriptor()
    }

    func sourceEnded() {
        session.sourceCount -= 1
        closeDescriptor()
    }

    private func closeDescriptor() {
        guard session.isClosed, session.sourceCount == 0, !session.isDescriptorClosed else {
            return
        }
        session.isDescriptorClosed = true
        ControlDescriptor.close(descriptor)
        (session.reading, session.writing) = (nil, nil)
        onEnd(self)
    }
}

extension [String?] {
    /// Whether these responses are longer than that together.
    fileprivate func isOver(bytes: Int) -> Bool { reduce(0) { $0 + ($1?.utf8.count ?? 0) } > bytes }
}

/// Takes one result. A handler that lets go of it without one has answered that it failed.
private final class OneReply: Sendable {
    private let isTaken = Atomic(false)
    private let then: @Sendable (Result<String, ControlError>) -> Void

    init(_ then: @escaping @Sendable (Result<String, ControlError>) -> Void) { self.then = then }

    func take(_ result: Result<String, ControlError>) {
        let wasTaken = isTaken.exchange(true, ordering: .acquiringAndReleasing)
        precondition(!wasTaken, "a request is answered once")
        then(result)
    }

    deinit {
        guard !isTaken.load(ordering: .acquiring) else { return }
        then(.failure(ControlError(.internalError, "the daemon gave no answer")))
    }
}
