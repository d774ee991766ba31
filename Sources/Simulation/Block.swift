import AuthorizationCore
import Metrics
import SimPrimitives

/// A stretch of consecutive devices that share one Lua state: the unit of parallel work.
///
/// Devices do not interact, so each runs alone through a whole epoch, and what it needs stays in
/// the cache meanwhile. A block runs on one thread at a time and shares nothing.
public final class Block {
    /// Fixed, so that which devices share a state depends on nothing that anybody sets.
    public static let deviceCountMax: UInt32 = 16_384

    /// In order of number; the count never changes.
    private(set) var devices: [Device]
    var runner: DeviceRunner
    /// Devices that have their first instants.
    private var begunCount = 0
    /// How far every device has run.
    public private(set) var now = SimTime.start
    /// The next instant of each device: all that a short epoch has to look at.
    private var nextInstants: [UInt32]
    /// The first device that the epoch in hand has not run yet.
    private var position = 0
    /// Set once the run cannot go on. Nothing moves afterwards.
    public internal(set) var failure: RunFailure?
    public let names: NameTable
    /// Makes players of scripts that interventions bring; nil where no script plays.
    let casting: (any Casting)?
    /// How many of the casts some device may have.
    private(set) var castsUsed: (people: Int, apps: Int)

    /// - Parameters:
    ///   - range: at most 16,384 consecutive devices.
    ///   - names: made by `startingNames`, and shared with the scripts.
    ///   - behaviors: one for each persona.
    ///   - arm: the index of the arm that this is a block of.
    ///   - groups: whose figures a device counts for, by persona and iOS version.
    ///   - keepsRecords: whether `takeRecords` will be asked.
    ///   - listener: hears what scripts say, of a block of one device.
    ///   - witness: is told what the block's worker is at.
    ///   - casting: makes players of scripts that interventions bring.
    public init(
        devices range: Range<UInt32>, of scenario: Scenario, names: NameTable,
        behaviors: [any Behavior], strategy: any Strategy, arm: Int = 0, groups: Groups = .one,
        keepsRecords: Bool = false, listener: ScriptListener? = nil,
        witness: (any WorkWitness)? = nil, casting: (any Casting)? = nil
    ) {
        precondition(range.count <= Self.deviceCountMax, "a block has at most 16,384 devices")
        (self.names, self.casting) = (names, casting)
        castsUsed = (behaviors.count, 1)
        let draws = TraitDraws(scenario)
        devices = range.map { number in
            let traits = draws.traits(of: DeviceID(number))
            return Device(
                id: DeviceID(number), persona: UInt8(traits.persona), ios: UInt16(traits.ios),
                group: UInt16(groups.index(persona: traits.persona, ios: traits.ios)))
        }
        runner = DeviceRunner(
            scenario: scenario, arm: arm, behaviors: behaviors, strategy: strategy, names: names,
            groupCount: groups.count, deviceCount: range.count, keepsRecords: keepsRecords,
            listener: listener, witness: witness)
        nextInstants = [UInt32](repeating: 0, count: range.count)
        for index in devices.indices {
            runner.tallies[Int(devices[index].group)].metrics.devices += 1
        }
    }

    /// The names that every block of a scenario numbers alike: its features first.
    public static func startingNames(of scenario: Scenario) -> NameTable {
        NameTable(
            scenario.features + ["success", "errorPermissions", "errorLocation"]
                + (scenario.movement?.regions.map(\.id) ?? []))
    }

    /// Gives every device its first instants. `run` does it where nobody has.
    ///
    /// - Parameter isHalted: asked between devices; true: come back later.
    /// - Returns: whether all devices have them, or the run cannot go on.
    @discardableResult
    public func begin(isHalted: () -> Bool = { false }) -> Bool {
        guard begunCount < devices.count, failure == nil else { return true }
        var devices = self.devices.mutableSpan
        do throws(RunFailure) {
            while begunCount < devices.count {
                let index = begunCount
                begunCount += 1
                try runner.begin(&devices[index], index: index)
                nextInstants[index] = Self.rounded(devices[index].timers.earliest)
                if isHalted() { break }
            }
        } catch {
            failure = error
        }
        return begunCount == devices.count || failure != nil
    }

    /// Runs every device through all that happens before `limit`, one after the other.
    ///
    /// - Parameter isHalted: asked between devices, and now and then within one; true: come back
    ///   later. The same limit is due then, and the devices that are left go on.
    /// - Returns: whether all devices have come to `limit`, or the run cannot go on.
    @discardableResult
    public func run(until limit: SimTime, isHalted: () -> Bool = { false }) -> Bool {
        guard begin(isHalted: isHalted) else { return false }
        guard failure == nil else { return true }
        note(.scheduling)
        defer { rest() }
        let limitRounded = Self.rounded(limit)
        var devices = self.devices.mutableSpan
        do throws(RunFailure) {
            while position < devices.count {
                let index = position
                position += 1
                guard nextInstants[index] <= limitRounded else { continue }
                let isDone = try runner.run(
                    &devices[index], index: index, until: limit, isHalted: isHalted)
                nextInstants[index] = Self.rounded(devices[index].timers.earliest)
                if !isDone { position = index }
                if !isDone || isHalted() { break }
            }
            guard position == devices.count else { return false }
            (now, position) = (limit, 0)
        } catch {
            failure = error
        }
        return true
    }

