import AuthorizationCore
import DeviceCore
import SimPrimitives

extension DeviceRunner {
    /// The beginning of a device: the app is installed, and the person is born.
    mutating func begin(_ device: inout Device, index: Int) throws(RunFailure) {
        takeInHand(index, device)
        let group = Int(device.group)
        tallies[group].metrics.installed += 1
        tallies[group].metrics.visible[device.visible.place] += 1
        tallies[group].metrics.trueStatus[device.trueStatus.place] += 1
        emit(.installed, &device, at: .start)
        occurred(.installed, group: device.group, at: .start)
        if hooks(of: device).contains(.born) {
            var random = stream(.born, 0, device)
            do throws(HookError) {
                try behaviors[behaviorInHand].born(
                    view(of: device, at: .start), random: &random, acts: &acts)
            } catch { try note(error, of: &device, at: .start) }
        }
        if let movement = scenario.movement {
            var random = stream(.anchors, 0, device)
            whereabouts[index] = Whereabouts(movement, &random)
        }
        planHazard(of: &device, at: .start)
        try planOpening(of: &device, at: .start)
        planDay(of: &device, from: 0)
        try carryOut(of: &device, at: .start)
    }

    @inline(__always)
    func hooks(of device: borrowing Device) -> HookSet { behaviorHooks[behaviorInHand] }

    /// Plays what the timer `slot` stands for.
    mutating func fire(
        _ slot: TimerRow.Slot, of device: inout Device, at time: SimTime
    ) throws(RunFailure) {
        switch slot {
        case .useEnd: try apply(.useEndFellDue, to: &device, at: time)
        case .suspension: try suspend(&device, at: time)
        case .termination: try apply(.processEnded(.terminated), to: &device, at: time)
        case .confirm: try apply(.confirmFellDue, to: &device, at: time)
        case .reminder: try apply(.reminderFellDue, to: &device, at: time)
        case .alwaysWeek: occurred(.alwaysWeek, group: device.group, at: time)
        case .answer: try answer(of: &device, at: time)
        case .ownScreenAnswer: try ownScreenAnswer(of: &device, at: time)
        case .oneShot:
            let event = device.willPositionFail ? PhoneEvent.oneShotFailed : .oneShotAnswered
            try apply(event, to: &device, at: time)
        case .fix:
            let isError = device.phone.startErrorAt <= time
            try apply(isError ? .startTimedOut : .fixed, to: &device, at: time)
        case .significantChange:
            try apply(.movedSignificantly, to: &device, at: time)
            planSignificantChange(of: &device, at: time)
        case .appTimer: try fireAppTimer(of: &device, at: time)
        case .tap: try tap(of: &device, at: time)
        case .close: try close(of: &device, at: time, thenOpensAfter: nil)
        case .open: try open(of: &device, at: time)
        case .day: try day(of: &device, at: time)
        case .reinstall: try reinstall(of: &device, at: time)
        case .hazard: try hazardFellDue(of: &device, at: time)
        case .appClip: try appClipFellDue(of: &device, at: time)
        }
    }

    // MARK: - Sessions

    private mutating func open(of device: inout Device, at time: SimTime) throws(RunFailure) {
        if rhythm(of: device).origin == .opening {
            try planOpening(of: &device, at: time)
            if device.timers.isSet(.close) {
                tallies[Int(device.group)].metrics.activity.openingsIgnored += 1
                return
            }
        }
        if !device.isInstalled { install(&device, at: time) }  // X2: the invocation brings it back.
        device.sessions &+= 1
        tallies[Int(device.group)].metrics.activity.openings += 1
        if device.trueStatus == .allowOnce {
            tallies[Int(device.group)].metrics.activity.allowOnceKept += 1
        }
        emit(.opened(.person), &device, at: time)
        occurred(.opened, group: device.group, at: time)
        device.timers.cancel(.termination)
        if isAppClip || !device.phone.openQuietly(&device.timers) {
            try apply(.opened, to: &device, at: time)
        }
        beginFixInterval(of: &device)
        if device.phone.hasExtras { try awaitMonitorEvents(of: &device, at: time) }
        try tell(.enteredForeground, to: &device, at: time)
        try planClose(of: &device, at: time)
        try planTap(of: &device, at: time)
    }

