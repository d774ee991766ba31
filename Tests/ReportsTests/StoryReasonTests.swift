import AuthorizationCore
import DeviceCore
import Reports
import SimPrimitives
import Simulation
import TestSupport
import Testing

@Suite("The story of a device tells why")
struct StoryReasonTests {
    typealias Entry = (content: RecordContent, note: RecordNote)

    /// A line for each record: without its instant, and with its reason behind it.
    private func lines(
        _ life: [Entry], ios: IOSVersion = ios17, isAppClip: Bool = false
    ) -> [String] {
        var scenario = storeFinder()
        scenario.app.capabilities.isAppClip = isAppClip
        let records = life.enumerated().map { ordinal, entry in
            Record(
                time: .start + .minutes(1), device: DeviceID(17), ordinal: UInt32(ordinal),
                content: entry.content, note: entry.note)
        }
        let writer = StoryWriter(
            scenario: scenario,
            facts: StoryWriter.Facts(device: DeviceID(17), persona: "depends", ios: ios),
            width: 400)
        let text = writer.story(of: records, names: NameTable())
        return text.split(separator: "\n").filter { $0.hasPrefix("  ") }
            .map { String($0.dropFirst(12)) }
    }

    private func line(_ content: RecordContent, _ note: RecordNote, ios: IOSVersion = ios17)
        -> String?
    {
        lines([(content, note)], ios: ios).first
    }

    @Test(
        "a prompt: which session asked, where no call did", arguments: [RuleID.n1, .n2, .n5, .n6])
    func session(rule: RuleID) throws {
        let prompt = RecordContent.prompt(
            PromptShown(
                .whenInUse, ordinal: 1, choices: ChoiceSet(PromptKind.whenInUse.choices(on: ios18)),
                isPrimed: false, isExpected: false))
        let text = try #require(line(prompt, RecordNote(rule: rule)))
        #expect(text.contains("  [\(rule.rawValue): "))
        #expect(line(prompt, RecordNote())?.contains("  [") == false)
    }

