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
    private var devices: [Device]
    private var runner: DeviceRunner
    private var hasBegun = false
    /// How far every device has run.
    public private(set) var now = SimTime.start
    /// Set once the run cannot go on. Nothing moves afterwards.
    public private(set) var failure: RunFailure?
    public let names: NameTable

    /// - Parameters:
    ///   - range: at most 16,384 consecutive devices.
    ///   - names: made by `startingNames`, and shared with the scripts.
    ///   - behaviors: one for each persona.
    ///   - groups: whose figures a device counts for, by persona and iOS version.
    ///   - keepsRecords: whether `takeRecords` will be asked.
    public init(
        devices range: Range<UInt32>, of scenario: Scenario, names: NameTable,
        behaviors: [any Behavior], strategy: any Strategy, groups: Groups = .one,
        keepsRecords: Bool = false
    ) {
        precondition(range.count <= Self.deviceCountMax, "a block has at most 16,384 devices")
        self.names = names
        let draws = TraitDraws(scenario)
        devices = range.map { number in
            let traits = draws.traits(of: DeviceID(number))
            return Device(
                id: DeviceID(number), persona: UInt16(traits.persona), ios: UInt8(traits.ios),
                group: UInt16(groups.index(persona: traits.persona, ios: traits.ios)))
        }
        runner = DeviceRunner(
            scenario: scenario, behaviors: behaviors, strategy: strategy, names: names,
            groupCount: groups.count, deviceCount: range.count, keepsRecords: keepsRecords)
    }

    /// The names that every block of a scenario numbers alike: its features first.
    public static func startingNames(of scenario: Scenario) -> NameTable {
        NameTable(scenario.features + ["success", "errorPermissions", "errorLocation"])
    }

    /// Runs every device through all that happens before `limit`, one after the other.
    public func run(until limit: SimTime) {
        guard failure == nil else { return }
        var devices = self.devices.mutableSpan
        do throws(RunFailure) {
            if !hasBegun {
                hasBegun = true
                for index in devices.indices { try runner.begin(&devices[index], index: index) }
            }
            for index in devices.indices {
                try runner.run(&devices[index], index: index, until: limit)
            }
            now = limit
        } catch {
            failure = error
        }
    }

    /// What happened since the last call, in record order.
    public func takeRecords() -> [Record] {
        defer { runner.records.removeAll(keepingCapacity: true) }
        return runner.records.sorted { $0.key < $1.key }
    }

    /// The figures so far, one for each group.
    ///
    /// - Parameter isFinal: the run ended at `now`: a window that has passed is lost.
    public func metrics(isFinal: Bool) -> [FleetMetrics] {
        var result = runner.tallies.map { $0.metrics(names: names) }
        guard isFinal else { return result }
        for (index, device) in devices.enumerated() {
            for (funnel, masks) in runner.funnels.enumerated() {
                let progress = runner.progress[index * runner.funnels.count + funnel]
                let next = Int(progress.reached)
                let group = Int(device.group)
                guard next < result[group].funnels[funnel].lost.count,
                    progress.hasMissedWindow(by: now, window: masks.window)
                else { continue }
                result[group].funnels[funnel].lost[next] += 1
            }
        }
        return result
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
        devices.reduce(RecordDigest.zero) { $0 + $1.digest.finished }
    }

    /// Bytes of one device, without what scripts keep.
    public static var bytesPerDevice: Int { MemoryLayout<Device>.stride }
}

/// How figures are split: by persona, by iOS version, by both or not at all.
public struct Groups: Sendable {
    public let count: Int
    /// By persona, then by iOS version.
    private let indices: [[Int]]

    public static let one = Groups(count: 1, indices: [])

    private init(count: Int, indices: [[Int]]) { (self.count, self.indices) = (count, indices) }

    public init(of scenario: Scenario, byPersona: Bool, byIOS: Bool) {
        let (personas, versions) = (scenario.personas.count, scenario.iosMix.count)
        count = (byPersona ? personas : 1) * (byIOS ? versions : 1)
        indices = (0..<personas).map { persona in
            (0..<versions).map { version in
                byIOS
                    ? (byPersona ? persona * versions + version : version)
                    : (byPersona ? persona : 0)
            }
        }
    }

    public func index(persona: Int, ios: Int) -> Int {
        indices.isEmpty ? 0 : indices[persona][ios]
    }
}