    /// - Parameter pause: set when the person only goes to Settings and comes back after it.
    mutating func close(
        of device: inout Device, at time: SimTime, thenOpensAfter pause: SimDuration?
    ) throws(RunFailure) {
        emit(.closed(.background), &device, at: time)
        endSession(of: &device)
        tallies[Int(device.group)].metrics.activity.closings += 1
        try leave(&device, at: time)
        beginFixInterval(of: &device)
        try tell(.enteredBackground, to: &device, at: time)
        if let pause {
            device.timers[.open] = time + max(pause, Self.sessionMin)
        } else if rhythm(of: device).origin == .close || !device.timers.isSet(.open) {
            try planOpening(of: &device, at: time)
        }
    }

    private mutating func leave(
        _ device: inout Device, at time: SimTime
    ) throws(RunFailure) {
        let context = contexts[Int(device.ios)]
        let isDone =
            !isAppClip
            && device.phone.leaveQuietly(
                at: time, &device.timers, on: context.ios, grace: context.grace,
                suspensionDelay: context.value.suspensionDelay)
        if !isDone { try apply(.left, to: &device, at: time) }
    }

    private mutating func suspend(
        _ device: inout Device, at time: SimTime
    ) throws(RunFailure) {
        if !isAppClip, device.phone.suspendQuietly(on: contexts[Int(device.ios)].ios) {
            planTermination(of: &device, at: time)
        } else {
            try apply(.suspensionFellDue, to: &device, at: time)
        }
    }

    /// Nothing of the session outlasts it.
    func endSession(of device: inout Device) {
        device.timers.cancel(.close)
        device.timers.cancel(.tap, .ownScreenAnswer)
        device.endScene()
    }

    // MARK: - Taps

    /// Asked at opening and after each tap; without the hook nobody taps.
    @inline(__always)
    private mutating func planTap(of device: inout Device, at time: SimTime) throws(RunFailure) {
        guard hooks(of: device).contains(.nextTap), !scenario.features.isEmpty else { return }
        try askForTap(of: &device, at: time)
    }

    @inline(never)
    private mutating func askForTap(of device: inout Device, at time: SimTime) throws(RunFailure) {
        var random = stream(.tap, device.occasions.tap, device)
        device.occasions.tap &+= 1
        do throws(HookError) {
            let tap = try behaviors[behaviorInHand].nextTap(
                view(of: device, at: time), random: &random, acts: &acts)
            guard let tap else { return }
            device.pendingTap = UInt8(tap.feature)
            device.timers[.tap] = time + max(tap.after, Self.reactionMin)
        } catch { try note(error, of: &device, at: time) }
    }

    private mutating func tap(of device: inout Device, at time: SimTime) throws(RunFailure) {
        guard device.phone.process == .foreground else { return }
        // A prompt or a screen of the app's lies over everything else: the tap waits for it, and
        // for the person to look at what came of it.
        if let modal = modalEnd(of: device) {
            device.timers[.tap] = modal + max(scenario.delays.answer, Self.reactionMin)
            return
        }
        let feature = Int(device.pendingTap)
        emit(.tapped(feature: NameID(UInt16(feature))), &device, at: time)
        device.tappedAt = time
        try tell(.tapped(feature: feature), to: &device, at: time)
        try planTap(of: &device, at: time)
    }

    /// When what covers the app goes away, or nil when nothing does.
    private func modalEnd(of device: borrowing Device) -> SimTime? {
        if device.ownScreen != .none { return device.timers[.ownScreenAnswer] }
        guard device.phone.authorization.prompt != nil else { return nil }
        let answer = device.timers[.answer]
        return answer == .never ? nil : answer
    }

    // MARK: - Answers

