import AuthorizationCore
import SimPrimitives

/// CLMonitor: rules M1 to M8 of section 10.3 of the specification.
extension Phone {
    /// M4: conditions of one app.
    public static let conditionCountMax = 20
    /// Events that one turn hands over: there is a limit to the effects of an event.
    static let eventsPerTurnMax = 4

    /// Changes that wait for the app to await them: `awaitedMonitorEvents` hands them over.
    public var hasMonitorEvents: Bool {
        guard let extras = extras.first, extras.isMonitorOpen else { return false }
        return extras.conditions.contains { $0.pending != nil }
    }

    /// M1, M5: the app opens its monitor and awaits events; opening it twice is fatal (monitor-05).
    /// N6: awaiting them is an implicit service session.
    mutating func openMonitor(
        _ play: inout Play, _ timers: inout TimerRow, _ context: AuthorizationContext
    ) {
        guard context.ios >= .v17, process != .notRunning else { return }
        if extras.first?.isMonitorOpen == true {
            endProcess(.crashed, by: .m1, &play, &timers, context)
            return
        }
        changeExtras { $0.isMonitorOpen = true }
        if !authorization.isRowPresent { reduce(.usedLocation, &play, context) }
        handOverMonitorEvents(&play, context)
        askForSessions(by: .n6, &play, context)
    }

    /// M3: a condition is assumed to be unsatisfied. The same identifier replaces it. M4: one past
    /// the limit is not watched, and from 17.2 on the app is told so (monitor-03).
    mutating func addCondition(
        _ id: RegionID, _ play: inout Play, _ timers: inout TimerRow,
        _ context: AuthorizationContext
    ) {
        guard context.ios >= .v17, process != .notRunning else { return }
        if extras.first?.isMonitorOpen != true { openMonitor(&play, &timers, context) }
        changeExtras { extras in
            let others = extras.conditions.count { $0.id != id && !$0.isOverLimit }
            let condition = MonitoredCondition(
                id: id, isOverLimit: others >= Self.conditionCountMax)
            if let place = extras.conditions.firstIndex(where: { $0.id == id }) {
                extras.conditions[place] = condition
            } else {
                extras.conditions.append(condition)
            }
        }
        guard context.ios >= .v17_2, authorization.visibleStatus.isAuthorized, !isLocked,
            extras[0].conditions.contains(where: { $0.id == id && $0.isOverLimit })
        else { return }
        play.effects.append(.happened(.condition(id, .unmonitored)))
    }

    mutating func removeCondition(_ id: RegionID) {
        guard !extras.isEmpty else { return }
        extras[0].conditions.removeAll { $0.id == id }
    }

    /// M3, M6, M7: what the app does not know yet, or what has changed since it could not be told,
    /// reaches it as F7 says (monitor-01, -02, -04 and -06).
    mutating func changeCondition(
        _ id: RegionID, isSatisfied: Bool, _ play: inout Play, _ timers: inout TimerRow,
        _ context: AuthorizationContext
    ) {
        guard let place = conditionPlace(id), !extras[0].conditions[place].isOverLimit
        else { return }
        let state: ConditionState = isSatisfied ? .satisfied : .unsatisfied
        let isChange = extras[0].conditions[place].found != state
        extras[0].conditions[place].found = state
        guard canMonitorPlaces(context), isMonitoring(at: play.time) else { return }
        let isWaiting = extras[0].conditions[place].pending != nil
        if state == extras[0].conditions[place].told, isWaiting || !isChange {
            extras[0].conditions[place].pending = nil
            return
        }
        guard state != extras[0].conditions[place].pending else { return }
        route(.condition(id, state), &play, &timers, context)
    }

    /// Hands an event to the app. One of a monitor waits until the app has opened it (M5).
    mutating func hand(_ event: LocationEvent, _ play: inout Play) {
        guard case .condition(let id, let state) = event else {
            play.effects.append(.happened(event))
            return
        }
        guard let place = conditionPlace(id) else { return }
        guard extras[0].isMonitorOpen else {
            extras[0].conditions[place].pending = state
            return
        }
        extras[0].conditions[place].told = state
        extras[0].conditions[place].pending = nil
        play.effects.append(.happened(event))
    }

    /// One turn of the app through the events of its monitor.
    mutating func handOverMonitorEvents(_ play: inout Play, _ context: AuthorizationContext) {
        guard hasMonitorEvents, process == .foreground || process == .background,
            authorization.visibleStatus.isAuthorized, !isLocked
        else { return }
        var count = 0
        for condition in extras[0].conditions where count < Self.eventsPerTurnMax {
            guard let state = condition.pending else { continue }
            count += 1
            hand(.condition(condition.id, state), &play)
        }
    }

    /// RG10, AC7, AC13, D14: reduced accuracy silences regions and conditions, and temporary full
    /// accuracy does not bring them back, unless the setting says so.
    func canMonitorPlaces(_ context: AuthorizationContext) -> Bool {
        if context.ios < .v14 || authorization.isPreciseOn { return true }
        return context.rules.temporaryFullEnablesRegions && context.ios >= .v17
            && authorization.hasTemporaryFullAccuracy
    }

    private func conditionPlace(_ id: RegionID) -> Int? {
        extras.first?.conditions.firstIndex { $0.id == id }
    }
}
