import Dispatch
import Foundation
import Synchronization

/// Ctrl-C and its like: the first asks a run to stop at the next border, the second ends the
/// process.
///
/// One for the process: signals are the process's own.
public final class Interrupt: Sendable {
    private let isRaised = Atomic(false)
    private let sources: [any DispatchSourceSignal]

    public init() {
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)  // Or the default would end the process before the source hears.
            return DispatchSource.makeSignalSource(signal: number, queue: .global())
        }
        for source in sources {
            source.setEventHandler { [weak self] in
                let wasRaised = self?.isRaised.exchange(true, ordering: .relaxed) ?? true
                if wasRaised { _exit(130) }
            }
            source.resume()
        }
    }

    public var isRequested: Bool { isRaised.load(ordering: .relaxed) }
}
