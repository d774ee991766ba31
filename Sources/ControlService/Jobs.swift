import ControlProtocol
import JSONText
import SimPrimitives
import Synchronization

/// What clients have begun that takes its time, and who waits for its end.
final class Jobs: Sendable {
    /// Jobs that are kept: of those that have ended the oldest go.
    static let countMax = 1_024

    enum Outcome {
        case done
        /// The fleet ended first.
        case missed(String)
        /// Somebody did something else to the fleet.
        case cut(String)
    }

    struct Job {
        let id: String
        let method: String
        let fleet: String
        let goal: String
        var outcome: Outcome?
        var at: SimTime?

        var text: String {
            let (state, why): (String, String?) =
                switch outcome {
                case nil: ("running", nil)
                case .done?: ("done", nil)
                case .missed(let why)?: ("missed", why)
                case .cut(let why)?: ("cut", why)
                }
            return JSONLine.object {
                $0.member("job", id)
                $0.member("method", method)
                $0.member("fleet", fleet)
                $0.member("goal", goal)
                $0.member("state", state)
                $0.member("why", why)
                if let at {
                    $0.member("at_seconds", (at - .start).seconds)
                } else {
                    $0.member("at_seconds", nil as String?)
                }
            }
        }
    }

    private struct State {
        var jobs: [Job] = []
        var lastNumber = 0
        var waiters: [String: [String: @Sendable (Job) -> Void]] = [:]
    }

    private let state = Mutex(State())

    /// In the order in which they were begun.
    var all: [Job] { state.withLock(\.jobs) }

    subscript(id: String) -> Job? { state.withLock { $0.jobs.first { $0.id == id } } }

    func begin(_ method: ControlMethod, fleet: String, goal: String) throws(ControlError) -> String
    {
        let id = state.withLock { state -> String? in
            if state.jobs.count >= Self.countMax {
                guard let old = state.jobs.firstIndex(where: { $0.outcome != nil }) else {
                    return nil
                }
                state.jobs.remove(at: old)
            }
            state.lastNumber += 1
            let id = "j\(state.lastNumber)"
            state.jobs.append(Job(id: id, method: method.name, fleet: fleet, goal: goal))
            return id
        }
        guard let id else {
            throw ControlError(
                .limitReached, "the daemon has \(Self.countMax) jobs, as many as it takes",
                limit: .jobs)
        }
        return id
    }

    func end(_ id: String, _ outcome: Outcome, at: SimTime) {
        let (job, waiters) = state.withLock { state -> (Job?, [String: @Sendable (Job) -> Void]) in
            guard let place = state.jobs.firstIndex(where: { $0.id == id }) else {
                return (nil, [:])
            }
            (state.jobs[place].outcome, state.jobs[place].at) = (outcome, at)
            return (state.jobs[place], state.waiters.removeValue(forKey: id) ?? [:])
        }
        guard let job else { return }
        for (_, tell) in waiters.sorted(by: { $0.key < $1.key }) { tell(job) }
    }

    /// It was never begun.
    func forget(_ id: String) {
        state.withLock { state in state.jobs.removeAll { $0.id == id } }
    }

    /// Calls `body` at the job's end, or at once where it has ended.
    ///
    /// - Parameter key: by which it is taken off again, unique among those of this job.
    func atEnd(of id: String, _ key: String, _ body: @escaping @Sendable (Job) -> Void) {
        let ended = state.withLock { state -> Job? in
            let job = state.jobs.first { $0.id == id }
            if let job, job.outcome == nil {
                state.waiters[id, default: [:]][key] = body
                return nil
            }
            return job
        }
        if let ended { body(ended) }
    }

    func forgetAtEnd(of id: String, _ key: String) {
        state.withLock { state in
            state.waiters[id]?[key] = nil
            if state.waiters[id]?.isEmpty == true { state.waiters[id] = nil }
        }
    }
}
