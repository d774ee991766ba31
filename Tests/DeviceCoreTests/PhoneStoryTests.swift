import AuthorizationCore
import DeviceCore
import SimPrimitives
import Testing

/// What one phone goes through, and a word for everything that matters of what followed.
struct Story: CustomTestStringConvertible, Sendable {
    let name: String
    let rules: SystemRules
    let events: [(seconds: Int64, event: PhoneEvent)]
    let heard: [String]
    let ending: TrueStatus

    init(
        _ name: String, _ events: [(seconds: Int64, event: PhoneEvent)], _ heard: [String],
        _ ending: TrueStatus, promptOnLeave: SystemRules.PromptOnLeave = .dismiss
    ) {
        var rules = SystemRules()
        rules.promptOnLeave = promptOnLeave
        (self.name, self.rules, self.events) = (name, rules, events)
        (self.heard, self.ending) = (heard, ending)
    }

    var testDescription: String { name }
}

private let whenInUse: [(seconds: Int64, event: PhoneEvent)] = [
    (0, .opened), (1, .requested(.whenInUse)), (2, .answered(.allowWhileUsing, isPrecise: true)),
]
private let reduced: [(seconds: Int64, event: PhoneEvent)] = [
    (0, .opened), (1, .requested(.whenInUse)), (2, .answered(.allowWhileUsing, isPrecise: false)),
    (3, .requestedTemporaryFullAccuracy(isPurposeKnown: true)),
]
private let provisional: [(seconds: Int64, event: PhoneEvent)] = [
    (0, .opened), (1, .requested(.always)), (2, .answered(.allowWhileUsing, isPrecise: true)),
    (3, .started(.significantChange)), (4, .left), (600, .movedSignificantly),
]

// Columns: what is told, events with their second, what was heard, the true status at the end.
// A row stays on one line, however wide: a wrapped table is no longer a table.
// swift-format-ignore
private let stories: [Story] = [
    Story("O5: Allow Once given within the grace period ends with it", [(0, .opened), (1, .left), (2, .requested(.whenInUse)), (3, .answered(.allowOnce, isPrecise: true)), (3600, .woken)], [], .notDetermined),
    Story("O5, D20: Allow Once given out of use ends at once", [(0, .opened), (1, .requested(.whenInUse)), (2, .left), (60, .answered(.allowOnce, isPrecise: true)), (3600, .woken)], [], .notDetermined, promptOnLeave: .stay),
    Story("V4: a second prompt that the switch kept away is planned again", provisional + [(700, .locationServicesSwitched(false)), (800, .confirmFellDue), (900, .locationServicesSwitched(true)), (1000, .confirmFellDue)], ["confirm due", "confirm due", "always_confirm"], .provisionalAlways),
    Story("R1: standard updates out of the foreground are use of Always", whenInUse + [(3, .settingsChanged(.always)), (3, .allowedBackgroundUpdates(true)), (3, .started(.updates)), (4, .left), (600, .fixed)], ["updates", "used"], .always),
    Story("R1: positions in the foreground are not", whenInUse + [(3, .settingsChanged(.always)), (3, .started(.updates)), (4, .fixed)], ["updates"], .always),
    Story("B4: a second start in the background changes nothing", whenInUse + [(3, .allowedBackgroundUpdates(true)), (3, .started(.updates)), (4, .left), (600, .started(.updates)), (601, .fixed)], ["updates"], .whenInUse),
    Story("B9: starting updates cancels a request for one position", whenInUse + [(3, .requestedLocation), (4, .started(.updates)), (5, .oneShotAnswered)], [], .whenInUse),
    Story("B9: stopping them does too", whenInUse + [(3, .requestedLocation), (4, .stopped(.updates)), (5, .oneShotAnswered)], [], .whenInUse),
    Story("B9: a request that ran out in suspension fails on return", whenInUse + [(3, .requestedLocation), (4, .left), (13, .oneShotFailed), (100, .opened), (200, .left), (300, .opened)], ["locationUnknown"], .whenInUse),
    Story("B7: updates begun in the background go on once the app was in the foreground", whenInUse + [(3, .allowedBackgroundUpdates(true)), (4, .left), (60, .woken), (61, .started(.updates)), (62, .opened), (63, .left), (600, .fixed)], ["updates"], .whenInUse),
    Story("RG2: a region of the same identifier replaces the first", whenInUse + [(3, .startedMonitoring(MonitoredRegion(RegionID(0), radiusMeters: 200))), (4, .startedMonitoring(MonitoredRegion(RegionID(0), radiusMeters: 200, notifiesOnEntry: false))), (5, .crossed(RegionID(0), isEntry: true)), (6, .crossed(RegionID(0), isEntry: false))], ["happened"], .whenInUse),
    Story("E16: ranging under reduced accuracy fails once", Array(reduced.prefix(3)) + [(3, .started(.ranging)), (4, .beaconsRanged)], ["rangingUnavailable"], .whenInUse),
    Story("B12: updates that lost their grant in suspension fail once on return", whenInUse + [(3, .started(.updates)), (4, .left), (600, .settingsChanged(.never)), (700, .opened), (800, .left), (900, .opened)], ["denied"], .denied),
    Story("B12: a grant that came back meanwhile was not lost", whenInUse + [(3, .started(.updates)), (4, .left), (600, .settingsChanged(.never)), (650, .settingsChanged(.whileUsing)), (700, .opened)], [], .whenInUse),
    Story("J6: a second prompt waits for the unlock", provisional + [(700, .rebooted), (800, .confirmFellDue), (900, .unlocked), (1000, .confirmFellDue)], ["confirm due", "confirm due", "always_confirm"], .provisionalAlways),
    Story("T1: the completion comes with the answer", reduced + [(4, .answered(.allow, isPrecise: true))], ["completed"], .whenInUse),
    Story("T2: a refusal completes as well", reduced + [(4, .answered(.dontAllow, isPrecise: true))], ["completed"], .whenInUse),
    Story("J2: so does a prompt that closes unanswered", reduced + [(4, .left)], ["completed"], .whenInUse),
    Story("W8: a second request meanwhile is declined", reduced + [(4, .requestedTemporaryFullAccuracy(isPurposeKnown: true))], ["promptDeclined"], .whenInUse),
]

