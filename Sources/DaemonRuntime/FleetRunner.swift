import ControlProtocol
import Dispatch
import Foundation
import LuaScripting
import SimPrimitives
import Simulation
import Synchronization
import Telemetry

/// Runs the blocks of one fleet side by side, one epoch at a time, in all its arms.
///
/// Within an epoch blocks share nothing, so they need no locks, and which worker runs which block
/// cannot be seen in the result. Neither can where an epoch ends: its length follows the wall clock
/// alone, to keep borders a fraction of a second apart. Interventions and conditions have instants
/// of their own, and an epoch ends at each.
///
/// `run` does all of it on the caller's thread and its helpers. The daemon takes the steps one by
/// one: `nextLimit`, `runPiece` for every piece, `finishEpoch`.
public final class FleetRunner {
    /// What changes neither the bundle nor the result.
    public struct Options: Sendable {
        /// Threads that run blocks: 1 ... 1,024.
        public var workers: Int
        /// Devices to run; nil: all of the scenario.
        public var devices: Range<UInt32>?
        public var groups: Groups
        public var keepsRecords: Bool
        /// Whether `speech` will be asked for: of a single device.
        public var listens: Bool
        /// How long an epoch may be; nil: as the pace has it.
        public var epoch: SimDuration?
        /// How fast `run` goes.
        public var rate: FleetRate
        /// Looks at what the workers are at; nil: nobody does.
        public var profile: WorkProfile?
        /// Plays people and app where no script does; nil: the scenario's scripts.
        public var players: (@Sendable (Scenario) -> Players)?

        public init(
            workers: Int, devices: Range<UInt32>? = nil, groups: Groups = .one,
            keepsRecords: Bool = false, listens: Bool = false, epoch: SimDuration? = nil,
            rate: FleetRate = .max, profile: WorkProfile? = nil
        ) {
            (self.workers, self.devices) = (workers, devices)
            (self.groups, self.keepsRecords, self.listens) = (groups, keepsRecords, listens)
            (self.epoch, self.rate, self.profile) = (epoch, rate, profile)
        }
    }

    /// Both ports of one block.
    public struct Players {
        /// One for each persona.
        public var behaviors: [any Behavior]
        public var strategy: any Strategy

        public init(behaviors: [any Behavior], strategy: any Strategy) {
            (self.behaviors, self.strategy) = (behaviors, strategy)
        }
    }

    /// How a run ended. Raw values are those of reports' `ended_by`.
    public enum End: Equatable, Sendable {
        case duration
        case endWhen
        case interrupted
        /// More script failures than the scenario allows.
        case scriptFailures
        /// No result: what happened before depends on the machine or the neighbors.
        case failed(RunFailure)
        /// Somebody who took the records could take no more.
        case logFailed(String)
    }

    /// The scenario itself first; with the scripts that clients have brought.
    public private(set) var arms: [Arm]
    /// Scripts of the base as the bundle has it.
    let ownScriptCount: Int
    /// The index of the first of them among those of the bundle.
    let firstArm: Int
    /// By arm.
    public private(set) var casts: [CastTable]
    public var scenario: Scenario { arms[0].scenario }
    let options: Options
    /// By arm.
    let blocks: [[Block]]
    private var writers: [RecordWriter]
    private(set) var pace = EpochPace()
    public private(set) var now = SimTime.start
    /// By arm, one for each intervention that has acted: how many devices it acted on.
    public private(set) var interventionCounts: [[InterventionReach]]
    /// What clients have added, in order of its instants: the journal.
    public private(set) var journal: [Intervention]
    /// For each of the journal that has acted: on how many devices, by arm.
    public private(set) var journalCounts: [[InterventionReach]] = []
    private var journalActed: Int { journalCounts.count }

