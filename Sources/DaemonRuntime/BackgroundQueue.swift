import Dispatch

/// Work that somebody will be told the end of, one piece after the other, in the order in which it
/// came.
public final class BackgroundQueue: Sendable {
    private let queue: DispatchQueue

    public init(_ label: String) { queue = DispatchQueue(label: "locfleet.\(label)") }

    /// - Parameter seconds: of wall time.
    public func after(_ seconds: Double, _ work: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + seconds, execute: work)
    }

    public func async(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}
