import AuthorizationCore
import DeviceCore
import SimPrimitives
import Testing

@testable import Simulation

@Suite("The digest of records")
struct RecordDigestTests {
    let names = NameTable(["map", "success"])

    func digest(_ contents: [RecordContent], device: UInt32 = 1, at times: [Int64] = []) -> String {
        var chain = RecordDigest(device: device)
        for (index, content) in contents.enumerated() {
            let time = index < times.count ? times[index] : Int64(index)
            chain.add(content, at: SimTime(microseconds: time), names: names)
        }
        return chain.finished.description
    }

    // Every type, and within a type every field that can differ.
    // swift-format-ignore
    static let contents: [RecordContent] = [
        .installed, .opened(.person), .opened(.system), .closed(.background), .closed(.deleted),
        .tapped(feature: NameID(0)), .tapped(feature: NameID(1)),
        .feature(NameID(0), outcome: NameID(1)), .feature(NameID(1), outcome: NameID(0)),
        .primer(id: NameID(0), .continue), .primer(id: NameID(0), .notNow),
        .settingsAlert(.cancel), .settingsAlert(.openSettings),
        .prompt(PromptShown(.whenInUse, ordinal: 1, choices: [], isPrimed: false, isExpected: false)),
        .prompt(PromptShown(.whenInUse, ordinal: 2, choices: [], isPrimed: false, isExpected: false)),
        .prompt(PromptShown(.whenInUse, ordinal: 1, choices: ChoiceSet(rawValue: 3), isPrimed: false, isExpected: false)),
        .prompt(PromptShown(.whenInUse, ordinal: 1, choices: [], isPrimed: true, isExpected: false)),
        .prompt(PromptShown(.alwaysUpgrade, ordinal: 1, choices: [], isPrimed: false, isExpected: true)),
        .answer(PromptAnswered(.whenInUse, .allowOnce, isPrecise: true, pick: nil)),
        .answer(PromptAnswered(.whenInUse, .allowOnce, isPrecise: false, pick: nil)),
        .answer(PromptAnswered(.whenInUse, .dontAllow, isPrecise: true, pick: Pick(share: 0.5, draw: 0.25))),
        .answer(PromptAnswered(.whenInUse, .dontAllow, isPrecise: true, pick: Pick(share: 0.5, draw: 0))),
        .unanswered(.whenInUse, .j2), .unanswered(.whenInUse, .j3),
        .status(visible: .denied, true: .denied, .p3), .status(visible: .denied, true: .notDetermined, .g1),
        .callback(.denied, nil), .callback(.denied, .fullAccuracy), .callback(.denied, .reducedAccuracy),
        .requestIgnored(.requestAlwaysAuthorization, .allowOnce, .a10),
        .requestIgnored(.requestAlwaysAuthorization, .notInUse, .a14),
        .settings(.row(.never)), .settings(.row(.always)), .settings(.precise(false)),
        .settings(.precise(true)), .settings(.locationServices(false)),
        .world(.forceQuit), .world(.reinstall), .milestone(NameID(0)), .milestone(NameID(1)),
        .scriptFailure(ScriptFailurePlace(script: 0, hook: .born, code: .runtime, line: 1)),
        .scriptFailure(ScriptFailurePlace(script: 0, hook: .born, code: .runtime, line: 2)),
        .scriptFailure(ScriptFailurePlace(script: 1, hook: .born, code: .badReply, line: 1)),
    ]

    @Test("differs with every field of every type of record")
    func fields() {
        let changes = WorldChange.allCases.filter { $0 != .forceQuit && $0 != .reinstall }
        let recasts = Recast.allCases.map { RecordContent.recast($0, script: 0) }
        let contents =
            Self.contents + changes.map { .world($0) } + recasts
            + [.upgraded(.v26), .recast(.strategy, script: 1)]
        #expect(Set(contents.map { digest([$0]) }).count == contents.count)
    }

    @Test("differs with the device, the instant and the order")
    func place() {
        let two: [RecordContent] = [.installed, .opened(.person)]
        let digests = [
            digest(two), digest(two.reversed()), digest(two, device: 2), digest(two, at: [0, 2]),
            digest([.installed]), digest([]),
        ]
        #expect(Set(digests).count == digests.count)
    }

    @Test("does not depend on how a block numbers its names")
    func names_() {
        var (first, second) = (RecordDigest(device: 1), RecordDigest(device: 1))
        first.add(.milestone(NameID(0)), at: .start, names: NameTable(["a", "b"]))
        second.add(.milestone(NameID(1)), at: .start, names: NameTable(["b", "a"]))
        #expect(first == second)
    }

    @Test("sums devices in any order, with a carry between its halves")
    func sums() {
        let parts = (0..<100).map { RecordDigest(device: $0).finished }
        let forth = parts.reduce(RecordDigest.zero) { $0 + $1 }
        let back = parts.reversed().reduce(RecordDigest.zero) { $0 + $1 }
        #expect(forth == back)
    }

    /// A golden value: it changes only when the canonical form does, and then with its version.
    @Test("is today what it was when this test was written")
    func golden() {
        #expect(digest(Self.contents) == "43732cb24317e80fe787d776f5eabd6c")
    }

    @Test("numbers the cases of an enum as they are written")
    func numbering() {
        for (place, reason) in IgnoreReason.allCases.enumerated() { #expect(reason.place == place) }
        for (place, status) in VisibleStatus.allCases.enumerated() {
            #expect(status.place == place)
        }
        for (place, status) in TrueStatus.allCases.enumerated() { #expect(status.place == place) }
        for (place, kind) in PromptKind.allCases.enumerated() { #expect(kind.index == place) }
        for (place, choice) in Choice.allCases.enumerated() { #expect(choice.index == place) }
        for (place, hook) in HookName.allCases.enumerated() { #expect(hook.index == place) }
    }
}
