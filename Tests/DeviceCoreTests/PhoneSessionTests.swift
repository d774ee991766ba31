import AuthorizationCore
import DeviceCore
import SimPrimitives
import Testing

/// One row: a rule, told as events of one phone, what was heard of the last of them, and the flags
/// of one consumer after it.
struct SessionRow: CustomTestStringConvertible, Sendable {
    let id: RuleID
    let ios: String
    let events: [(seconds: Int64, event: PhoneEvent)]
    let heard: [String]
    let consumer: LocationConsumer
    let flags: DiagnosticFlags
    let rules: SystemRules
    let hasKey: Bool
    var testDescription: String { "\(id.rawValue) on \(ios)" }

    init(
        _ id: RuleID, _ ios: String, _ events: [(seconds: Int64, event: PhoneEvent)],
        _ heard: [String], _ consumer: LocationConsumer = .serviceSession,
        _ flags: DiagnosticFlags = [], rules: SystemRules = SystemRules(), hasKey: Bool = false
    ) {
        (self.id, self.ios, self.events, self.heard) = (id, ios, events, heard)
        (self.consumer, self.flags, self.rules) = (consumer, flags, rules)
        self.hasKey = hasKey
    }
}

private typealias Events = [(seconds: Int64, event: PhoneEvent)]
private let home = RegionID(0)
private let opened: Events = [(0, .opened)]
private let granted: Events = [
    (0, .opened), (0, .requested(.whenInUse)), (0, .answered(.allowWhileUsing, isPrecise: true)),
]
private let reduced: Events = [
    (0, .opened), (0, .requested(.whenInUse)), (0, .answered(.allowWhileUsing, isPrecise: false)),
]
private let always: Events = granted + [(0, .settingsChanged(.always))]
private let provisional: Events = [
    (0, .opened), (0, .requested(.always)), (0, .answered(.allowWhileUsing, isPrecise: true)),
]
private let once: Events =
    opened + [
        (0, .heldServiceSession(.whenInUse, .none)), (0, .answered(.allowOnce, isPrecise: true)),
    ]
private let watching: Events = [(0, .addedCondition(home)), (1, .left)]
private let satisfied: Events = [(600, .conditionChanged(home, isSatisfied: true))]
private let ended: Events = [(500, .processEnded(.terminated))]
private let held: Events = [(0, .heldServiceSession(.always, .none))]
private func over(_ count: UInt16) -> Events {
    (0..<count).map { (0, .addedCondition(RegionID($0))) }
}
private func rules(_ change: (inout SystemRules) -> Void) -> SystemRules {
    var rules = SystemRules()
    change(&rules)
    return rules
}
private let monitorNeeds = rules { $0.alwaysNeedsSession = .monitor }
private let allNeed = rules { $0.alwaysNeedsSession = .all }
private let headerKey = rules { $0.explicitSessionKey = .header }
private let slow = rules { $0.liveUpdateIntervalSeconds = 5 }
private let fullBringsBack = rules { $0.temporaryFullEnablesRegions = true }

