import AuthorizationCore
import SimPrimitives

/// The life of the process: section 13, and "in use" of section 6.
extension Phone {
    var isExecuting: Bool { process == .foreground || process == .background }

    // MARK: - In use

    /// U1 to U4. U2 is the pending end of use.
    func isInUse(_ timers: TimerRow, in context: borrowing AuthorizationContext) -> Bool {
        switch process {
        case .notRunning: false
        case .foreground: true
        case .background, .suspended:
            timers[.useEnd] != .never || isSessionInUse(in: context)
        }
    }

    /// U3, U4: in use out of the foreground through what the indicator shows.
    func isSessionInUse(in context: borrowing AuthorizationContext) -> Bool {
        guard process == .background else { return false }
        return holdsActivity
            || flags.contains(.beganInForeground) && keepsUpdating(in: context)
    }

    /// K1.
    var holdsActivity: Bool {
        flags.contains(.holdsActivity) && authorization.visibleStatus.isAuthorized
    }

    /// F1, B1, B2, B4, B5: whether standard updates go on out of the foreground.
    func keepsUpdating(in context: borrowing AuthorizationContext) -> Bool {
        guard services.contains(.updates), !flags.contains(.arePaused),
            context.capabilities.hasLocationBackgroundMode,
            allowsBackgroundUpdates || context.ios.major < 9,
            authorization.visibleStatus.isAuthorized
        else { return false }
        return flags.contains(.beganInForeground) || authorization.decision == .always
    }

    /// F8: whether live updates go on out of the foreground.
    func keepsLiveUpdating(in context: borrowing AuthorizationContext) -> Bool {
        guard services.contains(.liveUpdates) else { return false }
        return holdsActivity
            || authorization.decision == .always && allowsBackgroundUpdates
                && context.capabilities.hasLocationBackgroundMode
                && authorization.visibleStatus.isAuthorized
    }

    private func keepsExecuting(in context: borrowing AuthorizationContext) -> Bool {
        holdsActivity || keepsUpdating(in: context) || keepsLiveUpdating(in: context)
    }

    /// B6: whether the background location indicator shows for the app.
    public func isIndicatorOn(in context: borrowing AuthorizationContext) -> Bool {
        guard process == .background else { return false }
        if holdsActivity { return true }
        guard keepsUpdating(in: context) else { return false }
        return authorization.decision != .always || flags.contains(.showsIndicator)
    }

    // MARK: - Events

    mutating func opened(
        _ timers: inout TimerRow, _ effects: inout PhoneEffects,
        in context: borrowing AuthorizationContext
    ) {
        guard process != .foreground else { return }
        timers[.useEnd] = .never
        timers[.suspension] = .never
        if services.contains(.updates) { flags.insert(.beganInForeground) }  // B7
        if process == .notRunning {
            begin(.foreground, &effects, in: context)
        } else {
            resume(as: .foreground, &effects, in: context)
        }
    }

    mutating func left(
        _ effects: inout PhoneEffects, in context: borrowing AuthorizationContext
    ) {
        guard process == .foreground else { return }
        process = .background
        decide(.promptLostItsApp(.j2), &effects, in: context)
    }

    /// Starts the process. C1: its manager's delegate hears of the present values first.
    mutating func begin(
        _ state: ProcessState, _ effects: inout PhoneEffects,
        in context: borrowing AuthorizationContext
    ) {
        process = state
        wasLaunchedBySystem = state == .background
        flags.remove(.wasForceQuit)
        effects.append(.processStarted(bySystem: wasLaunchedBySystem))
        toldStatus = authorization.visibleStatus
        toldAccuracy = authorization.accuracy(on: context.ios)
        effects.append(.callback(isInitial: true))
    }

    /// Goes on executing, and tells what happened meanwhile (C3).
    mutating func resume(
        as state: ProcessState, _ effects: inout PhoneEffects,
        in context: borrowing AuthorizationContext
    ) {
        process = state
        tellIfChanged(&effects, on: context.ios)
        guard flags.contains(.isOneShotOverdue) else { return }
        flags.remove(.isOneShotOverdue)
        effects.append(.failed(.locationUnknown, .b9))
    }

    /// U7: run time that is not use.
    mutating func woken(
        at time: SimTime, _ timers: inout TimerRow, _ effects: inout PhoneEffects,
        in context: borrowing AuthorizationContext
    ) {
        guard process == .suspended || process == .notRunning, !flags.contains(.isLocked) else {
            return
        }
        runInBackground(at: time, &timers, &effects, in: context)
    }