    private mutating func answer(of device: inout Device, at time: SimTime) throws(RunFailure) {
        guard let prompt = device.phone.authorization.prompt else { return }
        let reply = device.reply
        let note = noteOfHeld(reply, device, at: time)
        emit(
            .answer(
                PromptAnswered(
                    prompt.kind, reply.choice, isPrecise: reply.isPrecise, pick: reply.pick)),
            &device, at: time, note: note)
        let group = Int(device.group)
        tallies[group].metrics.prompts[prompt.kind.index].choices[reply.choice.index] += 1
        let before = standing(of: device)
        try apply(
            .answered(reply.choice, isPrecise: reply.isPrecise), to: &device, at: time,
            isAnswer: true)
        if standing(of: device) > before {
            tallies[group].metrics.prompts[prompt.kind.index].granted += 1
        }
        if !device.timers.isSet(.close) { device.endScene() }
    }

    /// V5 to V7: what the answer does to the event that is held, found by playing it on a copy.
    private func noteOfHeld(_ reply: Reply, _ device: borrowing Device, at time: SimTime)
        -> RecordNote
    {
        guard keepsRecords, device.phone.held != nil,
            device.phone.authorization.prompt?.kind == .alwaysConfirm
        else { return RecordNote() }
        var (phone, timers) = (device.phone, device.timers)
        let effects = phone.handle(
            .answered(reply.choice, isPrecise: reply.isPrecise), at: time, timers: &timers,
            in: contexts[Int(device.ios)].value)
        if effects.contains(where: { if case .happened = $0 { true } else { false } }) {
            return RecordNote(rule: .v5, held: .delivered)
        }
        let isConfirmed = phone.authorization.decision == .always
        return RecordNote(rule: isConfirmed ? .v7 : .v6, held: .dropped)
    }

    /// How much access the app has: what a granting answer raises. A share for widgets is the least
    /// of it (P14).
    private func standing(of device: borrowing Device) -> Int {
        let authorization = device.phone.authorization
        let ios = contexts[Int(device.ios)].ios
        let level =
            switch authorization.trueStatus {
            case .notDetermined, .restricted, .denied: 0
            case .allowOnce: 1
            case .whenInUse: 2
            case .provisionalAlways: 3
            case .always: 4
            }
        return 4 * level + (authorization.isReduced(on: ios) ? 0 : 2)
            + (authorization.isAuthorizedForWidgets(on: ios) ? 1 : 0)
    }

    /// The person answers the app's own screen; a behavior without the hook says `not_now` to a
    /// primer and `cancel` to an alert.
    private mutating func ownScreenAnswer(
        of device: inout Device, at time: SimTime
    ) throws(RunFailure) {
        let screen = device.ownScreen
        device.ownScreen = .none
        switch screen {
        case .none: return
        case .primer(let id): try answerPrimer(id, of: &device, at: time)
        case .settingsAlert: try answerSettingsAlert(of: &device, at: time)
        }
    }

    private mutating func answerPrimer(
        _ id: NameID, of device: inout Device, at time: SimTime
    ) throws(RunFailure) {
        var answer = PrimerAnswer.notNow
        if hooks(of: device).contains(.answerPrimer) {
            var random = stream(.primer, device.occasions.primer, device)
            device.occasions.primer &+= 1
            do throws(HookError) {
                answer = try behaviors[behaviorInHand].answerPrimer(
                    id, view(of: device, at: time), random: &random, acts: &acts)
            } catch { try note(error, of: &device, at: time) }
        }
        emit(.primer(id: id, answer), &device, at: time)
        if answer == .continue { device.primedAt = time }
        try tell(.primerAnswered(id: id, answer), to: &device, at: time)
    }

