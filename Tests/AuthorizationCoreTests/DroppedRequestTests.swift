import AuthorizationCore
import Testing

@Suite("A request while a prompt is on screen (W8, D19)")
struct DroppedRequestTests {
    @Test(
        "spends the Always request only where the setting says so, and changes nothing else",
        arguments: SystemRules.RequestDuringPrompt.allCases)
    func dropped(_ setting: SystemRules.RequestDuringPrompt) throws {
        var rules = SystemRules()
        rules.requestDuringPrompt = setting
        let context = AuthorizationContext(
            ios: try #require(IOSVersion("17.0")), capabilities: EveryStateTests.everything,
            rules: rules)
        let first = Authorization.reduce(
            Authorization(), .requested(.whenInUse, isInUse: true), in: context
        ).state
        let second = Authorization.reduce(first, .requested(.always, isInUse: true), in: context)
        #expect(second.effect == .ignore(.promptOnScreen))
        #expect(second.state.isAlwaysRequestSpent == (setting == .spendsAlways))
        #expect(second.state.prompt == first.prompt && second.state.decision == first.decision)

        // A9: what is spent shows when the app asks again after the grant.
        let granted = Authorization.reduce(
            second.state, .answered(.allowWhileUsing, isPrecise: true), in: context
        ).state
        let third = Authorization.reduce(granted, .requested(.always, isInUse: true), in: context)
        #expect((third.state.prompt?.kind == .alwaysUpgrade) == (setting == .dropped))
    }
}
