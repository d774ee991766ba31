import DeviceCore
import SimPrimitives
import Simulation

/// The timers and waiting tasks of the app's process in a dry run.
struct TrialTimers {
    /// One that fires now.
    struct Due {
        var number: UInt64
        var isLast: Bool
        var instant: SimTime
        var generation: Int
    }

    private struct Pending {
        var timer: AppTimer
        var due: SimTime
        var generation: Int
        var firings = 0
    }

    /// Of one with a period, in each process.
    private static let firingsMax = 2

    private var pending: [Pending] = []

    /// As the device counts them: also those that this dry run fires no more.
    var count: Int { pending.count }

    /// - Parameter generation: timers that led to this one, each set by the one before.
    mutating func set(_ timer: AppTimer, at time: SimTime, generation: Int) {
        pending.append(Pending(timer: timer, due: time + timer.wait, generation: generation))
    }

    mutating func cancel(_ number: UInt64) { pending.removeAll { $0.timer.number == number } }

    mutating func removeAll() { pending = [] }

    /// The next to fire, by instant and then in the order in which they were set.
    ///
    /// - Parameter generationMax: a chain of timers, or of waits in a task, is left there.
    mutating func takeNext(generationMax: Int) -> Due? {
        let next = pending.indices
            .filter { pending[$0].generation <= generationMax }
            .filter { pending[$0].firings < Self.firingsMax }
            .min {
                (pending[$0].due, pending[$0].timer.number)
                    < (pending[$1].due, pending[$1].timer.number)
            }
        guard let next else { return nil }
        let (timer, due) = (pending[next].timer, pending[next].due)
        let generation = pending[next].generation
        if let period = timer.period {
            pending[next].due = due + period
            pending[next].firings += 1
        } else {
            pending.remove(at: next)
        }
        return Due(
            number: timer.number, isLast: timer.period == nil, instant: due,
            generation: generation)
    }
}
