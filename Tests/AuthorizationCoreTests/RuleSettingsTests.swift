import AuthorizationCore
import Testing

private let inUse = AuthorizationEvent.requested(.whenInUse, isInUse: true)
private let always = AuthorizationEvent.requested(.always, isInUse: true)
private func answer(_ choice: Choice) -> AuthorizationEvent { .answered(choice, isPrecise: true) }

/// Section 15 of the specification: what the sources leave open, and what a scenario may set.
@Suite("The settings of rules")
struct RuleSettingsTests {
    /// What the last event does on a fresh install.
    private func last(
        _ events: [AuthorizationEvent], on name: String, _ change: (inout SystemRules) -> Void
    ) throws -> Authorization.Transition {
        var rules = SystemRules()
        change(&rules)
        let context = AuthorizationContext(
            ios: try #require(IOSVersion(name)), capabilities: EveryStateTests.everything,
            rules: rules)
        var state = Authorization()
        for event in events.dropLast() {
            state = Authorization.reduce(state, event, in: context).state
        }
        return Authorization.reduce(state, try #require(events.last), in: context)
    }

    @Test("D2: without the legacy upgrade an Always request does nothing (A2)")
    func legacyUpgrade() throws {
        let end = try last([inUse, answer(.allow), always], on: "9.0") {
            $0.legacyUpgradePrompt = .never
        }
        #expect(end.rule == .a2 && end.effect == .ignore(.alreadyDecided))
        #expect(end.state.prompt == nil)
    }

    @Test("D3: a provisional Always may end with 13.4")
    func provisionalAlways() throws {
        for (name, status) in [("13.0", TrueStatus.provisionalAlways), ("13.4", .whenInUse)] {
            let end = try last([always, answer(.allowWhileUsing)], on: name) {
                $0.provisionalAlways = .onlyBefore13_4
            }
            #expect(end.state.decision == status, "on \(name)")
        }
    }

    @Test("D4: Ask Next Time may leave the Always request spent", arguments: [true, false])
    func askNextTime(_ clears: Bool) throws {
        let spent = [inUse, answer(.allowWhileUsing), always, answer(.keepOnlyWhileUsing)]
        let again: [AuthorizationEvent] = [
            .settingsChanged(.askNextTime), inUse, answer(.allowWhileUsing), always,
        ]
        let end = try last(spent + again, on: "17.0") { $0.askNextTimeClearsSpent = clears }
        #expect((end.state.prompt?.kind == .alwaysUpgrade) == clears)
    }

    @Test("D20: a prompt may stay when the app leaves", arguments: [RuleID.j2, .j3])
    func promptOnLeave(_ rule: RuleID) throws {
        let end = try last([inUse, .promptLostItsApp(rule)], on: "17.0") {
            $0.promptOnLeave = .stay
        }
        #expect(end.state.prompt?.kind == .whenInUse && end.effect == .ignore(.nothingToDo))
    }
}
