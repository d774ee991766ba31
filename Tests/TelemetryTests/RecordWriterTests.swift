import AuthorizationCore
import DeviceCore
import SimPrimitives
import Simulation
import Telemetry
import TestSupport
import Testing

/// The zone of the contract's example.
private let berlin = Zone(
    name: "Europe/Berlin", startUnixSeconds: 1_767_567_600,  // 2026-01-05T00:00 there
    offsets: [Zone.Offset(from: .start, secondsFromUTC: 3_600)])

private func lines(
    _ contents: [(seconds: Int64, content: RecordContent)], zone: Zone = .utc, device: UInt32 = 17,
    scripts: [String] = ["archetype.lua", "progressive.lua"], names: NameTable = NameTable()
) -> String {
    var writer = RecordWriter(zone: zone, scripts: scripts)
    var bytes: [UInt8] = []
    for (ordinal, entry) in contents.enumerated() {
        let record = Record(
            time: .start + .seconds(entry.seconds), device: DeviceID(device),
            ordinal: UInt32(ordinal), content: entry.content)
        writer.append(record, names: names, to: &bytes)
    }
    return String(decoding: bytes, as: UTF8.self)
}

/// The text after the type of the only line that `content` gives.
private func fields(
    _ content: RecordContent, scripts: [String] = ["a.lua"], names: NameTable = NameTable()
) -> String {
    let line = lines([(0, content)], scripts: scripts, names: names)
    let head = #"{"us":0,"t":"2026-01-05T00:00:00.000000+00:00","device":17,"n":0,"type":"#
    #expect(line.hasPrefix(head) && line.hasSuffix("}\n"), "\(line)")
    return String(line.dropFirst(head.count).dropLast(2))
}

@Suite("A record as a line of JSON")
struct RecordWriterTests {
    @Test("is what the contract shows, byte for byte")
    func contract() throws {
        let names = NameTable()
        let feature = try #require(names.id(of: "store_finder"))
        let primer = try #require(names.id(of: "why"))
        let choices = ChoiceSet([.dontAllow, .allowOnce, .allowWhileUsing])
        let written = lines(
            [
                (29_523, .opened(.person)),
                (29_529, .callback(.notDetermined, .fullAccuracy)),
                (29_535, .tapped(feature: feature)),
                (29_536, .primer(id: primer, .continue)),
                (
                    29_539,
                    .prompt(
                        PromptShown(
                            .whenInUse, ordinal: 1, choices: choices, isPrimed: true,
                            isExpected: true))
                ),
                (
                    29_542,
                    .answer(
                        PromptAnswered(
                            .whenInUse, .allowOnce, isPrecise: true,
                            pick: Pick(share: 0.15, draw: 0.7312)))
                ),
                (29_542, .status(visible: .authorizedWhenInUse, true: .allowOnce, .p3)),
                (29_580, .requestIgnored(.requestAlwaysAuthorization, .allowOnce, .a10)),
                (29_611, .closed(.background)),
                (29_621, .status(visible: .notDetermined, true: .notDetermined, .o5)),
            ], zone: berlin, names: names)
        // A copy of the contract's `records.ndjson`.
        #expect(written == (try golden("contract.ndjson", rewrittenFrom: nil)))
    }