@Suite("The story of a phone")
struct PhoneStoryTests {
    @Test("goes as the rules say", arguments: stories)
    func story(_ story: Story) throws {
        var capabilities = AppCapabilities()
        capabilities.hasWhenInUseText = true
        capabilities.hasAlwaysText = true
        capabilities.hasLocationBackgroundMode = true
        let context = AuthorizationContext(
            ios: .v17, capabilities: capabilities, rules: story.rules)
        var phone = Phone()
        var timers = TimerRow()
        var heard: [String] = []
        for (seconds, event) in story.events {
            let now = SimTime.start + .seconds(seconds)
            while let (time, slot) = timers.next(before: now) {
                timers[slot] = .never
                let due = slot == .useEnd ? PhoneEvent.useEndFellDue : .suspensionFellDue
                heard += words(phone.handle(due, at: time, timers: &timers, in: context))
            }
            heard += words(phone.handle(event, at: now, timers: &timers, in: context))
        }
        #expect(heard == story.heard)
        #expect(phone.authorization.trueStatus == story.ending)
    }

    /// Prompts of the app's own requests are left out: the stories begin with them.
    private func words(_ effects: PhoneEffects) -> [String] {
        effects.compactMap { effect in
            switch effect {
            case .delivered(let delivery): delivery.rawValue
            case .happened: "happened"
            case .failed(let error, _): error.rawValue
            case .accuracyCompleted(let error): error?.rawValue ?? "completed"
            case .confirmDue: "confirm due"
            case .usedInBackground: "used"
            case .promptShown(let prompt, _):
                prompt.kind.isRaisedByApp ? nil : prompt.kind.rawValue
            case .status, .callback, .promptClosed, .requestIgnored, .processStarted,
                .processSuspended, .processEnded, .updatesPaused, .updatesResumed:
                nil
            }
        }
    }
}
