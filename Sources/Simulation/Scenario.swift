import AuthorizationCore
import DeviceCore
import Metrics
import SimPrimitives

/// What all devices of a fleet have in common, read from a bundle and checked: it cannot be wrong.
public struct Scenario: Sendable {
    public var name: String
    public var seed: UInt64
    public var deviceCount: UInt32
    public var duration: SimDuration
    public var zone: Zone
    public var iosMix: [Weighted<IOSVersion>]
    public var personas: [Persona]
    public var app: App
    /// What a person can tap.
    public var features: [String]
    public var rules: SystemRules
    public var delays: SystemDelays
    /// The built-in funnel first.
    public var funnels: [FunnelDefinition]
    /// Sources of behaviors and the strategy, then of those that interventions bring.
    public var scripts: [ScriptSource]
    /// What each of `scripts` declares; fewer: the last declare nothing.
    public var declarations: [[DeclaredOption]] = []
    /// Script failures that end the run, judged on the grid of `checkEvery`; nil: none do.
    public var scriptFailuresMax: UInt64?
    /// The grid of simulated time on which conditions are judged. At least a second.
    public var checkEvery = SimDuration.hours(1)
    /// In order of their instants.
    public var interventions: [Intervention] = []
    public var hazards: [Hazard] = []
    /// Nil: positions have no place.
    public var movement: Movement?
    /// What must hold at the end of the run.
    public var thresholds: [Threshold] = []
    /// The Info.plists that interventions update the app to.
    public var updates: [AppUpdate] = []
    /// Ends the run, judged on the grid of `checkEvery`; nil: it lasts its duration.
    public var endWhen: FleetCondition?

    public init(
        name: String, seed: UInt64, deviceCount: UInt32, duration: SimDuration, zone: Zone,
        iosMix: [Weighted<IOSVersion>], personas: [Persona], app: App, features: [String],
        rules: SystemRules, delays: SystemDelays, funnels: [FunnelDefinition],
        scripts: [ScriptSource], scriptFailuresMax: UInt64?
    ) {
        (self.name, self.seed, self.deviceCount) = (name, seed, deviceCount)
        (self.duration, self.zone, self.iosMix) = (duration, zone, iosMix)
        (self.personas, self.app, self.features) = (personas, app, features)
        (self.rules, self.delays, self.funnels) = (rules, delays, funnels)
        (self.scripts, self.scriptFailuresMax) = (scripts, scriptFailuresMax)
    }

    /// A named share of the population: one behavior with one set of option values.
    public struct Persona: Sendable {
        public var name: String
        public var weight: Double
        /// Index into `scripts`.
        public var behavior: Int
        /// Every option of the behavior, in the order in which it declares them.
        public var options: [ScriptOption]
        public var rhythm = Rhythm()

        public init(name: String, weight: Double, behavior: Int, options: [ScriptOption]) {
            (self.name, self.weight, self.behavior) = (name, weight, behavior)
            self.options = options
        }
    }

    public struct App: Sendable {
        public var name: String
        public var capabilities: AppCapabilities
        /// I5: the purpose keys that the Info.plist has a text for.
        public var temporaryPurposeKeys: [String] = []
        /// By `UsageText.rawValue`; empty where the Info.plist has none.
        public var usageTexts: [String]
        /// Index into `scripts`.
        public var strategy: Int
        public var options: [ScriptOption]

        public init(
            name: String, capabilities: AppCapabilities, usageTexts: [String], strategy: Int,
            options: [ScriptOption]
        ) {
            (self.name, self.capabilities, self.usageTexts) = (name, capabilities, usageTexts)
            (self.strategy, self.options) = (strategy, options)
        }
    }
}

/// When people open the app and how long they stay, where their behavior has no hook for it.
public struct Rhythm: Hashable, Sendable {
    /// Mean of the exponential intervals between openings: above 0.
    public var openingInterval = SimDuration.days(1)
    /// Where the interval begins.
    public enum Origin: String, CaseIterable, Sendable {
        /// At the end of a session: nobody opens what is open.
        case close
        /// At the opening before. One that comes during a session does nothing, and is counted.
        case opening
    }
    public var origin = Origin.close
    /// Mean of the exponential session lengths; nil: each lasts 120 s.
    public var sessionLength: SimDuration?

    public init() {}
}

/// What an update of the app brings.
public struct AppUpdate: Hashable, Sendable {
    public var capabilities: AppCapabilities
    /// I5: the purpose keys that the new Info.plist has a text for.
    public var temporaryPurposeKeys: [String]

    public init(capabilities: AppCapabilities, temporaryPurposeKeys: [String]) {
        (self.capabilities, self.temporaryPurposeKeys) = (capabilities, temporaryPurposeKeys)
    }
}

public struct Weighted<Value: Sendable>: Sendable {
    public var value: Value
    /// Above 0 and finite; shares are weights over their sum.
    public var weight: Double

    public init(_ value: Value, weight: Double) { (self.value, self.weight) = (value, weight) }
}

public struct ScriptSource: Hashable, Sendable {
    /// As the scenario gives it, never an absolute path.
    public var name: String
    public var text: String

    public init(name: String, text: String) { (self.name, self.text) = (name, text) }
}

/// The value of one option of a script in this run.
public struct ScriptOption: Hashable, Sendable {
    public enum Value: Hashable, Sendable {
        case number(Double)
        case boolean(Bool)
        case string(String)
    }

    public var name: String
    public var value: Value
    /// True where the value is the script's default and the script names no source for it.
    public var isAssumed: Bool
    /// True where the scenario gives the value, be it the default.
    public var isGiven: Bool
    /// Of a default, where the script names a source that the list of sources does not have.
    public var statedSource: String?

    public init(name: String, value: Value, isAssumed: Bool, isGiven: Bool = false) {
        (self.name, self.value) = (name, value)
        (self.isAssumed, self.isGiven) = (isAssumed, isGiven)
    }
}

/// What the system and people take their time over, where no source gives figures. Every default
/// here is *assumed* and listed as such in reports.
public struct SystemDelays: Hashable, Sendable {
    /// From a prompt or an own screen to its answer, unless the behavior says otherwise; and from
    /// its end to a tap that waited for it.
    public var answer = SimDuration.seconds(3)
    /// From leaving the foreground to suspension: about as long as iOS lets a process finish.
    public var suspension = SimDuration.seconds(5)
    /// Mean life of a suspended process before the system takes its memory back
    /// (exponential); nil: it never does.
    public var terminationMean: SimDuration? = .hours(6)
    /// From `requestLocation()` to the position.
    public var position = SimDuration.seconds(2)
    /// Share of such requests that fail with `locationUnknown`, in 0 ... 1.
    public var positionFailureShare = 0.01
    /// Between positions of standard updates.
    public var updateInterval = SimDuration.seconds(10)
    /// The same out of the foreground; nil: as in it. Set: whenever the app comes to the foreground
    /// or leaves it, the interval begins anew.
    public var backgroundUpdateInterval: SimDuration?
    /// Mean number of significant changes of place a day (Poisson), until movement is modelled: an
    /// hour on the way, at one in five minutes (SV1).
    public var significantChangesPerDay = 12.0

    public init() {}
}
