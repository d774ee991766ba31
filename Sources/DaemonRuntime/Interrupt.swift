import Dispatch
import Foundation
import Synchronization

/// Ctrl-C and its like: the first asks a run to stop at the next border, the second ends the
/// process. What comes within half a second is the same wish: some senders signal a process and
/// then its group.
///
/// One for the process: signals are the process's own.
public final class Interrupt {
    private final class Flag: Sendable {
        let isRaised = Atomic(false)
        let raisedNanoseconds = Atomic<UInt64>(0)
    }

    private let flag = Flag()
    private let sources: [any DispatchSourceSignal]

    /// - Parameter onFirst: called when the first comes, on a queue of its own.
    public init(onFirst: @escaping @Sendable () -> Void = {}) {
        sources = [SIGINT, SIGTERM].map { number in
            // Or the default would end the process before the source hears.
            signal(number, SIG_IGN)
            return DispatchSource.makeSignalSource(signal: number, queue: .global())
        }
        let flag = flag
        for source in sources {
            source.setEventHandler {
                let now = DispatchTime.now().uptimeNanoseconds
                if flag.isRaised.exchange(true, ordering: .sequentiallyConsistent) {
                    let first = flag.raisedNanoseconds.load(ordering: .sequentiallyConsistent)
                    if first > 0, now > first + 500_000_000 { _exit(130) }
                    return
                }
                flag.raisedNanoseconds.store(now, ordering: .sequentiallyConsistent)
                onFirst()
            }
            source.resume()
        }
    }

    public var isRequested: Bool { flag.isRaised.load(ordering: .relaxed) }
}
