import AuthorizationCore
import DeviceCore
import SimPrimitives
import Simulation
import TestSupport
import Testing

@Suite("What a person would do to the phone and cannot")
struct IgnoredActTests {
    /// The app asks as it opens, after a minute, and the person answers `choice`.
    private func block(
        _ choice: Choice, ios: String, days: [Int: [PhoneAct]] = [:], isAppClip: Bool = false
    ) -> Block {
        var capabilities = AppCapabilities.everything
        capabilities.isAppClip = isAppClip
        let scenario = scenario(ios: ios, capabilities: capabilities)
        let behavior = StoryBehavior(openings: [60], sessionSeconds: 600, days: days) { asked in
            Reply(asked.choices.contains(choice) ? choice : .dontAllow)
        }
        let strategy = StoryStrategy { event, _ in
            event == .enteredForeground ? [.requestAlwaysAuthorization] : []
        }
        return Block(
            devices: 0..<1, of: scenario, names: Block.startingNames(of: scenario),
            behaviors: [behavior], strategy: strategy, keepsRecords: true)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let ios: String
        let second: Int64
        let before: PhoneAct?
        let act: PhoneAct
        /// Nil: it can be done, and changes nothing by this rule.
        let reason: IgnoreReason?
        let rule: RuleID?

        init(
            _ ios: String, at second: Int64, after before: PhoneAct? = nil, _ act: PhoneAct,
            _ reason: IgnoreReason?, _ rule: RuleID?
        ) {
            (self.ios, self.second, self.before, self.act) = (ios, second, before, act)
            (self.reason, self.rule) = (reason, rule)
        }

        var testDescription: String { "\(act) on iOS \(ios) at \(second) after \(before as Any)" }
    }

    // swift-format-ignore
    static let rows = [
        Row("17.6", at: 200, after: .restriction(true), .settings(.never), .restricted, .s14),
        Row("17.6", at: 200, after: .restriction(true), .precise(false), .restricted, .s14),
        Row("17.6", at: 30, .settings(.never), .neverAsked, .s7),
        Row("17.6", at: 30, .precise(false), .neverAsked, .s7),
        Row("12.4", at: 200, .settings(.askNextTime), .choiceNotOffered, .s2),
        Row("9.3", at: 200, .settings(.askNextTime), .choiceNotOffered, .s1),
        Row("13.7", at: 200, .precise(false), .notOnThisIOS, .ac14),
        Row("13.7", at: 200, .placeWidget, .notOnThisIOS, .x4),
        Row("14.8", at: 200, .tapLocationButton, .notOnThisIOS, .x7),
        Row("17.6", at: 30, .tapLocationButton, .notOnScreen, .x7),
        Row("17.6", at: 30, .forceQuit, .notInAppSwitcher, nil),
        Row("17.6", at: 200, after: .forceQuit, .forceQuit, .notInAppSwitcher, nil),
        Row("17.6", at: 200, .upgradeOS(.v14), .notNewer, nil),
        Row("17.6", at: 200, after: .deleteApp, .settings(.never), .notInstalled, nil),
        Row("17.6", at: 200, after: .deleteApp, .reinstall(after: .zero), .notInstalled, nil),
        Row("17.6", at: 200, after: .settings(.never), .settings(.never), nil, .s10),
        Row("17.6", at: 200, after: .settings(.always), .placeWidget, nil, .x5),
        Row("17.6", at: 200, after: .settings(.always), .tapLocationButton, nil, .x8),
        Row("17.6", at: 200, .locationServices(true), nil, .g1),
        Row("17.6", at: 200, .precise(true), nil, .s10),
    ]

    @Test("is recorded with the reason and the rule, and counted as ignored", arguments: rows)
    func row(row: Row) throws {
        let block = block(.allowWhileUsing, ios: row.ios)
        block.run(until: .start + .seconds(row.second))
        if let before = row.before {
            _ = block.intervene(Intervention(at: block.now, .act(before)), number: 0)
        }
        _ = block.takeRecords()
        let reach = block.intervene(Intervention(at: block.now, .act(row.act)), number: 1)
        let isDone = row.reason == nil
        #expect(reach == InterventionReach(devices: isDone ? 1 : 0, ignored: isDone ? 0 : 1))
        let records = block.takeRecords()
        #expect(records.count == 1)
        let note = try #require(records.first?.note)
        #expect(note == RecordNote(ignored: row.reason, rule: row.rule))
    }

    @Test("is recorded alike where a behavior does it", arguments: rows.prefix(7))
    func byBehavior(row: Row) {
        // The person's day comes at an instant of its own, before the app is opened or after.
        let block = block(.allowWhileUsing, ios: row.ios, days: [1: [row.act], 2: [row.act]])
        block.run(until: .start + .days(3))
        let notes = block.takeRecords().filter { $0.content.type == row.act.recordType }
            .map(\.note)
        #expect(notes.count == 2)
        for note in notes where row.reason == .choiceNotOffered || row.reason == .notOnThisIOS {
            #expect(note == RecordNote(ignored: row.reason, rule: row.rule))
        }
    }

    static let acts = InterventionTests.acts

