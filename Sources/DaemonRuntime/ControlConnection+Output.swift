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
                    session.writing?.cancel()
                    session.writing = nil
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
        if session.writing == nil { watchWriting() }
        guard !session.isStallCheckDue else { return }
        checkForStall(after: limits.stalledSeconds)
    }

    /// Waits for the peer to take more, on a descriptor of its own: Dispatch on Linux loses events
    /// of two sources on one descriptor when the peer hangs up.
    private func watchWriting() {
        let own = ControlDescriptor.duplicate(descriptor)
        guard own >= 0 else { return retry() }
        let source = DispatchSource.makeWriteSource(fileDescriptor: own, queue: queue)
        session.sourceCount += 1
        let gate = ControlGate(source, event: { self.advance() }) {
            ControlDescriptor.close(own)
            self.sourceEnded()
        }
        session.writing = gate
        session.writing?.set(isOpen: true)
    }

    /// Looks again in a moment: no descriptor is left.
    private func retry() {
        guard !session.isRetryDue else { return }
        session.isRetryDue = true
        queue.asyncAfter(deadline: .now() + .milliseconds(limits.backOffMilliseconds)) {
            [weak self] in
            self?.session.isRetryDue = false
            self?.advance()
        }
    }

    /// Looks by then whether the peer has taken nothing for too long.
    private func checkForStall(after seconds: Double) {
        session.isStallCheckDue = true
        let alarm =
            session.stallAlarm
            ?? Alarm { [weak self] in
                self?.queue.async { [weak self] in self?.cutOffIfStalled() }
            }
        session.stallAlarm = alarm
        alarm.set(afterSeconds: seconds)
    }

    private func cutOffIfStalled() {
        session.isStallCheckDue = false
        guard !session.isClosed, let since = session.stalledSince else { return }
        let now = DispatchTime.now().uptimeNanoseconds
        let left = limits.stalledSeconds - Double(now - since.uptimeNanoseconds) / 1e9
        if left > 0 {
            checkForStall(after: left)
        } else {
            session.wasCut = true
            tally.count(\.cut)
            tally.count(.stalledSeconds)
            end()
        }
    }
}
