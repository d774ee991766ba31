import Dispatch
import LuaScripting
import SimPrimitives
import Simulation
import Synchronization
import Telemetry

/// Runs the blocks of one fleet side by side, one epoch at a time.
///
/// Within an epoch blocks share nothing, so they need no locks, and which worker runs which block
/// cannot be seen in the result. Neither can where an epoch ends: its length follows the wall clock
/// alone, to keep borders a fraction of a second apart.
public final class FleetRunner {
    /// What changes neither the bundle nor the result.
    public struct Options: Sendable {
        /// Threads that run blocks: 1 ... 1,024.
        public var workers: Int
        /// Devices to run; nil: all of the scenario.
        public var devices: Range<UInt32>?
        public var groups: Groups
        public var keepsRecords: Bool

        public init(
            workers: Int, devices: Range<UInt32>? = nil, groups: Groups = .one,
            keepsRecords: Bool = false
        ) {
            (self.workers, self.devices) = (workers, devices)
            (self.groups, self.keepsRecords) = (groups, keepsRecords)
        }
    }

    /// How a run ended. Raw values are those of reports' `ended_by`.
    public enum End: Equatable, Sendable {
        case duration
        case interrupted
        /// More script failures than the scenario allows.
        case scriptFailures
        /// No result: what happened before depends on the machine or the neighbors.
        case failed(RunFailure)
        /// Somebody who took the records could take no more.
        case logFailed(String)
    }

    public let scenario: Scenario
    private let options: Options
    private let blocks: [Block]
    private let writer: RecordWriter
    private var pace = EpochPace()
    public private(set) var now = SimTime.start

    /// - Throws: `ScriptError` when a script does not load.
    public init(_ scenario: Scenario, options: Options) throws(ScriptError) {
        precondition(options.workers > 0, "a fleet has at least one worker")
        self.scenario = scenario
        self.options = options
        writer = RecordWriter(zone: scenario.zone, scripts: scenario.scripts.map(\.name))
        blocks = try Self.makeBlocks(scenario, options)
    }

    /// Each block has its own Lua state, so making them is work worth sharing.
    private static func makeBlocks(
        _ scenario: Scenario, _ options: Options
    ) throws(ScriptError) -> [Block] {
        let devices = options.devices ?? 0..<scenario.deviceCount
        let size = Block.deviceCountMax
        let ranges = stride(from: devices.lowerBound, to: devices.upperBound, by: Int(size)).map {
            $0..<min($0 + size, devices.upperBound)
        }
        // Loads once on this thread first, so that a script's error is found without a fleet.
        var blocks = [Block?](repeating: nil, count: ranges.count)
        blocks[0] = try block(ranges[0], scenario, options)
        let rest = ranges.count - 1
        // Safe: each iteration writes one element of its own, and reads what nobody writes.
        blocks.withUnsafeMutableBufferPointer { buffer in
            nonisolated(unsafe) let places = buffer
            perform(rest, workers: options.workers) { index in
                places[index + 1] = try? block(ranges[index + 1], scenario, options)
            }
        }
        guard !blocks.contains(where: { $0 == nil }) else {
            throw ScriptError(
                .outOfMemory, script: scenario.scripts[0].name,
                reason: "no room for another Lua state")
        }
        return blocks.compactMap { $0 }
    }

    private static func block(
        _ range: Range<UInt32>, _ scenario: Scenario, _ options: Options
    ) throws(ScriptError) -> Block {
        let names = Block.startingNames(of: scenario)
        let scripts = try LuaScripts(scenario: scenario, names: names)
        return Block(
            devices: range, of: scenario, names: names, behaviors: scripts.behaviors,
            strategy: scripts.strategy, groups: options.groups, keepsRecords: options.keepsRecords)
    }

    /// Runs to the end of the scenario, or until `isInterrupted` says so at a border.
    ///
    /// - Parameters:
    ///   - log: takes each epoch's records as lines, in record order, at its border.
    ///   - onBorder: called at each border with the instant and the events so far.
    public func run(
        isInterrupted: () -> Bool = { false },
        log: RecordLog? = nil,
        onBorder: (SimTime, UInt64) -> Void = { _, _ in }
    ) -> End {
        let end = SimTime.start + scenario.duration
        var merge = LineMerge(count: blocks.count)
        while now < end {
            if isInterrupted() { return .interrupted }
            let limit = min(now + pace.epoch, end, nextCheck)
            let began = DispatchTime.now().uptimeNanoseconds
            runBlocks(until: limit, into: &merge, writesLines: log != nil)
            if let failure = blocks.lazy.compactMap(\.failure).min(by: { $0.device < $1.device }) {
                return .failed(failure)
            }
            if let log {
                do throws(LogError) {
                    try merge.write(to: log)
                } catch { return .logFailed(error.message) }
            }
            let lines = merge.lineCount
            merge.removeAll()
            let isCheck = limit == nextCheck
            now = limit
            let events = blocks.reduce(0) { $0 + $1.eventCount }
            pace.adapt(
                wallNanoseconds: DispatchTime.now().uptimeNanoseconds - began, events: events,
                devices: UInt64(blocks.reduce(0) { $0 + $1.deviceCount }), lines: lines)
            onBorder(now, events)
            if isCheck, hasTooManyScriptFailures { return .scriptFailures }
        }
        return .duration
    }

    private func runBlocks(
        until limit: SimTime, into merge: inout LineMerge, writesLines: Bool
    ) {
        // Safe: exactly one worker takes a block and its lines, and `perform` returns only when all
        // are done, so no two threads ever touch one at a time.
        nonisolated(unsafe) let blocks = self.blocks
        let writer = self.writer
        merge.parts.withUnsafeMutableBufferPointer { buffer in
            nonisolated(unsafe) let parts = buffer
            Self.perform(blocks.count, workers: options.workers) { index in
                blocks[index].run(until: limit)
                if writesLines { parts[index].fill(blocks[index], writer: writer) }
            }
        }
    }

    /// Each worker takes the next of `count` pieces until none is left.
    private static func perform(
        _ count: Int, workers: Int, _ body: @Sendable (Int) -> Void
    ) {
        let taken = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: max(1, min(workers, count))) { _ in
            while true {
                let next = taken.wrappingAdd(1, ordering: .relaxed).oldValue
                guard next < count else { return }
                body(next)
            }
        }
    }

    /// Where conditions are judged next: an epoch ends there, so that no other border decides.
    private var nextCheck: SimTime {
        guard scenario.scriptFailuresMax != nil else { return .never }
        let grid = scenario.checkEvery.microseconds
        return SimTime(microseconds: (now.microseconds / grid + 1) * grid)
    }

    private var hasTooManyScriptFailures: Bool {
        guard let limit = scenario.scriptFailuresMax else { return false }
        return blocks.reduce(0) { $0 + $1.scriptFailureCount } > limit
    }

    // MARK: - Results

    /// The figures so far, one for each group.
    public func metrics(isFinal: Bool) -> [FleetMetrics] {
        var total = [FleetMetrics](
            repeating: FleetMetrics(funnels: scenario.funnels), count: options.groups.count)
        for block in blocks {
            for (group, metrics) in block.metrics(isFinal: isFinal).enumerated() {
                total[group].merge(metrics)
            }
        }
        return total
    }

    public var digest: RecordDigest { blocks.reduce(RecordDigest.zero) { $0 + $1.digest } }

    /// Hands over the records of a short run, such as one device's, with the names they use.
    public func takeRecords() -> (records: [Record], names: NameTable) {
        precondition(blocks.count == 1, "records of several blocks are merged as lines")
        return (blocks[0].takeRecords(), blocks[0].names)
    }
}
