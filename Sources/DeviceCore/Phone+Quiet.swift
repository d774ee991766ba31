import AuthorizationCore
import SimPrimitives

/// The comings and goings from which nothing follows, as most do: what `handle` does with these
/// events, without a list of effects. `PhoneQuietTests` holds them against it.
///
/// Each returns false, and has changed nothing, where `handle` has to be asked.
extension Phone {
    /// `opened`, in a process that runs and hears of nothing new (C3, B7).
    public mutating func openQuietly(_ timers: inout TimerRow) -> Bool {
        guard process == .suspended || process == .background, isPlain, !isOneShotOverdue,
            authorization.isPreciseOn,
            told == Told(status: authorization.visibleStatus, accuracy: .fullAccuracy)
        else { return false }
        timers.cancel(.useEnd, .suspension)
        isForceQuit = false
        process = .foreground
        if services.contains(.updates) { didBeginUpdatesInForeground = true }
        return true
    }

    /// `left`, by an app that does not run on (U2, O3).
    ///
    /// - Parameters:
    ///   - grace: of the context, as `AuthorizationContext.grace` has it.
    ///   - suspensionDelay: of the context.
    public mutating func leaveQuietly(
        at time: SimTime, _ timers: inout TimerRow, on ios: IOSVersion, grace: SimDuration,
        suspensionDelay: SimDuration
    ) -> Bool {
        guard process == .foreground, isPlain, authorization.prompt == nil, isAtRestWhenLeft(ios)
        else { return false }
        process = .background
        graceEnd = time + grace
        timers[.suspension] = time + suspensionDelay
        let lasts = authorization.decision == .allowOnce || authorization.hasTemporaryFullAccuracy
        if lasts {
            timers[.useEnd] = max(graceEnd, time)
        } else {
            timers.cancel(.useEnd)
        }
        return true
    }

    /// `suspensionFellDue`: the caller sees to what `PhoneEffect.processSuspended` stands for.
    public mutating func suspendQuietly(on ios: IOSVersion) -> Bool {
        guard process == .background, isPlain, isAtRestWhenLeft(ios) else { return false }
        process = .suspended
        return true
    }

    /// No session, monitor or live updates, and nothing held.
    private var isPlain: Bool { extras.isEmpty && services.isDisjoint(with: .liveUpdates) }

    /// Enough for `isKeptRunning` to be false.
    private func isAtRestWhenLeft(_ ios: IOSVersion) -> Bool {
        !services.contains(.updates) || (!allowsBackgroundUpdates && ios >= .v9)
    }
}
