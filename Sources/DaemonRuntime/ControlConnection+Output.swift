import Dispatch
import Synchronization

/// Output: as much as the peer takes, and never a thread that waits for it. All on the queue.
extension ControlConnection {
    /// Writes what waits, as far as it fits.
    func flush() {
        while !session.isClosed {
            if session.written == session.chunk.count {
                session.chunk = output.withLock { $0.take() }
                session.written = 0
                if session.chunk.isEmpty {
                    session.stalledSince = nil
                    session.writing?.set(isOpen: false)
                    return
                }
            }
            let count = ControlDescriptor.send(session.chunk[session.written...], to: descriptor)
            if count >= 0 {
                session.written += count
                session.stalledSince = nil
            } else if ControlDescriptor.wouldWait {
                return wait()
            } else {
                return end()
            }
        }
    }

    private func wait() {
        if session.stalledSince == nil { session.stalledSince = .now() }
        if session.writing == nil {
            let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
            session.sourceCount += 1
            session.writing = ControlGate(
                source, event: { self.advance() }, cancelled: { self.sourceEnded() })
        }
        session.writing?.set(isOpen: true)
        guard !session.isStallCheckDue else { return }
        checkForStall(after: limits.stalledSeconds)
    }

    /// Cuts off a peer that by then has taken nothing for too long.
    private func checkForStall(after seconds: Double) {
        session.isStallCheckDue = true
        queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
            guard let self else { return }
            session.isStallCheckDue = false
            guard !session.isClosed, let since = session.stalledSince else { return }
            let now = DispatchTime.now().uptimeNanoseconds
            let left = limits.stalledSeconds - Double(now - since.uptimeNanoseconds) / 1e9
            if left > 0 {
                checkForStall(after: left)
            } else {
                tally.count(\.cut)
                end()
            }
        }
    }
}
