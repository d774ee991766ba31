import AuthorizationCore
import SimPrimitives

/// A device that starts again, and a new one that takes the place of the old: rules Q6, Q8, B15 and
/// G14 of the specification.
extension Phone {
    /// Q8, B15: what does not last is gone, and nothing is delivered before the first unlock.
    ///
    /// - Parameter rule: what takes an unanswered prompt away.
    mutating func reboot(
        _ play: inout Play, _ timers: inout TimerRow, _ context: AuthorizationContext,
        by rule: RuleID = .q8
    ) {
        endProcess(.terminated, &play, &timers, context)
        dropOrphanedSession()
        endOrphanedServiceSession()
        (isForceQuit, isLocked) = (false, true)
        if authorization.prompt != nil { reduce(.promptLostItsApp(rule), &play, context) }
        reduce(.useEnded, &play, context)
        timers[.useEnd] = .never
    }

    /// Q6 (observed): what was registered before the restart is monitored again after a while.
    mutating func unlock(_ play: inout Play, _ context: AuthorizationContext) {
        guard isLocked else { return }
        isLocked = false
        let delay = SimDuration(seconds: context.rules.rebootMonitoringDelaySeconds) ?? .zero
        guard hasRegistrations, delay > .zero else { return }
        changeExtras { $0.monitoringFrom = play.time + delay }
    }

    private var hasRegistrations: Bool {
        if !services.isDisjoint(with: [.significantChange, .visits]) { return true }
        guard let extras = extras.first else { return false }
        return !extras.regions.isEmpty || !extras.conditions.isEmpty
    }

    /// Q6: what happens before monitoring has begun again is missed. *Chosen*: no source tells of
    /// an event that came late.
    func isMonitoring(at time: SimTime) -> Bool {
        guard let from = extras.first?.monitoringFrom else { return true }
        return time >= from
    }

    /// G14 (*inferred*), section 15.1: a new device is one that starts for the first time, and
    /// decisions come along with the backup. Where they do not, registrations do not either
    /// (*chosen*). Switches of the device come along in any case.
    mutating func migrate(
        _ play: inout Play, _ timers: inout TimerRow, _ context: AuthorizationContext
    ) {
        reboot(&play, &timers, context, by: .g14)
        isLocked = false
        if !context.rules.migrationKeepsDecisions { (services, extras) = ([], []) }
        reduce(.migrated, &play, context)
    }
}
