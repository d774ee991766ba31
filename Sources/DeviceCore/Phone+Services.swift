import AuthorizationCore
import SimPrimitives

/// Services that go with the process: updates, one-shot positions, heading (section 10).
extension Phone {
    // MARK: - Starting and stopping

    mutating func start(
        _ wanted: ServiceSet, at time: SimTime, _ timers: inout TimerRow,
        _ effects: inout PhoneEffects, in context: borrowing AuthorizationContext
    ) {
        guard isExecuting else { return }
        decide(.usedLocation, &effects, in: context)
        if wanted.contains(.updates) {
            let isRunning = services.contains(.updates) && !flags.contains(.arePaused)
            if process == .foreground {
                flags.insert(.beganInForeground)
            } else if !isRunning {
                flags.remove(.beganInForeground)  // B4
            }
            flags.remove(.arePaused)
            isLocationRequested = false  // B9
        }
        if wanted.contains(.liveUpdates) {
            flags.remove(.isLivePaused)
            // N6: iterating is an implicit session, and a session is a request.
            if context.ios >= .v18, authorization.decision == .notDetermined,
                process == .foreground, !context.capabilities.requiresExplicitServiceSession
            {
                decide(.requested(.whenInUse, isInUse: true), &effects, in: context)
            }
        }
        services.formUnion(wanted)
        let status = authorization.visibleStatus
        if status == .denied || status == .restricted {
            // B11, G4, G7: an error for each service that has a delegate.
            for service in [ServiceSet.updates, .significantChange, .visits]
            where wanted.contains(service) {
                effects.append(.failed(.denied, .b11))
            }
        } else if wanted.contains(.significantChange), flags.contains(.hasCachedPosition) {
            let gate = gate(timers, in: context)
            if gate == .open {  // SV2
                occur(.significantChange, at: time, &timers, &effects, in: context)
            }
        }
    }

    mutating func stop(_ unwanted: ServiceSet) {
        guard isExecuting else { return }
        services.subtract(unwanted)
        guard unwanted.contains(.updates) else { return }
        flags.subtract([.beganInForeground, .arePaused])
        isLocationRequested = false  // B9
    }

    mutating func allowBackgroundUpdates(
        _ isOn: Bool, _ timers: inout TimerRow, _ effects: inout PhoneEffects,
        in context: borrowing AuthorizationContext
    ) {
        guard isExecuting, context.ios.major >= 9 else { return }
        if isOn, !context.capabilities.hasLocationBackgroundMode {
            ended(by: .crashed, &timers, &effects, in: context)  // B3
        } else {
            allowsBackgroundUpdates = isOn  // B16: in any status.
        }
    }

    /// K1, K2, K4.
    mutating func holdActivity(_ isOn: Bool, in context: borrowing AuthorizationContext) {
        guard isExecuting, context.ios >= .v17 else { return }
        let isAllowed =
            authorization.visibleStatus.isAuthorized
            && context.capabilities.hasLocationBackgroundMode
            && (process == .foreground || flags.contains(.activityOutlivesProcess)
                || flags.contains(.holdsActivity))
        set(.holdsActivity, isOn && isAllowed)
        flags.remove(.activityOutlivesProcess)
    }

    /// B13, L1.
    mutating func cameToRest() {
        if process == .background, services.contains(.updates), !flags.contains(.neverPauses) {
            flags.insert(.arePaused)
        }
        if services.contains(.liveUpdates) { flags.insert(.isLivePaused) }
    }

    // MARK: - Positions

