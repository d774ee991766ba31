import AuthorizationCore
import Testing

private let inUse = AuthorizationEvent.requested(.whenInUse, isInUse: true)
private let always = AuthorizationEvent.requested(.always, isInUse: true)
private let tap = AuthorizationEvent.tappedLocationButton(isReadable: true)
private let unreadableTap = AuthorizationEvent.tappedLocationButton(isReadable: false)
private let allow = answer(.allow)
private func answer(_ choice: Choice) -> AuthorizationEvent { .answered(choice, isPrecise: true) }
private let whileUsing = [inUse, answer(.allowWhileUsing)]
private let once = [inUse, answer(.allowOnce)]
private let denied = [inUse, answer(.dontAllow)]
private let alwaysOn = whileUsing + [.settingsChanged(.always)]
private let agreed = [tap, allow, .useEnded]
private let shared = whileUsing + [.placedWidget, allow]
private let first = Prompt(.whenInUse)
private let button = Prompt(.locationButton)
private let widget = Prompt(.widget)

// A row stays on one line, however wide: a wrapped table is no longer a table.
// swift-format-ignore
private let rules: [RuleRow] = [
    // location-button-01
    RuleRow(.x7,  "15.0", [tap], .notDetermined, .show(button)),
    RuleRow(.x7,  "14.0", [tap], .notDetermined, .ignore(.nothingToDo)),
    RuleRow(.x7,  "26.0", [tap, allow], .allowOnce),
    RuleRow(.p13, "17.0", [tap, answer(.dontAllow)], .notDetermined),
    RuleRow(.x7,  "17.0", [tap, answer(.dontAllow), tap], .notDetermined, .show(button)),
    RuleRow(.o5,  "17.0", agreed, .notDetermined),
    RuleRow(.x7,  "17.0", agreed + [tap], .allowOnce),
    RuleRow(.w1,  "17.0", agreed + [inUse], .notDetermined, .show(first)),
    // location-button-02, -04
    RuleRow(.x8,  "17.0", whileUsing + [tap], .whenInUse, .ignore(.alreadyDecided)),
    RuleRow(.x8,  "17.0", once + [tap], .allowOnce, .ignore(.alreadyDecided)),
    RuleRow(.x8,  "17.0", [always, answer(.allowWhileUsing), tap], .provisionalAlways, .ignore(.alreadyDecided)),
    RuleRow(.x8,  "17.0", alwaysOn + [tap], .always, .ignore(.alreadyDecided)),
    // location-button-03
    RuleRow(.x9,  "17.0", denied + [tap], .denied, .show(button)),
    RuleRow(.x9,  "17.0", denied + [tap, allow], .allowOnce),
    RuleRow(.p13, "17.0", denied + [tap, answer(.dontAllow)], .denied),
    RuleRow(.o5,  "17.0", denied + [tap, allow, .useEnded], .notDetermined),
    RuleRow(.x9,  "17.0", agreed + denied + [tap], .denied, .show(button)),
    RuleRow(.x7,  "17.0", agreed + denied + [tap, answer(.dontAllow), .settingsChanged(.askNextTime), tap], .notDetermined, .show(button)),
    // location-button-05
    RuleRow(.x11, "17.0", [unreadableTap], .notDetermined, .ignore(.nothingToDo)),
    RuleRow(.x11, "17.0", agreed + [unreadableTap], .notDetermined, .ignore(.nothingToDo)),
    // What lies over a tap, and what a button's grant is afterwards.
    RuleRow(.w8,  "17.0", [inUse, tap], .notDetermined, .ignore(.promptOnScreen)),
    RuleRow(.w8,  "17.0", [tap, always], .notDetermined, .ignore(.promptOnScreen)),
    RuleRow(.g7,  "17.0", [.restrictionSwitched(true), tap], .restricted, .ignore(.restricted)),
    RuleRow(.g8,  "17.0", denied + [.restrictionSwitched(true), tap], .denied, .ignore(.restricted)),
    RuleRow(.g1,  "17.0", agreed + [.locationServicesSwitched(false), tap], .notDetermined, .ignore(.servicesOff)),
    RuleRow(.j2,  "17.0", [tap, .promptLostItsApp(.j2)], .notDetermined, .closePrompt(.locationButton)),
    RuleRow(.a10, "17.0", [tap, allow, always], .allowOnce, .ignore(.allowOnce)),
    RuleRow(.w2,  "17.0", [tap, allow, inUse], .allowOnce, .ignore(.alreadyDecided)),
    RuleRow(.o10, "17.0", [tap, allow, .settingsChanged(.whileUsing)], .whenInUse),
    RuleRow(.s10, "17.0", [tap, allow, .settingsChanged(.askNextTime)], .allowOnce, .ignore(.nothingToDo)),
    RuleRow(.x7,  "17.0", agreed + [.locationPrivacyReset, tap], .notDetermined, .show(button)),
    RuleRow(.x7,  "17.0", agreed + [.reinstalled, tap], .notDetermined, .show(button)),
    // widget-01, -02, -03
    RuleRow(.x5,  "17.0", alwaysOn + [.placedWidget], .always, .ignore(.alreadyDecided)),
    RuleRow(.x4,  "14.0", whileUsing + [.placedWidget], .whenInUse, .show(widget)),
    RuleRow(.x4,  "13.4", whileUsing + [.placedWidget], .whenInUse, .ignore(.nothingToDo)),
    RuleRow(.p14, "17.0", shared, .whenInUse),
    RuleRow(.p14, "17.0", shared + [.placedWidget], .whenInUse, .ignore(.alreadyDecided)),
    RuleRow(.x4,  "17.0", whileUsing + [.placedWidget, answer(.dontAllow), .placedWidget], .whenInUse, .show(widget)),
    RuleRow(.x5,  "17.0", [.placedWidget], .notDetermined, .ignore(.notAuthorized)),
    RuleRow(.x5,  "17.0", denied + [.placedWidget], .denied, .ignore(.notAuthorized)),
    RuleRow(.x4,  "17.0", once + [.placedWidget], .allowOnce, .ignore(.allowOnce)),
    RuleRow(.g8,  "17.0", whileUsing + [.restrictionSwitched(true), .placedWidget], .whenInUse, .ignore(.restricted)),
    RuleRow(.x5,  "17.0", whileUsing + [.locationServicesSwitched(false), .placedWidget], .whenInUse, .ignore(.servicesOff)),
    RuleRow(.w8,  "17.0", whileUsing + [always, .placedWidget], .whenInUse, .ignore(.promptOnScreen)),
    RuleRow(.j2,  "17.0", whileUsing + [.placedWidget, .promptLostItsApp(.j2)], .whenInUse, .ignore(.noPromptOnScreen)),
    RuleRow(.s10, "17.0", shared + [.settingsChanged(.whileUsing)], .whenInUse, .ignore(.nothingToDo)),
    RuleRow(.s10, "17.0", shared + [.settingsChanged(.whileUsingOrWidgets)], .whenInUse, .ignore(.nothingToDo)),
    RuleRow(.s3,  "17.0", whileUsing + [.settingsChanged(.whileUsingOrWidgets)], .whenInUse, .ignore(.choiceNotOffered)),
    // An app that is no clip keeps its grant overnight.
    RuleRow(.x1,  "17.0", whileUsing + [.appClipGrantEnded], .whenInUse, .ignore(.nothingToDo)),
]

