import AuthorizationCore
import DeviceCore
import Metrics
import SimPrimitives

extension DeviceRunner {
    /// Lets the phone play `event`, and does and notes what follows from it.
    ///
    /// - Parameter isAnswer: the event is the person's answer to a prompt, which alone can be the
    ///   funnel's `granted`.
    mutating func apply(
        _ event: PhoneEvent, to device: inout Device, at time: SimTime, isAnswer: Bool = false
    ) throws(RunFailure) {
        let effects = device.phone.handle(
            event, at: time, timers: &device.timers, in: contexts[Int(device.ios)].value)
        if isAppClip { noteAppClip(of: &device, at: time) }
        for effect in effects {
            switch effect {
            case .status(let rule): noteStatus(by: rule, of: &device, at: time, isAnswer: isAnswer)
            case .callback: try callBack(&device, at: time)
            case .promptShown(let prompt, let rule):
                noteAsker(of: prompt, by: rule)
                try ask(prompt, by: rule, of: &device, at: time)
            case .promptClosed(let kind, let rule):
                device.timers.cancel(.answer)
                emit(.unanswered(kind, rule), &device, at: time)
            case .requestIgnored(let call, let reason, let rule):
                emit(.requestIgnored(call, reason, rule), &device, at: time)
                tallies[Int(device.group)].metrics.requestsIgnored[reason.place] += 1
            case .processStarted(let isBySystem):
                device.timers.cancel(.termination)
                device.installation.launched()
                device.toldStatus = nil
                forgetLocationObjects()
                if isBySystem { emit(.opened(.system), &device, at: time) }
                try tell(.launched, to: &device, at: time)
            case .processSuspended: planTermination(of: &device, at: time)
            case .processEnded(let end, let rule):
                if let rule { tallies[Int(device.group)].metrics.crashes[rule, default: 0] += 1 }
                try processEnded(end, by: rule, of: &device, at: time)
            case .delivered(.liveUpdates):
                try deliverLiveUpdate(meters: Self.fineAccuracyMeters, to: &device, at: time)
            case .delivered(let delivery):
                if !whereabouts.isEmpty {
                    let place = enter(.movement)
                    locate(&device, at: time)
                    leave(to: place)
                }
                let isOneShot = delivery == .requestLocation
                try deliver(
                    meters: Self.fineAccuracyMeters, to: &device, at: time,
                    managers: isOneShot ? takeManagersWaiting() : managers(running: .updates))
            case .happened(let event): try deliver(event, to: &device, at: time)
            case .updatesPaused:
                try tell(
                    .didPauseLocationUpdates, to: &device, at: time,
                    managers: managers(running: .updates))
            case .updatesResumed:
                try tell(
                    .didResumeLocationUpdates, to: &device, at: time,
                    managers: managers(running: .updates))
            case .failed(let error, let rule):
                var call = AppEvent.didFailWithError(error)
                if case .startedMonitoring(let region) = event {
                    call = .monitoringDidFail(region: NameID(region.id.number), error)
                }
                try tell(call, to: &device, at: time, managers: managersFailed(by: event, rule))
            case .accuracyCompleted(let error):
                try tell(
                    .didCompleteTemporaryFullAccuracyAuthorization(error), to: &device, at: time,
                    manager: locationObjects[indexInBlock]?.accuracyAsker ?? 0)
            case .confirmDue: planConfirm(of: &device, at: time)
            case .usedInBackground: planReminder(of: &device, at: time)
            }
        }
        if device.phone.hasExtras { try noteDiagnostics(of: &device, at: time) }
    }

    // MARK: - Status

    private mutating func noteStatus(
        by rule: RuleID, of device: inout Device, at time: SimTime, isAnswer: Bool
    ) {
        let visible = device.phone.authorization.visibleStatus
        let trueStatus = device.phone.authorization.trueStatus
        let (oldVisible, oldTrue) = (device.visible, device.trueStatus)
        (device.visible, device.trueStatus) = (visible, trueStatus)
        let note = RecordNote(accuracy: keepsRecords ? accuracy(of: device) : nil)
        emit(.status(visible: visible, true: trueStatus, rule), &device, at: time, note: note)
        guard device.isInstalled else { return }
        let group = Int(device.group)
        tallies[group].metrics.visible[oldVisible.place] -= 1
        tallies[group].metrics.visible[visible.place] += 1
        tallies[group].metrics.trueStatus[oldTrue.place] -= 1
        tallies[group].metrics.trueStatus[trueStatus.place] += 1

        if oldTrue == .allowOnce, trueStatus == .notDetermined, rule == .o3 || rule == .o5 {
            tallies[group].metrics.activity.allowOnceLapsed += 1
        }
        if trueStatus != .always {
            device.timers.cancel(.alwaysWeek)
            device.timers.cancel(.reminder)
        } else if oldTrue != .always {
            device.timers[.alwaysWeek] = time + .days(7)
        }
        let isGranted = isAnswer && visible.isAuthorized && !oldVisible.isAuthorized
        let isKept = [.whenInUse, .provisionalAlways, .always].contains(trueStatus)
        for funnel in funnels.indices {
            let masks = funnels[funnel]
            var mask = masks.trueStatus[trueStatus.place] | masks.visible[visible.place]
            if isGranted { mask |= masks.plain[PlainStep.granted.rawValue] }
            if isKept { mask |= masks.plain[PlainStep.kept.rawValue] }
            if trueStatus == .provisionalAlways {
                mask |= masks.plain[PlainStep.askedAlways.rawValue]
            }
            if trueStatus == .always { mask |= masks.plain[PlainStep.always.rawValue] }
            advance(funnel, mask, group: device.group, at: time)
        }
    }

