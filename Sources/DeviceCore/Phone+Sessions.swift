import AuthorizationCore
import SimPrimitives

/// Service sessions: rules N1 to N8 of section 10.3 of the specification.
extension Phone {
    /// N1: holding a session is the request. One of each level may be held; a second one of the
    /// same level replaces the first (session-04, -16).
    mutating func holdServiceSession(
        _ level: Access, _ purpose: SessionPurpose, _ play: inout Play,
        _ context: AuthorizationContext
    ) {
        guard context.ios >= .v18, process != .notRunning else { return }
        changeExtras { extras in
            let session = ServiceSession(purpose: purpose)
            switch level {
            case .whenInUse: extras.whenInUseSession = session
            case .always: (extras.alwaysSession, extras.isAlwaysSessionOrphaned) = (session, false)
            }
        }
        askForSessions(by: .n1, &play, context)
    }

    /// What it has been granted stays. A prompt on screen does too: no source says otherwise.
    mutating func endServiceSession(
        _ level: Access, _ play: inout Play, _ timers: inout TimerRow,
        _ context: AuthorizationContext
    ) {
        guard !extras.isEmpty else { return }
        switch level {
        case .whenInUse: extras[0].whenInUseSession = nil
        case .always: (extras[0].alwaysSession, extras[0].isAlwaysSessionOrphaned) = (nil, false)
        }
        endUseIfIdle(&play, &timers, context)  // D13
    }

    /// N1 to N3, N6, N7: asks for what the sessions held lack, the widest first, then for full
    /// accuracy (N5). Called when a session begins and at each foreground (session-07, -17).
    ///
    /// Nothing is asked over another prompt (W8; *chosen*: that spends nothing either), while
    /// denied or with Location Services off (N4, session-08), or out of use.
    ///
    /// - Parameter rule: why it is asked now.
    mutating func askForSessions(
        by rule: RuleID, _ play: inout Play, _ context: AuthorizationContext
    ) {
        guard context.ios >= .v18, process == .foreground || isInUse(at: play.time, context),
            authorization.prompt == nil, let access = missingAccess(context)
        else { return askForFullAccuracy(&play, context) }
        let transition = Authorization.reduce(
            authorization, .requested(access, isInUse: true), in: context)
        guard case .show(let prompt) = transition.effect else {
            return askForFullAccuracy(&play, context)
        }
        authorization = transition.state
        play.effects.append(.promptShown(prompt, rule))
    }

    /// What the sessions ask for and the app has not got, if a prompt could give it.
    private func missingAccess(_ context: AuthorizationContext) -> Access? {
        let wantsAlways = extras.first?.alwaysSession != nil && context.hasText(for: .always)
        switch authorization.visibleStatus {
        case .notDetermined:
            if wantsAlways { return .always }  // N7
            let wantsWhenInUse = hasServiceSession || hasImplicitSession(context)
            return wantsWhenInUse ? .whenInUse : nil
        case .authorizedWhenInUse:
            let isOpen = authorization.decision == .whenInUse && !authorization.isAlwaysRequestSpent
            return wantsAlways && isOpen ? .always : nil  // A8 to A10
        case .restricted, .denied, .authorizedAlways: return nil
        }
    }

    /// N5, T1: one prompt for all sessions that name a purpose. One that was refused is not asked
    /// for again while its session is held (*chosen*; session-18).
    mutating func askForFullAccuracy(_ play: inout Play, _ context: AuthorizationContext) {
        guard context.ios >= .v18, !extras.isEmpty, process == .foreground,
            authorization.prompt == nil, authorization.visibleStatus.isAuthorized,
            authorization.isReduced(on: context.ios)
        else { return }
        extras[0].changeSessions { session in
            if session.purpose == .unknown { session.isFullAccuracyDenied = true }  // T3
        }
        let isWanted = extras[0].sessions.contains {
            $0.purpose == .known && !$0.isFullAccuracyDenied
        }
        guard isWanted else { return }
        let transition = Authorization.reduce(
            authorization,
            .requestedTemporaryFullAccuracy(isPurposeKnown: true, isForeground: true), in: context)
        guard case .show(let prompt) = transition.effect else { return }
        authorization = transition.state
        extras[0].hasSessionAskedForAccuracy = true
        play.effects.append(.promptShown(prompt, .n5))
    }

