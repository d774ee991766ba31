import Bundles
import ControlProtocol
import DaemonRuntime
import JSONText
import SimPrimitives
import Simulation
import Synchronization
import Telemetry

/// What takes its time: steps, goals and forks, and waiting for them.
extension FleetService {
    /// Runs a fleet to a goal, and says so at once.
    func run(
        _ method: ControlMethod, _ name: String, to place: FleetGoal.Place, _ text: String,
        _ reply: @escaping Answer
    ) throws(ControlError) {
        let fleet = try hosted(name).fleet
        try jobs.hold()
        let job = Slot<String>()
        fleet.run(to: FleetGoal(place, text: text)) { [jobs] result in
            switch result {
            case .failure(let error):
                jobs.letGo()
                reply(.failure(error))
            case .success(let due):
                let id = jobs.begin(method, fleet: name, goal: text)
                job.fill(id)
                reply(
                    .success(
                        JSONLine.object {
                            $0.member("job", id)
                            $0.member("fleet", name)
                            $0.member("state", FleetState.running.rawValue)
                            $0.seconds("until_seconds", due)
                        }))
            }
        } then: { [jobs] outcome in
            if let id = job.value { jobs.end(id, outcome) }
        }
    }

    func step(_ name: String, _ text: String, _ reply: @escaping Answer) throws(ControlError) {
        guard let span = SimDuration(units: text), span > .zero else {
            throw ControlError(
                .invalidParameter, "\"span\" is a time above 0 such as \"1h\" or \"2d12h\"",
                parameter: "span")
        }
        try run(.fleetStep, name, to: .span(span), text, reply)
    }

    func until(_ name: String, _ text: String, _ reply: @escaping Answer) throws(ControlError) {
        let hosted = try hosted(name)
        let place = try Self.place(text, hosted.bundle, after: hosted.fleet.status.journal)
        try run(.fleetUntil, name, to: place, text, reply)
    }

    /// A time, or else a condition.
    static func place(
        _ text: String, _ bundle: Bundles.Bundle, after journal: [Intervention]
    ) throws(ControlError) -> FleetGoal.Place {
        if let instant = try instant(text, bundle.scenario, "until") { return .instant(instant) }
        do throws(BundleError) {
            return .condition(try bundle.fleetCondition(text, after: journal))
        } catch {
            throw ControlError(
                .invalidParameter,
                "\"until\" is a time such as \"30d\" or \"2026-03-01T08:00\", or a condition; "
                    + error.message, parameter: "until")
        }
    }

    /// "30d" from the start, or a date by the scenario's clock; nil where it is neither.
    private static func instant(
        _ text: String, _ scenario: Scenario, _ parameter: String
    ) throws(ControlError) -> SimTime? {
        if let span = SimDuration(units: text) { return .start + span }
        let zone = scenario.zone
        guard let microseconds = LocalTime.microseconds(of: text, in: zone) else { return nil }
        guard microseconds >= 0 else {
            throw ControlError(
                .invalidParameter,
                "\"\(parameter)\": \(text) is before the scenario's start, "
                    + LocalTime.text(.start, in: zone), parameter: parameter)
        }
        return SimTime(microseconds: microseconds)
    }

    // MARK: - Forks

    func fork(
        _ source: String, _ name: String, at text: String?, isPaused: Bool, _ rate: FleetRate?,
        _ reply: @escaping Answer
    ) throws(ControlError) {
        let hosted = try hosted(source)
        let status = hosted.fleet.status
        let zone = hosted.bundle.scenario.zone
        // What is being replayed is behind the fleet.
        var at = max(status.figures.at, status.replayUntil ?? .start)
        if let text {
            guard let instant = try Self.instant(text, hosted.bundle.scenario, "at") else {
                throw ControlError(
                    .invalidParameter,
                    "\"at\" is a time since the start such as \"30d\", or a local date such as "
                        + "\"2026-03-01T08:00\"", parameter: "at")
            }
            guard instant <= at else {
                let (wanted, reached) = LocalTime.apart(instant, at, in: zone)
                throw ControlError(
                    .wrongState,
                    "fleet \"\(source)\" has come to \(reached), and not to \(wanted)",
                    parameter: "at")
            }
            at = instant
        }
        let requests = status.requests.filter { $0.intervention.at <= at }
        let digest =
            at == status.figures.at && requests.count == status.requests.count
            ? status.figures.digest : nil
        let plan = FleetPlan(
            name: name, bundle: hosted.bundle, by: hosted.by, rate: rate ?? status.rate)
        let past = FleetPast(
            requests: requests, until: at, digest: digest, state: isPaused ? .paused : .running)
        try jobs.hold()
        do throws(ControlError) { try reserve(name) } catch {
            jobs.letGo()
            throw error
        }
        let instant = at
        Self.making.async { [self] in
            do throws(ControlError) {
                let fork = try begin(plan, past)
                settle(name, fork)
                follow(name, fork.fleet)
                let id = jobs.begin(
                    .fleetFork, fleet: name,
                    goal: "\(source) up to \(LocalTime.text(instant, in: zone))")
                fork.fleet.afterReplay { [jobs] state, at in
                    jobs.end(
                        id, at >= instant ? .done : .missed("the fleet is \(state.rawValue)"),
                        at: at)
                }
                fork.fleet.goOn()
                reply(
                    .success(
                        JSONLine.object {
                            $0.member("job", id)
                            $0.member("fleet", name)
                            $0.member("state", past.state.rawValue)
                            $0.seconds("from_seconds", instant)
                        }))
            } catch {
                settle(name, nil)
                jobs.letGo()
                reply(.failure(error))
            }
        }
    }

