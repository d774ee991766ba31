import AuthorizationCore
import Testing

/// One row: a rule of the specification, told as events on a fresh install and what the last does.
struct RuleRow: CustomTestStringConvertible, Sendable {
    let id: RuleID
    let ios: String
    let events: [AuthorizationEvent]
    let status: TrueStatus
    let effect: AuthorizationEffect
    var testDescription: String { "\(id.rawValue) on \(ios)" }

    init(
        _ id: RuleID, _ ios: String, _ events: [AuthorizationEvent], _ status: TrueStatus,
        _ effect: AuthorizationEffect = .none
    ) {
        (self.id, self.ios, self.events, self.status) = (id, ios, events, status)
        self.effect = effect
    }
}

private let inUse = AuthorizationEvent.requested(.whenInUse, isInUse: true)
private let always = AuthorizationEvent.requested(.always, isInUse: true)
private func answer(_ choice: Choice) -> AuthorizationEvent { .answered(choice, isPrecise: true) }
private let whileUsing = [inUse, answer(.allowWhileUsing)]
private let once = [inUse, answer(.allowOnce)]
private let provisional = [always, answer(.allowWhileUsing)]
private let upgraded = whileUsing + [always, answer(.changeToAlwaysAllow)]
private let first = Prompt(.whenInUse)
private let firstForAlways = Prompt(.whenInUse, asked: .always)
private let direct = Prompt(.always, asked: .always)
private let upgrade = Prompt(.alwaysUpgrade, asked: .always)
private let confirm = Prompt(.alwaysConfirm, asked: .always)
private let reminder = Prompt(.backgroundReminder, asked: .always)

