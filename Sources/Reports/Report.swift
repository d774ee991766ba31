import Metrics
import SimPrimitives
import Simulation

/// What a run found out, in the form from which every view of it is printed.
///
/// Views: `json`, `csv` and `text(…)`. Equal reports give equal bytes; only `machine` says
/// anything about the computer.
public struct Report: Sendable {
    /// The version of the product, as reports name it.
    public static let productVersion = "0.1.0"

    /// The scenario itself first, then its variants.
    public var arms: [ReportArm]
    /// SHA-256 of the bundle: 64 hexadecimal digits.
    public var bundle: String
    /// Of all arms.
    public var digest: RecordDigest
    /// Nil while the run goes on.
    public var endedBy: EndedBy?
    /// Where it stands while it has not ended.
    public var standing = Standing.running
    /// How far the run came.
    public var simulated: SimDuration
    public var machine: MachineFacts?
    /// The fleet that was played again; nil: none was.
    public var original: Original?
    /// Whether `why` takes arms by their names alone.
    public var whyNamesArms = false
    /// The command that tells a device's life, without `--device`: what the report recommends.
    public var why: String?
    /// What clients did to the fleet, and on how many devices, by arm.
    public var journal: [(intervention: Intervention, reach: [InterventionReach])] = []

    public init(
        arms: [ReportArm], bundle: String, digest: RecordDigest, endedBy: EndedBy?,
        simulated: SimDuration, machine: MachineFacts? = nil
    ) {
        precondition(!arms.isEmpty, "a report has at least one arm")
        (self.arms, self.bundle, self.digest) = (arms, bundle, digest)
        (self.endedBy, self.simulated, self.machine) = (endedBy, simulated, machine)
    }

    public var scenario: Scenario {
        get { arms[0].scenario }
        set { arms[0].scenario = newValue }
    }

    /// Of the base.
    public var total: FleetMetrics {
        get { arms[0].total }
        set { arms[0].total = newValue }
    }

    public var groups: [ReportGroup] {
        get { arms[0].groups }
        set { arms[0].groups = newValue }
    }

    /// A fleet that was exported.
    public struct Original: Sendable {
        public let fleet: String
        public let digest: String

        public init(fleet: String, digest: String) { (self.fleet, self.digest) = (fleet, digest) }
    }

    /// Whether the digest is that of the fleet that was exported; nil: none was.
    public var isOriginal: Bool? { original.map { $0.digest == digest.description } }

    public var events: UInt64 { arms.reduce(0) { $0 + $1.total.events } }

    /// Whether every threshold of every arm is met.
    public var isVerdictYes: Bool {
        arms.allSatisfy { $0.judgements.allSatisfy(\.isMet) }
    }

    /// A report of one arm by itself.
    func alone(_ arm: ReportArm) -> Report {
        var report = self
        report.arms = [arm]
        return report
    }
}

extension ReportArm {
    /// The same where arms are chosen by their names alone.
    var optionByName: String? { name == Arm.baseName ? nil : name }

    /// The value of `--arm` that chooses it: its strategy's file where it is called like that; nil
    /// for the base.
    var option: String? {
        let script = scenario.scripts[scenario.app.strategy].name
        guard name != Arm.baseName else { return nil }
        return script.split(separator: "/").last.map { $0 == "\(name).lua" } == true ? script : name
    }
}

/// One arm's part of a report.
public struct ReportArm: Sendable {
    public var name: String
    public var scenario: Scenario
    public var total: FleetMetrics
    /// The devices of `total`, split by the labels that were asked for; empty when none were.
    /// Every group has the same label names in the same order.
    public var groups: [ReportGroup]
    public var digest: RecordDigest
    public var judgements: [Judgement]
    /// For each of the scenario's interventions that has acted, on how many devices.
    public var interventions: [InterventionReach]
    /// Against the base: all devices, then a figure for each of `groups`. Nil for the base.
    public var pairing: Pairing?
    public var groupPairings: [Pairing]

    public init(
        name: String = Arm.baseName, scenario: Scenario, total: FleetMetrics,
        groups: [ReportGroup] = [], digest: RecordDigest, judgements: [Judgement] = [],
        interventions: [InterventionReach] = [], pairing: Pairing? = nil,
        groupPairings: [Pairing] = []
    ) {
        (self.name, self.scenario, self.total) = (name, scenario, total)
        (self.groups, self.digest, self.judgements) = (groups, digest, judgements)
        (self.interventions, self.pairing) = (interventions, pairing)
        self.groupPairings = groupPairings
    }
}

/// Of a run that has not ended with a result.
public enum Standing: Sendable { case notStarted, running, paused, failed }

/// Why a run ended. Raw values are the words of reports: append, never rename.
public enum EndedBy: String, CaseIterable, Sendable {
    case duration
    case endWhen = "end_when"
    case interrupted
    case stopped
    case scriptFailures = "script_failures"
}

/// The devices that have the same persona, iOS version and so on.
public struct ReportGroup: Sendable {
    public struct Label: Hashable, Sendable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    public var labels: [Label]
    public var metrics: FleetMetrics

    /// The labels of each of `groups`: personas and versions in the scenario's order. Empty without
    /// a split.
    ///
    /// - Parameter names: "persona", "ios" or both, in the order of the columns.
    public static func labels(
        of groups: Groups, by names: [String], in scenario: Scenario
    ) -> [[Label]] {
        guard !names.isEmpty else { return [] }
        var labelled = [[Label]](repeating: [], count: groups.count)
        for (persona, value) in scenario.personas.enumerated() {
            for (ios, version) in scenario.iosMix.enumerated() {
                labelled[groups.index(persona: persona, ios: ios)] = names.map {
                    Label($0, $0 == "persona" ? value.name : "\(version.value)")
                }
            }
        }
        return labelled
    }

    public init(labels: [Label], metrics: FleetMetrics) {
        (self.labels, self.metrics) = (labels, metrics)
    }
}

/// What the computer had to do with it. Differs from run to run.
public struct MachineFacts: Hashable, Sendable {
    public var workers: Int
    public var wallSeconds: Double
    /// Of the whole process.
    public var residentBytes: UInt64
    /// Of what the simulation keeps of its devices, over their number in all arms, without what
    /// scripts keep.
    public var bytesPerDevice: UInt64
    /// Nil: no profile was wanted.
    public var profile: ProfileShares?

    public init(workers: Int, wallSeconds: Double, residentBytes: UInt64, bytesPerDevice: UInt64) {
        (self.workers, self.wallSeconds) = (workers, wallSeconds)
        (self.residentBytes, self.bytesPerDevice) = (residentBytes, bytesPerDevice)
    }

    /// Rounded; 0 for a run too short to have a rate.
    func eventsPerSecond(_ events: UInt64) -> UInt64 {
        let rate = Double(events) / wallSeconds
        return wallSeconds > 0 && rate.isFinite && rate < 1e18 ? UInt64(rate.rounded()) : 0
    }
}
