import Bundles
import ControlProtocol
import DaemonRuntime
import JSONText
import LuaScripting
import Reports
import Shards
import SimPrimitives
import Simulation
import StateStore
import Telemetry

/// The fleets of the daemon before this one.
extension FleetService {
    /// A fleet that is kept and cannot be taken up.
    struct Refused: Sendable {
        let fleet: String
        /// Names the file, and says what to do.
        let why: String

        var line: String { "fleet \"\(fleet)\" is not taken up: \(why)" }
    }

    private typealias Kept = (
        file: FleetFile, mark: FleetFile.Mark, entries: [FleetFile.Entry],
        blobs: [String: [UInt8]], result: FleetFile.Result?
    )

    /// Descriptors that are left to clients, however many fleets there are.
    private static let descriptorsLeftMin = 16

    /// Takes up every fleet that is kept. Those that cannot be are left as they are.
    ///
    /// To be called before the server starts: clients that are there already wait.
    public func restore() throws(StateError) {
        guard let state else { return }
        for name in try state.names() {
            let path = FleetFile.path(of: name, in: state)
            let kept: Kept
            do throws(StateError) { kept = try Self.read(name, in: state) } catch {
                refuse(Refused(fleet: name, why: error.message + Self.advice(error.code, name)))
                continue
            }
            do throws(ControlError) { settle(name, try restored(name, kept)) } catch {
                let isForNow = error.code == .outOfMemory || error.code == .limitReached
                refuse(
                    Refused(
                        fleet: name,
                        why: "\(path): \(error.message)"
                            + Self.advice(isForNow ? .system : .damaged, name)))
            }
        }
        for (name, hosted) in all {
            tellTakenUp(name, hosted.fleet)
            hosted.fleet.goOn()
        }
    }

    private static func advice(_ code: StateError.Code, _ name: String) -> String {
        switch code {
        case .system, .full, .locked: "; see to that, and start the daemon again"
        case .newer: ", or delete the fleet: locfleet fleet delete \(name)"
        case .damaged, .gone, .closed:
            "; put a whole file there and start the daemon again, or delete the fleet: "
                + "locfleet fleet delete \(name)"
        }
    }

    private func restored(_ name: String, _ kept: Kept) throws(ControlError) -> HostedFleet {
        let (file, mark, entries, blobs, result) = kept
        let bundle = try self.bundle(blobs[file.head.bundle] ?? []) { blobs[$0] }
        let requests = try self.requests(entries, of: bundle, blobs)
        let by = try file.head.by.map { word throws(ControlError) in
            guard let grouping = ControlRequest.Grouping(rawValue: word) else {
                throw ControlError(.stateError, "figures are not kept apart by \"\(word)\"")
            }
            return grouping
        }
        guard let fleetState = FleetState(rawValue: mark.state), let rate = FleetRate(mark.rate)
        else {
            throw ControlError(
                .stateError, "a fleet is not \"\(mark.state)\" at a rate of \"\(mark.rate)\"")
        }
        let plan = FleetPlan(name: name, bundle: bundle, by: by, rate: rate)
        if let result {
            file.close()
            let status = try Self.status(
                result, fleetState, rate, requests, bundle, groupCount: plan.groups.count)
            return plan.hosted(
                Fleet(
                    name: name, arms: bundle.arms, groups: plan.groups, ended: status, pool: pool),
                file)
        }
        if let left = Machine.descriptorsLeft, left < Self.descriptorsLeftMin {
            throw ControlError(
                .limitReached,
                "a fleet that lives takes three files, and of the "
                    + "\(Machine.descriptors?.soft ?? 0) that this process may have open the last "
                    + "\(Self.descriptorsLeftMin) are left to clients; raise 'ulimit -n', or "
                    + "LimitNOFILE of the service")
        }
        // Whatever acted has acted again, before anything new does.
        let at = SimTime(microseconds: mark.at)
        let last = requests.last?.intervention.at
        let until = max(at, last ?? .start)
        let past = FleetPast(
            requests: requests, until: until,
            digest: until == at && last != at
                ? mark.digest.flatMap(RecordDigest.init) : nil, state: fleetState)
        let hosted = try make(plan, file, past)
        if let goal = mark.goal, fleetState == .running { try resume(goal, of: hosted) }
        return hosted
    }