    /// B14: wakes or starts the process for a little while. Longer, if it executes already.
    mutating func runInBackground(
        at time: SimTime, _ timers: inout TimerRow, _ effects: inout PhoneEffects,
        in context: borrowing AuthorizationContext
    ) {
        switch process {
        case .foreground: return
        case .background: break
        case .suspended: resume(as: .background, &effects, in: context)
        case .notRunning: begin(.background, &effects, in: context)
        }
        let end = time + (SimDuration(seconds: context.rules.wakeRunSeconds) ?? .zero)
        if timers[.suspension] == .never || timers[.suspension] < end { timers[.suspension] = end }
    }

    mutating func suspensionFellDue(
        _ timers: inout TimerRow, _ effects: inout PhoneEffects,
        in context: borrowing AuthorizationContext
    ) {
        timers[.suspension] = .never
        guard process == .background, !keepsExecuting(in: context) else { return }
        process = .suspended
        effects.append(.processSuspended)
    }

    mutating func useEndFellDue(
        _ timers: inout TimerRow, _ effects: inout PhoneEffects,
        in context: borrowing AuthorizationContext
    ) {
        timers[.useEnd] = .never
        guard process != .foreground, !isSessionInUse(in: context) else { return }
        decide(.useEnded, &effects, in: context)
    }

    mutating func ended(
        by end: ProcessEnd, _ timers: inout TimerRow, _ effects: inout PhoneEffects,
        in context: borrowing AuthorizationContext
    ) {
        guard process != .notRunning else { return }
        set(.activityOutlivesProcess, end == .terminated && holdsActivity)  // K3
        process = .notRunning
        wasLaunchedBySystem = false
        timers[.suspension] = .never
        allowsBackgroundUpdates = false  // B17
        services.subtract([.updates, .liveUpdates, .heading])  // B8
        isLocationRequested = false
        flags.subtract([
            .beganInForeground, .showsIndicator, .neverPauses, .arePaused, .holdsActivity,
            .isOneShotOverdue, .wantsReduced, .isLivePaused,
        ])
        set(.wasForceQuit, end == .forceQuit)
        decide(.promptLostItsApp(.j3), &effects, in: context)
        effects.append(.processEnded(end))
        decide(.processEnded, &effects, in: context)  // AC12
    }

    mutating func reinstalled(
        _ timers: inout TimerRow, _ effects: inout PhoneEffects,
        in context: borrowing AuthorizationContext
    ) {
        ended(by: .deleted, &timers, &effects, in: context)
        forget(.reinstalled, &effects, in: context)
        services = []
        extras = nil
        flags.formIntersection([.isLocked, .hasCachedPosition, .leavesServicesStopped])
        timers[.useEnd] = .never
    }

    /// Q8: what lasts is decisions and registrations.
    mutating func rebooted(
        _ timers: inout TimerRow, _ effects: inout PhoneEffects,
        in context: borrowing AuthorizationContext
    ) {
        ended(by: .terminated, &timers, &effects, in: context)
        flags.subtract([.activityOutlivesProcess, .hasCachedPosition])
        flags.insert(.isLocked)
        decide(.deviceRestarted, &effects, in: context)
        timers[.useEnd] = .never
    }

    /// Sets what the present state needs: the end of execution, and the end of use.
    mutating func settle(
        at time: SimTime, _ timers: inout TimerRow, in context: borrowing AuthorizationContext
    ) {
        guard process != .foreground else { return }
        let isKept = process == .background && keepsExecuting(in: context)
        let isSession = isKept && isSessionInUse(in: context)
        let isTemporary =
            authorization.decision == .allowOnce || authorization.hasTemporaryFullAccuracy
        var endsUse = isTemporary
        if isKept {
            timers[.suspension] = .never
        } else if process == .background, timers[.suspension] == .never {
            timers[.suspension] = time + Self.suspensionDelay
            endsUse = endsUse || !services.isEmpty || extras != nil  // Delivered while in use.
        }
        if isSession {
            timers[.useEnd] = .never  // O4, AC11
        } else if endsUse, timers[.useEnd] == .never {
            let grace = SimDuration(seconds: context.rules.allowOnceGraceSeconds) ?? .zero
            timers[.useEnd] = time + grace  // O3, U2
        }
    }
}