    // MARK: - Waiting

    /// Answers at the end of a job or of a fleet, and not later than asked for.
    func wait(
        _ fleet: String?, _ job: String?, _ seconds: Double, _ connection: ControlConnection,
        _ reply: @escaping Answer
    ) throws(ControlError) {
        let key = "wait \(connection.id)"  // A connection waits for one thing at a time.
        let late: @Sendable () -> String
        let begin: (OneAnswer) -> Void
        let end: @Sendable () -> Void
        switch (fleet, job) {
        case (let name?, nil):
            let hosted = try hosted(name)
            late = { #"{"ended":false,"fleet":\#(Self.summary(name, hosted))}"# }
            begin = { answer in
                hosted.fleet.atEnd(key) {
                    answer.give(#"{"ended":true,"fleet":\#(Self.summary(name, hosted))}"#)
                }
            }
            end = { hosted.fleet.forgetAtEnd(key) }
        case (nil, let id?):
            guard jobs[id] != nil else {
                throw ControlError(
                    .noSuchJob, "there is no job \"\(id)\"; 'jobs' lists them", parameter: "job")
            }
            late = { [jobs] in #"{"ended":false,"job":\#(jobs[id]?.text ?? "null")}"# }
            begin = { [jobs] answer in
                jobs.atEnd(of: id, key) { answer.give(#"{"ended":true,"job":\#($0.text)}"#) }
            }
            end = { [jobs] in jobs.forgetAtEnd(of: id, key) }
        case (nil, nil), (.some, .some):
            throw ControlError(.invalidParameter, "\"fleet\" or \"job\" is given, one of them")
        }
        let answer = OneAnswer(reply, late: late)
        let alarm = Alarm { [weak answer] in answer?.giveLate() }
        let id = connection.id
        answer.atEnd { [openWaits] in
            alarm.cancel()
            end()
            openWaits.answers.withLock { $0[id] = nil }
        }
        openWaits.answers.withLock { $0[id] = answer }
        begin(answer)
        alarm.set(afterSeconds: seconds)
    }

    /// Nobody is there any more to be told.
    public func abandoned(_ connection: ControlConnection) {
        let answer = openWaits.answers.withLock { $0[connection.id] }
        answer?.giveLate()
    }

    /// The daemon ends: nobody waits any longer.
    public func endWaits() {
        for answer in openWaits.answers.withLock({ Array($0.values) }) {
            answer.fail(ControlError(.shuttingDown, "the daemon is shutting down"))
        }
    }
}

/// What is known later, from any thread.
private final class Slot<Value: Sendable>: Sendable {
    private let content = Mutex<Value?>(nil)
    var value: Value? { content.withLock { $0 } }
    func fill(_ value: Value) { content.withLock { $0 = value } }
}

/// Who waits, by connection.
final class OpenWaits: Sendable {
    let answers = Mutex<[UInt64: OneAnswer]>([:])
}

/// Whoever comes first gives the answer.
final class OneAnswer: Sendable {
    private let reply: Mutex<FleetService.Answer?>
    private let end = Mutex<(@Sendable () -> Void)?>(nil)
    private let late: @Sendable () -> String

    /// - Parameter late: what is said to whom nothing else was in time.
    init(_ reply: @escaping FleetService.Answer, late: @escaping @Sendable () -> String) {
        self.reply = Mutex(reply)
        self.late = late
    }

    /// What is done before the answer is given. Set before anybody can give it.
    func atEnd(_ body: @escaping @Sendable () -> Void) { end.withLock { $0 = body } }

    func give(_ text: String) { take()?(.success(text)) }

    func giveLate() { take()?(.success(late())) }

    func fail(_ error: ControlError) { take()?(.failure(error)) }

    private func take() -> FleetService.Answer? {
        let reply = reply.withLock { reply in
            defer { reply = nil }
            return reply
        }
        guard let reply else { return nil }
        let end = end.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
        return reply
    }
}

extension Jobs {
    func end(_ id: String, _ outcome: FleetGoal.Outcome) {
        switch outcome {
        case .reached(let at): end(id, .done, at: at)
        case .ended(let state, let at): end(id, .missed("the fleet is \(state.rawValue)"), at: at)
        case .cut(let why, let at): end(id, .cut(why), at: at)
        }
    }
}

extension JSONLine.Members {
    /// Of simulated time since the start; null without an instant.
    mutating func seconds(_ name: String, _ instant: SimTime?) {
        if let instant {
            member(name, (instant - .start).seconds)
        } else {
            member(name, nil as String?)
        }
    }
}
