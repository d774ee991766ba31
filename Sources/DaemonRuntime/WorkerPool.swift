import Dispatch
import Synchronization

/// The workers of the daemon, which all fleets share: pieces of epochs go to the fleet that has had
/// the least of them so far.
///
/// A piece is the run of one block through one epoch: a fraction of a second. So a small fleet that
/// is paced waits for one piece of a large one, and never for its epoch. Nobody waits for a job on
/// a thread: its end is told.
public final class WorkerPool: Sendable {
    /// Who asks for work: fairness is between tenants.
    public struct Tenant: Hashable, Sendable {
        let number: UInt64
    }

    /// One epoch of one fleet: pieces `0 ..< count`, each run once, in any order.
    private struct Job {
        let tenant: Tenant
        let count: Int
        let body: @Sendable (Int) -> Void
        let then: @Sendable () -> Void
        var next = 0
        var done = 0
    }

    private struct State {
        var idle: [Int]
        var jobs: [UInt64: Job] = [:]
        var lastNumber: UInt64 = 0
        /// Nanoseconds of work that a tenant has had, or the least of the others' when it came.
        var used: [Tenant: UInt64] = [:]
    }

    private let queues: [DispatchQueue]
    private let state: Mutex<State>

    /// - Parameter workers: pieces that run at a time, at least 1.
    public init(workers: Int) {
        precondition(workers > 0, "a pool has at least one worker")
        queues = (0..<workers).map { DispatchQueue(label: "locfleet.worker.\($0)") }
        state = Mutex(State(idle: Array(0..<workers)))
    }

    public var workers: Int { queues.count }

    public func makeTenant() -> Tenant {
        state.withLock { state in
            state.lastNumber += 1
            return Tenant(number: state.lastNumber)
        }
    }

    public func forget(_ tenant: Tenant) {
        state.withLock { _ = $0.used.removeValue(forKey: tenant) }
    }

    /// Runs `body` for every piece and then calls `then`, on a worker's queue.
    func perform(
        _ count: Int, for tenant: Tenant, _ body: @escaping @Sendable (Int) -> Void,
        then: @escaping @Sendable () -> Void
    ) {
        precondition(count > 0, "a job has at least one piece")
        state.withLock { state in
            // Who has been away does not catch up: the others would stand still meanwhile.
            let least = state.jobs.values.compactMap { state.used[$0.tenant] }.min() ?? 0
            state.used[tenant] = max(state.used[tenant] ?? 0, least)
            state.lastNumber += 1
            state.jobs[state.lastNumber] = Job(
                tenant: tenant, count: count, body: body, then: then)
        }
        hireIdle()
    }

    private func hireIdle() {
        while let worker = takeIdleWorker() { queues[worker].async { self.work(as: worker) } }
    }

    private func takeIdleWorker() -> Int? {
        state.withLock { state in
            guard state.jobs.values.contains(where: { $0.next < $0.count }) else { return nil }
            return state.idle.popLast()
        }
    }

    /// Runs pieces until none is left.
    private func work(as worker: Int) {
        while let (number, piece, body) = takePiece(worker) {
            let began = DispatchTime.now().uptimeNanoseconds
            body(piece)
            let nanoseconds = DispatchTime.now().uptimeNanoseconds - began
            finish(number, nanoseconds)?()
        }
    }

    private func takePiece(_ worker: Int) -> (UInt64, Int, @Sendable (Int) -> Void)? {
        state.withLock { state in
            let open = state.jobs.filter { $0.value.next < $0.value.count }
            // By the number at equal use, so that hash order does not choose.
            let least = open.min {
                (state.used[$0.value.tenant] ?? 0, $0.key)
                    < (state.used[$1.value.tenant] ?? 0, $1.key)
            }
            guard let (number, job) = least else {
                state.idle.append(worker)
                return nil
            }
            state.jobs[number]?.next += 1
            return (number, job.next, job.body)
        }
    }

    /// - Returns: what follows, if that was the job's last piece.
    private func finish(_ number: UInt64, _ nanoseconds: UInt64) -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard var job = state.jobs[number] else { return nil }
            job.done += 1
            state.used[job.tenant] = state.used[job.tenant].map { $0 + nanoseconds }
            guard job.done == job.count else {
                state.jobs[number] = job
                return nil
            }
            state.jobs[number] = nil
            return job.then
        }
    }
}
