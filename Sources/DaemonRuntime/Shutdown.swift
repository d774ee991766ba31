import Dispatch
import Glibc

/// What a daemon waits for: somebody asks it to stop, by a signal or otherwise.
public final class Shutdown {
    private let requested = DispatchSemaphore(value: 0)
    private let interrupt: Interrupt

    /// From here on SIGINT and SIGTERM ask to stop; the second of them ends the process.
    public init() {
        let requested = self.requested
        signal(SIGXFSZ, SIG_IGN)  // A file at its limit is told by `write` too.
        signal(SIGPIPE, SIG_IGN)  // A peer that is gone is told by `write`; nobody else may end us.
        interrupt = Interrupt { requested.signal() }
    }

    /// Asks to stop, from any thread.
    public var request: @Sendable () -> Void {
        let requested = self.requested
        return { requested.signal() }
    }

    /// Returns when somebody asks.
    public func wait() { requested.wait() }
}

extension ControlServer {
    /// `stop`, for a thread that has nothing else to do.
    public func stopAndWait(within seconds: Double) {
        waitForCall { stop(within: seconds, then: $0) }
    }
}

/// Blocks the caller's thread until what it hands to `body` is called.
public func waitForCall(_ body: (@escaping @Sendable () -> Void) -> Void) {
    let called = DispatchSemaphore(value: 0)
    body { called.signal() }
    called.wait()
}
