import Bundles
import ControlProtocol
import DaemonRuntime
import JSONText
import Reports
import SimPrimitives
import Simulation
import StateStore
import Synchronization
import Telemetry

/// Answers the requests of clients: knows the fleets, the files that were sent, and who is told of
/// what.
public final class FleetService: ControlHandler {
    /// Fleets at a time.
    public static let fleetsMax = 256

    public typealias Answer = @Sendable (Result<String, ControlError>) -> Void

    let reader: BundleReader
    let pool: WorkerPool
    /// Where fleets are kept; nil: nothing outlives the daemon.
    let state: StateFolder?
    let refusedFleets = Mutex<[Refused]>([])
    let blobs = BlobStore()
    let subscriptions = Subscriptions()
    let jobs: Jobs
    let openWaits = OpenWaits()
    let fleets = Mutex<[String: Entry]>([:])
    let began = ContinuousClock.now
    let server = Mutex<ControlServer?>(nil)
    let reloading = Mutex<Reload?>(nil)
    private let isStopping = Atomic(false)
    private let onStop: @Sendable () -> Void
    /// Where the daemon says what happens; nil: nowhere.
    let log: DaemonLog?

    /// A name that is taken: a fleet that is being made, one that is there, or one that goes.
    enum Entry {
        case making
        case deleting
        case made(HostedFleet)
    }

    /// - Parameters:
    ///   - reader: reads bundles.
    ///   - workers: threads that run fleets, at least 1.
    ///   - state: where fleets are kept; nil: nothing outlives the daemon.
    ///   - log: where to say what happens; nil: nowhere.
    ///   - onStop: called once when a client asks the daemon to stop, after it was answered.
    public init(
        reader: BundleReader, workers: Int, state: StateFolder? = nil, log: DaemonLog? = nil,
        onStop: @escaping @Sendable () -> Void
    ) {
        (self.reader, self.state, self.log, self.onStop) = (reader, state, log, onStop)
        jobs = Jobs(state)
        pool = WorkerPool(workers: workers)
    }

    /// Whose counters `daemon.status` tells.
    public func attach(to server: ControlServer) { self.server.withLock { $0 = server } }

    var serverLimits: ControlLimits { server.withLock { $0?.limits } ?? ControlLimits() }

    var serverCounters: ControlCounters { server.withLock { $0?.counters } ?? ControlCounters() }

    /// Of the fleets that there are, as of their last border.
    func scriptFailures(_ code: ScriptFailureCode) -> UInt64 {
        all.reduce(0) { sum, entry in
            entry.hosted.fleet.status.figures.arms.flatMap(\.groups)
                .flatMap(\.scriptFailureKinds).filter { $0.key.code == code }
                .reduce(sum) { $0 + $1.value.count }
        }
    }

    /// Lets every fleet go. What is kept is what the next daemon goes on from.
    ///
    /// - Parameter then: called when all have come to rest, and are kept.
    public func stopFleets(then: @escaping @Sendable () -> Void = {}) {
        isStopping.store(true, ordering: .relaxed)
        let all = self.all
        let left = Atomic(all.count)
        fleets.withLock { $0 = [:] }
        guard !all.isEmpty else { return then() }
        for (_, hosted) in all {
            hosted.fleet.leave {
                if left.wrappingSubtract(1, ordering: .sequentiallyConsistent).newValue == 0 {
                    then()
                }
            }
        }
    }

    /// `stopFleets`, for a thread that has nothing else to do.
    public func stopFleetsAndWait() { waitForCall { stopFleets(then: $0) } }

    func refused(_ name: String) -> Refused? {
        refusedFleets.withLock { $0.first { $0.fleet == name } }
    }

    func refuse(_ refused: Refused) { refusedFleets.withLock { $0.append(refused) } }

    /// What is wrong with fleets that are kept, a line each.
    public var complaints: [String] {
        refusedFleets.withLock { $0.map(\.line) }
    }

    // MARK: - Requests

    public func handle(
        _ request: ControlRequest, from connection: ControlConnection, reply: @escaping Answer
    ) {
        let reply = logged(request, from: connection, reply)
        do throws(ControlError) {
            try answer(request, connection, reply)
        } catch { reply(.failure(error)) }
    }

    public func closed(_ connection: ControlConnection) {
        blobs.forget(connection: connection.id)
        subscriptions.end(of: connection)
    }

