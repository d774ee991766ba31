import AuthorizationCore
import DeviceCore
import Foundation
import LuaScripting
import Metrics
import SimPrimitives
import Simulation
import TestSupport
import Testing

/// The people of `scripts/behaviors` do what their options declare: shares of 4,000 people within
/// four standard errors, from a fixed seed.
@Suite("The people that ship")
struct LibraryTests {
    static let people: UInt32 = 4_000

    /// A shipped behavior with its defaults, of which some are set.
    private static func fixture(
        _ name: String, _ values: [String: Double] = [:]
    ) throws -> Fixture {
        let path = projectRoot.appending(path: "scripts/behaviors/\(name).lua")
        let source = try String(contentsOf: path, encoding: .utf8)
        let outline = try ScriptOutline.read(source: source, name: name, kind: .behavior)
        for option in values.keys {
            try #require(outline.options.contains { $0.name == option }, "no option \(option)")
        }
        return Fixture(
            behavior: source,
            behaviorOptions: outline.options.map { option in
                ScriptOption(
                    name: option.name,
                    value: values[option.name].map { .number($0) } ?? option.defaultValue,
                    isAssumed: false)
            })
    }

    /// The share of people who choose one of these at a prompt.
    private static func share(
        _ name: String, _ values: [String: Double] = [:], of choices: Set<Choice>,
        at question: Question
    ) throws -> Double {
        var count = 0
        for first in stride(from: 0, to: people, by: 100) {
            let fixture = try Self.fixture(name, values)  // Of a hundred memories.
            let behavior = try fixture.behavior()
            for index in 0..<100 as Range<UInt32> {
                let person = PersonView.person(index)
                var random = RandomStream(
                    seed: 7, device: DeviceID(first + index), purpose: .promptWhenInUse,
                    occasion: 1)
                if behavior.hooks.contains(.born) {
                    try behavior.born(person, random: &random, acts: &fixture.acts)
                }
                let reply = try behavior.answerPrompt(
                    question, person, random: &random, acts: &fixture.acts)
                if choices.contains(reply.choice) { count += 1 }
            }
        }
        return Double(count) / Double(people)
    }

    private static func isNear(_ share: Double, _ due: Double) -> Bool {
        abs(share - due) <= 4 * (due * (1 - due) / Double(people)).squareRoot() + 1e-9
    }

    private static func odds(_ share: Double, _ ratio: Double) -> Double {
        share * ratio / (1 - share + share * ratio)
    }

    private static let granting: Set<Choice> = [.allowWhileUsing, .allowOnce]
    private static let expected = Question.of(.whenInUse, isExpected: true)
    private static let explained = Question.of(.whenInUse, isPrimed: true, isExpected: true)
    private static let outOfTheBlue = Question.of(.whenInUse)
    private static let reminder = Question.of(.backgroundReminder)

    struct Row: CustomTestStringConvertible, Sendable {
        let behavior: String
        let what: String
        let question: Question
        let choices: Set<Choice>
        let due: Double
        var testDescription: String { "\(behavior): \(what)" }

        init(
            _ behavior: String, _ what: String, _ question: Question, _ choices: Set<Choice>,
            _ due: Double
        ) {
            (self.behavior, self.what, self.question) = (behavior, what, question)
            (self.choices, self.due) = (choices, due)
        }
    }

    // swift-format-ignore
    static let rows: [Row] = [
        Row("archetype", "grants what it expects", expected, granting, 0.84),
        Row("archetype", "grants more when it was explained", explained, granting, odds(0.84, 1.6)),
        Row("archetype", "grants less out of the blue", outOfTheBlue, granting, odds(0.84, 1 / 2.5)),
        Row("privacy_minded", "grants little out of the blue", outOfTheBlue, granting, 0.35),
        Row("privacy_minded", "grants more at a tap, explained", explained, granting, odds(odds(0.35, 1.6), 2.5)),
        Row("privacy_minded", "rather allows once", outOfTheBlue, [.allowOnce], 0.35 * 0.6),
        Row("privacy_minded", "gives Always up when reminded", reminder, [.changeToOnlyWhileUsing], 0.75),
        Row("privacy_minded", "seldom takes Always", .of(.alwaysUpgrade), [.changeToAlwaysAllow], 0.05),
        Row("context_sensitive", "grants what it expects", expected, granting, 0.84),
        Row("context_sensitive", "has Tan's odds when it was explained", explained, granting, odds(0.84, 1.6)),
        Row("context_sensitive", "has Cao's odds out of the blue", outOfTheBlue, granting, odds(0.84, 1 / 2.5)),
        Row("context_sensitive", "minds timing less once it was explained", .of(.whenInUse, isPrimed: true), granting, odds(odds(0.84, 1.6), pow(2.5, -0.25))),
        Row("context_sensitive", "grants less each time it is asked again", .of(.whenInUse, ordinal: 3, isExpected: true), granting, odds(0.84, pow(1.5, -2))),
        Row("habituated", "weighs the first prompt, or agrees by habit", expected, granting, 0.84),
        Row("nudged", "grants as most do", outOfTheBlue, granting, 0.84),
        Row("nudged", "takes Always as often as not", .of(.alwaysUpgrade), [.changeToAlwaysAllow], 0.5),
        Row("nudged", "gives Always up at its first reminder, if it reacts", reminder, [.changeToOnlyWhileUsing], 0.58 * 0.75),
    ]