// Columns: rule, version, events with their second, what was heard of the last, consumer, flags.
// A row stays on one line, however wide: a wrapped table is no longer a table.
// swift-format-ignore
private let rows: [SessionRow] = [
    SessionRow(.m1, "17.0", granted + [(0, .openedMonitor), (0, .openedMonitor)], ["ended crashed"]),
    SessionRow(.m1, "17.0", granted + [(0, .openedMonitor), (0, .processEnded(.terminated)), (0, .opened), (0, .openedMonitor)], []),
    SessionRow(.m3, "17.0", granted + [(0, .addedCondition(home)), (0, .conditionChanged(home, isSatisfied: false))], []),
    SessionRow(.m3, "17.0", granted + [(0, .addedCondition(home)), (0, .conditionChanged(home, isSatisfied: true))], ["satisfied"]),
    SessionRow(.m3, "17.0", granted + [(0, .addedCondition(home)), (0, .conditionChanged(home, isSatisfied: true)), (0, .conditionChanged(home, isSatisfied: true))], []),
    SessionRow(.m3, "17.0", granted + watching + satisfied + [(700, .opened), (700, .conditionChanged(home, isSatisfied: false))], ["unsatisfied"]),
    SessionRow(.m3, "17.0", granted + watching + satisfied + [(700, .opened), (700, .conditionChanged(home, isSatisfied: true))], ["satisfied"]),
    SessionRow(.m3, "17.0", granted + watching + satisfied + [(700, .conditionChanged(home, isSatisfied: false)), (800, .opened), (800, .conditionChanged(home, isSatisfied: false))], []),
    SessionRow(.v7, "17.0", provisional + watching + satisfied + [(700, .conditionChanged(home, isSatisfied: false)), (800, .confirmFellDue), (900, .answered(.changeToAlwaysAllow, isPrecise: true))], ["unsatisfied", "used"]),
    SessionRow(.m3, "17.0", granted + [(0, .addedCondition(home)), (0, .removedCondition(home)), (0, .conditionChanged(home, isSatisfied: true))], []),
    SessionRow(.m2, "17.1", granted + over(21), []),
    SessionRow(.m4, "17.2", granted + over(20), []),
    SessionRow(.m4, "17.2", granted + over(21), ["unmonitored"], .monitor),
    SessionRow(.m4, "18.0", granted + over(21), ["unmonitored"], .monitor, .conditionLimitExceeded),
    SessionRow(.m5, "17.0", always + watching + ended + satisfied, ["started", "callback", "used"]),
    SessionRow(.m5, "17.0", always + watching + ended + satisfied + [(600, .openedMonitor)], ["satisfied"]),
    SessionRow(.m6, "17.0", granted + watching + ended + satisfied, []),
    SessionRow(.m6, "17.0", granted + watching + satisfied, [], .monitor),
    SessionRow(.m6, "18.0", granted + watching + satisfied, [], .monitor, .insufficientlyInUse),
    SessionRow(.f7, "18.0", always + watching + satisfied, ["satisfied", "used"], .monitor),
    SessionRow(.m7, "18.0", reduced + [(0, .addedCondition(home)), (0, .conditionChanged(home, isSatisfied: true))], [], .monitor, .accuracyLimited),
    SessionRow(.ac13, "18.0", reduced + [(0, .addedCondition(home)), (0, .heldServiceSession(.whenInUse, .known)), (0, .answered(.allow, isPrecise: true)), (0, .conditionChanged(home, isSatisfied: true))], [], .monitor, .accuracyLimited),
    SessionRow(.ac13, "18.0", reduced + [(0, .addedCondition(home)), (0, .heldServiceSession(.whenInUse, .known)), (0, .answered(.allow, isPrecise: true)), (0, .conditionChanged(home, isSatisfied: true))], ["satisfied"], .monitor, rules: fullBringsBack),
    SessionRow(.m8, "18.0", always + watching + satisfied, [], rules: monitorNeeds),
    SessionRow(.m8, "18.0", always + held + watching + satisfied, ["satisfied", "used"], rules: monitorNeeds),
    SessionRow(.n8, "18.0", always + held + watching + ended + satisfied, ["started", "callback", "used"], rules: monitorNeeds),
    SessionRow(.n8, "18.0", always + held + watching + ended + satisfied + [(900, .conditionChanged(home, isSatisfied: false)), (1200, .conditionChanged(home, isSatisfied: true))], [], rules: monitorNeeds),
    SessionRow(.m8, "18.0", always + [(0, .started(.visits)), (1, .left), (600, .visited(isArrival: true))], ["happened", "used"], rules: monitorNeeds),
    SessionRow(.m8, "18.0", always + [(0, .started(.visits)), (1, .left), (600, .visited(isArrival: true))], [], rules: allNeed),
    SessionRow(.m8, "17.0", always + [(0, .started(.visits)), (1, .left), (600, .visited(isArrival: true))], ["happened", "used"], rules: allNeed),
    SessionRow(.n1, "18.0", opened + [(0, .heldServiceSession(.whenInUse, .none))], ["when_in_use N1"], .serviceSession, .authorizationRequestInProgress),
    SessionRow(.n1, "18.0", granted + held, ["always_upgrade N1"], .serviceSession, .authorizationRequestInProgress),
    SessionRow(.n1, "17.0", opened + [(0, .heldServiceSession(.whenInUse, .none))], []),
    SessionRow(.w8, "18.0", opened + [(0, .requested(.whenInUse))] + held, [], .serviceSession, .authorizationRequestInProgress),
    SessionRow(.n2, "18.0", opened + [(1, .left), (600, .woken)] + [(600, .heldServiceSession(.always, .none))], [], .serviceSession, .insufficientlyInUse),
    SessionRow(.n2, "18.0", opened + [(1, .left), (600, .woken)] + [(600, .heldServiceSession(.always, .none)), (700, .opened)], ["when_in_use N2"], .serviceSession, .authorizationRequestInProgress),
    SessionRow(.n3, "18.0", once + [(1, .left), (600, .opened)], ["callback", "when_in_use N2"], .serviceSession, .authorizationRequestInProgress),
    SessionRow(.n3, "18.0", once + [(0, .endedServiceSession(.whenInUse)), (1, .left), (600, .opened)], ["callback"]),
    SessionRow(.n4, "18.0", opened + [(0, .requested(.whenInUse)), (0, .answered(.dontAllow, isPrecise: true)), (0, .heldServiceSession(.whenInUse, .none))], [], .serviceSession, .authorizationDenied),
    SessionRow(.n4, "18.0", granted + [(0, .heldServiceSession(.whenInUse, .none)), (0, .locationServicesSwitched(false))], ["callback"], .serviceSession, [.authorizationDenied, .authorizationDeniedGlobally]),
    SessionRow(.n5, "18.0", reduced + [(0, .heldServiceSession(.whenInUse, .known))], ["temporary_full_accuracy N5"], .serviceSession, .authorizationRequestInProgress),
    SessionRow(.n5, "18.0", reduced + [(0, .heldServiceSession(.whenInUse, .known)), (0, .answered(.dontAllow, isPrecise: true))], [], .serviceSession, .fullAccuracyDenied),
    SessionRow(.n5, "18.0", reduced + [(0, .heldServiceSession(.whenInUse, .known)), (0, .answered(.dontAllow, isPrecise: true)), (1, .left), (600, .opened)], [], .serviceSession, .fullAccuracyDenied),
    SessionRow(.n5, "18.0", reduced + [(0, .heldServiceSession(.whenInUse, .known)), (1, .left), (2, .opened)], ["temporary_full_accuracy N5"], .serviceSession, .authorizationRequestInProgress),
    SessionRow(.n5, "18.0", reduced + [(0, .heldServiceSession(.whenInUse, .known)), (0, .answered(.dontAllow, isPrecise: true)), (0, .requestedTemporaryFullAccuracy(isPurposeKnown: true)), (0, .answered(.allow, isPrecise: true))], ["callback", "completed"]),
    SessionRow(.n6, "18.0", opened + [(0, .started(.liveUpdates))], ["when_in_use N6"], .liveUpdates, .authorizationRequestInProgress),
    SessionRow(.n6, "18.0", opened + [(0, .openedMonitor)], ["when_in_use N6"], .monitor, .authorizationRequestInProgress),
    SessionRow(.n6, "17.6", opened + [(0, .started(.liveUpdates))], [], .liveUpdates),
    SessionRow(.i9, "18.0", opened + [(0, .started(.liveUpdates))], [], .liveUpdates, .serviceSessionRequired, hasKey: true),
    SessionRow(.i9, "18.0", opened + [(0, .started(.liveUpdates))], ["when_in_use N6"], .liveUpdates, .authorizationRequestInProgress, rules: headerKey, hasKey: true),
    SessionRow(.i9, "18.0", granted + [(0, .heldServiceSession(.whenInUse, .none)), (0, .started(.liveUpdates))], [], .liveUpdates, hasKey: true),
    SessionRow(.n7, "18.0", opened + [(1, .left), (600, .heldServiceSession(.whenInUse, .none)), (600, .heldServiceSession(.always, .none)), (700, .opened), (700, .answered(.allowWhileUsing, isPrecise: true))], ["callback"]),
    SessionRow(.n8, "18.0", once + [(1, .left), (600, .processEnded(.terminated)), (700, .opened)], ["started", "callback"]),
    SessionRow(.j2, "18.0", opened + [(0, .heldServiceSession(.whenInUse, .none)), (1, .left), (2, .opened)], ["when_in_use N2"], .serviceSession, .authorizationRequestInProgress),
    SessionRow(.l1, "17.0", granted + [(0, .started(.liveUpdates)), (1, .fixed), (2, .fixed)], ["live_updates"], .liveUpdates),
    SessionRow(.l1, "17.0", granted + [(0, .started(.liveUpdates)), (1, .fixed), (5, .fixed)], [], .liveUpdates, rules: slow),
    SessionRow(.l1, "17.0", granted + [(0, .started(.liveUpdates)), (1, .fixed), (5, .fixed), (6, .fixed)], ["live_updates"], .liveUpdates, rules: slow),
    SessionRow(.l2, "18.0", reduced + [(0, .started(.liveUpdates)), (1, .fixed)], ["live_updates"], .liveUpdates, .accuracyLimited),
    SessionRow(.l3, "18.0", granted + [(0, .locationServicesSwitched(false)), (0, .started(.liveUpdates))], [], .liveUpdates, [.authorizationDenied, .authorizationDeniedGlobally]),
    SessionRow(.l3, "18.0", opened + [(0, .requested(.whenInUse)), (0, .answered(.dontAllow, isPrecise: true)), (0, .started(.liveUpdates))], [], .liveUpdates, .authorizationDenied),
]

