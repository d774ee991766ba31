import AuthorizationCore
import DeviceCore
import Foundation
import SimPrimitives
import Testing

@Suite("A phone that anything happens to")
struct PhoneWalkTests {
    /// Of each version, over all seeds.
    static let steps =
        ProcessInfo.processInfo.environment["LOCFLEET_WALK_STEPS"].flatMap(Int.init) ?? 100_000

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

    static let forgetting: [PhoneEvent] = [
        .locationPrivacyReset, .appLocationReset, .reinstalled,
    ]

    static let versions = [
        "8.0", "9.0", "10.0", "11.0", "12.0", "13.0", "13.4", "14.0", "15.0", "16.0", "17.0",
        "18.0", "26.0",
    ]

    @Test("keeps the promises, wherever it wanders", arguments: versions)
    func walk(_ name: String) throws {
        let ios = try #require(IOSVersion(name))
        var capabilities = AppCapabilities()
        capabilities.hasWhenInUseText = true
        capabilities.hasAlwaysText = true
        capabilities.hasLegacyAlwaysText = true
        capabilities.hasLocationBackgroundMode = true
        var context = AuthorizationContext(ios: ios, capabilities: capabilities)
        var seen = WalkCount()
        for seed in 0..<4 as Range<UInt64> {
            context.rules.promptOnLeave = seed == 3 ? .stay : .dismiss
            // Who starts over all the time gets nowhere.
            let events = Self.events.filter { seed == 0 || !Self.forgetting.contains($0) }
            var random = RandomStream(
                seed: seed, device: DeviceID(0), purpose: .system, occasion: 0)
            var walker = PhoneWalker(context: context)
            for step in 0..<Self.steps / 4 {
                let event = events[Int(random.next(below: UInt64(events.count)))]
                let pause = SimDuration(microseconds: Int64(random.next(below: 8_000_000)))
                let before = walker.phone.authorization
                walker.take(event, after: pause)
                seen.note(before, event, walker.phone)
                guard walker.broken.isEmpty else {
                    Issue.record(
                        """
                        iOS \(name), seed \(seed), step \(step): \
                        \(walker.broken.joined(separator: "; "))
                        """)
                    break
                }
            }
        }
        print("iOS \(name): \(Self.steps) steps of a phone, \(seen.text)")
    }
}
