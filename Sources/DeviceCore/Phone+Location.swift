import AuthorizationCore
import SimPrimitives

/// What works when: section 10 of the specification.
extension Phone {
    mutating func start(
        _ started: ServiceSet, _ play: inout Play, _ context: AuthorizationContext
    ) {
        if started.contains(.updates) {
            // B4: a start in the background adds nothing to updates that run already.
            let isRunning =
                services.contains(.updates) && didBeginUpdatesInForeground && !areUpdatesPaused
            didBeginUpdatesInForeground = process == .foreground || isRunning
            if areUpdatesPaused { play.effects.append(.updatesResumed) }
            (areUpdatesPaused, isLocationRequested) = (false, false)  // B13, B9
        }
        services.formUnion(started)
        if !authorization.isRowPresent { reduce(.usedLocation, &play, context) }
        guard authorization.isLocationServicesOn else {
            if started != .liveUpdates { play.effects.append(.failed(.denied, .g4)) }  // L3
            return
        }
        switch authorization.visibleStatus {
        case .denied, .restricted:
            // L3: live updates have no delegate; from 18 on they carry the flag.
            if started != .liveUpdates { play.effects.append(.failed(.denied, .b11)) }
        case .notDetermined:
            if started.contains(.updates) { startUndetermined(&play, context) }
        case .authorizedWhenInUse, .authorizedAlways:
            // E16, D27: once, at the start.
            if started.contains(.ranging), context.rules.reducedRanging == .error,
                authorization.isReduced(on: context.ios)
            {
                play.effects.append(.failed(.rangingUnavailable, .e16))
            }
        }
        if started.contains(.liveUpdates) { askForSessions(by: .n6, &play, context) }
    }

    /// B12: a grant lost while updates run is an error once; a regained one needs no restart.
    func loseServices(before: VisibleStatus, _ play: inout Play) {
        let now = authorization.visibleStatus
        guard before.isAuthorized, now == .denied || now == .restricted,
            services.contains(.updates), process == .foreground || process == .background
        else { return }
        play.effects.append(.failed(.denied, .b12))
    }

    /// B2, B3: setting it without the mode is fatal, whatever the status.
    mutating func allowBackgroundUpdates(
        _ isOn: Bool, _ play: inout Play, _ timers: inout TimerRow,
        _ context: AuthorizationContext
    ) {
        guard context.ios >= .v9, process != .notRunning else { return }
        if isOn, !context.capabilities.hasLocationBackgroundMode {
            endProcess(.crashed, by: .b3, &play, &timers, context)
            return
        }
        allowsBackgroundUpdates = isOn
        endUseIfIdle(&play, &timers, context)
    }

    /// K1 to K4: it takes effect only when it is made in the foreground of an authorized app, or
    /// made again by the next process of one whose session goes on; and with the background mode.
    mutating func holdBackgroundSession(
        _ isOn: Bool, _ play: inout Play, _ timers: inout TimerRow,
        _ context: AuthorizationContext
    ) {
        guard isOn else {
            (hasBackgroundSession, isSessionOrphaned) = (false, false)
            endUseIfIdle(&play, &timers, context)
            return
        }
        guard context.ios >= .v17, process == .foreground || hasBackgroundSession,
            authorization.visibleStatus.isAuthorized,
            context.capabilities.hasLocationBackgroundMode
        else { return }
        (hasBackgroundSession, isSessionOrphaned) = (true, false)
    }

    // MARK: - Positions

    /// B9, B11: one position, or a failure.
    mutating func requestLocation(
        _ play: inout Play, _ context: AuthorizationContext
    ) {
        guard process != .notRunning, context.ios >= .v9 else { return }
        if !authorization.isRowPresent { reduce(.usedLocation, &play, context) }
        switch authorization.visibleStatus {
        case .denied, .restricted: play.effects.append(.failed(.denied, .b11))
        case .notDetermined, .authorizedWhenInUse, .authorizedAlways: isLocationRequested = true
        }
    }

    mutating func answerOneShot(
        _ play: inout Play, _ context: AuthorizationContext
    ) {
        guard isLocationRequested else { return }
        guard canHearWhileExecuting(context) else { return failOneShot(&play) }
        isLocationRequested = false
        play.effects.append(.delivered(.requestLocation))
        noteBackgroundUse(&play)
    }

    /// F2, F6, F9: in the foreground, under the indicator, and with Always while executing.
    func canHearWhileExecuting(_ context: AuthorizationContext) -> Bool {
        guard authorization.isServed, !isLocked else { return false }
        return process == .foreground || hasIndicatorSession(context)
            || authorization.visibleStatus == .authorizedAlways && process == .background
                && isAlwaysEffective(for: nil, context)
    }

    /// R1: permanent Always alone is reminded of what it did out of the foreground.
    private func noteBackgroundUse(_ play: inout Play) {
        guard process == .background, authorization.decision == .always else { return }
        play.effects.append(.usedInBackground)
    }