// swift-format-ignore
private let clipRules: [RuleRow] = [
    // app-clip-01
    RuleRow(.x1,  "14.0", whileUsing + [.appClipGrantEnded], .notDetermined),
    RuleRow(.x1,  "17.0", once + [.appClipGrantEnded], .allowOnce, .ignore(.nothingToDo)),
    RuleRow(.x1,  "17.0", denied + [.appClipGrantEnded], .denied, .ignore(.nothingToDo)),
    RuleRow(.w1,  "26.0", whileUsing + [.appClipGrantEnded, inUse], .notDetermined, .show(first)),
    // app-clip-02
    RuleRow(.a17, "17.0", whileUsing + [always], .whenInUse, .ignore(.alreadyDecided)),
    RuleRow(.a17, "17.0", [always], .notDetermined, .show(first)),
    RuleRow(.p3,  "17.0", [always, answer(.allowWhileUsing)], .whenInUse),
    RuleRow(.x1,  "17.0", whileUsing + [.settingsChanged(.always)], .whenInUse, .ignore(.choiceNotOffered)),
    // app-clip-03
    RuleRow(.x2,  "17.0", denied + [.appClipRemoved], .notDetermined),
    RuleRow(.x7,  "17.0", agreed + [.appClipRemoved, tap], .notDetermined, .show(button)),
]