    /// - Parameters:
    ///   - arm: the index of the first of `arms`, where not all of a bundle's are run.
    ///   - journal: of a run that is replayed; each acts at its instant.
    /// - Throws: `ScriptError` when a script does not load.
    public init(
        _ arms: [Arm], options: Options, arm: Int = 0, journal: [Intervention] = []
    ) throws(ScriptError) {
        precondition(!arms.isEmpty, "a fleet has at least one arm")
        precondition(options.workers > 0, "a fleet has at least one worker")
        ownScriptCount = arms[0].scenario.scripts.count
        var arms = arms
        for index in arms.indices { arms[index].scenario.take(journal) }
        (self.arms, self.options, self.journal, firstArm) = (arms, options, journal, arm)
        writers = Self.writers(for: arms)
        interventionCounts = arms.map { _ in [] }
        casts = arms.map { CastTable($0.scenario) }
        blocks = try Self.makeBlocks(arms, from: arm, options, journal: journal)
    }

    private static func writers(for arms: [Arm]) -> [RecordWriter] {
        arms.map { arm in
            RecordWriter(
                zone: arm.scenario.zone, scripts: arm.scenario.scripts.map(\.name),
                arm: arms.count > 1 ? arm.name : nil)
        }
    }

    /// What happens between two epochs, for the profile.
    private lazy var border = options.profile?.makeCell(arm: 0)

    public var end: SimTime { .start + scenario.duration }
    public var deviceCount: Int { blocks[0].reduce(0) { $0 + $1.deviceCount } }
    public var eventCount: UInt64 { sum(\.eventCount) }

    private func sum(_ count: (Block) -> UInt64) -> UInt64 {
        blocks.joined().reduce(0) { $0 + count($1) }
    }

    // MARK: - The whole run

    /// Where a run stands between two epochs.
    public struct Border: Sendable {
        public let at: SimTime
        /// So far in the run.
        public let events: UInt64
        /// By how much a paced run is behind its schedule, in seconds of wall time.
        public let lagSeconds: Double
    }

    /// Runs to the end of the scenario, or until `isInterrupted` says so at a border.
    ///
    /// - Parameters:
    ///   - log: takes each epoch's records as lines, in record order, at its border.
    ///   - onBorder: called at each border.
    ///   - limit: to stop there, as if interrupted; nil: the end of the scenario.
    public func run(
        until limit: SimTime? = nil,
        isInterrupted: () -> Bool = { false },
        log: RecordLog? = nil,
        onBorder: (Border) -> Void = { _ in }
    ) -> End {
        var merge = LineMerge(count: pieceCount)
        let schedule = PacedSchedule(options.rate, from: now, at: Self.wallNanoseconds)
        while true {
            // What is due at the limit acts there.
            let isThere = limit.map { now >= $0 && nextLimit() > now } ?? false
            if isInterrupted() || isThere { return .interrupted }
            var epoch = options.epoch
            switch schedule?.step(at: Self.wallNanoseconds, from: now, epoch: pace.epoch) {
            case nil: break
            case .wait(let seconds):
                Thread.sleep(forTimeInterval: min(seconds, Self.waitSecondsMax))
                continue
            case .run(let span): epoch = min(epoch ?? span, span)
            }
            let limit = min(nextLimit(epoch: epoch), limit ?? .never)
            let began = Self.wallNanoseconds
            runPieces(until: limit, into: &merge, writesLines: log != nil)
            _ = border?.came(to: WorkPlace(.metrics))
            defer { border?.rest() }
            let ended = finishEpoch(
                at: limit, wallNanoseconds: Self.wallNanoseconds - began, lines: merge.lineCount)
            if let log {
                _ = border?.came(to: WorkPlace(.records))
                do throws(LogError) {
                    try merge.write(to: log)
                } catch { return .logFailed(error.message) }
            }
            merge.removeAll()
            if let ended { return ended }
            let lag = schedule?.lagSeconds(at: Self.wallNanoseconds, of: now) ?? 0
            onBorder(Border(at: now, events: eventCount, lagSeconds: lag))
        }
    }

    /// How long at a time a paced run waits before it asks again whether it is interrupted.
    private static let waitSecondsMax = 0.02

    private static var wallNanoseconds: UInt64 { DispatchTime.now().uptimeNanoseconds }

