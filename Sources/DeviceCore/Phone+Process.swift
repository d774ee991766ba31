import AuthorizationCore
import SimPrimitives

/// The life of the app's process: sections 6 and 13 of the specification.
extension Phone {
    /// Section 6: in the foreground, for a few seconds after it, or under the indicator.
    func isInUse(at time: SimTime, _ context: AuthorizationContext) -> Bool {
        process == .foreground || (process != .notRunning && time < graceEnd)
            || hasIndicatorSession(context)
    }

    /// U3, U4: continuous updates begun in the foreground, or a background activity session.
    public func hasIndicatorSession(_ context: AuthorizationContext) -> Bool {
        guard process == .background, context.capabilities.hasLocationBackgroundMode else {
            return false
        }
        let areUpdatesFollowed =
            services.contains(.updates) && didBeginUpdatesInForeground && !areUpdatesPaused
            && (allowsBackgroundUpdates || context.ios < .v9)  // B1, B2
        guard areUpdatesFollowed || (hasBackgroundSession && !isSessionOrphaned) else {
            return false
        }
        return authorization.isServed
    }

    /// Whether the process goes on executing out of the foreground (B5, U3, U4).
    public func isKeptRunning(_ context: AuthorizationContext) -> Bool {
        if hasIndicatorSession(context) { return true }
        return services.contains(.updates) && authorization.visibleStatus == .authorizedAlways
            && !areUpdatesPaused && context.capabilities.hasLocationBackgroundMode
            && isAlwaysEffective(for: nil, context)
            && (allowsBackgroundUpdates || context.ios < .v9)
    }

    mutating func open(
        _ play: inout Play, _ timers: inout TimerRow, _ context: AuthorizationContext
    ) {
        timers.cancel(.useEnd, .suspension)
        isForceQuit = false
        let wasRunning = process != .notRunning
        process = .foreground
        if wasRunning {
            resume(&play, context)
            askForSessions(by: .n2, &play, context)  // N3
        } else {
            startProcess(bySystem: false, &play, context)
        }
        if services.contains(.updates) { didBeginUpdatesInForeground = true }  // B7
    }

    /// C1: the first callback of a process tells the present status.
    private mutating func startProcess(
        bySystem: Bool, _ play: inout Play, _ context: AuthorizationContext
    ) {
        wasLaunchedBySystem = bySystem
        told = nil
        play.effects.append(.processStarted(bySystem: bySystem))
        callBackIfNews(&play, context)
    }

    /// C3, B9, B12: a process that executes again hears of what happened meanwhile.
    private mutating func resume(_ play: inout Play, _ context: AuthorizationContext) {
        let before = told?.status
        callBackIfNews(&play, context)
        if let before { loseServices(before: before, &play) }
        guard isOneShotOverdue else { return }
        isOneShotOverdue = false
        play.effects.append(.failed(.locationUnknown, .b9))
    }

    mutating func leave(
        _ play: inout Play, _ timers: inout TimerRow, _ context: AuthorizationContext
    ) {
        guard process == .foreground else { return }
        dropOrphanedSession()
        endOrphanedServiceSession()
        process = .background
        graceEnd = play.time + context.grace
        if authorization.prompt != nil { reduce(.promptLostItsApp(.j2), &play, context) }
        if !isKeptRunning(context) { timers[.suspension] = play.time + context.suspensionDelay }
        planUseEnd(at: play.time, &timers, context)
    }

    /// O3, AC11: what lasts as long as use ends with the grace period, unless a session goes on.
    /// A grant that comes when the grace has passed ends at once.
    func planUseEnd(
        at time: SimTime, _ timers: inout TimerRow, _ context: AuthorizationContext
    ) {
        let lasts = authorization.decision == .allowOnce || authorization.hasTemporaryFullAccuracy
        let isHeld = hasIndicatorSession(context)
        timers[.useEnd] = lasts && !isHeld ? max(graceEnd, time) : .never
    }

    /// K3: a process that does not make the session again at once has ended it.
    mutating func dropOrphanedSession() {
        guard isSessionOrphaned else { return }
        (hasBackgroundSession, isSessionOrphaned) = (false, false)
    }

    /// After a session in the background has ended: use ends, and the process is suspended (O4).
    mutating func endUseIfIdle(
        _ play: inout Play, _ timers: inout TimerRow, _ context: AuthorizationContext
    ) {
        guard process == .background, !isKeptRunning(context) else { return }
        if timers[.suspension] == .never {
            timers[.suspension] = play.time + context.suspensionDelay
            graceEnd = max(graceEnd, play.time + context.grace)
            planUseEnd(at: play.time, &timers, context)
        }
    }

    /// Lets the app execute in the background, starting it if need be (Q1, U7, B14).
    mutating func wake(
        _ play: inout Play, _ timers: inout TimerRow, _ context: AuthorizationContext
    ) {
        guard process != .foreground else { return }
        let wasRunning = process != .notRunning
        process = .background
        if wasRunning {
            resume(&play, context)
        } else {
            graceEnd = play.time
            startProcess(bySystem: true, &play, context)
        }
        if !isKeptRunning(context) {
            timers[.suspension] =
                play.time
                + (SimDuration(seconds: context.rules.wakeRunSeconds) ?? context.suspensionDelay)
        }
    }

    /// B8, B17, J3, AC12: what belongs to the process goes with it; registrations stay.
    ///
    /// - Parameter rule: the one that the app broke, where it crashed.
    mutating func endProcess(
        _ end: ProcessEnd, by rule: RuleID? = nil, _ play: inout Play,
        _ timers: inout TimerRow, _ context: AuthorizationContext
    ) {
        guard process != .notRunning else {
            if end == .forceQuit { swipeAwayEnded(at: play.time, &timers, context) }
            return
        }
        let wasInForeground = process == .foreground
        if wasInForeground { graceEnd = play.time + context.grace }
        process = .notRunning
        isForceQuit = end == .forceQuit
        services.subtract([.updates, .liveUpdates, .heading, .ranging])
        (allowsBackgroundUpdates, pausesAutomatically) = (false, true)
        (areUpdatesPaused, areLiveUpdatesAtRest) = (false, false)
        // K3: the session outlives a process that the system ends in the background.
        if end != .terminated || wasInForeground { hasBackgroundSession = false }
        isSessionOrphaned = hasBackgroundSession
        endServiceSessions()
        didBeginUpdatesInForeground = false
        isLocationRequested = false
        isOneShotOverdue = false
        told = nil
        timers[.suspension] = .never
        play.effects.append(.processEnded(end, rule))
        if authorization.prompt != nil { reduce(.promptLostItsApp(.j3), &play, context) }
        reduce(.processEnded, &play, context)
        let isHeld = hasBackgroundSession && context.capabilities.hasLocationBackgroundMode
        timers[.useEnd] =
            authorization.decision == .allowOnce && !isHeld ? max(graceEnd, play.time) : .never
    }

    /// Q3, Q4: an app that the system has ended is in the app switcher still (*inferred*), and
    /// swiping it away means the same.
    private mutating func swipeAwayEnded(
        at time: SimTime, _ timers: inout TimerRow, _ context: AuthorizationContext
    ) {
        isForceQuit = true
        dropOrphanedSession()
        endOrphanedServiceSession()
        planUseEnd(at: time, &timers, context)
    }
}

extension AuthorizationContext {
    /// U2, D5.
    public var grace: SimDuration { SimDuration(seconds: rules.allowOnceGraceSeconds) ?? .zero }
}
