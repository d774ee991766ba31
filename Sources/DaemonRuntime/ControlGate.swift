import Dispatch

/// A dispatch source for a descriptor that is opened and shut any number of times, and cancelled
/// once.
///
/// Dispatch itself counts suspensions, and a source that is let go of while suspended ends the
/// process.
struct ControlGate {
    private let source: any DispatchSourceProtocol
    private(set) var isOpen = false
    private var isCancelled = false

    /// - Parameters:
    ///   - event: called while the gate is open.
    ///   - cancelled: called when the source is done with its descriptor.
    init(
        _ source: any DispatchSourceProtocol, event: @escaping @Sendable () -> Void,
        cancelled: @escaping @Sendable () -> Void
    ) {
        self.source = source
        source.setEventHandler(handler: event)
        source.setCancelHandler(handler: cancelled)
    }

    mutating func set(isOpen wanted: Bool) {
        guard wanted != isOpen, !isCancelled else { return }
        if wanted { source.resume() } else { source.suspend() }
        isOpen = wanted
    }

    /// Nothing happens any more but the call of `cancelled`.
    mutating func cancel() {
        guard !isCancelled else { return }
        set(isOpen: true)  // A suspended source would never say that it is done.
        isCancelled = true
        source.cancel()
    }
}
