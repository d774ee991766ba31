import Dispatch
import Foundation
import Synchronization

/// Ctrl-C and its like: the first asks a run to stop at the next border, the second ends the
/// process.
///
/// One for the process: signals are the process's own.
public final class Interrupt {
    private final class Flag: Sendable {
        let isRaised = Atomic(false)
    }

    private let flag = Flag()
    private let sources: [any DispatchSourceSignal]

    public init() {
        sources = [SIGINT, SIGTERM].map { number in
            // Or the default would end the process before the source hears.
            signal(number, SIG_IGN)
            return DispatchSource.makeSignalSource(signal: number, queue: .global())
        }
        let flag = flag
        for source in sources {
            source.setEventHandler {
                let wasRaised = flag.isRaised.exchange(true, ordering: .relaxed)
                if wasRaised { _exit(130) }
            }
            source.resume()
        }
    }

    public var isRequested: Bool { flag.isRaised.load(ordering: .relaxed) }
}