    private func answer(
        _ request: ControlRequest, _ connection: ControlConnection, _ reply: @escaping Answer
    ) throws(ControlError) {
        switch request {
        case .discover: reply(.success(OpenRPC.document(version: Report.productVersion)))
        case .daemonStatus: reply(.success(status))
        case .limits: reply(.success(limits))
        case .daemonReload:
            log?.log(.notice, .daemonReloaded, "asked to reload", connection.peer.logFields)
            reply(.success(try reloaded()))
        case .daemonStop:
            log?.log(.notice, .daemonStopping, "asked to stop", connection.peer.logFields)
            reply(.success(JSONLine.object { $0.member("stopping", true) }))
            onStop()
        case .blobHave(let hashes):
            let missing = hashes.filter { !blobs.has($0) }
            reply(.success(JSONLine.object { $0.member("missing", missing) }))
        case .blobPut(let hash, let offset, let bytes, let isLast):
            let isWhole = try blobs.put(
                hash, offset: offset, bytes: bytes, isLast: isLast, connection: connection.id)
            reply(.success(JSONLine.object { $0.member("have", isWhole) }))
        case .fleetCreate(let name, let bundle, let isPaused, let rate, let by):
            try create(name, bundle, isPaused: isPaused, rate, by, reply)
        case .fleetList:
            let entries = all.map { Self.summary($0.name, $0.hosted) }
            reply(.success("[" + entries.joined(separator: ",") + "]"))
        case .fleetShow(let name): reply(.success(Self.summary(name, try hosted(name))))
        case .fleetStart(let name): try hosted(name).fleet.start(told(name, reply))
        case .fleetPause(let name): try hosted(name).fleet.pause(told(name, reply))
        case .fleetResume(let name): try hosted(name).fleet.resume(told(name, reply))
        case .fleetStop(let name): try hosted(name).fleet.stop(told(name, reply))
        case .fleetDelete(let name): try delete(name, reply)
        case .fleetRate(let name, let rate):
            try hosted(name).fleet.setRate(rate, told(name, reply))
        case .funnel(let name, let view):
            reply(.success(funnel(name, try hosted(name), view)))
        case .metrics(let name, let view):
            guard let name else {
                throw ControlError(
                    .missingParameter, "\"fleet\" is missing; openmetrics alone tells of all",
                    parameter: "fleet")
            }
            reply(.success(metrics(name, try hosted(name), view)))
        case .exposition(let name):
            let text = try exposition(of: name, as: .openMetrics)
            reply(
                .success(
                    JSONLine.object {
                        if let name { $0.member("fleet", name) }
                        $0.member("text", text)
                    }))
        case .funnelSubscribe(let name, let seconds, let view):
            try subscribe(to: name, everySeconds: seconds, view, connection, reply)
        case .watch(let name, let types, let condition):
            try watch(name, types, condition, connection, reply)
        case .unsubscribe(let subscription):
            try subscriptions.end(subscription, of: connection)
            reply(.success(JSONLine.object { $0.member("subscription", subscription) }))
        case .deviceList(let name, let condition, let limit, let after):
            reply(.success(try devices(of: name, condition, limit, after)))
        case .why(let name, let device, let arm, let from, let view):
            try why(name, device, arm, from, view, reply)
        case .fleetStep(let name, let span): try step(name, span, reply)
        case .fleetUntil(let name, let text): try until(name, text, reply)
        case .fleetFork(let source, let name, let at, let isPaused, let rate):
            try fork(source, name, at: at, isPaused: isPaused, rate, reply)
        case .fleetExport(let name): try export(name, reply)
        case .blobGet(let name, let hash, let offset):
            reply(.success(try piece(of: name, hash, from: offset)))
        case .jobs:
            reply(.success("[" + jobs.all.map(\.text).joined(separator: ",") + "]"))
        case .wait(let fleet, let job, let seconds):
            try wait(fleet, job, seconds, connection, reply)
        case .deviceShow(let name, let device, let arm): try show(device, of: name, arm, reply)
        case .intervene(
            let name, let condition, let share, let word, let value, let sha256, let options):
            let words = InterventionWords(
                do: word, value: value?.requested, where: condition, share: share, sha256: sha256,
                options: options?.requested)
            try intervene(name, words, reply)
        }
    }

    private func told(_ name: String, _ reply: @escaping Answer) -> Fleet.Reply {
        { result in
            reply(
                result.map { state in
                    JSONLine.object {
                        $0.member("fleet", name)
                        $0.member("state", state.rawValue)
                    }
                })
        }
    }

    // MARK: - The fleets

    /// By name.
    var all: [(name: String, hosted: HostedFleet)] {
        fleets.withLock { fleets in
            fleets.compactMap { name, entry in
                if case .made(let hosted) = entry { (name, hosted) } else { nil }
            }
        }.sorted { $0.name < $1.name }
    }