    @Test(
        "leaves the device as it was, whatever it is, on any iOS, in any situation",
        arguments: IOSVersion.released.map { "\($0.major).\($0.minorMax)" }, [false, true])
    func anything(ios: String, isAppClip: Bool) {
        for choice in [Choice.allowWhileUsing, .dontAllow] {
            for second: Int64 in [30, 61, 4_000] {
                for before in [nil, .deleteApp, .restriction(true), .locationServices(false)]
                    as [PhoneAct?]
                {
                    for act in Self.acts {
                        check(
                            act, after: before, at: second,
                            in: block(choice, ios: ios, isAppClip: isAppClip))
                    }
                }
            }
        }
    }

    private func check(
        _ act: PhoneAct, after before: PhoneAct?, at second: Int64, in block: Block
    ) {
        block.run(until: .start + .seconds(second))
        if let before {
            _ = block.intervene(Intervention(at: block.now, .act(before)), number: 0)
        }
        _ = block.takeRecords()
        let old = block.standings()[0]
        let reach = block.intervene(Intervention(at: block.now, .act(act)), number: 1)
        let records = block.takeRecords()
        #expect(reach.devices + reach.ignored == 1, "\(act)")
        let ignored = records.filter { $0.note.ignored != nil }
        #expect(ignored.count == Int(reach.ignored), "\(act)")
        guard reach.ignored == 1 else { return }
        #expect(records.count == 1, "\(act) was ignored, and something else happened")
        let new = block.standings()[0]
        #expect(old.visible == new.visible && old.trueStatus == new.trueStatus, "\(act)")
        #expect(old.isInstalled == new.isInstalled && old.ios == new.ios, "\(act)")
    }
}

extension PhoneAct {
    fileprivate var recordType: RecordType {
        switch self {
        case .settings, .precise, .locationServices: .settings
        default: .world
        }
    }
}

@Suite("What records say beside their contents")
struct RecordNoteTests {
    @Test("B3: the background property without its mode crashes the app at each opening")
    func crash() {
        var capabilities = AppCapabilities.everything
        capabilities.hasLocationBackgroundMode = false
        let strategy = StoryStrategy { event, _ in
            event == .enteredForeground ? [.setAllowsBackgroundLocationUpdates(true)] : []
        }
        let behavior = StoryBehavior(openings: [60, 60, 60])
        let (records, block) = run(
            scenario(days: 1, capabilities: capabilities), behavior, strategy)
        let crashes = records.filter {
            if case .closed(.crashed) = $0.content { true } else { false }
        }
        #expect(crashes.map(\.note) == Array(repeating: RecordNote(rule: .b3), count: 3))
        #expect(block.metrics(isFinal: true)[0].crashes == [.b3: 3])
    }

    @Test(
        "V3 to V6: the second prompt tells what is held, and its answer what becomes of it",
        arguments: [
            (Choice.changeToAlwaysAllow, RecordNote(rule: .v5, held: .delivered)),
            (.keepOnlyWhileUsing, RecordNote(rule: .v6, held: .dropped)),
        ])
    func held(choice: Choice, fate: RecordNote) throws {
        var scenario = scenario(days: 4)
        scenario.delays.significantChangesPerDay = 200
        let records = life(in: scenario, choice)
        let prompt = try #require(records.first { $0.note.held != nil })
        guard case .waiting(.significantChange, let since)? = prompt.note.held else {
            Issue.record("the prompt holds \(prompt.note)")
            return
        }
        #expect(since < prompt.time)
        #expect(confirmations(records) == [fate])
    }

    @Test("V7: an event that is too old by then is dropped")
    func tooOld() {
        var scenario = scenario(days: 4)
        scenario.delays.significantChangesPerDay = 2
        scenario.rules.heldEventTTLSeconds = 1
        let records = life(in: scenario, .changeToAlwaysAllow)
        #expect(confirmations(records) == [RecordNote(rule: .v7, held: .dropped)])
    }

    /// The notes of the answers to second prompts.
    private func confirmations(_ records: [Record]) -> [RecordNote] {
        records.compactMap { record in
            guard case .answer(let given) = record.content, given.kind == .alwaysConfirm else {
                return nil
            }
            return record.note
        }
    }

    private func life(in scenario: Scenario, _ choice: Choice) -> [Record] {
        let strategy = StoryStrategy { event, app in
            event == .enteredForeground && app.status == .notDetermined
                ? [.requestAlwaysAuthorization, .start(.significantChange)] : []
        }
        let behavior = StoryBehavior {
            Reply($0.kind == .alwaysConfirm ? choice : .allowWhileUsing)
        }
        return run(scenario, behavior, strategy).records
    }

    @Test("a status tells the accuracy from iOS 14 on", arguments: ["13.7", "14.0", "17.6"])
    func accuracy(ios: String) {
        let strategy = StoryStrategy { event, _ in
            event == .enteredForeground ? [.requestWhenInUseAuthorization] : []
        }
        let behavior = StoryBehavior(days: [1: [.precise(false)]]) { _ in
            Reply(.allowWhileUsing)
        }
        let (records, _) = run(scenario(days: 3, ios: ios), behavior, strategy)
        let told = records.filter { $0.content.type == .status }.map(\.note.accuracy)
        #expect(told == (ios == "13.7" ? [nil] : [.fullAccuracy, .reducedAccuracy]))
    }
}
