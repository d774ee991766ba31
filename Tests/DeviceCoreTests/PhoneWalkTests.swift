import AuthorizationCore
import DeviceCore
import SimPrimitives
import Testing

@Suite("A phone that anything happens to")
struct PhoneWalkTests {
    static let steps = 20_000

    static var events: [PhoneEvent] {
        var events: [PhoneEvent] = [
            .opened, .left, .opened, .left, .woken, .processEnded(.terminated),
            .processEnded(.forceQuit), .confirmFellDue, .reminderFellDue, .locationPrivacyReset,
            .reinstalled, .fixed, .oneShotAnswered, .oneShotFailed, .movedSignificantly,
            .requested(.whenInUse), .requested(.always), .requested(.always), .requestedLocation,
            .requestedTemporaryFullAccuracy(isPurposeKnown: true),
            .startedMonitoring(MonitoredRegion(RegionID(0), radiusMeters: 200)),
            .crossed(RegionID(0), isEntry: true), .visited(isArrival: true), .appUpdated,
            .headingChanged, .beaconsRanged, .rested, .moved, .rebooted, .unlocked, .unlocked,
            .askingManagerReleased, .appLocationReset, .tappedLocationButton(isReadable: true),
            .tappedLocationButton(isReadable: false), .placedWidget, .appClipGrantEnded,
            .appClipRemoved,
            .openedMonitor, .awaitedMonitorEvents, .migrated, .startTimedOut,
            .requestedOffMain(.always),
            .heldServiceSession(.whenInUse, .none), .heldServiceSession(.always, .known),
            .heldServiceSession(.whenInUse, .unknown), .endedServiceSession(.whenInUse),
            .endedServiceSession(.always),
        ]
        for number in 0..<6 as Range<UInt16> {
            let id = RegionID(number)
            events += [.addedCondition(id), .removedCondition(id)]
            events.append(.conditionChanged(id, isSatisfied: number.isMultiple(of: 2)))
            events.append(.conditionChanged(id, isSatisfied: true))
        }
        for isOn in [true, false] {
            events += [.preciseSwitched(isOn), .locationServicesSwitched(isOn)]
            events += [.restrictionSwitched(isOn), .allowedBackgroundUpdates(isOn)]
            events.append(.heldBackgroundSession(isOn))
        }
        let sets: [ServiceSet] = [
            .updates, .significantChange, .visits, .liveUpdates, .heading, .ranging,
        ]
        for set in sets {
            events += [.started(set), .stopped(set)]
        }
        events += SettingsRow.allCases.map { .settingsChanged($0) }
        for choice in Choice.allCases {
            events.append(.answered(choice, isPrecise: choice != .allow))
        }
        return events
    }

    @Test(
        "keeps the promises, wherever it wanders",
        arguments: ["8.0", "10.0", "12.0", "13.0", "13.4", "14.0", "17.0", "18.0", "26.0"])
    func walk(_ name: String) throws {
        let ios = try #require(IOSVersion(name))
        var capabilities = AppCapabilities()
        capabilities.hasWhenInUseText = true
        capabilities.hasAlwaysText = true
        capabilities.hasLegacyAlwaysText = true
        capabilities.hasLocationBackgroundMode = true
        var context = AuthorizationContext(ios: ios, capabilities: capabilities)
        let events = Self.events
        for seed in 0..<3 as Range<UInt64> {
            context.rules.promptOnLeave = seed == 2 ? .stay : .dismiss
            var random = RandomStream(
                seed: seed, device: DeviceID(0), purpose: .system, occasion: 0)
            var walker = Walker(context: context)
            for step in 0..<Self.steps {
                let event = events[Int(random.next(below: UInt64(events.count)))]
                let pause = SimDuration(microseconds: Int64(random.next(below: 8_000_000)))
                walker.take(event, after: pause, "iOS \(name), seed \(seed), step \(step)")
            }
        }
    }
}

/// Drives one phone and checks it after every event.
private struct Walker {
    let context: AuthorizationContext
    var phone = Phone()
    var timers = TimerRow()
    var now = SimTime.start
    var told: VisibleStatus?
    var toldAccuracy: Accuracy?
    /// Since when the phone has been out of use with Allow Once in force.
    var outOfUseSince: SimTime?

    mutating func take(_ event: PhoneEvent, after pause: SimDuration, _ place: String) {
        let end = now + pause
        while let (time, slot) = timers.next(before: end) {
            timers[slot] = .never
            now = time
            play(slot == .useEnd ? .useEndFellDue : .suspensionFellDue, place)
        }
        now = end
        play(event, place)
    }

    private mutating func play(_ event: PhoneEvent, _ place: String) {
        let effects = phone.handle(event, at: now, timers: &timers, in: context)
        let comment: Comment = "\(place): \(event) gave \(Array(effects))"
        let authorization = phone.authorization
        for effect in effects {
            switch effect {
            case .processStarted: (told, toldAccuracy) = (nil, nil)
            case .callback(let isInitial):
                #expect(isInitial == (told == nil), comment)
                #expect(phone.process == .foreground || phone.process == .background, comment)
            case .delivered, .happened:
                #expect(authorization.visibleStatus.isAuthorized, comment)
            case .promptShown(let prompt, _): #expect(authorization.prompt == prompt, comment)
            default: break
            }
        }
        #expect(effects.count <= PhoneEffects.countMax, comment)
        let callbacks = effects.count { if case .callback = $0 { true } else { false } }
        if callbacks > 0 {
            let accuracy = authorization.accuracy(in: context)
            let isNews = told != authorization.visibleStatus || toldAccuracy != accuracy
            #expect(isNews || callbacks > 1, comment)
            (told, toldAccuracy) = (authorization.visibleStatus, accuracy)
        }
        if phone.process == .notRunning { #expect(!phone.isLocationRequested, comment) }
        // O5: Allow Once never outlives use plus the grace period.
        let isOut =
            authorization.decision == .allowOnce && phone.process != .foreground
            && !phone.hasIndicatorSession(context) && !phone.hasBackgroundSession  // K3, U4
        outOfUseSince = isOut ? outOfUseSince ?? now : nil
        if let outOfUseSince {
            #expect((now - outOfUseSince).seconds <= 10, comment)
        }
    }
}