    private func resume(_ kept: String, of hosted: HostedFleet) throws(ControlError) {
        var goal = FleetGoal(.span(.zero), text: kept)
        if let microseconds = kept.split(separator: ":", maxSplits: 1).last.flatMap({ Int64($0) }),
            kept.hasPrefix("us:")
        {
            let instant = SimTime(microseconds: microseconds)
            goal = FleetGoal(
                .instant(instant), text: LocalTime.text(instant, in: hosted.bundle.scenario.zone))
        } else {
            do throws(BundleError) {
                goal.place = .condition(
                    try hosted.bundle.fleetCondition(
                        kept, after: hosted.fleet.status.journal))
            } catch { throw ControlError(.stateError, "where it is to pause: \(error.message)") }
        }
        // On a full disk there is no number for a job: the fleet pauses there all the same.
        var id: String?
        do throws(ControlError) {
            try jobs.hold()
            id = jobs.begin(.fleetUntil, fleet: hosted.fleet.name, goal: goal.text)
        } catch {
            log?.log(
                .warning, .fleetRefused,
                "no job tells when the fleet pauses at \(goal.text): \(error.message)",
                [("fleet", .text(hosted.fleet.name))])
        }
        hosted.fleet.resume(goal: goal) { [jobs, id] outcome in
            if let id { jobs.end(id, outcome) }
        }
    }

    private static func read(
        _ name: String, in state: StateFolder
    ) throws(StateError) -> Kept {
        let file = try FleetFile(opening: name, in: state)
        return (file, try file.mark(), try file.journal(), try file.blobs(), try file.result())
    }

    /// - Parameter blobs: among them the scripts that entries name.
    private func requests(
        _ entries: [FleetFile.Entry], of bundle: Bundles.Bundle, _ blobs: [String: [UInt8]]
    ) throws(ControlError) -> [InterventionRequest] {
        let scripts = reader.scripts { blobs[$0] }
        var requests: [InterventionRequest] = []
        var brought: [Intervention] = []
        for (index, entry) in entries.enumerated() {
            let node = try? JSONReader.read(Array(entry.request.utf8), as: .json)
            guard let words = node.flatMap(InterventionWords.init) else {
                throw ControlError(
                    .stateError, "entry \(index + 1) of the journal is no intervention")
            }
            do throws(BundleError) {
                let at = SimTime(microseconds: entry.at)
                let intervention = try bundle.intervention(
                    words, at: at, after: brought, from: scripts)
                if intervention.action.change != nil { brought.append(intervention) }
                let hash = words.sha256 ?? ""
                requests.append(
                    InterventionRequest(
                        intervention, text: entry.request,
                        blobs: blobs[hash].map { [hash: $0] } ?? [:]))
            } catch {
                throw ControlError(.stateError, "entry \(index + 1) of the journal: \(error)")
            }
        }
        return requests
    }

    private static func status(
        _ result: FleetFile.Result, _ state: FleetState, _ rate: FleetRate,
        _ requests: [InterventionRequest], _ bundle: Bundles.Bundle, groupCount: Int
    ) throws(ControlError) -> FleetStatus {
        let figures: FleetFigures
        do throws(ShardError) {
            figures = try StoredFigures.figures(
                result.figures, of: bundle, groupCount: groupCount,
                journal: requests.map(\.intervention))
        } catch { throw ControlError(.stateError, "its results: \(error.message)") }
        let standings = Standings.standings(
            result.standings, arms: bundle.arms.count, devices: Int(bundle.scenario.deviceCount))
        guard let standings else {
            throw ControlError(.stateError, "its results: devices stand as none can")
        }
        let end: FleetRunner.End =
            switch result.endedBy.flatMap(EndedBy.init) {
            case .duration?: .duration
            case .endWhen?: .endWhen
            case .scriptFailures?: .scriptFailures
            case .stopped?, .interrupted?: .interrupted
            case nil: .logFailed(result.error ?? "")
            }
        let casts = bundle.arms.enumerated().map { index, arm in
            CastTable(
                arm.scenario, acted: figures.arms[index].interventions.count,
                requests.map(\.intervention), arm: index)
        }
        return FleetStatus(
            state: state, rate: rate, end: end, figures: figures, standings: standings,
            casts: casts, requests: requests)
    }
}
