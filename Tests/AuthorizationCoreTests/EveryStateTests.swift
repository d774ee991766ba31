import AuthorizationCore
import Testing

/// Walks every state that can be reached from a fresh install and every event in each: the state
/// space is small, so the promises are proved rather than sampled.
@Suite("Every reachable state of the authorization")
struct EveryStateTests {
    static let versions = [
        "8.0", "9.0", "10.0", "11.0", "12.0", "13.0", "13.4", "14.0", "15.0", "16.0", "17.0",
        "18.0", "26.0",
    ]

    static var everything: AppCapabilities {
        var capabilities = AppCapabilities()
        capabilities.hasWhenInUseText = true
        capabilities.hasAlwaysText = true
        capabilities.hasLegacyAlwaysText = true
        return capabilities
    }

    static let events: [AuthorizationEvent] = {
        var events: [AuthorizationEvent] = []
        for isInUse in [true, false] {
            for access in Access.allCases { events.append(.requested(access, isInUse: isInUse)) }
            events.append(
                .requestedTemporaryFullAccuracy(isPurposeKnown: true, isForeground: isInUse))
            events += [.preciseSwitched(isInUse), .locationServicesSwitched(isInUse)]
            events.append(.restrictionSwitched(isInUse))
            for choice in Choice.allCases {
                events.append(.answered(choice, isPrecise: isInUse))
            }
        }
        events += SettingsRow.allCases.map { .settingsChanged($0) }
        events += [.promptLostItsApp(.j1), .promptLostItsApp(.j2), .promptLostItsApp(.j3)]
        return events + [
            .usedLocation, .provisionalEventHeld, .confirmFellDue, .reminderFellDue, .useEnded,
            .processEnded, .locationPrivacyReset, .appLocationReset, .reinstalled, .appUpdated,
        ]
    }()

    @Test("keeps the promises on every version", arguments: versions)
    func promises(_ name: String) throws {
        let ios = try #require(IOSVersion(name))
        let context = AuthorizationContext(ios: ios, capabilities: Self.everything)
        var seen: Set<Authorization> = [Authorization()]
        var frontier = Array(seen)
        var transitions = 0
        while let before = frontier.popLast() {
            for event in Self.events {
                let transition = Authorization.reduce(before, event, in: context)
                transitions += 1
                check(before, event, transition, ios)
                if seen.insert(transition.state).inserted { frontier.append(transition.state) }
            }
        }
        #expect(seen.count > 20 && seen.count < 20_000, "\(seen.count) states on \(name)")
        #expect(transitions == seen.count * Self.events.count)
    }

    private func check(
        _ before: Authorization, _ event: AuthorizationEvent,
        _ transition: Authorization.Transition, _ ios: IOSVersion
    ) {
        let after = transition.state
        let place: Comment = "iOS \(ios): \(before) after \(event)"
        switch transition.effect {
        case .show(let prompt):
            #expect(before.prompt == nil, place)
            #expect(after.prompt == prompt, place)
            #expect(before.trueStatus != .restricted, place)
            if case .requested(let access, let isInUse) = event {
                #expect(isInUse, place)
                #expect(before.decision != .denied, place)
                let isUpgrade = prompt.kind == .alwaysUpgrade
                #expect(!(isUpgrade && before.isAlwaysRequestSpent), place)
                #expect(access == .always || prompt.kind != .alwaysUpgrade, place)
            }
        case .closePrompt(let kind):
            #expect(before.prompt?.kind == kind && after.prompt == nil, place)
        case .ignore(let reason):
            if reason != .promptOnScreen { #expect(after == before, place) }
        case .none: break
        }
        // ST1: the reading order of the public status.
        let reading: VisibleStatus =
            after.isRestricted && after.decision == .notDetermined
            ? .restricted : !after.isLocationServicesOn ? .denied : after.decision.visible
        #expect(after.visibleStatus == reading, place)
        #expect(after.decision != .restricted, place)
        if ios < .v13 {
            #expect(after.decision != .allowOnce && after.decision != .provisionalAlways, place)
        }
        if case .useEnded = event { #expect(after.decision != .allowOnce, place) }
    }
}
