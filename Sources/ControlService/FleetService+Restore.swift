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

/// The fleets of the daemon before this one.
extension FleetService {
    /// A fleet that is kept and cannot be taken up.
    struct Refused: Sendable {
        let fleet: String
        /// Names the file, and says what to do.
        let why: String
    }

    /// Takes up every fleet that is kept. Those that cannot be are left as they are.
    ///
    /// To be called before the server starts: clients that are there already wait.
    public func restore() throws(StateError) {
        guard let state else { return }
        for name in try state.names() {
            do throws(ControlError) {
                settle(name, try restored(name, in: state))
            } catch {
                let path = FleetFile.path(of: name, in: state)
                refuse(
                    Refused(
                        fleet: name,
                        why: "\(error.message); mend it, or take \(path) away with its folder, "
                            + "and start the daemon again"))
            }
        }
        for (_, hosted) in all { hosted.fleet.goOn() }
    }

    private func restored(
        _ name: String, in state: StateFolder
    ) throws(ControlError) -> HostedFleet {
        let (file, mark, entries, blobs, result) = try Self.read(name, in: state)
        let bundle = try self.bundle(blobs[file.head.bundle] ?? []) { blobs[$0] }
        let journal = try Self.journal(entries, of: bundle)
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
            let status = try Self.status(
                result, fleetState, rate, journal, bundle, groupCount: plan.groups.count)
            return plan.hosted(
                Fleet(
                    name: name, arms: bundle.arms, groups: plan.groups, ended: status, pool: pool),
                file)
        }
        // Whatever acted has acted again, before anything new does.
        let at = SimTime(microseconds: mark.at)
        let until = max(at, journal.last?.at ?? .start)
        let past = FleetPast(
            journal: journal, until: until,
            digest: until == at && journal.last?.at != at
                ? mark.digest.flatMap(RecordDigest.init) : nil, state: fleetState)
        return try make(plan, file, past)
    }

    private static func read(
        _ name: String, in state: StateFolder
    ) throws(ControlError) -> (
        FleetFile, FleetFile.Mark, [FleetFile.Entry], [String: [UInt8]], FleetFile.Result?
    ) {
        do throws(StateError) {
            let file = try FleetFile(opening: name, in: state)
            return (
                file, try file.mark(), try file.journal(), try file.blobs(), try file.result()
            )
        } catch { throw ControlError(error) }
    }

    static func journal(
        _ entries: [FleetFile.Entry], of bundle: Bundles.Bundle
    ) throws(ControlError) -> [Intervention] {
        var journal: [Intervention] = []
        for (index, entry) in entries.enumerated() {
            let node = try? JSONReader.read(Array(entry.request.utf8), as: .json)
            guard let words = node.flatMap(InterventionWords.init) else {
                throw ControlError(
                    .stateError, "entry \(index + 1) of the journal is no intervention")
            }
            do throws(BundleError) {
                journal.append(
                    try bundle.intervention(words, at: SimTime(microseconds: entry.at)))
            } catch {
                throw ControlError(.stateError, "entry \(index + 1) of the journal: \(error)")
            }
        }
        return journal
    }

    private static func status(
        _ result: FleetFile.Result, _ state: FleetState, _ rate: FleetRate,
        _ journal: [Intervention], _ bundle: Bundles.Bundle, groupCount: Int
    ) throws(ControlError) -> FleetStatus {
        let figures: FleetFigures
        do throws(ShardError) {
            figures = try StoredFigures.figures(
                result.figures, of: bundle, groupCount: groupCount, journal: journal)
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
        return FleetStatus(
            state: state, rate: rate, end: end, figures: figures, standings: standings,
            journal: journal)
    }
}