// A row stays on one line, however wide: a wrapped table is no longer a table.
// swift-format-ignore
private let rules: [RuleRow] = [
    RuleRow(.w1,  "17.0", [inUse], .notDetermined, .show(first)),
    RuleRow(.p3,  "17.0", whileUsing, .whenInUse),
    RuleRow(.p3,  "13.0", once, .allowOnce),
    RuleRow(.p3,  "26.0", [inUse, answer(.dontAllow)], .denied),
    RuleRow(.p1,  "8.0",  [inUse, answer(.allow)], .whenInUse),
    RuleRow(.p2,  "12.0", [inUse, answer(.dontAllow)], .denied),
    RuleRow(.w2,  "17.0", whileUsing + [inUse], .whenInUse, .ignore(.alreadyDecided)),
    RuleRow(.w2,  "17.0", [inUse, answer(.dontAllow), inUse], .denied, .ignore(.alreadyDecided)),
    RuleRow(.w4,  "17.0", [.requested(.whenInUse, isInUse: false)], .notDetermined, .ignore(.notInUse)),
    RuleRow(.w1,  "17.0", once + [.useEnded, inUse], .notDetermined, .show(first)),
    RuleRow(.w7,  "17.0", [.restrictionSwitched(true), inUse], .restricted, .ignore(.restricted)),
    RuleRow(.w8,  "17.0", [inUse, always], .notDetermined, .ignore(.promptOnScreen)),
    RuleRow(.a1,  "10.0", [always], .notDetermined, .show(direct)),
    RuleRow(.p5,  "10.0", [always, answer(.allow)], .always),
    RuleRow(.a3,  "12.0", [always], .notDetermined, .show(direct)),
    RuleRow(.p6,  "11.0", [always, answer(.alwaysAllow)], .always),
    RuleRow(.a5,  "11.0", [always, answer(.onlyWhileUsing)], .whenInUse),
    RuleRow(.a5,  "12.0", [always, answer(.onlyWhileUsing), always], .whenInUse, .ignore(.alreadyAskedForAlways)),
    RuleRow(.a4,  "12.0", [inUse, answer(.allow), always], .whenInUse, .show(upgrade)),
    RuleRow(.p7,  "12.0", [inUse, answer(.allow), always, answer(.alwaysAllow)], .always),
    RuleRow(.p16, "9.0",  [inUse, answer(.allow), always], .whenInUse, .show(upgrade)),
    RuleRow(.a6,  "13.0", [always], .notDetermined, .show(firstForAlways)),
    RuleRow(.a6,  "17.0", provisional, .provisionalAlways),
    RuleRow(.p3,  "17.0", [always, answer(.allowOnce)], .allowOnce),
    RuleRow(.a7,  "13.0", whileUsing + [always], .provisionalAlways),
    RuleRow(.a8,  "13.4", whileUsing + [always], .whenInUse, .show(upgrade)),
    RuleRow(.p8,  "17.0", upgraded, .always),
    RuleRow(.p8,  "17.0", whileUsing + [always, answer(.keepOnlyWhileUsing)], .whenInUse),
    RuleRow(.a9,  "17.0", whileUsing + [always, answer(.keepOnlyWhileUsing), always], .whenInUse, .ignore(.alreadyAskedForAlways)),
    RuleRow(.a10, "17.0", once + [always], .allowOnce, .ignore(.allowOnce)),
    RuleRow(.a11, "13.0", once + [always], .allowOnce, .ignore(.allowOnce)),
    RuleRow(.a12, "17.0", provisional + [always], .provisionalAlways, .ignore(.alreadyDecided)),
    RuleRow(.a12, "17.0", upgraded + [always], .always, .ignore(.alreadyDecided)),
    RuleRow(.a14, "17.0", whileUsing + [.requested(.always, isInUse: false)], .whenInUse, .ignore(.notInUse)),
    RuleRow(.a6,  "17.0", provisional + [.settingsChanged(.askNextTime), always], .notDetermined, .show(firstForAlways)),
    RuleRow(.a8,  "17.0", [inUse, answer(.dontAllow), .settingsChanged(.whileUsing), always], .whenInUse, .show(upgrade)),
    RuleRow(.j2,  "17.0", [inUse, .promptLostItsApp(.j2)], .notDetermined, .closePrompt(.whenInUse)),
    RuleRow(.j3,  "17.0", whileUsing + [always, .promptLostItsApp(.j3)], .whenInUse, .closePrompt(.alwaysUpgrade)),
    RuleRow(.o5,  "17.0", once + [.useEnded], .notDetermined),
    RuleRow(.o2,  "17.0", whileUsing + [.useEnded], .whenInUse, .ignore(.nothingToDo)),
    RuleRow(.o10, "17.0", once + [.settingsChanged(.whileUsing)], .whenInUse),
    RuleRow(.v3,  "17.0", provisional + [.provisionalEventHeld], .provisionalAlways),
    RuleRow(.v4,  "17.0", provisional + [.provisionalEventHeld, .confirmFellDue], .provisionalAlways, .show(confirm)),
    RuleRow(.v8,  "17.0", provisional + [.confirmFellDue], .provisionalAlways, .ignore(.nothingToDo)),
    RuleRow(.v5,  "17.0", provisional + [.provisionalEventHeld, .confirmFellDue, answer(.changeToAlwaysAllow)], .always),
    RuleRow(.v6,  "17.0", provisional + [.provisionalEventHeld, .confirmFellDue, answer(.keepOnlyWhileUsing)], .whenInUse),
    RuleRow(.v10, "17.0", provisional + [.settingsChanged(.always)], .always),
    RuleRow(.r6,  "17.0", upgraded + [.reminderFellDue], .always, .show(reminder)),
    RuleRow(.p11, "17.0", upgraded + [.reminderFellDue, answer(.changeToOnlyWhileUsing)], .whenInUse),
    RuleRow(.p11, "17.0", upgraded + [.reminderFellDue, answer(.alwaysAllow)], .always),
    RuleRow(.r1,  "17.0", whileUsing + [.reminderFellDue], .whenInUse, .ignore(.nothingToDo)),
    RuleRow(.s9,  "17.0", whileUsing + [.settingsChanged(.never)], .denied),
    RuleRow(.s10, "17.0", whileUsing + [.settingsChanged(.whileUsing)], .whenInUse, .ignore(.nothingToDo)),
    RuleRow(.s11, "17.0", whileUsing + [.settingsChanged(.askNextTime)], .notDetermined),
    RuleRow(.s12, "17.0", whileUsing + [.settingsChanged(.always)], .always),
    RuleRow(.g8,  "17.0", whileUsing + [.restrictionSwitched(true), always], .whenInUse, .ignore(.restricted)),
    RuleRow(.g8,  "13.0", whileUsing + [.restrictionSwitched(true), always], .whenInUse, .ignore(.restricted)),
    RuleRow(.g8,  "17.0", whileUsing + [.preciseSwitched(false), .restrictionSwitched(true), .requestedTemporaryFullAccuracy(isPurposeKnown: true, isForeground: true)], .whenInUse, .ignore(.restricted)),
    RuleRow(.s14, "17.0", whileUsing + [.restrictionSwitched(true), .settingsChanged(.never)], .whenInUse, .ignore(.restricted)),
    RuleRow(.s7,  "17.0", [.settingsChanged(.always)], .notDetermined, .ignore(.neverAsked)),
    RuleRow(.ac9, "17.0", whileUsing + [.preciseSwitched(false)], .whenInUse),
    RuleRow(.t4,  "17.0", whileUsing + [.requestedTemporaryFullAccuracy(isPurposeKnown: true, isForeground: true)], .whenInUse, .ignore(.alreadyFullAccuracy)),
    RuleRow(.t1,  "17.0", whileUsing + [.preciseSwitched(false), .requestedTemporaryFullAccuracy(isPurposeKnown: true, isForeground: true)], .whenInUse, .show(Prompt(.temporaryFullAccuracy))),
    RuleRow(.t3,  "17.0", whileUsing + [.preciseSwitched(false), .requestedTemporaryFullAccuracy(isPurposeKnown: false, isForeground: true)], .whenInUse, .ignore(.purposeUnknown)),
    RuleRow(.a9,  "17.0", [always, answer(.dontAllow), .settingsChanged(.whileUsing), always], .whenInUse, .ignore(.alreadyAskedForAlways)),
    RuleRow(.p16, "9.0",  [inUse, answer(.allow), always, answer(.allow)], .always),
    RuleRow(.p16, "10.0", [inUse, answer(.allow), always, answer(.cancel)], .whenInUse),
    RuleRow(.a9,  "10.0", [inUse, answer(.allow), always, answer(.cancel), always], .whenInUse, .ignore(.alreadyAskedForAlways)),
    RuleRow(.p10, "12.0", [always, answer(.alwaysAllow), .reminderFellDue, answer(.dontAllow)], .whenInUse),
    RuleRow(.p10, "8.0",  [always, answer(.allow), .reminderFellDue, answer(.allow)], .always),
    RuleRow(.s9,  "17.0", [.usedLocation, .settingsChanged(.never)], .denied),
    RuleRow(.g1,  "17.0", upgraded + [.locationServicesSwitched(false), .reminderFellDue], .always, .ignore(.servicesOff)),
    RuleRow(.g1,  "10.0", [.locationServicesSwitched(false), inUse, .locationServicesSwitched(true)], .notDetermined, .closePrompt(.servicesOff)),
    RuleRow(.v10, "17.0", provisional + [.settingsChanged(.whileUsing)], .whenInUse),
    RuleRow(.s10, "17.0", once + [.settingsChanged(.askNextTime)], .allowOnce, .ignore(.nothingToDo)),
    RuleRow(.g9,  "17.0", upgraded + [.locationPrivacyReset], .notDetermined),
    RuleRow(.g10, "17.0", upgraded + [.reinstalled], .notDetermined),
]

