import AuthorizationCore
import DeviceCore
import Metrics
import SimPrimitives

/// The figures of a group of devices: integer counters and histograms alone, so that merging is
/// exact and order-free.
public struct FleetMetrics: Equatable, Sendable {
    /// Devices of the group.
    public var devices: UInt64 = 0
    /// Of these, with the app installed now.
    public var installed: UInt64 = 0
    /// Devices by `VisibleStatus.allCases`, and by `TrueStatus.allCases`, now. Installed ones.
    public var visible = [UInt64](repeating: 0, count: VisibleStatus.allCases.count)
    public var trueStatus = [UInt64](repeating: 0, count: TrueStatus.allCases.count)
    /// By `PromptKind.index`.
    public var prompts = [PromptCounts](repeating: PromptCounts(), count: PromptKind.allCases.count)
    /// By `IgnoreReason.allCases`.
    public var requestsIgnored = [UInt64](repeating: 0, count: IgnoreReason.allCases.count)
    /// Counts by feature and outcome, and by milestone. Sort before showing.
    public var features: [FeatureOutcome: UInt64] = [:]
    public var milestones: [NameText: UInt64] = [:]
    /// What scripts count and measure, by name. Sort before showing.
    public var counters: [NameText: UInt64] = [:]
    public var histograms: [NameText: ValueHistogram] = [:]
    /// Crashes of the app by the rule that it broke. Sort before showing.
    public var crashes: [RuleID: UInt64] = [:]
    public var scriptFailures: UInt64 = 0
    /// The same by place and kind: as many as there are lines that fail. Sort before showing.
    public var scriptFailureKinds: [ScriptFailurePlace: ScriptFailureKind] = [:]
    /// One for each of `Scenario.funnels`.
    public var funnels: [FunnelCounts]
    public var activity = ActivityCounts()
    /// By `Scenario.hazards`.
    public var hazards: [HazardCounts]
    /// Processed events: instants that fired.
    public var events: UInt64 = 0
    /// Records, whether or not anybody logs them.
    public var records: UInt64 = 0

    public init(funnels: [FunnelDefinition], hazardCount: Int = 0) {
        hazards = [HazardCounts](repeating: HazardCounts(), count: hazardCount)
        self.funnels = funnels.map { FunnelCounts(stepCount: $0.steps.count) }
    }

    /// The figures of nobody.
    public init(of scenario: Scenario) {
        self.init(funnels: scenario.funnels, hazardCount: scenario.hazards.count)
    }

    public init(sum groups: [FleetMetrics], of scenario: Scenario) {
        self.init(of: scenario)
        for group in groups { merge(group) }
    }

    public mutating func merge(_ other: FleetMetrics) {
        devices += other.devices
        installed += other.installed
        for index in visible.indices { visible[index] += other.visible[index] }
        for index in trueStatus.indices { trueStatus[index] += other.trueStatus[index] }
        for index in prompts.indices { prompts[index].merge(other.prompts[index]) }
        for index in requestsIgnored.indices {
            requestsIgnored[index] += other.requestsIgnored[index]
        }
        features.merge(other.features, uniquingKeysWith: +)
        milestones.merge(other.milestones, uniquingKeysWith: +)
        counters.merge(other.counters, uniquingKeysWith: +)
        histograms.merge(other.histograms) { ValueHistogram(merging: $0, $1) }
        crashes.merge(other.crashes, uniquingKeysWith: +)
        scriptFailures += other.scriptFailures
        scriptFailureKinds.merge(other.scriptFailureKinds) { $0.merged(with: $1) }
        for index in funnels.indices { funnels[index].merge(other.funnels[index]) }
        activity.merge(other.activity)
        for index in hazards.indices { hazards[index] = hazards[index] + other.hazards[index] }
        events += other.events
        records += other.records
    }
}

public struct FeatureOutcome: Hashable, Comparable, Sendable {
    public var feature: NameText
    public var outcome: NameText

    public init(_ feature: NameText, _ outcome: NameText) {
        (self.feature, self.outcome) = (feature, outcome)
    }

    public static func < (left: FeatureOutcome, right: FeatureOutcome) -> Bool {
        (left.feature, left.outcome) < (right.feature, right.outcome)
    }
}

/// What people and phones did, in numbers.
public struct ActivityCounts: Hashable, Sendable {
    /// Sessions: the person opened the app.
    public var openings: UInt64 = 0
    /// Openings of an app that was open.
    public var openingsIgnored: UInt64 = 0
    /// Sessions that the person ended.
    public var closings: UInt64 = 0
    /// Positions that reached the app in the foreground, and out of it.
    public var fixesForeground: UInt64 = 0
    public var fixesBackground: UInt64 = 0
    /// Positions inside a region of `Movement.regions` after one outside, and the reverse.
    public var regionEntries: UInt64 = 0
    public var regionExits: UInt64 = 0
    /// Allow Once has lapsed (O3, O5); and it went on, because the app was opened in time.
    public var allowOnceLapsed: UInt64 = 0
    public var allowOnceKept: UInt64 = 0

    public init() {}

    public mutating func merge(_ other: ActivityCounts) {
        openings += other.openings
        openingsIgnored += other.openingsIgnored
        closings += other.closings
        fixesForeground += other.fixesForeground
        fixesBackground += other.fixesBackground
        regionEntries += other.regionEntries
        regionExits += other.regionExits
        allowOnceLapsed += other.allowOnceLapsed
        allowOnceKept += other.allowOnceKept
    }
}

/// Prompts of one kind.
public struct PromptCounts: Hashable, Sendable {
    public var shown: UInt64 = 0
    /// By `Choice.index`. Their sum is the answered; the rest of `shown` went away or is open.
    public var choices = [UInt64](repeating: 0, count: Choice.allCases.count)
    /// Answers that left more than before: what the grant rate counts.
    public var granted: UInt64 = 0

    public init() {}

    public var answered: UInt64 { choices.reduce(0, +) }

    public mutating func merge(_ other: PromptCounts) {
        shown += other.shown
        granted += other.granted
        for index in choices.indices { choices[index] += other.choices[index] }
    }
}

extension FleetMetrics {
    /// The first in record order.
    public var firstScriptFailure: FirstScriptFailure? {
        scriptFailureKinds.values.min { $0.first.key < $1.first.key }?.first
    }

    /// Counts one more failure.
    public mutating func count(_ failure: FirstScriptFailure) {
        scriptFailures += 1
        let one = ScriptFailureKind(count: 1, first: failure)
        let known = scriptFailureKinds[failure.place]
        scriptFailureKinds[failure.place] = known.map { $0.merged(with: one) } ?? one
    }
}

/// Failures of the same script, line, hook and code.
public struct ScriptFailureKind: Hashable, Sendable {
    public var count: UInt64
    /// In record order.
    public var first: FirstScriptFailure

    public init(count: UInt64, first: FirstScriptFailure) {
        (self.count, self.first) = (count, first)
    }

    func merged(with other: Self) -> Self {
        Self(
            count: count + other.count,
            first: other.first.key < first.key ? other.first : first)
    }
}

/// Enough to find the first failure of a run, or of a kind, again.
public struct FirstScriptFailure: Hashable, Sendable {
    public var key: RecordKey
    public var place: ScriptFailurePlace
    public var message: String

    public init(key: RecordKey, place: ScriptFailurePlace, message: String) {
        (self.key, self.place, self.message) = (key, place, message)
    }
}
