import AuthorizationCore
import SimPrimitives

extension Phone {
    /// Plays one event by the rules.
    ///
    /// - Parameters:
    ///   - timers: the device's row; this sets and cancels `useEnd` and `suspension` alone.
    ///   - context: the version, the Info.plist and the open questions' settings.
    public mutating func handle(
        _ event: PhoneEvent, at time: SimTime, timers: inout TimerRow,
        in context: borrowing AuthorizationContext
    ) -> PhoneEffects {
        PhoneEffects()
    }
}
