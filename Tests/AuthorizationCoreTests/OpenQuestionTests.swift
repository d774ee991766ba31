import AuthorizationCore
import Testing

/// The settings of section 15: each changes what it says and is off by default.
@Suite("An open question")
struct OpenQuestionTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let id: String
        let ios: String
        var capabilities = everything
        let events: [AuthorizationEvent]
        let set: @Sendable (inout SystemRules) -> Void
        /// What the app reads and whether a prompt is on screen, by default and as set.
        let standard: (VisibleStatus, PromptKind?)
        let other: (VisibleStatus, PromptKind?)
        var testDescription: String { "\(id) on \(ios)" }
    }

    private static let everything: AppCapabilities = {
        var capabilities = AppCapabilities()
        capabilities.hasWhenInUseText = true
        capabilities.hasAlwaysText = true
        return capabilities
    }()

    private static func with(_ change: (inout AppCapabilities) -> Void) -> AppCapabilities {
        var capabilities = everything
        change(&capabilities)
        return capabilities
    }

    private static let ask = AuthorizationEvent.requested(.whenInUse, isInUse: true)
    private static let askAlways = AuthorizationEvent.requested(.always, isInUse: true)
    private static let granted = [ask, .answered(.allowWhileUsing, isPrecise: true)]
    private static let off = AuthorizationEvent.locationServicesSwitched(false)

    // swift-format-ignore
    static let rows: [Row] = [
        Row(id: "D1 any", ios: "17.0", capabilities: with { $0.hasAlwaysText = false; $0.hasLegacyAlwaysText = true }, events: [askAlways], set: { $0.alwaysKeys = .anyAlwaysKey }, standard: (.notDetermined, nil), other: (.notDetermined, .whenInUse)),
        Row(id: "D1 all", ios: "17.0", events: [askAlways], set: { $0.alwaysKeys = .allThree }, standard: (.notDetermined, .whenInUse), other: (.notDetermined, nil)),
        Row(id: "D8", ios: "17.0", events: granted + [off], set: { $0.servicesOffStatus = .kept }, standard: (.denied, nil), other: (.authorizedWhenInUse, nil)),
        Row(id: "D8 undecided", ios: "17.0", events: [off], set: { $0.servicesOffStatus = .kept }, standard: (.denied, nil), other: (.notDetermined, nil)),
        Row(id: "D9", ios: "17.0", events: granted + [.restrictionSwitched(true)], set: { $0.restrictionScope = .all }, standard: (.authorizedWhenInUse, nil), other: (.restricted, nil)),
        Row(id: "D9 lifted", ios: "17.0", events: granted + [.restrictionSwitched(true), .restrictionSwitched(false)], set: { $0.restrictionScope = .all }, standard: (.authorizedWhenInUse, nil), other: (.authorizedWhenInUse, nil)),
        Row(id: "D10", ios: "17.0", events: granted + [.reinstalled], set: { $0.reinstallKeepsDecision = true }, standard: (.notDetermined, nil), other: (.authorizedWhenInUse, nil)),
        Row(id: "G14", ios: "17.0", events: granted + [.migrated], set: { $0.migrationKeepsDecisions = false }, standard: (.authorizedWhenInUse, nil), other: (.notDetermined, nil)),
        Row(id: "D28 11", ios: "11.0", events: [off, ask], set: { $0.servicesOffAlert = .only9And10 }, standard: (.denied, .servicesOff), other: (.denied, nil)),
        Row(id: "D28 10", ios: "10.0", events: [off, ask], set: { $0.servicesOffAlert = .only9And10 }, standard: (.denied, .servicesOff), other: (.denied, .servicesOff)),
        Row(id: "D28 none", ios: "10.0", events: [off, ask], set: { $0.servicesOffAlert = .none }, standard: (.denied, .servicesOff), other: (.denied, nil)),
        Row(id: "D34", ios: "11.0", capabilities: with { $0.isWhenInUseTextEmpty = true }, events: [ask], set: { $0.emptyPurposeText = .missing }, standard: (.notDetermined, .whenInUse), other: (.notDetermined, nil)),
        Row(id: "D35", ios: "13.2", events: [ask, .promptLostItsApp(.j1)], set: { $0.promptOnRelease = .stay }, standard: (.notDetermined, nil), other: (.notDetermined, .whenInUse)),
    ]

    @Test("is answered as its setting says", arguments: rows)
    func settings(_ row: Row) throws {
        func end(_ rules: SystemRules) throws -> Authorization {
            let context = AuthorizationContext(
                ios: try #require(IOSVersion(row.ios)), capabilities: row.capabilities,
                rules: rules)
            return row.events.reduce(Authorization()) {
                Authorization.reduce($0, $1, in: context).state
            }
        }
        let standard = try end(SystemRules())
        #expect(standard.visibleStatus == row.standard.0)
        #expect(standard.prompt?.kind == row.standard.1)
        var rules = SystemRules()
        row.set(&rules)
        let other = try end(rules)
        #expect(other.visibleStatus == row.other.0)
        #expect(other.prompt?.kind == row.other.1)
    }

    /// With Precise off: what the app reads before it is asked for, under a grant, and after that.
    private func accuracies(_ name: String, _ set: (inout SystemRules) -> Void) throws -> [Accuracy]
    {
        var rules = SystemRules()
        set(&rules)
        let context = AuthorizationContext(
            ios: try #require(IOSVersion(name)), capabilities: Self.everything, rules: rules)
        var state = Authorization()
        var seen = [state.accuracy(in: context)]
        for event: AuthorizationEvent in [
            Self.ask, .answered(.allowWhileUsing, isPrecise: false),
            .settingsChanged(.askNextTime), .preciseSwitched(true),
        ] {
            state = Authorization.reduce(state, event, in: context).state
            seen.append(state.accuracy(in: context))
        }
        return seen
    }

    @Test("of the accuracy of an app that is not authorized has two answers (D18)")
    func unauthorizedAccuracy() throws {
        let (full, reduced) = (Accuracy.fullAccuracy, Accuracy.reducedAccuracy)
        #expect(try accuracies("17.2") { _ in } == [full, full, reduced, full, full])
        let other = try accuracies("17.2") { $0.unauthorizedAccuracy = .preciseSwitch }
        #expect(other == [full, full, reduced, reduced, full])
        let old = try accuracies("13.4") { $0.unauthorizedAccuracy = .preciseSwitch }
        #expect(old == [full, full, full, full, full], "AC14")
    }
}
