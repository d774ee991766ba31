import ControlProtocol
import DaemonRuntime
import Reports
import SimPrimitives
import Simulation
import Telemetry

/// What the daemon's log says of requests and fleets.
extension FleetService {
    /// `reply`, which also writes what has become of the request.
    func logged(
        _ request: ControlRequest, from connection: ControlConnection, _ reply: @escaping Answer
    ) -> Answer {
        guard let log else { return reply }
        let news = request.news
        guard log.has(.debug) || news != nil || log.has(.error) else { return reply }
        let peer = connection.peer
        return { result in
            reply(result)
            let from = [("connection", LogLine.Value(connection.id))] + peer.logFields
            switch result {
            case .success(let text):
                if let news {
                    let reach =
                        news.event == .intervention ? [("result", LogLine.Value.text(text))] : []
                    log.log(
                        .notice, news.event, news.message,
                        [("fleet", .text(news.fleet))] + reach + peer.logFields)
                } else {
                    log.log(
                        .debug, .call, "answered", [("method", .text(request.method.name))] + from)
                }
            case .failure(let error) where error.code == .internalError:
                log.log(
                    .error, .internalError, error.message,
                    [("method", .text(request.method.name))] + from)
            case .failure(let error):
                log.log(
                    .debug, .callRefused, error.message,
                    [("method", .text(request.method.name)), ("code", .text(error.code.rawValue))]
                        + from)
            }
        }
    }

    /// Tells of a fleet of the daemon before this one.
    func tellTakenUp(_ name: String, _ fleet: Fleet) {
        let status = fleet.status
        log?.log(
            .notice, .fleetTakenUp, "taken up from where it was kept",
            [
                ("fleet", .text(name)), ("state", .text(status.state.rawValue)),
                ("interventions", .init(status.journal.count)),
            ])
        if !status.state.isFinal { follow(name, fleet) }
    }

    /// Has the log tell how the fleet ends.
    func follow(_ name: String, _ fleet: Fleet) {
        guard let log else { return }
        fleet.atEnd("log") { [weak fleet] in
            guard let fleet else { return }
            let status = fleet.status
            // The daemon leaves; the fleet goes on with the next.
            guard status.state.isFinal else { return }
            var fields: [(name: String, value: LogLine.Value)] = [
                ("fleet", .text(name)), ("state", .text(status.state.rawValue)),
                ("digest", .text(status.figures.digest.description)),
            ]
            if let end = status.end?.endedBy { fields.append(("ended_by", .text(end.rawValue))) }
            switch status.state {
            case .failed:
                log.log(
                    .warning, .fleetFailed, status.end?.complaint ?? "the fleet has failed", fields)
            case .ready, .running, .paused, .finished, .stopped:
                log.log(.notice, .fleetEnded, "the fleet has come to its end", fields)
            }
            Self.tellFailures(of: name, status, log)
        }
    }

    /// Scripts that failed, or thresholds that were missed: both are reasons to look first.
    private static func tellFailures(of name: String, _ status: FleetStatus, _ log: DaemonLog) {
        let groups = status.figures.arms.flatMap(\.groups)
        let failures = groups.reduce(0) { $0 + $1.scriptFailures }
        guard failures > 0 else { return }
        let first = groups.compactMap(\.firstScriptFailure).min { $0.key < $1.key }
        let line = first.map { UInt64($0.place.line) } ?? 0
        log.log(
            .warning, .scriptsFail, first?.message ?? "scripts failed",
            [
                ("fleet", .text(name)), ("failures", .init(failures)), ("first_line", .init(line)),
                ("first_hook", .text(first?.place.hook.rawValue ?? "")),
                ("first_device", .init(first?.key.device.number ?? 0)),
            ])
    }
}

extension ControlRequest {
    fileprivate typealias News = (event: LogEvent, fleet: String, message: String)

    /// What is worth a line when it has succeeded; nil for questions.
    fileprivate var news: News? {
        switch self {
        case .fleetCreate(let name, _, let isPaused, let rate, _):
            (.fleetCreated, name, "created" + (isPaused ? ", paused" : ", rate \(rate)"))
        case .fleetStart(let name): (.fleetChanged, name, "started")
        case .fleetPause(let name): (.fleetChanged, name, "paused")
        case .fleetResume(let name): (.fleetChanged, name, "resumed")
        case .fleetStop(let name): (.fleetChanged, name, "stopped")
        case .fleetDelete(let name): (.fleetChanged, name, "deleted")
        case .fleetRate(let name, let rate): (.fleetChanged, name, "rate \(rate)")
        case .fleetStep(let name, let span): (.fleetChanged, name, "steps \(span)")
        case .fleetUntil(let name, let until): (.fleetChanged, name, "runs until \(until)")
        case .fleetFork(let name, let new, let at, _, _):
            (
                .fleetCreated, new,
                "forked from \(name)" + (at.map { " at \($0)" } ?? "")
            )
        case .intervene(let name, let condition, let share, let word, let value, _, let options):
            (
                .intervention, name,
                "intervention: \(word)" + (value.map { " \($0.word)" } ?? "")
                    + (options.map { " options \($0.word)" } ?? "")
                    + (condition.map { " where \($0)" } ?? "")
                    + (share < 1 ? ", share \(share)" : "")
            )
        default: nil
        }
    }
}

extension ControlRequest.Value {
    fileprivate var word: String {
        switch self {
        case .string(let text): text
        case .number(let number): "\(number)"
        case .bool(let bool): "\(bool)"
        case .null: "null"
        case .object(let members):
            members.map { "\($0.name)=\($0.value.word)" }.joined(separator: " ")
        }
    }
}
