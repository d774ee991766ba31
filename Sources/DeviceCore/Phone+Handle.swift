import AuthorizationCore
import SimPrimitives

extension Phone {
    /// A process without a reason to run is suspended this long after it left the foreground.
    /// *Assumed*: Apple says "a few seconds". The caller may write another instant.
    static let suspensionDelay = SimDuration.seconds(5)

    /// Plays one event by the rules.
    ///
    /// Total: an event that cannot be in this state has no effect.
    ///
    /// - Parameters:
    ///   - timers: the device's row; this sets and cancels `useEnd` and `suspension` alone.
    ///   - context: the version, the Info.plist and the open questions' settings.
    public mutating func handle(
        _ event: PhoneEvent, at time: SimTime, timers: inout TimerRow,
        in context: borrowing AuthorizationContext
    ) -> PhoneEffects {
        var effects = PhoneEffects()
        switch event {
        case .opened: opened(&timers, &effects, in: context)
        case .left: left(&effects, in: context)
        case .answered(let choice, let isPrecise):
            answered(choice, isPrecise: isPrecise, at: time, &timers, &effects, in: context)
        case .settingsChanged(let row): decide(.settingsChanged(row), &effects, in: context)
        case .preciseSwitched(let isOn): decide(.preciseSwitched(isOn), &effects, in: context)
        case .locationServicesSwitched(let isOn):
            decide(.locationServicesSwitched(isOn), &effects, in: context)
            remindOfConfirm(&effects)
        case .restrictionSwitched(let isOn):
            decide(.restrictionSwitched(isOn), &effects, in: context)
            remindOfConfirm(&effects)
        case .processEnded(let end): ended(by: end, &timers, &effects, in: context)
        case .woken: woken(at: time, &timers, &effects, in: context)
        case .useEndFellDue: useEndFellDue(&timers, &effects, in: context)
        case .suspensionFellDue: suspensionFellDue(&timers, &effects, in: context)
        case .confirmFellDue:
            let reason = decide(.confirmFellDue, &effects, in: context).effect
            if reason == .ignore(.promptOnScreen) { remindOfConfirm(&effects) }
        case .reminderFellDue: decide(.reminderFellDue, &effects, in: context)
        case .locationPrivacyReset: forget(.locationPrivacyReset, &effects, in: context)
        case .appLocationReset:
            ended(by: .terminated, &timers, &effects, in: context)
            forget(.appLocationReset, &effects, in: context)
        case .reinstalled: reinstalled(&timers, &effects, in: context)
        case .appUpdated:
            ended(by: .terminated, &timers, &effects, in: context)
            decide(.appUpdated, &effects, in: context)
        case .rebooted: rebooted(&timers, &effects, in: context)
        case .unlocked: flags.remove(.isLocked)
        case .cameToRest: cameToRest()
        case .fixed: fixed(at: time, &timers, &effects, in: context)
        case .oneShotAnswered: oneShotAnswered(&effects, in: context)
        case .oneShotFailed: oneShotFailed(&effects)
        case .movedSignificantly:
            guard services.contains(.significantChange) else { break }
            occur(.significantChange, at: time, &timers, &effects, in: context)
        case .visited:
            guard services.contains(.visits) else { break }
            occur(.visits, at: time, &timers, &effects, in: context)
        case .crossed(let id, let change):
            crossed(id, change, at: time, &timers, &effects, in: context)
        case .conditionChanged(let id, let change):
            conditionChanged(id, change, at: time, &timers, &effects, in: context)
        case .headingChanged: headingChanged(&effects, in: context)
        case .requested(let access): requested(access, &effects, in: context)
        case .requestedTemporaryFullAccuracy(let isPurposeKnown):
            requestedFullAccuracy(isPurposeKnown: isPurposeKnown, &effects, in: context)
        case .requestedLocation: requestedLocation(&effects, in: context)
        case .started(let services): start(services, at: time, &timers, &effects, in: context)
        case .stopped(let services): stop(services)
        case .allowedBackgroundUpdates(let isOn):
            allowBackgroundUpdates(isOn, &timers, &effects, in: context)
        case .showedIndicator(let isOn): set(.showsIndicator, isOn && context.ios >= .v11)
        case .pausedAutomatically(let isOn): set(.neverPauses, !isOn)
        case .desiredReducedAccuracy(let isOn): set(.wantsReduced, isOn && context.ios >= .v14)
        case .startedRegion(let region): start(region, &effects, in: context)
        case .stoppedRegion(let id): stop(region: id)
        case .startedCondition(let id):
            start(condition: id, at: time, &timers, &effects, in: context)
        case .stoppedCondition(let id): stop(condition: id)
        case .heldActivitySession(let isOn): holdActivity(isOn, in: context)
        case .askingManagerReleased: decide(.promptLostItsApp(.j1), &effects, in: context)
        case .restartsServices(let isOn): set(.leavesServicesStopped, !isOn)
        }
        settle(at: time, &timers, in: context)
        return effects
    }

    // MARK: - Authorization