    @Test("the app crashed: by which rule")
    func crash() {
        #expect(
            line(.closed(.crashed), RecordNote(rule: .b3))
                == "the app crashed  [B3: allowsBackgroundLocationUpdates without the background "
                + "mode location is fatal]")
    }

    // swift-format-ignore
    static let acts: [(RecordContent, IgnoreReason?, RuleID?, String)] = [
        (.settings(.row(.never)), .restricted, .s14, "in Settings: could not choose Never  [S14: a restriction freezes the row]"),
        (.settings(.row(.never)), .neverAsked, .s7, "in Settings: could not choose Never  [S7: the app has no row before it first asks]"),
        (.settings(.row(.always)), .choiceNotOffered, .s3, "in Settings: could not choose Always  [S3: its page has no such row on this iOS, or for its texts]"),
        (.settings(.row(.always)), .choiceNotOffered, .x1, "in Settings: could not choose Always  [X1: an App Clip offers none]"),
        (.settings(.precise(false)), .notOnThisIOS, .ac14, "in Settings: could not turn Precise Location off  [AC14: this iOS has no such thing]"),
        (.settings(.row(.never)), .notInstalled, nil, "in Settings: could not choose Never  [the app is not installed]"),
        (.settings(.row(.never)), nil, .s10, "in Settings: chose Never  [S10: it was chosen already]"),
        (.settings(.locationServices(true)), nil, .g1, "in Settings: turned Location Services on  [G1: it was so already]"),
        (.settings(.row(.never)), nil, nil, "in Settings: chose Never"),
        (.world(.placeWidget), .notOnThisIOS, .x4, "could not place a widget of the app's  [X4: this iOS has no such thing]"),
        (.world(.placeWidget), nil, .x5, "placed a widget of the app's on the Home Screen  [X5: Always includes widgets, and only an authorized app's are given positions]"),
        (.world(.tapLocationButton), .notOnScreen, .x7, "could not tap the location button  [X7: it is not in sight]"),
        (.world(.forceQuit), .notInAppSwitcher, nil, "could not swipe the app away  [the app is not in the app switcher]"),
        (.upgraded(.v14), .notNewer, nil, "iOS could not be upgraded to 14.0  [the phone runs that version or a newer one]"),
    ]

    @Test("what the person could not do, or did in vain")
    func ignored() {
        for (content, reason, rule, expected) in Self.acts {
            #expect(line(content, RecordNote(ignored: reason, rule: rule)) == expected)
        }
    }

    @Test("every act that is ignored, for every reason, reads otherwise than one that is not")
    func everyAct() {
        let contents =
            SettingsRow.allCases.map { RecordContent.settings(.row($0)) }
            + WorldChange.allCases.map { RecordContent.world($0) }
            + [.settings(.precise(true)), .settings(.locationServices(true)), .upgraded(.v26)]
        for content in contents {
            let done = line(content, RecordNote())
            for reason in IgnoreReason.allCases {
                let undone = line(content, RecordNote(ignored: reason))
                #expect(undone != nil && done?.isEmpty == false)
                #expect(undone?.hasPrefix(done ?? "") == false, "\(content) \(reason)")
                #expect(undone?.contains("[") == true, "\(content) \(reason) has no reason")
            }
        }
    }

    @Test("another script or other options: by the script's name")
    func recast() {
        let script = storeFinder().scripts[0].name
        #expect(
            lines(Recast.allCases.map { (.recast($0, script: 0), RecordNote()) }) == [
                "a new version of the app was installed: it plays \(script) from now on",
                "behaves as \(script) from now on",
                "options of \(script) have other values from now on",
                "the app's options of \(script) have other values from now on",
            ])
    }

    @Test("S4: the row is called Ask Next Time, and from iOS 15 on Or When I Share, too")
    func label() {
        for version in ["13.0", "14.8", "15.0", "26.0"] {
            let told = line(
                .settings(.row(.askNextTime)), RecordNote(), ios: IOSVersion(version)!)
            let label = version < "15" ? "Ask Next Time" : "Ask Next Time Or When I Share"
            #expect(told == "in Settings: chose \(label)")
        }
        let upgraded = lines(
            [(.upgraded(.v26), RecordNote()), (.settings(.row(.askNextTime)), RecordNote())],
            ios: .v14)
        #expect(upgraded.last == "in Settings: chose Ask Next Time Or When I Share")
    }

    @Test("an app hears neither provisional nor once")
    func heard() {
        let always = lines([
            (.status(visible: .authorizedAlways, true: .provisionalAlways, .a6), RecordNote()),
            (.callback(.authorizedAlways, .fullAccuracy), RecordNote()),
        ])
        #expect(
            always.last == "the app heard: Always (in truth provisional Always), full accuracy")
        let once = lines([
            (.status(visible: .authorizedWhenInUse, true: .allowOnce, .p3), RecordNote()),
            (.callback(.authorizedWhenInUse, .fullAccuracy), RecordNote()),
        ])
        #expect(once.last == "the app heard: When In Use (in truth Allow Once), full accuracy")
    }

    private func status(
        _ visible: VisibleStatus, _ trueStatus: TrueStatus, _ rule: RuleID,
        _ accuracy: Accuracy = .fullAccuracy
    ) -> Entry {
        (.status(visible: visible, true: trueStatus, rule), RecordNote(accuracy: accuracy))
    }

    @Test("a change of the accuracy alone, or along with the status")
    func accuracy() {
        let told = lines([
            status(.authorizedWhenInUse, .whenInUse, .p3, .reducedAccuracy),
            status(.authorizedWhenInUse, .whenInUse, .t1),
            status(.authorizedWhenInUse, .whenInUse, .ac11, .reducedAccuracy),
            status(.authorizedWhenInUse, .whenInUse, .ac9),
            status(.authorizedWhenInUse, .whenInUse, .ac9, .reducedAccuracy),
        ])
        #expect(
            told == [
                "Not Determined → When In Use, reduced accuracy  "
                    + "[P3: the answer to the When In Use prompt]",
                "reduced → full accuracy  [T1: temporary full accuracy was allowed]",
                "full → reduced accuracy  "
                    + "[AC11: temporary full accuracy ends with the use of the app]",
                "Precise Location on: reduced → full accuracy  "
                    + "[AC9: the Precise Location switch was changed]",
                "Precise Location off: full → reduced accuracy  "
                    + "[AC9: the Precise Location switch was changed]",
            ])
    }

    @Test("which way a switch went")
    func directions() {
        let told = lines([
            status(.restricted, .restricted, .g7), status(.notDetermined, .notDetermined, .g7),
            status(.authorizedAlways, .always, .s12), status(.denied, .always, .g1),
            status(.authorizedAlways, .always, .g1), status(.restricted, .restricted, .g8),
            status(.authorizedAlways, .always, .g8),
        ])
        let reasons = told.map { $0.split(separator: "  ").last.map(String.init) ?? "" }
        #expect(
            reasons == [
                "[G7: a restriction makes undecided apps restricted]",
                "[G7: the restriction was lifted]",
                "[S12: Always in Settings is permanent]",
                "[G1: Location Services are off, and every app reads denied]",
                "[G1: Location Services are on again, and what was decided holds]",
                "[G8: a restriction makes decided apps restricted, too]",
                "[G8: the restriction was lifted]",
            ])
    }

    @Test("why a prompt went away: not why a decision did")
    func closing() {
        for (rule, reason) in [
            (RuleID.q8, "the phone restarted, and the prompt went with it"),
            (.g7, "a restriction takes the prompt away"), (.g1, "Location Services are on again"),
            (.j2, "the app left the foreground, and its prompt with it"),
        ] {
            #expect(
                line(.unanswered(.whenInUse, rule), RecordNote())
                    == "the When In Use prompt went away without an answer  "
                    + "[\(rule.rawValue): \(reason)]")
        }
    }

    private func shown(_ kind: PromptKind) -> RecordContent {
        .prompt(
            PromptShown(
                kind, ordinal: 1, choices: ChoiceSet(kind.choices(on: ios17)), isPrimed: false,
                isExpected: false))
    }

    @Test("why the second prompt came, and what became of the event that was held")
    func held() {
        let prompt = lines([
            (
                shown(.alwaysConfirm),
                RecordNote(held: .waiting(.significantChange, since: .start))
            )
        ])
        #expect(
            prompt.last?.hasSuffix(
                "[V3: a significant change out of use, 60 s before, is held until the answer]")
                == true)
        for (choice, note, reason) in [
            (
                Choice.changeToAlwaysAllow, RecordNote(rule: .v5, held: .delivered),
                "V5: Always was confirmed: the held event is delivered"
            ),
            (
                .keepOnlyWhileUsing, RecordNote(rule: .v6, held: .dropped),
                "V6: Always was not confirmed: the held event is dropped"
            ),
        ] {
            let answer = PromptAnswered(.alwaysConfirm, choice, isPrecise: true, pick: nil)
            #expect(line(.answer(answer), note)?.hasSuffix("  [\(reason)]") == true)
        }
    }

    @Test("to install again is one line")
    func reinstalled() {
        let told = lines([
            (.world(.deleteApp), RecordNote()), (.world(.reinstall), RecordNote()),
            (.installed, RecordNote()), (.opened(.person), RecordNote()),
        ])
        #expect(
            told == ["deleted the app", "installed the app again", "opened the app (1st time)"])
    }

    @Test("X1: an App Clip's first choice says how long it lasts")
    func appClip() {
        let clip = lines([(shown(.whenInUse), RecordNote())], isAppClip: true)
        #expect(clip.first?.contains("[Allow While Using App Until Tomorrow]") == true)
        let app = lines([(shown(.whenInUse), RecordNote())])
        #expect(app.first?.contains("[Allow While Using App]") == true)
    }
}