    @Test("answer in the shares that their options declare", arguments: rows)
    func shares(_ row: Row) throws {
        let share = try Self.share(row.behavior, of: row.choices, at: row.question)
        #expect(Self.isNear(share, row.due), "\(share), and \(row.due) is due")
    }

    @Test("with less attention at each prompt, and always some")
    func attention() throws {
        // Those who look refuse, and those who do not agree: the share that refuses looked.
        let values = ["grant_share": 0.0, "habit_grants_share": 1.0]
        let rows = [(0, 0.9), (1, 0.17 + 0.73 * 0.6), (3, 0.17 + 0.73 * 0.216), (40, 0.17)]
        for (before, due) in rows {
            let share = try Self.share(
                "habituated", values, of: [.dontAllow],
                at: .of(.whenInUse, askedBefore: UInt32(before), isExpected: true))
            #expect(Self.isNear(share, due), "\(share) looked after \(before), \(due) due")
        }
    }

    @Test("by habit press what they pressed before, and faster each time")
    func habit() throws {
        let fixture = try Self.fixture(
            "habituated", ["attention_first": 0.0, "attention_floor": 0.0])
        let behavior = try fixture.behavior()
        var (first, last): ([Double], [Double]) = ([], [])
        for device in 0..<100 as Range<UInt32> {
            var random = Fixture.stream(device)
            var choices: Set<Choice> = []
            for before in 0..<8 as Range<UInt32> {
                let reply = try behavior.answerPrompt(
                    .of(.whenInUse, askedBefore: before), .person(device), random: &random,
                    acts: &fixture.acts)
                choices.insert(reply.choice)
                let seconds = reply.after?.seconds ?? 0
                if before == 0 {
                    first.append(seconds)
                } else if before == 7 {
                    last.append(seconds)
                }
            }
            #expect(choices.count == 1, "device \(device) changed its mind unread: \(choices)")
        }
        let medians = (first.sorted()[50], last.sorted()[50])
        #expect(medians.0 > 3.5 && medians.0 < 7, "a median of \(medians.0) s at first; 5 are due")
        #expect(medians.1 > 0.5 && medians.1 < 1, "a median of \(medians.1) s; 0.7 are due")
    }

    @Test("react to reminders, or never do")
    func nudges() throws {
        let fixture = try Self.fixture(
            "nudged", ["reminder_downgrade_share": 1, "reminder_wear": 1])
        let behavior = try fixture.behavior()
        var reacting = 0
        for device in 0..<100 as Range<UInt32> {
            var random = Fixture.stream(device)
            let person = PersonView.person(device, status: .authorizedAlways)
            try behavior.born(person, random: &random, acts: &fixture.acts)
            let choices = try (1...3 as ClosedRange<UInt32>).map { ordinal in
                try behavior.answerPrompt(
                    .of(.backgroundReminder, ordinal: ordinal), person, random: &random,
                    acts: &fixture.acts
                ).choice
            }
            #expect(Set(choices).count == 1, "device \(device) reacts sometimes: \(choices)")
            if choices[0] == .changeToOnlyWhileUsing { reacting += 1 }
        }
        #expect(reacting > 38 && reacting < 78, "\(reacting) of 100; 58 are due")
    }

    @Test("in Settings take back what they gave, as often as they look and restrict")
    func settings() throws {
        let fixture = try Self.fixture("privacy_minded", ["review_days": 1, "restrict_share": 1])
        try fixture.run(.eachDay, .person(0, status: .authorizedAlways))
        try fixture.run(.eachDay, .person(1, status: .authorizedWhenInUse))
        try fixture.run(.eachDay, .person(2, status: .denied))
        #expect(fixture.acts == [.settings(.whileUsing), .settings(.askNextTime)])
    }

    @Test("are each less than 120 lines")
    func lengths() throws {
        let folder = projectRoot.appending(path: "scripts/behaviors")
        for file in try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        {
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 120)
        }
    }
}