    /// N5: a refusal is noted; an answer to the first prompt makes way for the second.
    mutating func noteSessionAnswer(
        _ kind: PromptKind, _ choice: Choice, _ play: inout Play, _ context: AuthorizationContext
    ) {
        guard !extras.isEmpty else { return }
        guard kind == .temporaryFullAccuracy else {
            return askForFullAccuracy(&play, context)
        }
        if takeSessionAccuracyPrompt(), choice == .dontAllow {
            extras[0].changeSessions { session in
                if session.purpose != .none { session.isFullAccuracyDenied = true }
            }
        }
    }

    /// Whether the prompt for temporary full accuracy that has just gone was a session's.
    mutating func takeSessionAccuracyPrompt() -> Bool {
        guard let extras = extras.first, extras.hasSessionAskedForAccuracy else { return false }
        self.extras[0].hasSessionAskedForAccuracy = false
        return true
    }

    /// N8: sessions end with their process, which the system remembers of an Always one.
    mutating func endServiceSessions() {
        guard !extras.isEmpty else { return }
        if extras[0].alwaysSession != nil { extras[0].isAlwaysSessionOrphaned = true }
        (extras[0].whenInUseSession, extras[0].alwaysSession) = (nil, nil)
        (extras[0].isMonitorOpen, extras[0].liveUpdateAt) = (false, nil)
        extras[0].startErrorAt = nil
    }

    /// N8: a process that has not made it again soon has ended it.
    mutating func endOrphanedServiceSession() {
        if !extras.isEmpty { extras[0].isAlwaysSessionOrphaned = false }
    }

    // MARK: - What is held

    /// A session of this level is held in the process that runs.
    public func holdsServiceSession(_ level: Access) -> Bool {
        guard let extras = extras.first else { return false }
        return (level == .always ? extras.alwaysSession : extras.whenInUseSession) != nil
    }

    /// The process has opened its monitor.
    public var isMonitorOpen: Bool { extras.first?.isMonitorOpen ?? false }

    /// A background activity session of the process that runs: not one that has outlived its own.
    public var holdsBackgroundSession: Bool { hasBackgroundSession && !isSessionOrphaned }

    /// An explicit session of either level, in the process that runs.
    var hasServiceSession: Bool { extras.first.map { !$0.sessions.isEmpty } ?? false }

    /// N6, I9, D12: awaiting live updates or the events of a monitor (session-05, -06).
    func hasImplicitSession(_ context: AuthorizationContext) -> Bool {
        guard context.ios >= .v18, !context.requiresExplicitSession else { return false }
        return services.contains(.liveUpdates) || extras.first?.isMonitorOpen == true
    }

    /// D13, M8: whether Always counts out of use for `event`; nil: for standard updates.
    func isAlwaysEffective(for event: LocationEvent?, _ context: AuthorizationContext) -> Bool {
        guard context.ios >= .v18, context.rules.alwaysNeedsSession != .never else { return true }
        if context.rules.alwaysNeedsSession == .monitor {
            guard case .condition? = event else { return true }
        }
        guard let extras = extras.first else { return false }
        return extras.alwaysSession != nil || extras.isAlwaysSessionOrphaned
    }

    // MARK: - Diagnostics

