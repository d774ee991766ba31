import Dispatch
import Synchronization

/// Calls somebody once, some time after it was set. Unlike work that a queue was given for later,
/// nothing is left of it once it was cancelled.
public final class Alarm: Sendable {
    private static let queue = DispatchQueue(label: "locfleet.alarm")

    private let timer: Mutex<any DispatchSourceTimer>

    public init(_ body: @escaping @Sendable () -> Void) {
        let source = DispatchSource.makeTimerSource(queue: Self.queue)
        source.schedule(deadline: .distantFuture)
        source.setEventHandler(handler: body)
        source.activate()  // One that is let go of before ends the process.
        timer = Mutex(source)
    }

    /// - Parameter seconds: of wall time, from now.
    public func set(afterSeconds seconds: Double) {
        timer.withLock { $0.schedule(deadline: .now() + seconds) }
    }

    public func cancel() { timer.withLock { $0.cancel() } }

    deinit { cancel() }
}
