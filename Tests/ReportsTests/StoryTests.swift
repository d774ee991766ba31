import AuthorizationCore
import DeviceCore
import Reports
import SimPrimitives
import TestSupport
import Testing

@testable import Simulation

@Suite("The story of a device")
struct StoryTests {
    let names = NameTable(["store_finder", "success", "errorPermissions", "why", "saw_offer"])

    private func id(_ index: UInt16) -> NameID { NameID(index) }

    /// Numbered records at hours of the story.
    private func records(_ life: [(hours: Double, content: RecordContent)]) -> [Record] {
        life.enumerated().map { ordinal, entry in
            Record(
                time: SimTime(microseconds: Int64(entry.hours * 3_600_000_000)),
                device: DeviceID(17), ordinal: UInt32(ordinal), content: entry.content)
        }
    }

    private func story(
        _ life: [(hours: Double, content: RecordContent)], isColored: Bool = false,
        width: Int = 100
    ) -> String {
        let writer = StoryWriter(
            scenario: storeFinder(),
            facts: StoryWriter.Facts(device: DeviceID(17), persona: "depends", ios: ios17),
            isColored: isColored, width: width)
        return writer.story(of: records(life), names: names)
    }

    @Test("tells what scripts print where they print it, and why they fail")
    func speech() {
        var speech = ScriptSpeech()
        let life: [(hours: Double, content: RecordContent)] = [
            (1, .opened(.person)), (1.5, .tapped(feature: id(0))),
            (2, failed(.timer, 8)), (3, failed(.answerPrompt, 0)), (4, .closed(.background)),
        ]
        speech.hear("at load", at: .start)
        speech.place(before: 0)
        speech.hear("tapped\ttwice", at: .start + .minutes(90))
        speech.place(before: 2)
        speech.note("progressive.lua:8: attempt to index a nil value", ofRecord: 2)
        speech.note("progressive.lua: answer_prompt returned 3", ofRecord: 3)
        speech.hear("at night", at: .start + .hours(30))
        let writer = StoryWriter(
            scenario: storeFinder(),
            facts: StoryWriter.Facts(device: DeviceID(17), persona: "depends", ios: ios17),
            width: 200)
        let lines = writer.story(of: records(life), names: names, speech: speech)
            .split(separator: "\n").dropFirst(2).dropLast()
        #expect(
            lines.map { $0.drop { $0 == " " } } == [
                "Day 0 · Mon 2026-01-05", "00:00:00  print: at load",
                "01:00:00  opened the app (1st time)", "01:30:00    tapped store_finder",
                "01:30:00    print: tapped twice",
                "02:00:00    progressive.lua:8 failed in timer (runtime): attempt to index a nil "
                    + "value; nothing of it was done; a periodic timer goes on, a task has ended",
                "03:00:00    progressive.lua failed in answer_prompt (runtime): answer_prompt "
                    + "returned 3; the fallback stood in",
                "04:00:00  left the app", "Day 1 · Tue 2026-01-06", "06:00:00  print: at night",
            ])
    }

    @Test("keeps a limited number of printed lines, and says how many there were besides")
    func manyLines() {
        var speech = ScriptSpeech()
        for _ in 0..<ScriptSpeech.keptMax + 7 { speech.hear("again", at: .start) }
        let writer = StoryWriter(
            scenario: storeFinder(),
            facts: StoryWriter.Facts(device: DeviceID(17), persona: "depends", ios: ios17))
        let text = writer.story(of: [], names: names, speech: speech)
        #expect(text.components(separatedBy: "print: again").count == ScriptSpeech.keptMax + 1)
        #expect(text.contains("7 more lines were printed: a story tells 10,000."))
    }

    private func failed(_ hook: HookName, _ line: UInt32) -> RecordContent {
        .scriptFailure(ScriptFailurePlace(script: 1, hook: hook, code: .runtime, line: line))
    }

    private func shown(
        _ kind: PromptKind, _ ordinal: UInt32, isPrimed: Bool = false, isExpected: Bool = false
    ) -> RecordContent {
        .prompt(
            PromptShown(
                kind, ordinal: ordinal, choices: ChoiceSet(kind.choices(on: ios17)),
                isPrimed: isPrimed, isExpected: isExpected))
    }

    private func answered(
        _ kind: PromptKind, _ choice: Choice, isPrecise: Bool = true, _ pick: Pick? = nil
    ) -> RecordContent {
        .answer(PromptAnswered(kind, choice, isPrecise: isPrecise, pick: pick))
    }

    private var wholeLife: [(hours: Double, content: RecordContent)] {
        [
            (0, .installed),
            (8.2, .opened(.person)),
            (8.2002, .callback(.notDetermined, .fullAccuracy)),
            (8.203, .tapped(feature: id(0))),
            (8.204, .primer(id: id(3), .continue)),
            (8.205, shown(.whenInUse, 1, isPrimed: true, isExpected: true)),
            (8.206, answered(.whenInUse, .allowOnce, Pick(share: 0.15, draw: 0.731_234_567))),
            (8.206, .status(visible: .authorizedWhenInUse, true: .allowOnce, .p3)),
            (8.206, .callback(.authorizedWhenInUse, .fullAccuracy)),
            (8.207, .feature(id(0), outcome: id(1))),
            (8.21, .requestIgnored(.requestAlwaysAuthorization, .allowOnce, .a10)),
            (8.22, .closed(.background)),
            (8.223, .status(visible: .notDetermined, true: .notDetermined, .o5)),
            (20.5, .closed(.terminated)),
            (33, .opened(.person)),
            (33.001, .callback(.notDetermined, .fullAccuracy)),
            (33.002, shown(.whenInUse, 2)),
            (33.003, .unanswered(.whenInUse, .j2)),
            (33.003, .closed(.background)),
            (34, .opened(.person)),
            (34.001, shown(.whenInUse, 3, isExpected: true)),
            (34.002, answered(.whenInUse, .allowWhileUsing, isPrecise: false)),
            (34.002, .status(visible: .authorizedAlways, true: .provisionalAlways, .a6)),
            (34.002, .callback(.authorizedAlways, .reducedAccuracy)),
            (34.003, .milestone(id(4))),
            (34.01, .closed(.background)),
            (40, .opened(.system)),
            (40.2, shown(.alwaysConfirm, 1)),
            (40.21, answered(.alwaysConfirm, .changeToAlwaysAllow)),
            (40.21, .status(visible: .authorizedAlways, true: .always, .p9)),
            (110, shown(.backgroundReminder, 1)),
            (110.01, answered(.backgroundReminder, .changeToOnlyWhileUsing)),
            (110.01, .status(visible: .authorizedWhenInUse, true: .whenInUse, .p11)),
            (130, .settings(.row(.never))),
            (130, .status(visible: .denied, true: .denied, .s9)),
            (131, .opened(.person)),
            (131.001, .callback(.denied, .fullAccuracy)),
            (131.002, .settingsAlert(.openSettings)),
            (131.002, .feature(id(0), outcome: id(2))),
            (131.01, .settings(.row(.whileUsing))),
            (131.01, .settings(.precise(true))),
            (131.01, .status(visible: .authorizedWhenInUse, true: .whenInUse, .s9)),
            (
                131.02,
                .scriptFailure(
                    ScriptFailurePlace(script: 1, hook: .tapped, code: .runtime, line: 44))
            ),
            (131.03, .closed(.forceQuit)),
            (131.03, .world(.forceQuit)),
            (150, .settings(.locationServices(false))),
            (150, .status(visible: .denied, true: .whenInUse, .g1)),
            (151, .settings(.locationServices(true))),
            (151, .status(visible: .authorizedWhenInUse, true: .whenInUse, .g1)),
            (152, .world(.placeWidget)),
            (152, shown(.widget, 1, isExpected: true)),
            (152.001, answered(.widget, .allow)),
            (153, .settings(.row(.askNextTime))),
            (153, .status(visible: .notDetermined, true: .notDetermined, .s11)),
            (154, .opened(.person)),
            (154.001, .world(.tapLocationButton)),
            (154.001, shown(.locationButton, 1, isExpected: true)),
            (154.002, answered(.locationButton, .allow)),
            (154.002, .status(visible: .authorizedWhenInUse, true: .allowOnce, .x7)),
            (154.01, .closed(.background)),
            (170, .world(.deleteApp)),
        ]
    }

    @Test("tells a whole life, a paragraph for each day")
    func wholeStory() throws {
        let text = story(wholeLife)
        #expect(text == (try golden("story.txt", rewrittenFrom: text)))
    }

    @Test("keeps to the width of the terminal", arguments: [60, 80, 100])
    func width(width: Int) {
        for line in story(wholeLife, width: width).split(separator: "\n") {
            #expect(line.count <= width, "\(line)")
        }
    }

    @Test("says the same in color")
    func color() {
        let colored = story(wholeLife, isColored: true)
        let plain = colored.replacing("\u{1B}[1m", with: "").replacing("\u{1B}[2m", with: "")
            .replacing("\u{1B}[0m", with: "")
        #expect(plain == story(wholeLife) && colored != plain)
    }

    @Test("of a device to which nothing happened says so")
    func empty() { #expect(story([]).contains("Nothing has happened to this device.")) }

    @Test("has a line for every rule, button, kind and reason there is")
    func everyWord() {
        for rule in RuleID.allCases {
            let text = story([(1, .status(visible: .denied, true: .denied, rule))])
            #expect(text.contains("[\(rule.rawValue)"), "\(rule)")
        }
        for reason in IgnoreReason.allCases {
            let text = story([
                (1, .requestIgnored(.requestAlwaysAuthorization, reason, .a9))
            ])
            #expect(text.contains("ignored, "), "\(reason)")
        }
    }

    @Test("explains every rule that decides on a prompt, an answer or a request")
    func phrases() {
        let families = ["W", "A", "T", "P", "O", "V"]
        for rule in RuleID.allCases
        where families.contains(String(rule.rawValue.prefix { $0.isLetter })) {
            let text = story([(1, .status(visible: .denied, true: .denied, rule))])
            #expect(text.contains("[\(rule.rawValue): "), "\(rule) has no phrase")
        }
    }
}
