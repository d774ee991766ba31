import SimPrimitives

/// A step of a funnel: an instant of a device's life. The names are those of scenarios and reports.
public enum FunnelStep: Hashable, Sendable {
    case installed, opened, asked, granted, kept, askedAlways, always, alwaysWeek
    /// A milestone that a script names.
    case milestone(String)
    /// The outcome `success` of a feature.
    case feature(String)
    /// A visible or true status, by its name.
    case status(String)

    public var name: String {
        switch self {
        case .installed: "installed"
        case .opened: "opened"
        case .asked: "asked"
        case .granted: "granted"
        case .kept: "kept"
        case .askedAlways: "asked_always"
        case .always: "always"
        case .alwaysWeek: "always_7d"
        case .milestone(let name): "milestone:\(name)"
        case .feature(let name): "feature:\(name)"
        case .status(let name): "status:\(name)"
        }
    }

    /// Those without a parameter, in the order of the built-in funnel.
    public static let plain: [FunnelStep] = [
        .installed, .opened, .asked, .granted, .kept, .askedAlways, .always, .alwaysWeek,
    ]
}

/// Steps that a device passes in order; others may lie between.
public struct FunnelDefinition: Hashable, Sendable {
    /// A funnel has at most this many steps: they are bits of a word.
    public static let stepCountMax = 32

    public var name: String
    public var steps: [FunnelStep]
    /// How long a device has for each step after the one before; nil: as long as the run lasts.
    public var window: SimDuration?

    public init(name: String, steps: [FunnelStep], window: SimDuration? = nil) {
        (self.name, self.steps, self.window) = (name, steps, window)
    }

    public static let builtIn = FunnelDefinition(name: "funnel", steps: FunnelStep.plain)
}

/// How far one device has come in one funnel.
public struct FunnelProgress: Sendable {
    /// When the last step was reached.
    private var since = SimTime.start
    /// Steps that happened before their turn: bit *k* is step *k*.
    public private(set) var outside: UInt32 = 0
    /// Steps reached so far, in order.
    public internal(set) var reached: UInt8 = 0
    /// The window of the next step passed without it.
    public internal(set) var isLost = false
    /// Every step is reached.
    public internal(set) var isComplete = false

    public init() {}

    /// Whether any of the steps in `mask` would still count. What does not is nothing at all.
    @inlinable
    public func awaits(_ mask: UInt32) -> Bool {
        mask >> UInt32(reached) != 0 && !isLost && !isComplete
    }

    /// Something happened that is each of the steps in `mask`.
    ///
    /// Several at one instant may follow one another: an answer that grants for good is `granted`
    /// and `kept` at once. After the window of a step has passed, nothing counts any more.
    ///
    /// - Parameter ahead: the steps of this instant so far; the caller begins each instant of a
    ///   device with 0. A step may follow at the very instant of the one before, whichever is told
    ///   first.
    /// - Precondition: `time` is not before that of the call before.
    public mutating func occurred(
        _ mask: UInt32, at time: SimTime, ahead: inout UInt32, window: SimDuration?,
        counts: inout FunnelCounts
    ) {
        guard awaits(mask) else { return }
        if hasMissedWindow(by: time, window: window) {
            isLost = true
            counts.lost[Int(reached)] += 1
            return
        }
        ahead |= mask
        while ahead >> UInt32(reached) & 1 == 1 {
            reach(at: time, counts: &counts)
            if isComplete { return }
        }
        // What is left came before its turn: it is counted once, beside the funnel.
        let early = ahead & (.max << UInt32(reached)) & ~outside
        guard early != 0 else { return }
        outside |= early
        for step in counts.outside.indices where early >> UInt32(step) & 1 == 1 {
            counts.outside[step] += 1
        }
    }

    private mutating func reach(at time: SimTime, counts: inout FunnelCounts) {
        let step = Int(reached)
        counts.reached[step] += 1
        let waited = step == 0 ? SimDuration.zero : time - since
        counts.waits[step].record(UInt64(waited.microseconds))
        if outside >> UInt32(step) & 1 == 1 {
            outside &= ~(1 << UInt32(step))
            counts.outside[step] -= 1
        }
        reached += 1
        since = time
        isComplete = step + 1 == counts.reached.count
    }

    /// Whether the next step's window has passed by `end` without it, though nothing has said so.
    public func hasMissedWindow(by end: SimTime, window: SimDuration?) -> Bool {
        guard let window, !isLost, !isComplete, reached > 0 else { return false }
        return end - since > window
    }
}

/// A funnel's counts over devices.
public struct FunnelCounts: Hashable, Sendable {
    /// Devices that reached step *k* in order.
    public var reached: [UInt64]
    /// Devices that reached step *k-1* and then let the window of step *k* pass.
    public var lost: [UInt64]
    /// Devices to which step *k* happened outside the order and not, so far, within it.
    public var outside: [UInt64]
    /// Microseconds from the step before, of those who reached step *k*.
    public var waits: [LogLinearHistogram]

    public init(stepCount: Int) {
        reached = [UInt64](repeating: 0, count: stepCount)
        lost = reached
        outside = reached
        waits = [LogLinearHistogram](repeating: LogLinearHistogram(), count: stepCount)
    }

    public mutating func merge(_ other: FunnelCounts) {
        for step in reached.indices {
            reached[step] += other.reached[step]
            lost[step] += other.lost[step]
            outside[step] += other.outside[step]
            waits[step].merge(other.waits[step])
        }
    }
}
