import Dispatch
import Synchronization

/// Calls somebody again and again, the first time at once, one call after the other, until it is
/// cancelled.
public final class Ticker: Sendable {
    private let timer: Mutex<any DispatchSourceTimer>
    private let seconds: Double

    /// - Parameter seconds: between two calls, of wall time.
    public init(everySeconds seconds: Double, _ body: @escaping @Sendable () -> Void) {
        let source = DispatchSource.makeTimerSource(
            queue: DispatchQueue(label: "locfleet.ticker"))
        source.schedule(deadline: .now(), repeating: seconds)
        source.setEventHandler(handler: body)
        source.activate()
        timer = Mutex(source)
        self.seconds = seconds
    }

    /// Calls now, and goes on from now.
    public func fire() { timer.withLock { $0.schedule(deadline: .now(), repeating: seconds) } }

    public func cancel() { timer.withLock { $0.cancel() } }

    deinit { cancel() }
}