    @Test("has these fields, for each type")
    func everyType() throws {
        let names = NameTable(["store_finder", "success", "why", "saw_offer"])
        let id = (0..<4).map { NameID($0) }
        let contents: [RecordContent] = [
            .installed, .opened(.person), .opened(.system),
            .closed(.background), .closed(.terminated), .closed(.forceQuit),
            .tapped(feature: id[0]), .feature(id[0], outcome: id[1]),
            .primer(id: id[2], .notNow), .settingsAlert(.openSettings), .settingsAlert(.cancel),
            .prompt(shown(.alwaysUpgrade, ios: .v26, ordinal: 2)),
            .prompt(shown(.alwaysUpgrade, ios: .v11)),
            .prompt(shown(.whenInUse, ios: try #require(IOSVersion(9, 3)))),
            .answer(PromptAnswered(.whenInUse, .allowWhileUsing, isPrecise: false, pick: nil)),
            .unanswered(.whenInUse, .j2),
            .status(visible: .denied, true: .provisionalAlways, .g1),
            .callback(.authorizedAlways, .reducedAccuracy), .callback(.denied, nil),
            .requestIgnored(.requestWhenInUseAuthorization, .missingUsageDescription, .w3),
            .settings(.row(.askNextTime)), .settings(.precise(false)),
            .settings(.locationServices(true)),
            .world(.deleteApp), .world(.reinstall), .world(.placeWidget),
            .world(.tapLocationButton), .world(.removeAppClip), .milestone(id[3]),
            .scriptFailure(
                ScriptFailurePlace(script: 1, hook: .answerPrompt, code: .badReply, line: 12)),
            .scriptFailure(
                ScriptFailurePlace(script: 0, hook: .born, code: .budgetExhausted, line: 0)),
            .recast(.strategy, script: 1), .recast(.behavior, script: 0),
            .recast(.options, script: 0), .recast(.appOptions, script: 1),
        ]
        let written = lines(contents.enumerated().map { (Int64($0) * 60, $1) }, names: names)
        #expect(written == (try golden("types.ndjson", rewrittenFrom: written)))
    }

    @Test(
        "has the keys of its note behind its own",
        arguments: [
            (RecordNote(), ""),
            (RecordNote(accuracy: .reducedAccuracy), #","accuracy":"reducedAccuracy""#),
            (RecordNote(rule: .b3), #","rule":"B3""#),
            (RecordNote(ignored: .notInAppSwitcher), #","ignored":"not_in_app_switcher""#),
            (
                RecordNote(ignored: .restricted, rule: .s14),
                #","ignored":"restricted","rule":"S14""#
            ),
            (
                RecordNote(held: .waiting(.significantChange, since: .start + .seconds(9))),
                #","held":"significant_change","held_us":9000000"#
            ),
            (RecordNote(rule: .v5, held: .delivered), #","held":"delivered","rule":"V5""#),
            (RecordNote(rule: .v6, held: .dropped), #","held":"dropped","rule":"V6""#),
        ])
    func note(note: RecordNote, keys: String) {
        var writer = RecordWriter(zone: .utc, scripts: [])
        func line(_ note: RecordNote) -> String {
            var bytes: [UInt8] = []
            let record = Record(
                time: .start, device: DeviceID(1), ordinal: 0, content: .installed, note: note)
            writer.append(record, names: NameTable(), to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(line(note) == line(RecordNote()).replacing("}\n", with: keys + "}\n"))
    }

    private func shown(
        _ kind: PromptKind, ios: IOSVersion, ordinal: UInt32 = 1
    ) -> PromptShown {
        PromptShown(
            kind, ordinal: ordinal, choices: ChoiceSet(kind.choices(on: ios)), isPrimed: false,
            isExpected: false)
    }

    @Test("lists a prompt's choices as the prompt of the version shows them")
    func choices() {
        for ios in IOSVersion.released.compactMap({ IOSVersion($0.major, $0.minorMax) }) {
            for kind in PromptKind.allCases {
                let choices = kind.choices(on: ios)
                let text = fields(.prompt(shown(kind, ios: ios)))
                let list = choices.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
                #expect(text.contains("\"choices\":[\(list)]"), "\(kind) on \(ios)")
            }
        }
    }

    @Test("lists choices that no version's prompt has together in the order of all choices")
    func strangeChoices() {
        let set = ChoiceSet([.settings, .dontAllow])
        let shown = PromptShown(
            .whenInUse, ordinal: 1, choices: set, isPrimed: false, isExpected: false)
        #expect(fields(.prompt(shown)).contains(#""choices":["dont_allow","settings"]"#))
        #expect(set.inDisplayOrder(of: .whenInUse) == [.dontAllow, .settings])
    }

    @Test("writes draws so that they read back as the same number", arguments: 0..<20)
    func doubles(seed: UInt64) throws {
        var random = RandomStream(
            seed: seed, device: DeviceID(1), purpose: .noise, occasion: 1)
        for _ in 0..<50 {
            let pick = Pick(share: random.uniform(), draw: random.uniform() * 1e-6)
            let answer = PromptAnswered(.widget, .allow, isPrecise: true, pick: pick)
            let parts = fields(.answer(answer)).split(separator: ",")
            let share = try #require(parts.first { $0.hasPrefix("\"share\":") }?.dropFirst(8))
            let draw = try #require(parts.first { $0.hasPrefix("\"draw\":") }?.dropFirst(7))
            #expect(Double(share) == pick.share && Double(draw) == pick.draw, "seed \(seed)")
        }
    }

    @Test("escapes what JSON needs escaped in names, whatever their length")
    func escapes() throws {
        let names = NameTable()
        let strange = try #require(names.id(of: "a\"b\\c\nd\u{1}é€😀"))
        let long = try #require(names.id(of: String(repeating: "\u{2}", count: 1_000)))
        #expect(
            fields(.milestone(strange), names: names)
                == #""milestone","name":"a\"b\\c\nd\u0001é€😀""#)
        #expect(
            fields(.feature(strange, outcome: long), names: names)
                .hasSuffix(String(repeating: #"\u0002"#, count: 1_000) + "\""))
        let script = String(repeating: "\"", count: 2_000)
        let place = ScriptFailurePlace(script: 0, hook: .born, code: .runtime, line: .max)
        #expect(
            fields(.scriptFailure(place), scripts: [script]).utf8.count > 4_000)
    }

    @Test("takes the greatest numbers")
    func extremes() {
        var writer = RecordWriter(zone: .utc, scripts: [])
        var bytes: [UInt8] = []
        let record = Record(
            time: .start + .max, device: DeviceID(.max), ordinal: .max, content: .installed)
        writer.append(record, names: NameTable(), to: &bytes)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"us":3153600000000000,"t":"2125-12-12T00:00:00.000000+00:00","#
                + #""device":4294967295,"n":4294967295,"type":"installed"}"# + "\n")
    }

    @Test("appends to what is there, and gives equal bytes for equal records")
    func appending() {
        var writer = RecordWriter(zone: berlin, scripts: [])
        let record = Record(
            time: .start + .hours(30), device: DeviceID(1), ordinal: 0, content: .installed)
        var once: [UInt8] = []
        writer.append(record, names: NameTable(), to: &once)
        var twice = Array("#".utf8)
        writer.append(record, names: NameTable(), to: &twice)
        writer.append(record, names: NameTable(), to: &twice)
        #expect(twice == Array("#".utf8) + once + once)
    }
}