    /// Lets an intervention act on the devices that it means, at `now`.
    ///
    /// - Parameters:
    ///   - number: counts the run's interventions.
    ///   - moves: of one that changes scripts or options, after `learn`.
    /// - Returns: on how many devices it acted.
    public func intervene(
        _ intervention: Intervention, number: UInt32, moves: CastMoves = CastMoves()
    ) -> InterventionReach {
        precondition(intervention.at == now, "an intervention acts where an epoch ends")
        begin()
        guard failure == nil else { return InterventionReach() }
        var reach = InterventionReach()
        castsUsed = (runner.casts.behaviors.count, runner.casts.strategies.count)
        if intervention.action.recasts, runner.deviceCasts.isEmpty {
            runner.deviceCasts = devices.map {
                DeviceCasts(behavior: UInt16($0.persona), strategy: 0)
            }
        }
        var devices = self.devices.mutableSpan
        do throws(RunFailure) {
            for index in devices.indices {
                let isDone = try runner.intervene(
                    intervention, number: number, moves, on: &devices[index], index: index)
                guard let isDone else { continue }
                reach = reach + InterventionReach(devices: isDone ? 1 : 0, ignored: isDone ? 0 : 1)
                nextInstants[index] = Self.rounded(devices[index].timers.earliest)
            }
        } catch {
            failure = error
        }
        return reach
    }

    /// Tells the witness, if there is one, what is done with this block, or that nothing is.
    public func note(_ part: WorkPart) { runner.note(part) }
    public func rest() { runner.witness?.rest() }

    /// What happened since the last call, in record order.
    public func takeRecords() -> [Record] {
        defer { runner.records.removeAll(keepingCapacity: true) }
        return runner.records.sorted { $0.key < $1.key }
    }

    /// How many records there were since the last call, kept or not.
    public func takeRecordCounts() -> RecordCounts {
        defer { runner.recordCounts = RecordCounts() }
        return runner.recordCounts
    }

    /// What scripts have said, where somebody listens.
    public var speech: ScriptSpeech { runner.listener?.speech ?? ScriptSpeech() }

    /// The figures so far, one for each group.
    ///
    /// - Parameter isFinal: the run ended at `now`: a window that has passed is lost.
    public func metrics(isFinal: Bool) -> [FleetMetrics] {
        var result = runner.tallies.map { $0.metrics(names: names) }
        guard isFinal else { return result }
        // A copy of a device costs more than what is read of it.
        for (funnel, masks) in runner.funnels.enumerated() where masks.window != nil {
            for index in devices.indices {
                let progress = runner.progress[index * runner.funnels.count + funnel]
                let next = Int(progress.reached)
                let group = Int(devices[index].group)
                guard next < result[group].funnels[funnel].lost.count,
                    progress.hasMissedWindow(by: now, window: masks.window)
                else { continue }
                result[group].funnels[funnel].lost[next] += 1
            }
        }
        return result
    }

    /// Devices with the app installed for which `condition` holds now.
    public func count(_ condition: DeviceCondition) -> UInt64 {
        var count: UInt64 = 0
        for index in devices.indices
        where devices[index].isInstalled
            && condition.holds(runner.facts(of: devices[index], index: index, at: now))
        {
            count += 1
        }
        return count
    }

    /// Which records are kept for `takeRecords`, and all counted for `takeRecordCounts`; nil:
    /// nothing is. Changes nothing else.
    public var recordKeeping: RecordKeeping? {
        get { runner.keepsRecords ? runner.keeping : nil }
        set {
            (runner.keepsRecords, runner.keeping) = (newValue != nil, newValue ?? RecordKeeping())
            if newValue == nil { runner.records = [] }
        }
    }

    public var deviceCount: Int { devices.count }

    /// Processed events so far.
    public var eventCount: UInt64 { runner.tallies.reduce(0) { $0 + $1.metrics.events } }

    /// Script failures so far.
    public var scriptFailureCount: UInt64 {
        runner.tallies.reduce(0) { $0 + $1.metrics.scriptFailures }
    }

    /// The sum of the devices' digests.
    public var digest: RecordDigest {
        devices.indices.reduce(RecordDigest.zero) { $0 + devices[$1].digest.finished }
    }

    /// Each device's own, in order of number.
    public var deviceDigests: [(device: DeviceID, digest: RecordDigest)] {
        devices.map { ($0.id, $0.digest.finished) }
    }

    /// Bytes of what the engine keeps of its devices now, without what scripts keep.
    public var stateBytes: UInt64 {
        let flat = devices.count * Self.bytesPerDevice(funnels: runner.funnels.count)
        let beside =
            runner.timers.bytes + runner.locationObjects.bytes + arrayBytes(runner.whereabouts)
            + arrayBytes(runner.hazardCounts) + arrayBytes(runner.deviceCasts)
        return UInt64(devices.reduce(flat + beside) { $0 + $1.boxBytes })
    }

    /// Of a device of `scenario` for which nothing lies in a box.
    public static func bytesPerDevice(in scenario: Scenario) -> Int {
        bytesPerDevice(funnels: scenario.funnels.count)
            + (scenario.movement == nil ? 0 : MemoryLayout<Whereabouts>.stride)
            + (scenario.hazards.isEmpty ? 0 : MemoryLayout<UInt32>.stride)
    }

    /// The same without movement and hazards.
    public static func bytesPerDevice(funnels: Int) -> Int {
        MemoryLayout<Device>.stride + MemoryLayout<UInt32>.stride
            + funnels * MemoryLayout<FunnelProgress>.stride
    }

    /// Rounded down to about a second: four bytes tell whose turn may have come.
    private static func rounded(_ instant: SimTime) -> UInt32 {
        UInt32(clamping: instant.microseconds >> 20)
    }
}