@Suite("The authorization rules")
struct RuleTableTests {
    @Test("follow the specification row by row", arguments: rules)
    func rule(_ row: RuleRow) throws {
        let ios = try #require(IOSVersion(row.ios))
        let context = AuthorizationContext(ios: ios, capabilities: EveryStateTests.everything)
        var state = Authorization()
        for event in row.events.dropLast() {
            state = Authorization.reduce(state, event, in: context).state
        }
        let last = try #require(row.events.last)
        let transition = Authorization.reduce(state, last, in: context)
        #expect(transition.state.trueStatus == row.status)
        #expect(transition.effect == row.effect)
        #expect(transition.rule == row.id)
    }

    @Test("ignore a request whose text is missing", arguments: ["8.0", "11.0", "13.0", "26.0"])
    func missingTexts(_ name: String) throws {
        let ios = try #require(IOSVersion(name))
        let context = AuthorizationContext(ios: ios, capabilities: AppCapabilities())
        for (access, rule) in [(Access.whenInUse, RuleID.w3), (.always, .a13)] {
            let transition = Authorization.reduce(
                Authorization(), .requested(access, isInUse: true), in: context)
            #expect(transition.effect == .ignore(.missingUsageDescription))
            #expect(transition.rule == rule)
            #expect(transition.state == Authorization())
        }
    }
}

@Suite("A version of iOS")
struct IOSVersionTests {
    @Test("is one that exists, and reads as it is written")
    func reading() {
        #expect(IOSVersion("17.6")?.description == "17.6")
        #expect(IOSVersion("26")?.description == "26.0")
        for text in ["19.0", "25.1", "7.1", "17.9", "17.6.1", "", "x", "17.", "-1", "17,6", "017"] {
            #expect(IOSVersion(text) == nil, "\(text)")
        }
        #expect(IOSVersion("13.4")! > IOSVersion("13.0")!)  // Both exist.
        #expect(IOSVersion("26.0")! > IOSVersion("18.7")!)
    }
}