    /// E0: a process that does not execute hears of it when it resumes.
    mutating func failOneShot(_ play: inout Play) {
        guard isLocationRequested else { return }
        isLocationRequested = false
        guard process == .foreground || process == .background else {
            isOneShotOverdue = authorization.isServed
            return
        }
        play.effects.append(.failed(.locationUnknown, .b9))
    }

    /// F1, F8: positions reach a process in the foreground, and one that its session keeps running.
    /// A background activity session that has outlived its process starts the app again: the next
    /// position reaches what it has started then (K3).
    mutating func fix(
        _ play: inout Play, _ timers: inout TimerRow, _ context: AuthorizationContext
    ) {
        guard authorization.isServed, !isLocked else { return }
        if process == .notRunning, hasBackgroundSession {
            wake(&play, &timers, context)
            return
        }
        let reaches = process == .foreground || process == .background && isKeptRunning(context)
        guard reaches, !services.isDisjoint(with: [.updates, .liveUpdates]) else { return }
        if services.contains(.updates), !areUpdatesPaused {
            play.effects.append(.delivered(.updates))
        }
        // L2: on 17 live updates deliver nothing under reduced accuracy.
        let isReduced = authorization.isReduced(on: context.ios)
        if services.contains(.liveUpdates), !areLiveUpdatesAtRest,
            context.ios >= .v18 || !isReduced, isLiveUpdateDue(at: play.time, context)
        {
            play.effects.append(.delivered(.liveUpdates))
        }
        noteBackgroundUse(&play)
    }

    /// L1: their rate. Two fixes at one instant are two answers, whatever the interval.
    private mutating func isLiveUpdateDue(
        at time: SimTime, _ context: AuthorizationContext
    ) -> Bool {
        if let last = extras.first?.liveUpdateAt, last < time,
            (time - last).seconds < context.rules.liveUpdateIntervalSeconds
        {
            return false
        }
        changeExtras { $0.liveUpdateAt = time }
        return true
    }

    /// B13, L1: the system pauses standard updates out of the foreground, where they allow it; live
    /// updates pause themselves anywhere.
    mutating func rest(
        _ play: inout Play, _ timers: inout TimerRow, _ context: AuthorizationContext
    ) {
        if services.contains(.liveUpdates) { areLiveUpdatesAtRest = true }
        guard process == .background, services.contains(.updates), pausesAutomatically else {
            return
        }
        if !areUpdatesPaused { play.effects.append(.updatesPaused) }
        areUpdatesPaused = true
        endUseIfIdle(&play, &timers, context)
    }

    /// Whether positions of standard updates that reach the process change nothing, until another
    /// event. Says what `fix` does, and nothing of reminders. They do reach it in the foreground,
    /// and in the background where `isKeptRunning` says so.
    public func hasRoutineFixes(on ios: IOSVersion) -> Bool {
        services.contains(.updates) && services.isDisjoint(with: .liveUpdates) && extras.isEmpty
            && !isLocked && !areUpdatesPaused && authorization.isServed
            && (authorization.isPreciseOn || !authorization.isReduced(on: ios))
    }

    // MARK: - Events that reach past the process

    /// F3 to F7: delivered in use; else by the true status: woken for, held back, or dropped.
    mutating func route(
        _ event: LocationEvent, _ play: inout Play, _ timers: inout TimerRow,
        _ context: AuthorizationContext
    ) {
        guard authorization.isServed, !isLocked else { return }
        if authorization.visibleStatus == .authorizedWhenInUse, context.ios < .v13 { return }
        if isInUse(at: play.time, context) {
            if process == .suspended { wake(&play, &timers, context) }
            hand(event, &play)
            return
        }
        guard isAlwaysEffective(for: event, context) else { return }
        switch authorization.decision {
        case .always:
            guard process != .notRunning || canRelaunch(context) else { return }
            wake(&play, &timers, context)
            hand(event, &play)
            play.effects.append(.usedInBackground)
        case .provisionalAlways:
            held = HeldEvent(event: event, since: play.time)  // V7: the newer one.
            let wasDue = authorization.isConfirmDue
            reduce(.provisionalEventHeld, &play, context)
            if !wasDue { play.effects.append(.confirmDue) }
        case .notDetermined, .restricted, .denied, .whenInUse, .allowOnce: return
        }
    }

    /// Q3, Q4, D15: after a force-quit, on 26 only the person starts the app again. Q5, D16.
    private func canRelaunch(_ context: AuthorizationContext) -> Bool {
        if isBackgroundRefreshOff, context.rules.backgroundRefreshBlocksRelaunch { return false }
        guard isForceQuit else { return true }
        switch context.rules.relaunchAfterForceQuit {
        case .before26: return context.ios < .v26
        case .always: return true
        case .never: return false
        }
    }
}