    /// As the app reads it; nil before iOS 14, which has no such notion (AC14).
    private func accuracy(of device: borrowing Device) -> Accuracy? {
        let context = contexts[Int(device.ios)].value
        return context.ios < .v14 ? nil : device.phone.authorization.accuracy(in: context)
    }

    /// Tells the app of its authorization: the callback of iOS 14 and later if it has that one,
    /// else the deprecated one, which hears of the status alone (C6, C8, S15).
    private mutating func callBack(
        _ device: inout Device, at time: SimTime
    ) throws(RunFailure) {
        let status = device.phone.authorization.visibleStatus
        let isModern = contexts[Int(device.ios)].ios >= .v14
        let accuracy = accuracy(of: device)
        emit(.callback(status, accuracy), &device, at: time)
        let isKnown = device.toldStatus == status
        device.toldStatus = status
        if isModern, strategyHooks.contains(.locationManagerDidChangeAuthorization) {
            try tell(.didChangeAuthorization(isLegacy: false), to: &device, at: time)
        } else if !isKnown {
            try tell(.didChangeAuthorization(isLegacy: true), to: &device, at: time)
        }
        if !locationObjects.isEmpty { try callBackOthers(&device, at: time) }
        if device.phone.services.contains(.liveUpdates) {
            try deliverLiveUpdate(meters: nil, to: &device, at: time)
        }
    }

    // MARK: - Prompts

    /// Puts a prompt before the person, whose answer follows after a while.
    private mutating func ask(
        _ prompt: Prompt, by rule: RuleID, of device: inout Device, at time: SimTime
    ) throws(RunFailure) {
        let ios = contexts[Int(device.ios)].ios
        let kind = prompt.kind
        var askedBefore: UInt32 = 0
        for index in device.promptCounts.indices {
            askedBefore &+= device.promptCounts[index]
        }
        device.promptCounts[kind.index] &+= 1
        let ordinal = device.promptCounts[kind.index]
        let isApps = kind.isRaisedByApp
        let shown = PromptShown(
            kind, ordinal: ordinal, choices: ChoiceSet(kind.choices(on: ios)),
            isPrimed: isApps && isRecent(device.primedAt, at: time),
            // X4: the prompt of a widget comes as it is placed.
            isExpected: kind == .widget || isApps && isRecent(device.tappedAt, at: time))
        if isApps { device.primedAt = .never }
        let reason = RecordNote(
            rule: Self.sessionRules.contains(rule) ? rule : nil,
            held: kind == .alwaysConfirm ? device.phone.heldNote : nil)
        emit(.prompt(shown), &device, at: time, note: reason)
        tallies[Int(device.group)].metrics.prompts[kind.index].shown += 1
        occurred(.asked, group: device.group, at: time)
        if kind.offersAlways { occurred(.askedAlways, group: device.group, at: time) }

        let question = Question(
            kind, choices: shown.choices, ordinal: ordinal, askedBefore: askedBefore,
            isPrimed: shown.isPrimed, isExpected: shown.isExpected, purpose: kind.usageText)
        var random = stream(kind.purpose, ordinal, device)
        var reply = Reply(kind.fallback(on: ios))
        if hooks(of: device).contains(.answerPrompt), try isHeard(&device, at: time) {
            do throws(HookError) {
                reply = try behaviors[behaviorInHand].answerPrompt(
                    question, view(of: device, at: time), random: &random, acts: &acts)
            } catch { try note(error, of: &device, at: time) }
        }
        device.reply = reply
        device.timers[.answer] =
            time + max(reply.after ?? scenario.delays.answer, Self.reactionMin)
    }

    /// A person whose answers bring the next prompt at once is not asked for ever.
    private mutating func isHeard(
        _ device: inout Device, at time: SimTime
    ) throws(RunFailure) -> Bool {
        promptsAtEvent += 1
        guard promptsAtEvent > Self.promptsPerEventMax else { return true }
        let place = ScriptFailurePlace(
            script: UInt16(casts.behaviors[behaviorInHand].script), hook: .answerPrompt,
            code: .budgetExhausted, line: 0)
        let message =
            "the person's answers bring prompts without end: "
            + "\(Self.promptsPerEventMax) at one instant"
        try note(ScriptFailure(place: place, message: message), of: &device, at: time)
        return false
    }

