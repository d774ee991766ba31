import AuthorizationCore
import Testing

/// Walks every state of an app of every kind, on every version: Info.plists that come and go with
/// updates of the app, and devices that were upgraded from the version before.
@Suite("Every reachable state, under every Info.plist")
struct EveryPlistTests {
    struct Node: Hashable {
        var state: Authorization
        /// Its place in `plists`.
        var plist: Int
    }

    static let plists: [AppCapabilities] = {
        var whenInUse = AppCapabilities()
        whenInUse.hasWhenInUseText = true
        var always = AppCapabilities()
        (always.hasLegacyAlwaysText, always.hasAlwaysText) = (true, true)
        var reduced = EveryStateTests.everything
        reduced.isReducedByDefault = true
        return [EveryStateTests.everything, whenInUse, always, reduced, AppCapabilities()]
    }()

    static let events =
        EveryStateTests.events + [
            .requestedTemporaryFullAccuracy(isPurposeKnown: false, isForeground: true)
        ]

    @Test("keeps the promises, through updates of the app and upgrades of iOS")
    func promises() throws {
        var all = 0
        var transitions = 0
        var before: Set<Node> = []
        for (name, _) in EveryStateTests.versions {
            let ios = try #require(IOSVersion(name))
            let contexts = Self.plists.map { AuthorizationContext(ios: ios, capabilities: $0) }
            var seen = Set(contexts.indices.map { Node(state: Authorization(), plist: $0) })
            let fresh = seen
            // A device restarts for its upgrade, and no prompt outlives that (Q8).
            for node in before where node.state.prompt == nil {
                let state = Authorization.reduce(
                    node.state, .appUpdated, in: contexts[node.plist]
                ).state
                seen.insert(Node(state: state, plist: node.plist))
            }
            let upgraded = seen.count - fresh.count
            var frontier = Array(seen)
            func go(from node: Node, _ event: AuthorizationEvent, to plist: Int) {
                let transition = Authorization.reduce(node.state, event, in: contexts[plist])
                transitions += 1
                if let broken = broken(node.state, event, transition, contexts[plist]) {
                    Issue.record(
                        """
                        iOS \(ios), plist \(plist): \(broken): \(node.state) after \(event): \
                        \(transition)
                        """)
                }
                let next = Node(state: transition.state, plist: plist)
                if seen.insert(next).inserted { frontier.append(next) }
            }
            while let node = frontier.popLast() {
                for event in Self.events { go(from: node, event, to: node.plist) }
                for plist in contexts.indices { go(from: node, .appUpdated, to: plist) }
            }
            all += seen.count
            before = seen
            print("iOS \(name): \(seen.count) states, \(upgraded) of them upgraded at the start")
        }
        print("every state: \(all) states, \(transitions) transitions")
        #expect(all > 10_000)
    }

    /// The first promise that a transition breaks.
    private func broken(
        _ before: Authorization, _ event: AuthorizationEvent,
        _ transition: Authorization.Transition, _ context: AuthorizationContext
    ) -> String? {
        let (after, ios) = (transition.state, context.ios)
        switch transition.effect {
        case .show(let prompt):
            if before.prompt != nil { return "two prompts" }
            if after.prompt != prompt { return "another prompt than is shown" }
            if before.isRestricted { return "a prompt under a restriction" }
            if case .requested(let access, let isInUse) = event {
                if before.decision == .denied { return "a prompt for a refused app" }
                if !isInUse { return "a prompt out of use" }
                if !context.hasText(for: access) { return "a prompt without its text" }
                let isOffer = prompt.kind == .servicesOff
                if isOffer == before.isLocationServicesOn { return "a prompt of the other switch" }
                let isOpen = before.decision == .notDetermined
                if !isOffer, !isOpen, access == .whenInUse { return "asked though decided" }
                if !isOffer, !isOpen, before.isAlwaysRequestSpent { return "asked though spent" }
            }
        case .closePrompt(let kind):
            if before.prompt?.kind != kind || after.prompt != nil { return "no such prompt" }
        case .ignore:
            if after != before { return "changed though ignored" }
        case .none:
            if before.prompt == nil, after.prompt != nil { return "a prompt that is not shown" }
        }
        if case .answered(let choice, _) = event {
            let isOffered = before.prompt?.choices(on: ios).contains(choice) ?? false
            if !isOffered, after != before { return "a button that is not there" }
            if isOffered, after.prompt != nil { return "an answered prompt stays" }
        }
        // ST1.
        let reading: VisibleStatus =
            after.isRestricted && after.decision == .notDetermined
            ? .restricted : !after.isLocationServicesOn ? .denied : after.decision.visible
        if after.visibleStatus != reading { return "another reading order" }
        if after.decision == .restricted { return "a restriction is no decision" }
        if after.accuracy(in: context) == .reducedAccuracy, ios < .v14 || !reading.isAuthorized {
            return "reduced accuracy of nothing"
        }
        if after.hasTemporaryFullAccuracy, !after.decision.visible.isAuthorized {
            return "temporary full accuracy of nothing"
        }
        if after.isConfirmDue, after.decision != .provisionalAlways { return "nothing to confirm" }
        if after.servicesOffers > Authorization.servicesOffersMax { return "a third offer" }
        return brokenDecision(before, event, after, ios)
    }

    private func brokenDecision(
        _ before: Authorization, _ event: AuthorizationEvent, _ after: Authorization,
        _ ios: IOSVersion
    ) -> String? {
        if ios < .v13, after.decision == .allowOnce || after.decision == .provisionalAlways {
            return "a decision that the version does not have"
        }
        if event == .useEnded, after.decision == .allowOnce { return "Allow Once out of use" }
        if event == .useEnded || event == .processEnded, after.hasTemporaryFullAccuracy {
            return "temporary full accuracy without use"
        }
        guard after.decision != before.decision else { return nil }
        switch event {
        case .answered: return before.prompt == nil ? "decided without a prompt" : nil
        // X7: once agreed to, a tap is enough.
        case .tappedLocationButton:
            return after.decision == .allowOnce && before.isButtonAgreed
                ? nil : "decided without asking"
        // A7 alone decides without asking.
        case .requested(.always, isInUse: true):
            return after.decision == .provisionalAlways && .v13 <= ios && ios < .v13_4
                ? nil : "decided without asking"
        case .useEnded: return before.decision == .allowOnce ? nil : "a lasting decision lapsed"
        case .settingsChanged:
            if before.isRestricted { return "decided under a restriction" }
            return before.isRowPresent ? nil : "decided in no row"
        case .locationPrivacyReset, .appLocationReset, .reinstalled, .appClipGrantEnded,
            .appClipRemoved:
            return after.decision == .notDetermined ? nil : "decided by a reset"
        case .appUpdated:
            return after.decision == .notDetermined || after.decision == .whenInUse
                ? nil : "decided by an update"
        case .requested, .requestedTemporaryFullAccuracy, .promptLostItsApp, .usedLocation,
            .provisionalEventHeld, .confirmFellDue, .reminderFellDue, .processEnded,
            .preciseSwitched, .locationServicesSwitched, .restrictionSwitched, .placedWidget,
            .migrated:
            return "decided by nobody"
        }
    }
}
