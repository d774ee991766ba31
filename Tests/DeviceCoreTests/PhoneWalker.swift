import AuthorizationCore
import DeviceCore
import SimPrimitives

/// Drives one phone, and checks after every event what must hold of any phone.
struct PhoneWalker {
    let context: AuthorizationContext
    var phone = Phone()
    /// What did not hold, with the event and what followed from it.
    var broken: [String] = []
    private(set) var timers = TimerRow()
    private(set) var now = SimTime.start
    private var told: VisibleStatus?
    private var toldAccuracy: Accuracy?
    /// Since when the phone has been out of use with Allow Once in force.
    private var outOfUseSince: SimTime?
    /// The device has not been unlocked since it started (B15).
    private var isLocked = false

    init(context: AuthorizationContext) { self.context = context }

    mutating func take(_ event: PhoneEvent, after pause: SimDuration) {
        let end = now + pause
        while let (time, slot) = timers.next(before: end) {
            timers[slot] = .never
            now = time
            play(slot == .useEnd ? .useEndFellDue : .suspensionFellDue)
        }
        now = end
        play(event)
    }

    private mutating func play(_ event: PhoneEvent) {
        let before = phone.authorization
        let wasRunning = phone.process != .notRunning
        let effects = phone.handle(event, at: now, timers: &timers, in: context)
        if case .rebooted = event { isLocked = true }
        if event == .unlocked || event == .migrated { isLocked = false }
        func hold(_ condition: Bool, _ promise: String) {
            if !condition { broken.append("\(promise): \(event) gave \(Array(effects))") }
        }
        let after = phone.authorization
        let isAnswer = if case .answered = event { true } else { false }
        var callbacks = 0
        var promptsShown = 0
        var hasStarted = wasRunning
        for effect in effects {
            switch effect {
            case .processStarted:
                hold(!hasStarted, "a process starts once")
                (told, toldAccuracy, hasStarted) = (nil, nil, true)
            case .callback(let isInitial):
                callbacks += 1
                hold(isInitial == (told == nil), "the first callback of a process is its first")
                hold(isExecuting, "a callback reaches a process that executes")
            case .delivered, .happened:
                hold(after.visibleStatus.isAuthorized, "nothing comes without authorization")
                hold(!isLocked, "nothing comes before the first unlock")
                hold(isExecuting, "what comes reaches a process that executes")
                if case .happened(let happening) = effect, reachesPastProcess(happening) {
                    let isEnough =
                        after.visibleStatus == .authorizedAlways || context.ios >= .v13
                    hold(isEnough, "before iOS 13 events need Always")
                }
            case .promptShown(let prompt, _):
                promptsShown += 1
                hold(after.prompt == prompt && promptsShown == 1, "one prompt at a time")
                hold(before.prompt == nil || isAnswer, "a prompt waits for the one before")
                hold(!before.isRestricted, "nobody is asked while changes are forbidden")
            case .promptClosed:
                hold(after.prompt == nil, "a closed prompt is gone")
            case .requestIgnored:
                hold(promptsShown == 0, "an ignored request does not prompt")
            case .status, .processSuspended, .processEnded, .failed, .accuracyCompleted,
                .confirmDue, .usedInBackground, .updatesPaused, .updatesResumed:
                break
            }
        }
        hold(effects.count <= PhoneEffects.countMax, "effects have room")
        if case .requested(let access) = event, promptsShown > 0 {
            let isOffer = after.prompt?.kind == .servicesOff
            hold(before.decision != .denied, "a refused app is never asked for again")
            let isSpent = access == .always && before.isAlwaysRequestSpent
            hold(isOffer || !isSpent || before.decision == .notDetermined, "spent is spent")
            hold(before.trueStatus == after.trueStatus, "a prompt decides nothing by itself")
        }
        if callbacks > 0 {
            let accuracy = after.accuracy(in: context)
            let isNews = told != after.visibleStatus || toldAccuracy != accuracy
            hold(isNews || callbacks > 1, "a callback has news")
            (told, toldAccuracy) = (after.visibleStatus, accuracy)
        }
        if isExecuting {
            let knows =
                told == after.visibleStatus
                && toldAccuracy == after.accuracy(in: context)
            hold(knows, "a process that executes knows its status")
        }
        if !isExecuting, phone.process == .notRunning {
            hold(!phone.isLocationRequested, "a request ends with its process")
        }
        let reading: VisibleStatus =
            after.isRestricted && after.decision == .notDetermined
            ? .restricted : !after.isLocationServicesOn ? .denied : after.decision.visible
        hold(after.visibleStatus == reading, "ST1")
        // O5: Allow Once never outlives use plus the grace period.
        let isOut =
            after.decision == .allowOnce && phone.process != .foreground
            && !phone.hasIndicatorSession(context) && !phone.hasBackgroundSession  // K3, U4
        outOfUseSince = isOut ? outOfUseSince ?? now : nil
        if let outOfUseSince {
            let grace = context.rules.allowOnceGraceSeconds
            hold((now - outOfUseSince).seconds <= grace, "Allow Once ends with use and grace")
        }
    }

    private var isExecuting: Bool {
        phone.process == .foreground || phone.process == .background
    }

    private func reachesPastProcess(_ event: LocationEvent) -> Bool {
        switch event {
        case .significantChange, .visit, .region, .condition: true
        case .heading, .beacons: false
        }
    }
}

/// What a walk has come by.
struct WalkCount {
    private struct State: Hashable {
        var authorization: Authorization
        var process: ProcessState
        var services: ServiceSet
        var isRequested: Bool
        var hasSession: Bool
        var mayRunOn: Bool
        var hasRegions: Bool
    }
    private struct Transition: Hashable {
        var before: Authorization
        var event: PhoneEvent
    }
    private var states: Set<State> = []
    private var authorizations: Set<Authorization> = []
    private var transitions: Set<Transition> = []

    mutating func note(_ before: Authorization, _ event: PhoneEvent, _ phone: Phone) {
        authorizations.insert(phone.authorization)
        transitions.insert(Transition(before: before, event: event))
        states.insert(
            State(
                authorization: phone.authorization, process: phone.process,
                services: phone.services, isRequested: phone.isLocationRequested,
                hasSession: phone.hasBackgroundSession, mayRunOn: phone.allowsBackgroundUpdates,
                hasRegions: !phone.regions.isEmpty))
    }

    var text: String {
        """
        \(states.count) of its states, \(authorizations.count) states of the authorization and \
        \(transitions.count) of their transitions
        """
    }
}