    func hosted(_ name: String) throws(ControlError) -> HostedFleet {
        let (entry, names) = fleets.withLock { ($0[name], $0.keys.sorted()) }
        switch entry {
        case .made(let hosted)?: return hosted
        case .making?:
            throw ControlError(
                .wrongState, "fleet \"\(name)\" is being made; ask again", parameter: "fleet")
        case .deleting?: throw Self.isDeleted(name)
        case nil:
            if let refused = refused(name) {
                throw ControlError(.stateError, refused.line, parameter: "fleet")
            }
            let near = nearest(to: name, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
            throw ControlError(
                .noSuchFleet, "there is no fleet \"\(name)\"\(near)", parameter: "fleet")
        }
    }

    static func isDeleted(_ name: String) -> ControlError {
        ControlError(
            .wrongState, "fleet \"\(name)\" is being deleted; ask again", parameter: "fleet")
    }

    func reserve(_ name: String) throws(ControlError) {
        if let refused = refused(name) {
            throw ControlError(
                .fleetExists, "fleet \"\(name)\" is kept, and not taken up: \(refused.why)",
                parameter: "name")
        }
        let complaint = fleets.withLock { fleets -> ControlError? in
            guard fleets[name] == nil else {
                return ControlError(
                    .fleetExists,
                    "there is a fleet \"\(name)\" already; delete it or take another "
                        + "name", parameter: "name")
            }
            guard fleets.count < Self.fleetsMax else {
                return ControlError(
                    .limitReached,
                    "the daemon has \(Self.fleetsMax) fleets, as many as it takes; "
                        + "delete one", limit: .fleets)
            }
            fleets[name] = .making
            return nil
        }
        if let complaint { throw complaint }
        guard !isStopping.load(ordering: .relaxed) else {
            throw ControlError(.shuttingDown, "the daemon is shutting down")
        }
    }

    func settle(_ name: String, _ hosted: HostedFleet?) {
        fleets.withLock { $0[name] = hosted.map { .made($0) } }
    }

    // MARK: - The daemon

    private var status: String {
        let all = self.all
        let seconds = (ContinuousClock.now - began) / .seconds(1)
        let server = self.server.withLock { $0 }
        return JSONLine.object { members in
            members.member("version", Report.productVersion)
            members.member("fleets", all.count)
            members.member("uptime_seconds", (seconds * 1_000).rounded() / 1_000)
            let running = all.count { $0.hosted.fleet.status.state == .running }
            members.member("running", running)
            members.member("devices", all.reduce(0) { $0 + $1.hosted.deviceCount })
            members.member("workers", pool.workers)
            members.member("resident_bytes", Machine.residentBytes)
            if running == 0 { members.member("allocated_bytes", Machine.allocatedBytes) }
            members.member("blob_bytes", blobs.byteCount)
            members.member("subscriptions", subscriptions.count)
            let complaints = complaints
            if !complaints.isEmpty { members.member("not_taken_up", complaints) }
            guard let server else { return }
            members.member("connections", server.connectionCount)
            let counters = server.counters
            members.member("connections_accepted_total", counters.accepted)
            members.member("connections_refused_total", counters.refused)
            members.member("connections_cut_total", counters.cut)
            members.member("lines_refused_total", counters.linesRefused)
            members.member("notifications_lost_total", counters.notificationsLost)
        }
    }

    private static func milliseconds(_ seconds: Double) -> Double {
        (seconds * 1_000).rounded() / 1_000
    }

    /// What lists and `fleet.show` say of a fleet.
    static func summary(_ name: String, _ hosted: HostedFleet) -> String {
        let (bundle, status) = (hosted.bundle, hosted.fleet.status)
        let figures = status.figures
        let hasBegun = figures.at > .start
        return JSONLine.object { members in
            members.member("fleet", name)
            members.member("state", status.state.rawValue)
            members.member("digest", hasBegun ? figures.digest.description : nil)
            members.member("scenario", bundle.scenario.name)
            members.member("bundle", "sha256:\(bundle.sha256)")
            members.member("seed", bundle.scenario.seed)
            members.member("devices", bundle.scenario.deviceCount)
            members.member("arms", bundle.arms.map(\.name))
            members.member("at_seconds", (figures.at - .start).seconds)
            members.member("duration_seconds", bundle.scenario.duration.seconds)
            members.member("rate", status.rate.description)
            members.member("lag_seconds", milliseconds(status.lagSeconds))
            members.member("ended_by", status.end?.endedBy?.rawValue)
            if let verdict = status.thresholdsMet { members.member("thresholds_met", verdict) }
            members.member("error", status.end?.complaint)
            members.member("events", figures.events)
            members.member("busy_seconds", milliseconds(status.busySeconds))
            members.member("epoch_seconds_max", milliseconds(status.epochSecondsMax))
            if let halt = status.haltSeconds { members.member("halt_seconds", halt) }
            members.member("journal", status.requests.count)
            members.member("at", LocalTime.text(figures.at, in: bundle.scenario.zone))
            if let goal = status.goal { members.member("goal", goal) }
            if let until = status.replayUntil {
                members.member("replay_until_seconds", (until - .start).seconds)
            }
            if let error = status.keepError { members.member("state_error", error) }
        }
    }
}
