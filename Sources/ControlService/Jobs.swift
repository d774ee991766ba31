import ControlProtocol
import JSONText
import SimPrimitives
import StateStore
import Synchronization

/// What clients have begun that takes its time, and who waits for its end.
final class Jobs: Sendable {
    /// Jobs that are kept: of those that have ended the oldest go.
    static let countMax = 1_024
    /// Numbers that are set aside at once, so that few jobs wait for the disk.
    static let numbersAtOnce = 1_000

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
        /// Of a job that was begun.
        var lastNumber = 0
        /// Numbers up to here are this daemon's alone.
        var lastReserved = 0
        /// Jobs that may yet begin: see `hold`.
        var held = 0
        var waiters: [String: [String: @Sendable (Job) -> Void]] = [:]
    }

    private let state = Mutex(State())
    /// Where numbers are set aside; nil: ids begin at j1 with every daemon.
    private let folder: StateFolder?

    init(_ folder: StateFolder? = nil) { self.folder = folder }

    /// In the order in which they were begun.
    var all: [Job] { state.withLock(\.jobs) }

    subscript(id: String) -> Job? { state.withLock { $0.jobs.first { $0.id == id } } }

    /// Sees to it that a job can begin. Followed by one `begin`, or by `letGo`.
    func hold() throws(ControlError) {
        try state.withLock { (state) throws(ControlError) in
            guard state.jobs.count(where: { $0.outcome == nil }) + state.held < Self.countMax else {
                throw ControlError(
                    .limitReached, "the daemon has \(Self.countMax) jobs, as many as it takes",
                    limit: .jobs)
            }
            if let folder, state.lastNumber + state.held >= state.lastReserved {
                do throws(StateError) {
                    let numbers = try folder.reserveJobs(
                        Self.numbersAtOnce, above: state.lastReserved)
                    if numbers.lowerBound > state.lastReserved + 1 {
                        state.lastNumber = numbers.lowerBound - 1
                    }
                    state.lastReserved = numbers.upperBound
                } catch { throw ControlError(error) }
            }
            state.held += 1
        }
    }

    /// It was refused: no number is used up.
    func letGo() { state.withLock { $0.held -= 1 } }

    /// Begins a job for which `hold` has made room.
    func begin(_ method: ControlMethod, fleet: String, goal: String) -> String {
        state.withLock { state in
            if state.jobs.count >= Self.countMax,
                let old = state.jobs.firstIndex(where: { $0.outcome != nil })
            {
                state.jobs.remove(at: old)
            }
            state.held -= 1
            state.lastNumber += 1
            let id = "j\(state.lastNumber)"
            state.jobs.append(Job(id: id, method: method.name, fleet: fleet, goal: goal))
            return id
        }
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