@Suite("The location button, widgets and App Clips (section 12)")
struct ButtonRuleTests {
    private func play(
        _ row: RuleRow, _ capabilities: AppCapabilities, _ system: SystemRules = SystemRules()
    ) throws -> (before: Authorization, last: Authorization.Transition) {
        let ios = try #require(IOSVersion(row.ios))
        let context = AuthorizationContext(ios: ios, capabilities: capabilities, rules: system)
        var state = Authorization()
        for event in row.events.dropLast() {
            state = Authorization.reduce(state, event, in: context).state
        }
        return (state, Authorization.reduce(state, try #require(row.events.last), in: context))
    }

    static var clip: AppCapabilities {
        var capabilities = EveryStateTests.everything
        capabilities.isAppClip = true
        return capabilities
    }

    @Test("follow the specification row by row", arguments: rules)
    func rule(_ row: RuleRow) throws { try check(row, EveryStateTests.everything) }

    @Test("an App Clip follows it too", arguments: clipRules)
    func clipRule(_ row: RuleRow) throws { try check(row, Self.clip) }

    private func check(_ row: RuleRow, _ capabilities: AppCapabilities) throws {
        let (before, last) = try play(row, capabilities)
        #expect(last.state.trueStatus == row.status)
        #expect(last.effect == row.effect)
        #expect(last.rule == row.id)
        if case .ignore = row.effect { #expect(last.state == before) }
    }

    @Test("widgets share a lasting When In Use that the person shared, and every Always (X5, P14)")
    func sharing() throws {
        let rows: [(events: [AuthorizationEvent], isAuthorized: Bool, row: SettingsRow)] = [
            (whileUsing, false, .whileUsing),
            (shared, true, .whileUsingOrWidgets),
            (whileUsing + [.placedWidget, answer(.dontAllow)], false, .whileUsing),
            (alwaysOn, true, .always),
            (alwaysOn + [.settingsChanged(.whileUsing)], false, .whileUsing),
            (shared + [.settingsChanged(.always)], true, .always),
            (
                shared + [.settingsChanged(.always), .settingsChanged(.whileUsing)], true,
                .whileUsingOrWidgets
            ),
            ([always, answer(.allowWhileUsing)], true, .whileUsing),
            (shared + [.settingsChanged(.never)], false, .never),
            (shared + [.locationServicesSwitched(false)], false, .whileUsingOrWidgets),
            (once, false, .askNextTime),
        ]
        let context = AuthorizationContext(ios: .v17, capabilities: EveryStateTests.everything)
        for row in rows {
            let (_, last) = try play(
                RuleRow(.x5, "17.0", row.events, .notDetermined), EveryStateTests.everything)
            let place: Comment = "after \(row.events)"
            #expect(last.state.isAuthorizedForWidgets(on: .v17) == row.isAuthorized, place)
            #expect(last.state.selectedRow(in: context) == row.row, place)
            let line = try #require(last.state.settingsLine(in: context))
            #expect(line.choices.contains(row.row), place)
            #expect(line.choices.count == 4, "\(place): one row takes the other's place (S5)")
        }
    }

    @Test("Ask Next Time takes the widget's grant, unless the setting keeps it")
    func askNextTime() throws {
        for drops in [true, false] {
            var system = SystemRules()
            system.askNextTimeDropsWidget = drops
            let row = RuleRow(
                .p3, "17.0", shared + [.settingsChanged(.askNextTime)] + whileUsing, .whenInUse)
            let (_, last) = try play(row, EveryStateTests.everything, system)
            #expect(last.state.decision == .whenInUse)
            #expect(last.state.isAuthorizedForWidgets(on: .v17) == !drops)
        }
    }

    @Test("a row that is not listed cannot be chosen (S1)")
    func unlisted() throws {
        var alwaysOnly = AppCapabilities()
        alwaysOnly.hasLegacyAlwaysText = true
        let row = RuleRow(.s1, "10.0", [always, allow, .settingsChanged(.whileUsing)], .always)
        let (_, last) = try play(row, alwaysOnly)
        #expect(last.effect == .ignore(.choiceNotOffered) && last.rule == .s1)
    }

    @Test("the button's prompt has no Precise switch: the default or the remembered one holds (I6)")
    func accuracy() throws {
        var reduced = EveryStateTests.everything
        reduced.isReducedByDefault = true
        let events = [tap, allow]
        let byDefault = try play(RuleRow(.x7, "17.0", events, .allowOnce), reduced).last.state
        #expect(byDefault.isReduced(on: .v17))
        let off = [inUse, .answered(.allowOnce, isPrecise: false), .useEnded] + events
        let remembered = try play(
            RuleRow(.x7, "17.0", off, .allowOnce), EveryStateTests.everything
        ).last.state
        #expect(remembered.isReduced(on: .v17))
    }

    @Test("an App Clip never holds Always, whatever happens to it (A17, X1)")
    func neverAlways() throws {
        let context = AuthorizationContext(ios: .v17, capabilities: Self.clip)
        var seen: Set<Authorization> = [Authorization()]
        var frontier = Array(seen)
        while let before = frontier.popLast() {
            #expect(before.visibleStatus != .authorizedAlways)
            for event in EveryStateTests.events {
                let after = Authorization.reduce(before, event, in: context).state
                if seen.insert(after).inserted { frontier.append(after) }
            }
        }
        #expect(seen.count > 100)
    }
}
