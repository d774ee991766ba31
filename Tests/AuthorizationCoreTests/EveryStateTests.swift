import AuthorizationCore
import Testing

/// Walks every state that can be reached from a fresh install and every event in each: the state
/// space is small, so the promises are proved rather than sampled.
@Suite("Every reachable state of the authorization")
struct EveryStateTests {
    /// With the number of states that can be reached: a new rule changes it knowingly.
    static let versions: [(name: String, states: Int)] = [
        ("8.0", 146), ("9.0", 146), ("10.0", 146), ("11.0", 146), ("12.0", 146), ("13.0", 194),
        ("13.4", 200), ("14.0", 1_252), ("15.0", 3_216), ("16.0", 3_216), ("17.0", 3_216),
        ("18.0", 3_216), ("26.0", 3_216),
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
        events += [RuleID.j1, .j2, .j3, .q8, .g14].map { .promptLostItsApp($0) }
        return events + [
            .usedLocation, .provisionalEventHeld, .confirmFellDue, .reminderFellDue, .useEnded,
            .processEnded, .locationPrivacyReset, .appLocationReset, .reinstalled, .appUpdated,
            .migrated,
            .tappedLocationButton(isReadable: true), .tappedLocationButton(isReadable: false),
            .placedWidget, .appClipGrantEnded, .appClipRemoved,
        ]
    }()

    @Test("keeps the promises on every version", arguments: versions)
    func promises(_ name: String, states: Int) throws {
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
        #expect(seen.count == states, "on \(name)")
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
            #expect(!before.isRestricted, place)
            if case .requested(let access, let isInUse) = event {
                #expect(isInUse, place)
                #expect(before.decision != .denied, place)
                let isUpgrade = prompt.kind == .alwaysUpgrade
                #expect(!(isUpgrade && before.isAlwaysRequestSpent), place)
                #expect(access == .always || prompt.kind != .alwaysUpgrade, place)
            }
        case .closePrompt(let kind):
            #expect(before.prompt?.kind == kind && after.prompt == nil, place)
        case .ignore: #expect(after == before, place)  // By default a dropped call spends nothing.
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
        if after.prompt?.kind == .locationButton { #expect(ios >= .v15, place) }
        if after.prompt?.kind == .widget || after.hasWidgetGrant { #expect(ios >= .v14, place) }
        if after.isAuthorizedForWidgets(on: ios) {
            #expect(after.visibleStatus.isAuthorized, place)  // X5
        }
        if case .useEnded = event { #expect(after.decision != .allowOnce, place) }
    }
}