    private func isRecent(_ instant: SimTime, at time: SimTime) -> Bool {
        instant <= time && time - instant <= Self.recency
    }

    // MARK: - Deliveries

    /// Of a significant change: cell towers (observed: Zandbergen 2009, median 600 m).
    static let coarseAccuracyMeters = 600.0
    /// In a town (observed: Merry & Bettinger 2019, mean 7 to 13 m).
    static let fineAccuracyMeters = 10.0

    // MARK: - What the system does by itself

    private mutating func processEnded(
        _ end: ProcessEnd, by rule: RuleID?, of device: inout Device, at time: SimTime
    ) throws(RunFailure) {
        forgetLocationObjects()
        for slot in [TimerRow.Slot.oneShot, .fix, .suspension, .termination] {
            device.timers[slot] = .never
        }
        dropAppTimers(of: &device)
        let wasOpen = device.timers.isSet(.close)
        let closing: Closing =
            switch end {
            case .terminated: .terminated
            case .forceQuit: .forceQuit
            case .crashed: .crashed
            case .deleted: .deleted
            }
        emit(.closed(closing), &device, at: time, note: RecordNote(rule: rule))
        guard wasOpen else { return }
        endSession(of: &device)
        if end != .deleted { try planOpening(of: &device, at: time) }
    }

    mutating func planTermination(of device: inout Device, at time: SimTime) {
        guard let mean = scenario.delays.terminationMean?.seconds else { return }
        var random = stream(.system, device.occasions.system, device)
        device.occasions.system &+= 1
        device.timers[.termination] =
            SimDuration(seconds: random.exponential(mean: mean)).map { time + $0 } ?? .never
    }

    /// V4: an idle moment some time after the event that was held.
    private func planConfirm(of device: inout Device, at time: SimTime) {
        guard !device.timers.isSet(.confirm) else { return }
        var random = stream(.system, device.occasions.system, device)
        device.occasions.system &+= 1
        let (low, high) = (
            scenario.rules.confirmDelayMinSeconds, scenario.rules.confirmDelayMaxSeconds
        )
        let wait = SimDuration(seconds: low + (high - low) * random.uniform()) ?? .zero
        device.timers[.confirm] = time + wait
    }

    /// R2, R4, D7: some days after the first background use, and then while use goes on.
    private func planReminder(of device: inout Device, at time: SimTime) {
        guard !device.timers.isSet(.reminder),
            device.phone.authorization.trueStatus == .always,
            device.phone.authorization.prompt == nil
        else { return }
        let count = device.promptCounts[PromptKind.backgroundReminder.index]
        if contexts[Int(device.ios)].ios < .v13, count > 0, !scenario.rules.legacyReminderRepeats {
            return
        }
        let days =
            count == 0 ? scenario.rules.reminderFirstDays : scenario.rules.reminderIntervalDays
        device.timers[.reminder] = time + (SimDuration(seconds: days * 86_400) ?? .zero)
    }
}

extension Phone {
    fileprivate var heldNote: RecordNote.Held? {
        held.map { .waiting($0.event, since: $0.since) }
    }
}

extension IgnoreReason {
    /// The place in `allCases`.
    var place: Int { Int(unsafeBitCast(self, to: UInt8.self)) }  // Held by `RecordDigestTests`.
}

extension PromptKind {
    /// Funnel step `asked_always`: a prompt that offers Always.
    fileprivate var offersAlways: Bool {
        switch self {
        case .always, .alwaysUpgrade, .alwaysConfirm: true
        case .whenInUse, .backgroundReminder, .temporaryFullAccuracy, .locationButton, .widget,
            .servicesOff:
            false
        }
    }

    /// I12: the text that the prompt shows.
    var usageText: UsageText {
        switch self {
        case .whenInUse, .locationButton: .whenInUse
        case .always, .alwaysUpgrade, .alwaysConfirm: .always
        case .backgroundReminder, .temporaryFullAccuracy, .widget, .servicesOff: .none
        }
    }

    var purpose: RandomPurpose {
        switch self {
        case .whenInUse: .promptWhenInUse
        case .always: .promptAlways
        case .alwaysUpgrade: .promptAlwaysUpgrade
        case .alwaysConfirm: .promptAlwaysConfirm
        case .backgroundReminder: .promptBackgroundReminder
        case .temporaryFullAccuracy: .promptTemporaryFullAccuracy
        case .locationButton: .promptLocationButton
        case .widget: .promptWidget
        case .servicesOff: .promptServicesOff
        }
    }
}