    /// Lets the authorization rules decide, and tells what changed.
    @discardableResult
    mutating func decide(
        _ event: AuthorizationEvent, _ effects: inout PhoneEffects,
        in context: borrowing AuthorizationContext
    ) -> Authorization.Transition {
        let before = authorization
        let transition = Authorization.reduce(before, event, in: context)
        authorization = transition.state
        switch transition.effect {
        case .none, .ignore: break
        case .show(let prompt): effects.append(.promptShown(prompt, transition.rule))
        case .closePrompt(let kind):
            effects.append(.promptClosed(kind, transition.rule))
            if kind == .temporaryFullAccuracy { effects.append(.accuracyCompleted(nil)) }
        }
        let hasChanged =
            before.trueStatus != authorization.trueStatus
            || before.visibleStatus != authorization.visibleStatus
            || before.accuracy(on: context.ios) != authorization.accuracy(on: context.ios)
        guard hasChanged else { return transition }
        effects.append(.status(transition.rule))
        if authorization.decision != .provisionalAlways { dropHeldEvent() }
        tellIfChanged(&effects, on: context.ios)
        if before.visibleStatus.isAuthorized, !authorization.visibleStatus.isAuthorized {
            grantWasLost(&effects)
        }
        return transition
    }

    /// C2, C3: a callback for what the app can see and has not been told, once it executes.
    mutating func tellIfChanged(_ effects: inout PhoneEffects, on ios: IOSVersion) {
        guard isExecuting else { return }
        let (status, accuracy) = (authorization.visibleStatus, authorization.accuracy(on: ios))
        guard status != toldStatus || accuracy != toldAccuracy else { return }  // C11, S10
        (toldStatus, toldAccuracy) = (status, accuracy)
        effects.append(.callback(isInitial: false))
    }

    /// B12, E1. Where updates are paused anyway (B7) nothing is lost.
    private func grantWasLost(_ effects: inout PhoneEffects) {
        guard process == .foreground else { return }
        if services.contains(.updates) { effects.append(.failed(.denied, .b12)) }
    }

    private mutating func answered(
        _ choice: Choice, isPrecise: Bool, at time: SimTime, _ timers: inout TimerRow,
        _ effects: inout PhoneEffects, in context: borrowing AuthorizationContext
    ) {
        let kind = authorization.prompt?.kind
        let (held, since, place) = (heldDelivery, heldSince, rare.held)
        let transition = decide(.answered(choice, isPrecise: isPrecise), &effects, in: context)
        if case .ignore = transition.effect { return }
        switch kind {
        case .temporaryFullAccuracy: effects.append(.accuracyCompleted(nil))
        case .servicesOff: if choice == .settings { left(&effects, in: context) }  // P15
        case .alwaysConfirm:
            let ttl = SimDuration(seconds: context.rules.heldEventTTLSeconds) ?? .zero
            guard let held, authorization.decision == .always, since + ttl >= time else { return }
            occur(held, of: place, at: time, &timers, &effects, in: context)  // V5, V7
        case .whenInUse, .always, .alwaysUpgrade, .backgroundReminder, .locationButton, .widget,
            nil:
            break
        }
    }

    private mutating func requested(
        _ access: Access, _ effects: inout PhoneEffects, in context: borrowing AuthorizationContext
    ) {
        guard isExecuting else { return }
        // U2 does not count here: a prompt closes when the app leaves the foreground (J2).
        let isInUse = process == .foreground || isSessionInUse(in: context)
        let transition = decide(.requested(access, isInUse: isInUse), &effects, in: context)
        guard case .ignore(let reason) = transition.effect else { return }
        effects.append(
            .requestIgnored(
                access == .always
                    ? .requestAlwaysAuthorization : .requestWhenInUseAuthorization,
                reason, transition.rule))
    }

    private mutating func requestedFullAccuracy(
        isPurposeKnown: Bool, _ effects: inout PhoneEffects,
        in context: borrowing AuthorizationContext
    ) {
        guard isExecuting else { return }
        let transition = decide(
            .requestedTemporaryFullAccuracy(
                isPurposeKnown: isPurposeKnown, isForeground: process == .foreground),
            &effects, in: context)
        guard case .ignore(let reason) = transition.effect else { return }
        effects.append(
            .requestIgnored(.requestTemporaryFullAccuracyAuthorization, reason, transition.rule))
        if context.ios >= .v14 { effects.append(.accuracyCompleted(.promptDeclined)) }  // T3-T6
    }

    /// V4: a second prompt that could not come waits for another idle moment.
    private func remindOfConfirm(_ effects: inout PhoneEffects) {
        guard authorization.isConfirmDue, authorization.visibleStatus.isAuthorized,
            authorization.prompt?.kind != .alwaysConfirm
        else { return }
        effects.append(.confirmDue)
    }

    /// G9, G10, G15: what was held is forgotten too.
    mutating func forget(
        _ event: AuthorizationEvent, _ effects: inout PhoneEffects,
        in context: borrowing AuthorizationContext
    ) {
        decide(event, &effects, in: context)
        dropHeldEvent()
    }

    mutating func dropHeldEvent() {
        heldDelivery = nil
        heldSince = .never
        if extras?.value.held != nil { rare.held = nil }
    }

    mutating func set(_ flag: PhoneFlags, _ isOn: Bool) {
        if isOn { flags.insert(flag) } else { flags.remove(flag) }
    }
}
