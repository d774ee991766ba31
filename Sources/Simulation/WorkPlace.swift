/// What a worker is at: for a profile. Raw values are the names in reports.
public enum WorkPart: String, CaseIterable, Sendable {
    /// Finding the next instant, and setting those to come.
    case scheduling
    /// The rules of the phone, and what joins it to people and app.
    case core
    case scripts
    /// Where devices are, and the digests of positions.
    case movement
    /// Funnels, and the figures of a border.
    case metrics
    /// Digests of the other records, and logs.
    case records
}

/// A part, and within scripts the hook.
public struct WorkPlace: Hashable, Sendable {
    public var part: WorkPart
    public var hook: HookName?
    /// Index into `Scenario.scripts`.
    public var script: UInt16

    public init(_ part: WorkPart, hook: HookName? = nil, script: UInt16 = 0) {
        (self.part, self.hook, self.script) = (part, hook, script)
    }
}

/// Is told what a block's worker is at, as it changes. A port, which changes nothing: a run's
/// profile implements it.
public protocol WorkWitness: AnyObject, Sendable {
    /// - Returns: what it was at before.
    func came(to place: WorkPlace) -> WorkPlace
    /// The worker turns to something else.
    func rest()
}

extension DeviceRunner {
    @inline(__always)
    func note(_ part: WorkPart) {
        if let witness { _ = witness.came(to: WorkPlace(part)) }
    }

    /// - Returns: what to give to `leave`.
    @inline(__always)
    func enter(_ part: WorkPart) -> WorkPlace? { witness?.came(to: WorkPlace(part)) }

    @inline(__always)
    func leave(to place: WorkPlace?) {
        if let place { _ = witness?.came(to: place) }
    }
}
