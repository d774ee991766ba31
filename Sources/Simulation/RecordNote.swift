import AuthorizationCore
import DeviceCore
import SimPrimitives

/// What a record says beside its content: why, and what of it a person wants to be told.
///
/// Follows from the device's state, which the contents before it have made; so the digest covers
/// contents alone, and a word more here leaves it as it is.
public struct RecordNote: Hashable, Sendable {
    /// Of `settings` and `world`: the person could not do it, and nothing has happened.
    public var ignored: IgnoreReason?
    /// Of those: by which rule it could not be done, or changed nothing. Of `closed`: the rule that
    /// the app broke. Of `prompt`: the rule by which a session asked. Of `answer`: what became of
    /// the event that was held.
    public var rule: RuleID?
    /// Of `status`: what the app reads; nil before iOS 14.
    public var accuracy: Accuracy?
    /// Of `prompt` and `answer`, where the prompt confirms a provisional Always (V3 to V7).
    public var held: Held?

    /// The event that a provisional Always holds back.
    public enum Held: Hashable, Sendable {
        case waiting(LocationEvent, since: SimTime)
        case delivered
        case dropped
    }

    @inlinable
    public init(
        ignored: IgnoreReason? = nil, rule: RuleID? = nil, accuracy: Accuracy? = nil,
        held: Held? = nil
    ) {
        (self.ignored, self.rule, self.accuracy, self.held) = (ignored, rule, accuracy, held)
    }
}