@Suite("Monitors, sessions and live updates")
struct PhoneSessionTests {
    @Test("follow the specification row by row", arguments: rows)
    func rule(_ row: SessionRow) throws {
        var capabilities = AppCapabilities()
        capabilities.hasWhenInUseText = true
        capabilities.hasAlwaysText = true
        capabilities.hasExplicitSessionKey = row.hasKey
        let context = AuthorizationContext(
            ios: try #require(IOSVersion(row.ios)), capabilities: capabilities, rules: row.rules)
        var phone = Phone()
        var timers = TimerRow()
        var now = SimTime.start
        var heard: [String] = []
        for (seconds, event) in row.events {
            now = SimTime.start + .seconds(seconds)
            while let (time, slot) = timers.next(before: now) {
                timers[slot] = .never
                let due = slot == .useEnd ? PhoneEvent.useEndFellDue : .suspensionFellDue
                _ = phone.handle(due, at: time, timers: &timers, in: context)
            }
            heard = words(phone.handle(event, at: now, timers: &timers, in: context))
        }
        #expect(heard == row.heard)
        #expect(phone.diagnostics(of: row.consumer, at: now, in: context) == row.flags)
    }

    @Test("hand over what has waited, turn by turn (M5)")
    func turns() throws {
        var capabilities = AppCapabilities()
        capabilities.hasWhenInUseText = true
        capabilities.hasAlwaysText = true
        let context = AuthorizationContext(
            ios: try #require(IOSVersion("17.0")), capabilities: capabilities)
        var phone = Phone()
        var timers = TimerRow()
        func play(_ event: PhoneEvent) -> Int {
            phone.handle(event, at: .start, timers: &timers, in: context).count {
                if case .happened = $0 { true } else { false }
            }
        }
        for (_, event) in always + over(20) { _ = play(event) }
        _ = play(.processEnded(.terminated))
        for number in 0..<20 as Range<UInt16> {
            #expect(play(.conditionChanged(RegionID(number), isSatisfied: true)) == 0)
        }
        #expect(!phone.hasMonitorEvents, "nobody awaits them")
        var counts = [play(.openedMonitor)]
        while phone.hasMonitorEvents { counts.append(play(.awaitedMonitorEvents)) }
        #expect(counts == [4, 4, 4, 4, 4])
    }

    private func words(_ effects: PhoneEffects) -> [String] {
        effects.compactMap { effect in
            switch effect {
            case .delivered(let delivery): delivery.rawValue
            case .happened(.condition(_, let state)): state.rawValue
            case .happened: "happened"
            case .failed(let error, _): error.rawValue
            case .accuracyCompleted(let error): error?.rawValue ?? "completed"
            case .usedInBackground: "used"
            case .promptShown(let prompt, let rule): "\(prompt.kind.rawValue) \(rule.rawValue)"
            case .callback: "callback"
            case .processStarted: "started"
            case .processEnded(let end, _): "ended \(end.rawValue)"
            case .status, .promptClosed, .requestIgnored, .processSuspended, .confirmDue,
                .updatesPaused, .updatesResumed:
                nil
            }
        }
    }
}