    private mutating func answerSettingsAlert(
        of device: inout Device, at time: SimTime
    ) throws(RunFailure) {
        var answer = SettingsAlertAnswer.cancel
        if hooks(of: device).contains(.answerSettingsAlert) {
            var random = stream(.settingsAlert, device.occasions.settingsAlert, device)
            device.occasions.settingsAlert &+= 1
            do throws(HookError) {
                answer = try behaviors[behaviorInHand].answerSettingsAlert(
                    view(of: device, at: time), random: &random, acts: &acts)
            } catch { try note(error, of: &device, at: time) }
        }
        emit(.settingsAlert(answer), &device, at: time)
        try tell(.settingsAlertAnswered(answer), to: &device, at: time)
        if answer == .openSettings {
            // Out of the app to its page in Settings and back again (Y7).
            try close(of: &device, at: time, thenOpensAfter: scenario.delays.answer)
        }
    }

    // MARK: - Installing again

    private mutating func reinstall(of device: inout Device, at time: SimTime) throws(RunFailure) {
        guard !device.isInstalled else { return }
        emit(.world(.reinstall), &device, at: time)
        install(&device, at: time)
        try planOpening(of: &device, at: time)
    }

    // MARK: - Location

    /// Positions come while standard updates run and the process executes. In the place of one, the
    /// error of a start while Not Determined (D11).
    mutating func planFix(of device: inout Device, at time: SimTime) {
        device.isFixRoutine = false
        let process = device.phone.process
        // K3: what a background activity session has outlived starts again with the next position.
        let isAwaited = process == .notRunning && device.phone.hasBackgroundSession
        guard process == .foreground || process == .background || isAwaited,
            isAwaited || !device.phone.services.isDisjoint(with: Self.positioning)
        else {
            device.timers.cancel(.fix)
            return
        }
        let ios = contexts[Int(device.ios)].ios
        if !device.timers.isSet(.fix) {
            let isReduced = device.phone.authorization.isReduced(on: ios)
            let least =  // AC3
                isReduced ? SimDuration(seconds: scenario.rules.reducedIntervalSeconds) : nil
            device.timers[.fix] = time + max(fixInterval(of: process), least ?? .zero)
        }
        let mayRunOn =
            process == .foreground || device.phone.allowsBackgroundUpdates || ios < .v9
        if areFixesSilent, mayRunOn, device.phone.hasRoutineFixes(on: ios) {
            device.isFixRoutine =
                process == .foreground || process == .background && areRoutine(inBackground: device)
        } else if device.phone.hasExtras {
            planStartError(of: &device, at: time)
        }
    }

    /// The first position out of the foreground is one that reminders begin with (R1).
    @inline(never)
    private mutating func areRoutine(inBackground device: borrowing Device) -> Bool {
        device.phone.isKeptRunning(contexts[Int(device.ios)].value)
            && (device.timers.isSet(.reminder)
                || device.phone.authorization.decision != .always)
    }

    /// Where the interval is another one in the background, it begins anew at the border.
    @inline(__always)
    private mutating func beginFixInterval(of device: inout Device) {
        if hasBackgroundInterval { device.timers.cancel(.fix) }
    }

    /// D11: the error comes no later than the next position would.
    func planStartError(of device: inout Device, at time: SimTime) {
        let error = device.phone.startErrorAt
        guard error != .never else { return }
        device.timers[.fix] = min(device.timers[.fix], max(error, time + Self.reactionMin))
    }

    /// Significant changes come at random while the service runs, at least five minutes apart
    /// (SV1). *Assumed*: their rate, until movement is modelled.
    func planSignificantChange(of device: inout Device, at time: SimTime) {
        guard device.phone.services.contains(.significantChange),
            scenario.delays.significantChangesPerDay > 0
        else {
            device.timers.cancel(.significantChange)
            return
        }
        var random = stream(.move, device.occasions.move, device)
        device.occasions.move &+= 1
        let mean = 86_400 / scenario.delays.significantChangesPerDay
        let wait = SimDuration(seconds: random.exponential(mean: mean)) ?? .max
        let least = SimDuration(seconds: scenario.rules.significantChangeIntervalSeconds) ?? .zero
        device.timers[.significantChange] = time + max(wait, least)
    }
}