    mutating func fixed(
        at time: SimTime, _ timers: inout TimerRow, _ effects: inout PhoneEffects,
        in context: borrowing AuthorizationContext
    ) {
        flags.insert(.hasCachedPosition)
        guard authorization.visibleStatus.isAuthorized, !flags.contains(.isLocked) else { return }
        let isForeground = process == .foreground
        let takesUpdates =
            isForeground
            ? services.contains(.updates) && !flags.contains(.arePaused)
            : process == .background && keepsUpdating(in: context)
        let takesLive =
            !flags.contains(.isLivePaused)
            && (isForeground
                ? services.contains(.liveUpdates)
                : process == .background && keepsLiveUpdating(in: context))
        let isOrphaned = process == .notRunning && flags.contains(.activityOutlivesProcess)
        guard takesUpdates || takesLive || isOrphaned else { return }
        let isReduced = authorization.accuracy(on: context.ios) == .reducedAccuracy
        // AC3: a reduced position is computed a few times an hour.
        let isStale = isReduced || flags.contains(.wantsReduced) ? takeReduced(at: time) : true
        if isOrphaned {  // K3
            runInBackground(at: time, &timers, &effects, in: context)
            if !flags.contains(.leavesServicesStopped) { effects.append(.delivered(.liveUpdates)) }
            return
        }
        if takesUpdates, isStale { effects.append(.delivered(.updates)) }
        // L2: before 18 reduced accuracy silenced live updates.
        if takesLive, isReduced ? isStale && context.ios >= .v18 : true {
            effects.append(.delivered(.liveUpdates))
        }
        if !isForeground, authorization.decision == .always, !effects.isEmpty {
            effects.append(.usedInBackground)
        }
    }

    /// AC3 (documented: about four times an hour).
    static let reducedInterval = SimDuration.minutes(15)

    /// Whether a new reduced position is due at `time`; if so, it has been computed.
    private mutating func takeReduced(at time: SimTime) -> Bool {
        if let since = extras?.value.reducedSince, time < since + Self.reducedInterval {
            return false
        }
        rare.reducedSince = time
        return true
    }

    mutating func requestedLocation(
        _ effects: inout PhoneEffects, in context: borrowing AuthorizationContext
    ) {
        guard isExecuting else { return }
        decide(.usedLocation, &effects, in: context)
        switch authorization.visibleStatus {
        case .denied, .restricted: effects.append(.failed(.denied, .b11))  // G7
        case .notDetermined, .authorizedWhenInUse, .authorizedAlways: isLocationRequested = true
        }
    }

    /// F2, B9: whether a position would reach the app that has asked for one.
    public func takesOneShot(in context: borrowing AuthorizationContext) -> Bool {
        guard isLocationRequested, isExecuting, authorization.visibleStatus.isAuthorized else {
            return false
        }
        return process == .foreground || authorization.decision == .always
            || isSessionInUse(in: context)
    }

    mutating func oneShotAnswered(
        _ effects: inout PhoneEffects, in context: borrowing AuthorizationContext
    ) {
        guard isLocationRequested else { return }
        flags.insert(.hasCachedPosition)
        guard takesOneShot(in: context) else { return oneShotFailed(&effects) }
        isLocationRequested = false
        effects.append(.delivered(.requestLocation))
        if process == .background, authorization.decision == .always {
            effects.append(.usedInBackground)
        }
    }

    /// B9, E0. A suspended process hears of it when it resumes, an undecided one never (D11).
    mutating func oneShotFailed(_ effects: inout PhoneEffects) {
        guard isLocationRequested else { return }
        isLocationRequested = false
        switch authorization.visibleStatus {
        case .notDetermined: return
        case .denied, .restricted: if isExecuting { effects.append(.failed(.denied, .e1)) }
        case .authorizedWhenInUse, .authorizedAlways:
            if isExecuting {
                effects.append(.failed(.locationUnknown, .b9))
            } else {
                flags.insert(.isOneShotOverdue)
            }
        }
    }

    /// F9.
    mutating func headingChanged(
        _ effects: inout PhoneEffects, in context: borrowing AuthorizationContext
    ) {
        guard services.contains(.heading), isExecuting,
            authorization.visibleStatus.isAuthorized,
            process == .foreground || authorization.decision == .always
                || isSessionInUse(in: context)
        else { return }
        effects.append(.delivered(.heading))
    }
}