    private func runPieces(
        until limit: SimTime, into merge: inout LineMerge, writesLines: Bool
    ) {
        // Safe: exactly one worker takes a piece and its lines, and `perform` returns only when all
        // are done, so no two threads ever touch one at a time.
        nonisolated(unsafe) let runner = self
        merge.parts.withUnsafeMutableBufferPointer { buffer in
            nonisolated(unsafe) let parts = buffer
            Self.perform(pieceCount, workers: options.workers) { piece in
                runner.runPiece(piece, until: limit)
                if writesLines { runner.fill(&parts[piece], fromPiece: piece) }
            }
        }
    }

    /// Each worker takes the next of `count` pieces until none is left.
    static func perform(_ count: Int, workers: Int, _ body: @Sendable (Int) -> Void) {
        let taken = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: max(1, min(workers, count))) { _ in
            while true {
                let next = taken.wrappingAdd(1, ordering: .relaxed).oldValue
                guard next < count else { return }
                body(next)
            }
        }
    }

    // MARK: - Step by step

    /// Pieces of an epoch that may run side by side: the blocks of all arms.
    var pieceCount: Int { blocks.count * blocks[0].count }

    private func block(_ piece: Int) -> Block {
        let (arm, index) = piece.quotientAndRemainder(dividingBy: blocks[0].count)
        return blocks[arm][index]
    }

    /// Runs one piece of the epoch that ends at `limit`; no two threads may run the same one.
    ///
    /// - Returns: false where it was halted and has to come again.
    @discardableResult
    func runPiece(_ piece: Int, until limit: SimTime, isHalted: () -> Bool = { false }) -> Bool {
        block(piece).run(until: limit, isHalted: isHalted)
    }

    /// Takes a piece's records as lines.
    func fill(_ part: inout LineMerge.Part, fromPiece piece: Int) {
        let block = block(piece)
        block.note(.records)
        part.fill(block, writers[piece / blocks[0].count])
        block.rest()
    }

    /// Where the next epoch ends at the latest: at the next instant that something waits for.
    ///
    /// - Parameters:
    ///   - epoch: how long it may be; nil: as the pace has it.
    ///   - judging: somebody else judges a condition on the grid.
    func nextLimit(epoch: SimDuration? = nil, judging: Bool = false) -> SimTime {
        var limit = min(now + (epoch ?? pace.epoch), end)
        if judging || judgesConditions {
            let grid = scenario.checkEvery.microseconds
            limit = min(limit, SimTime(microseconds: (now.microseconds / grid + 1) * grid))
        }
        for arm in arms.indices {
            if let next = nextIntervention(of: arm) { limit = min(limit, next.at) }
        }
        if journalActed < journal.count { limit = min(limit, journal[journalActed].at) }
        return limit
    }

    private func nextIntervention(of arm: Int) -> Intervention? {
        let next = interventionCounts[arm].count
        let interventions = arms[arm].scenario.interventions
        return next < interventions.count ? interventions[next] : nil
    }

    /// All pieces have come to `limit`: the scenario's interventions of that instant act,
    /// conditions are judged, and what is in the journal acts. The order is the replay format.
    ///
    /// - Parameter wallNanoseconds: nil: the epoch tells nothing of how long others may be.
    /// - Returns: how the run has ended, if it has.
    func finishEpoch(at limit: SimTime, wallNanoseconds: UInt64?, lines: UInt64 = 0) -> End? {
        let span = limit - now
        now = limit
        if let wallNanoseconds {
            pace.adapt(
                span: span, wallNanoseconds: wallNanoseconds, events: eventCount,
                devices: UInt64(deviceCount * arms.count), lines: lines)
        } else {
            pace.skip(events: eventCount)
        }
        if let failure { return .failed(failure) }
        if now < end { actScenario() }
        if let failure { return .failed(failure) }
        if judgesConditions, now > .start, isOnGrid {
            if hasTooManyScriptFailures { return .scriptFailures }
            if isEndDue { return .endWhen }
        }
        // Clients' come last, as when they were asked for: between two epochs.
        while journalActed < journal.count, journal[journalActed].at == now { _ = actJournal() }
        if let failure { return .failed(failure) }
        return now == end ? .duration : nil
    }

    private var failure: RunFailure? {
        blocks.joined().lazy.compactMap(\.failure).min { $0.device < $1.device }
    }

    /// Adds an intervention of a client's to the journal and lets it act now, in every arm.
    ///
    /// - Returns: on how many devices it acted, by arm.
    func intervene(_ intervention: Intervention) -> [InterventionReach] {
        var intervention = intervention.sharing(arms[0].scenario)
        intervention.at = now
        actScenario()  // Before the first epoch those of the start have not acted yet.
        if intervention.action.change != nil {
            for index in arms.indices { arms[index].scenario.take([intervention]) }
            writers = Self.writers(for: arms)
        }
        journal.append(intervention)
        return actJournal()
    }

    /// Lets the scenario's own interventions of this instant act.
    func actScenario() {
        for arm in arms.indices {
            while let next = nextIntervention(of: arm), next.at == now {
                let number = UInt32(interventionCounts[arm].count)
                interventionCounts[arm].append(act(next, number: number, arm: arm))
            }
        }
    }

    private func actJournal() -> [InterventionReach] {
        let number = Self.journalNumberMin + UInt32(journalActed)
        let intervention = journal[journalActed]
        let counts = arms.indices.map { act(intervention, number: number, arm: $0) }
        journalCounts.append(counts)
        return counts
    }

    /// Numbers of interventions below this are the scenario's own.
    private static let journalNumberMin: UInt32 = 1_024

    private func act(
        _ intervention: Intervention, number: UInt32, arm: Int
    ) -> InterventionReach {
        let scenario = arms[arm].scenario
        // Where there are too many casts, it can be done nowhere.
        let moves =
            intervention.action.recasts
            ? casts[arm].apply(intervention, arm: firstArm + arm, in: scenario) ?? CastMoves()
            : CastMoves()
        // Safe: `perform` hands each block to one thread, and returns when all are done.
        nonisolated(unsafe) let blocks = self.blocks[arm]
        let (table, isRecast) = (casts[arm], intervention.action.recasts)
        let done = Atomic<UInt64>(0)
        let ignored = Atomic<UInt64>(0)
        Self.perform(blocks.count, workers: options.workers) { index in
            if isRecast {
                do throws(CastFailure) {
                    try blocks[index].learn(table, scripts: scenario.scripts)
                } catch { return blocks[index].fail(error) }
            }
            let acted = blocks[index].intervene(intervention, number: number, moves: moves)
            done.wrappingAdd(acted.devices, ordering: .relaxed)
            ignored.wrappingAdd(acted.ignored, ordering: .relaxed)
        }
        return InterventionReach(
            devices: done.load(ordering: .relaxed), ignored: ignored.load(ordering: .relaxed))
    }

    /// Which records are kept from the next epoch on; nil: none, and none is counted. Changes
    /// nothing else.
    func keepRecords(_ keeping: RecordKeeping?) {
        for block in blocks.joined() { block.recordKeeping = keeping }
    }

    /// Epochs begin short again: how many records one makes is not known yet.
    func restartPace() { pace = EpochPace() }

    /// The digest of every device's records, by arm and in order of number.
    public func deviceDigests() -> [[(device: DeviceID, digest: RecordDigest)]] {
        blocks.map { $0.flatMap(\.deviceDigests) }
    }

    /// How every device stands now, by arm and in order of number.
    func standings() -> [[DeviceStanding]] {
        blocks.map { inParallel($0) { $0.standings() }.flatMap(\.self) }
    }

    /// Hands over the records of a short run, such as one device's, with the names they use.
    public func takeRecords(ofArm arm: Int = 0) -> (records: [Record], names: NameTable) {
        precondition(blocks[arm].count == 1, "records of several blocks are merged as lines")
        return (blocks[arm][0].takeRecords(), blocks[arm][0].names)
    }

    /// What the scripts of the device that was run have said.
    public var speech: ScriptSpeech { blocks[0][0].speech }
}
