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
        in context: AuthorizationContext
    ) -> PhoneEffects {
        var play = Play(time: time)
        switch event {
        case .opened: open(&play, &timers, context)
        case .left: leave(&play, &timers, context)
        case .processEnded(let end): endProcess(end, &play, &timers, context)
        case .woken: wake(&play, &timers, context)
        case .useEndFellDue:
            if !isInUse(at: time, context) { reduce(.useEnded, &play, context) }
        case .suspensionFellDue:
            if process == .background, !isKeptRunning(context) {
                process = .suspended
                play.effects.append(.processSuspended)
                endOrphanedServiceSession()
                if isSessionOrphaned {
                    dropOrphanedSession()
                    planUseEnd(at: time, &timers, context)
                }
            }

        case .requested(let access): request(access, &play, context)
        case .requestedOffMain(let access): requestOffMain(access, &play, context)
        case .requestedTemporaryFullAccuracy(let isPurposeKnown):
            requestFullAccuracy(isPurposeKnown: isPurposeKnown, &play, context)
        case .answered(let choice, let isPrecise):
            answer(choice, isPrecise: isPrecise, &play, &timers, context)
        case .confirmFellDue:
            if !isLocked { reduce(.confirmFellDue, &play, context) }  // J6
            if isLocked || authorization.prompt != nil { planConfirmAgain(&play) }
        case .reminderFellDue:
            if !isLocked { reduce(.reminderFellDue, &play, context) }  // J6

        case .settingsChanged(let row): reduce(.settingsChanged(row), &play, context)
        case .preciseSwitched(let isOn): reduce(.preciseSwitched(isOn), &play, context)
        case .locationServicesSwitched(let isOn):
            reduce(.locationServicesSwitched(isOn), &play, context)
            planConfirmAgain(&play)
        case .restrictionSwitched(let isOn):
            reduce(.restrictionSwitched(isOn), &play, context)
            planConfirmAgain(&play)
        case .locationPrivacyReset: reduce(.locationPrivacyReset, &play, context)
        case .appLocationReset:
            if context.rules.appResetEndsProcess {  // D32
                endProcess(.terminated, &play, &timers, context)
            }
            reduce(.appLocationReset, &play, context)
        case .backgroundRefreshSwitched(let isOn): isBackgroundRefreshOff = !isOn
        case .migrated: migrate(&play, &timers, context)
        case .appUpdated: reduce(.appUpdated, &play, context)
        case .reinstalled, .appClipRemoved:  // G10, X2
            reduce(event == .reinstalled ? .reinstalled : .appClipRemoved, &play, context)
            services = []
            (extras, isForceQuit) = ([], false)
        case .tappedLocationButton(let isReadable):
            tapLocationButton(isReadable: isReadable, &play, context)
        case .placedWidget: reduce(.placedWidget, &play, context)  // J6: in any state of the app.
        case .appClipGrantEnded: reduce(.appClipGrantEnded, &play, context)
        case .rebooted: reboot(&play, &timers, context)
        case .unlocked: unlock(&play, context)

        case .started(let started): start(started, &play, context)
        case .stopped(let stopped):
            services.subtract(stopped)
            if stopped.contains(.updates) {
                isLocationRequested = false  // B9
                dropStartError()
            }
            endUseIfIdle(&play, &timers, context)
        case .allowedBackgroundUpdates(let isOn):
            allowBackgroundUpdates(isOn, &play, &timers, context)
        case .heldBackgroundSession(let isOn):
            holdBackgroundSession(isOn, &play, &timers, context)
        case .requestedLocation: requestLocation(&play, context)
        case .oneShotAnswered: answerOneShot(&play, context)
        case .oneShotFailed: failOneShot(&play)
        case .startTimedOut: timeOutStart(&play)
        case .fixed: fix(&play, &timers, context)
        case .headingChanged:
            if services.contains(.heading), canHearWhileExecuting(context) {
                play.effects.append(.happened(.heading))
            }
        case .beaconsRanged: range(&play, context)
        case .rested: rest(&play, &timers, context)
        case .moved: areLiveUpdatesAtRest = false
        case .pausedAutomatically(let isOn): pausesAutomatically = isOn
        case .movedSignificantly:
            if services.contains(.significantChange), isMonitoring(at: time) {
                route(.significantChange, &play, &timers, context)
            }
        case .visited(let isArrival):
            if services.contains(.visits), isMonitoring(at: time) {
                route(.visit(isArrival: isArrival), &play, &timers, context)
            }
        case .askingManagerReleased: reduce(.promptLostItsApp(.j1), &play, context)
        case .startedMonitoring(let region): startMonitoring(region, &play, context)
        case .stoppedMonitoring(let id): stopMonitoring(id)
        case .crossed(let id, let isEntry): cross(id, isEntry: isEntry, &play, &timers, context)
        case .heldServiceSession(let level, let purpose):
            holdServiceSession(level, purpose, &play, context)
        case .endedServiceSession(let level): endServiceSession(level, &play, &timers, context)
        case .openedMonitor: openMonitor(&play, &timers, context)
        case .awaitedMonitorEvents: handOverMonitorEvents(&play, context)
        case .addedCondition(let id): addCondition(id, &play, &timers, context)
        case .removedCondition(let id): removeCondition(id)
        case .conditionChanged(let id, let isSatisfied):
            changeCondition(id, isSatisfied: isSatisfied, &play, &timers, context)
        }
        return play.effects
    }

    /// The event in hand: its instant, and what has followed from it so far.
    struct Play {
        let time: SimTime
        var effects = PhoneEffects()
    }

    // MARK: - The rules, and what the app hears of them

    /// Applies an event of the permission rules: state, prompts, status and callback.
    ///
    /// - Parameter request: the call to name when it is ignored.
    mutating func reduce(
        _ event: AuthorizationEvent, _ play: inout Play,
        _ context: AuthorizationContext, request: AppRequest? = nil
    ) {
        let before = authorization
        let transition = Authorization.reduce(before, event, in: context)
        authorization = transition.state
        switch transition.effect {
        case .none: break
        case .show(let prompt): play.effects.append(.promptShown(prompt, transition.rule))
        case .closePrompt(let kind):
            play.effects.append(.promptClosed(kind, transition.rule))
            // It was shown, so there is no error (section 15.1). A session has no completion.
            if kind == .temporaryFullAccuracy, !takeSessionAccuracyPrompt() {
                play.effects.append(.accuracyCompleted(nil))
            }
        case .ignore(let reason):
            if let request {
                play.effects.append(.requestIgnored(request, reason, transition.rule))
            }
        }
        let after = transition.state
        guard
            after.trueStatus != before.trueStatus || after.visibleStatus != before.visibleStatus
                || after.accuracy(in: context) != before.accuracy(in: context)
        else { return }
        play.effects.append(.status(transition.rule))
        if after.decision != .provisionalAlways, after.decision != .always { held = nil }  // V6
        if after.visibleStatus != .notDetermined { dropStartError() }
        callBackIfNews(&play, context)
        loseServices(before: before.visibleStatus, &play)
    }

    /// C2, C3: the app hears of what it can see, as soon as its process executes.
    mutating func callBackIfNews(_ play: inout Play, _ context: AuthorizationContext) {
        guard process == .foreground || process == .background else { return }
        let now = Told(
            status: authorization.visibleStatus, accuracy: authorization.accuracy(in: context))
        guard now != told else { return }
        let isInitial = told == nil
        told = now
        play.effects.append(.callback(isInitial: isInitial))
    }

    /// The table "Effect of each choice": a confirmed Always delivers what was held (V5, V7).
    private mutating func answer(
        _ choice: Choice, isPrecise: Bool, _ play: inout Play, _ timers: inout TimerRow,
        _ context: AuthorizationContext
    ) {
        let kind = authorization.prompt?.kind
        reduce(.answered(choice, isPrecise: isPrecise), &play, context)
        guard authorization.prompt == nil else { return }  // The choice was not on it.
        // T1, T2
        if kind == .temporaryFullAccuracy, extras.first?.hasSessionAskedForAccuracy != true {
            play.effects.append(.accuracyCompleted(nil))
        }
        if let kind { noteSessionAnswer(kind, choice, &play, context) }
        if process != .foreground { planUseEnd(at: play.time, &timers, context) }
        guard kind == .alwaysConfirm, let held else { return }
        self.held = nil
        let age = play.time - held.since
        guard authorization.decision == .always, age.seconds <= context.rules.heldEventTTLSeconds
        else { return }
        route(held.event, &play, &timers, context)
    }

    /// V4, J6: a second prompt that could not be shown waits for another idle moment.
    private func planConfirmAgain(_ play: inout Play) {
        guard authorization.isConfirmDue, authorization.visibleStatus.isAuthorized,
            authorization.prompt?.kind != .alwaysConfirm
        else { return }
        play.effects.append(.confirmDue)
    }

    private mutating func request(
        _ access: Access, _ play: inout Play, _ context: AuthorizationContext
    ) {
        reduce(
            .requested(access, isInUse: isInUse(at: play.time, context)), &play, context,
            request: access.request)
    }

    /// J5, D26 (*inferred*: it prompts as usual). Where it does not, it is silent like all that is
    /// ignored, and spends nothing.
    private mutating func requestOffMain(
        _ access: Access, _ play: inout Play, _ context: AuthorizationContext
    ) {
        switch context.rules.offMainRequest {
        case .prompts: request(access, &play, context)
        case .silent: play.effects.append(.requestIgnored(access.request, .offMainThread, .j5))
        }
    }

    /// T1 to T6: the completion is told at once where no prompt can be shown.
    private mutating func requestFullAccuracy(
        isPurposeKnown: Bool, _ play: inout Play, _ context: AuthorizationContext
    ) {
        guard context.ios >= .v14 else { return }
        reduce(
            .requestedTemporaryFullAccuracy(
                isPurposeKnown: isPurposeKnown, isForeground: process == .foreground),
            &play, context, request: .requestTemporaryFullAccuracyAuthorization)
        if play.effects.contains(where: { if case .requestIgnored = $0 { true } else { false } }) {
            let isSilent =  // D24
                !authorization.visibleStatus.isAuthorized
                && context.rules.unauthorizedFullAccuracy == .noCompletion
            if !isSilent { play.effects.append(.accuracyCompleted(.promptDeclined)) }
        }
    }
}

extension Access {
    /// The call that asks for it.
    var request: AppRequest {
        switch self {
        case .whenInUse: .requestWhenInUseAuthorization
        case .always: .requestAlwaysAuthorization
        }
    }
}