    /// The flags that `consumer` would report now: none before iOS 18, and none of a consumer that
    /// the process does not hold (L3, N4).
    public func diagnostics(
        of consumer: LocationConsumer, at time: SimTime, in context: AuthorizationContext
    ) -> DiagnosticFlags {
        guard context.ios >= .v18, isHeld(consumer) else { return [] }
        var flags: DiagnosticFlags = []
        let isUsed = isInUse(at: time, context)
        switch authorization.visibleStatus {
        case .restricted: flags = [.authorizationRestricted, .authorizationDenied]
        case .denied:
            flags = .authorizationDenied  // session-08, -15
            if !authorization.isLocationServicesOn {
                flags.insert(.authorizationDeniedGlobally)  // session-10
            }
        case .notDetermined: if !isUsed { flags = .insufficientlyInUse }
        case .authorizedWhenInUse:
            if consumer != .serviceSession, !isUsed { flags = .insufficientlyInUse }
        case .authorizedAlways: break
        }
        if isPromptOf(consumer) { flags.insert(.authorizationRequestInProgress) }  // session-09
        if consumer == .serviceSession {
            return flags.union(sessionFlags(isUsed: isUsed, context))
        }
        if context.requiresExplicitSession, !hasServiceSession {
            flags.insert(.serviceSessionRequired)  // session-06
        }
        guard authorization.visibleStatus.isAuthorized else { return flags }
        if consumer == .monitor {
            if !canMonitorPlaces(context) { flags.insert(.accuracyLimited) }  // M7, monitor-06
            let isOver = extras.first?.conditions.contains(where: \.isOverLimit) ?? false
            if isOver { flags.insert(.conditionLimitExceeded) }  // M4
        } else if authorization.isReduced(on: context.ios) {
            flags.insert(.accuracyLimited)
        }
        return flags
    }

    private func isHeld(_ consumer: LocationConsumer) -> Bool {
        switch consumer {
        case .serviceSession: hasServiceSession
        case .liveUpdates: services.contains(.liveUpdates)
        case .monitor: extras.first?.isMonitorOpen ?? false
        }
    }

    /// Updates and events wait for the first prompt alone; a session wants what the others give.
    private func isPromptOf(_ consumer: LocationConsumer) -> Bool {
        switch authorization.prompt?.kind {
        case .whenInUse: true
        case .alwaysUpgrade: consumer == .serviceSession && extras.first?.alwaysSession != nil
        case .temporaryFullAccuracy:
            consumer == .serviceSession && extras.first?.hasSessionAskedForAccuracy == true
        case .always, .alwaysConfirm, .backgroundReminder, .locationButton, .widget, .servicesOff,
            nil:
            false
        }
    }

    /// N2: an upgrade that waits for use. N5: full accuracy refused. Beside the specification:
    /// Always refused, as Apple's page on `alwaysAuthorizationDenied` has it.
    private func sessionFlags(isUsed: Bool, _ context: AuthorizationContext) -> DiagnosticFlags {
        guard let extras = extras.first else { return [] }
        var flags: DiagnosticFlags = []
        if extras.alwaysSession != nil {
            let status = authorization.visibleStatus
            let isRefused = status == .authorizedWhenInUse && authorization.isAlwaysRequestSpent
            if isRefused || status == .denied { flags.insert(.alwaysAuthorizationDenied) }
            if status == .authorizedWhenInUse, !isUsed, missingAccess(context) != nil {
                flags.insert(.insufficientlyInUse)
            }
        }
        let isReduced = authorization.isReduced(on: context.ios)
        if isReduced, extras.sessions.contains(where: \.isFullAccuracyDenied) {
            flags.insert(.fullAccuracyDenied)
        }
        return flags
    }
}

extension PhoneExtras {
    /// Those that are held.
    var sessions: [ServiceSession] { [alwaysSession, whenInUseSession].compactMap(\.self) }

    mutating func changeSessions(_ change: (inout ServiceSession) -> Void) {
        if var session = alwaysSession {
            change(&session)
            alwaysSession = session
        }
        if var session = whenInUseSession {
            change(&session)
            whenInUseSession = session
        }
    }
}

extension AuthorizationContext {
    /// I9, D12: the app has switched implicit sessions off.
    var requiresExplicitSession: Bool {
        switch rules.explicitSessionKey {
        case .either:
            capabilities.hasExplicitSessionKey || capabilities.hasExplicitSessionHeaderKey
        case .article: capabilities.hasExplicitSessionKey
        case .header: capabilities.hasExplicitSessionHeaderKey
        }
    }
}
