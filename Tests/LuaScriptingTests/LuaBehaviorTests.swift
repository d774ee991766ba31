import AuthorizationCore
import DeviceCore
import LuaScripting
import SimPrimitives
import Simulation
import Testing

@Suite("A Lua behavior")
struct LuaBehaviorTests {
    @Test("makes a choice and says how")
    func answers() throws {
        let fixture = Fixture(
            .answerPrompt, "return 'allow_once', { after = 2.5, precise = false }")
        let expected = Reply(.allowOnce, after: .milliseconds(2500), isPrecise: false)
        #expect(try fixture.ask() == expected)
        #expect(try Fixture(.answerPrompt, "return 'allow_once'").ask() == Reply(.allowOnce))
    }

    @Test("may make every choice that a prompt offers, by the names the cases use")
    func choices() throws {
        for ios in ["8.4", "12.5", "13.0", "17.6"] {
            for kind in PromptKind.allCases {
                let choices = kind.choices(on: .version(ios))
                for (index, choice) in choices.enumerated() {
                    let fixture = Fixture(
                        .answerPrompt,
                        "print(a.kind, #a.choices) return a.choices[\(index + 1)]")
                    #expect(try fixture.ask(.of(kind, ios: ios)).choice == choice)
                    #expect(fixture.printed == ["\(kind.rawValue)\t\(choices.count)"])
                }
            }
        }
    }

    @Test("sees of a prompt what a person would")
    func prompt() throws {
        let fixture = Fixture(
            .answerPrompt,
            """
            print(#a.choices, a.purpose, a.ordinal, a.asked_before, a.primed, a.expected, a.ios)
            print(a.has("allow_once"), a:has("dont_allow"), a.has("always_allow"))
            for i, choice in ipairs(a.choices) do print(i, choice) end
            return "dont_allow"
            """)
        try fixture.ask(.of(.whenInUse, ordinal: 3, askedBefore: 4, isPrimed: true))
        #expect(
            fixture.printed == [
                "3\tShops near you.\t3\t4\ttrue\tfalse\t17.6", "true\ttrue\tfalse",
                "1\tallow_while_using", "2\tallow_once", "3\tdont_allow",
            ])
    }

    @Test("sees of its person and the day what it may")
    func person() throws {
        let fixture = Fixture(
            .eachDay, "print(a.device, a.persona, a.ios, a.local_hour, a.day, a.status)")
        let time = SimTime.start + .hours(50)
        try fixture.run(
            .eachDay, .person(7, persona: 1, ios: "13.7", status: .authorizedAlways, time: time))
        #expect(fixture.printed == ["7\tsecond\t13.7\t2.0\t2\tauthorizedAlways"])
    }

    @Test("says when the app is opened, closed and tapped, in seconds or with a unit")
    func times() throws {
        let rows: [(body: String, expected: SimDuration?)] = [
            ("return 90", .seconds(90)), ("return 0.25", .milliseconds(250)),
            ("return '2d'", .days(2)), ("return '90s'", .seconds(90)),
            ("return '5m'", .minutes(5)), ("return '1.5h'", .minutes(90)),
            ("return '500ms'", .milliseconds(500)), ("return 0", .zero),
            ("return 3153600000", SimDuration.max), ("return '36500d'", SimDuration.max),
            ("return nil", nil), ("", nil),
        ]
        for row in rows {
            var random = Fixture.stream()
            var acts: [PhoneAct] = []
            let behavior = try Fixture(.nextOpen, row.body).behavior()
            let span = try behavior.nextOpen(.person(), random: &random, acts: &acts)
            #expect(span == row.expected, "\(row.body)")
        }
        var random = Fixture.stream()
        var acts: [PhoneAct] = []
        let length = try Fixture(.sessionLength, "return '3m'").behavior()
            .sessionLength(.person(), random: &random, acts: &acts)
        #expect(length == .minutes(3))
        let tap = try Fixture(.nextTap, "return b[#b], 5").behavior()
            .nextTap(.person(), random: &random, acts: &acts)
        #expect(tap == Tap(feature: 1, after: .seconds(5)))
        let none = try Fixture(.nextTap, "return b[1], 5", features: []).behavior()
            .nextTap(.person(), random: &random, acts: &acts)
        #expect(none == nil)
    }

    @Test("reaches for the phone, in order")
    func phone() throws {
        let fixture = Fixture(
            .eachDay,
            """
            phone.settings("while_using") phone.precise(false) phone.location_services(true)
            phone.force_quit() phone.delete_app() phone.reinstall("1d")
            phone.restrict_location(true) phone.reset_location_privacy() phone.reboot()
            phone.upgrade_os("26.1") phone.upgrade_os("18") phone.background_app_refresh(false)
            phone.place_widget() phone.tap_location_button()
            """)
        try fixture.run(.eachDay)
        #expect(
            fixture.acts == [
                .settings(.whileUsing), .precise(false), .locationServices(true), .forceQuit,
                .deleteApp, .reinstall(after: .days(1)), .restriction(true), .resetLocationPrivacy,
                .reboot, .upgradeOS(.version("26.1")), .upgradeOS(.version("18.0")),
                .backgroundRefresh(false), .placeWidget, .tapLocationButton,
            ])
    }

    @Test("answers the app's own screens")
    func ownScreens() throws {
        let fixture = Fixture(
            behavior: """
                return { answer_prompt = function() end,
                  answer_primer = function(self, primer) return primer.id == "why" and "continue" or "not_now" end,
                  answer_settings_alert = function() return "open_settings" end }
                """)
        let behavior = try fixture.behavior()
        var random = Fixture.stream()
        for (name, answer) in [("why", PrimerAnswer.continue), ("other", .notNow)] {
            let id = try #require(fixture.names.id(of: name))
            let given = try behavior.answerPrimer(
                id, .person(), random: &random, acts: &fixture.acts)
            #expect(given == answer)
        }
        let given = try behavior.answerSettingsAlert(
            .person(), random: &random, acts: &fixture.acts)
        #expect(given == .openSettings)
    }

    @Test("keeps what it knows of a person in that person's self")
    func memory() throws {
        let fixture = Fixture(
            .answerPrompt,
            "self.asked = (self.asked or 0) + 1 print(self.asked) return 'dont_allow'")
        for device in [7, 8, 7, 7] as [UInt32] { try fixture.ask(.first, .person(device)) }
        #expect(fixture.printed == ["1", "1", "2", "3"])
    }

    @Test("cannot keep what belongs to a call")
    func kept() throws {
        for object in ["a", "b"] {
            let fixture = Fixture(
                .answerPrompt,
                "self.kept = self.kept or \(object) print(self.kept.ios) return 'allow_once'")
            #expect(try fixture.ask().choice == .allowOnce)
            let failure = Fixture.failure { try fixture.ask() }
            #expect(
                failure?.message.hasSuffix("is gone: it lasts as long as its hook runs") == true)
        }
    }

    @Test("shares one chunk between personas, and each has its own option values")
    func options() throws {
        let fixture = Fixture(
            .eachDay, "print(a.options.share, a.options.loud, a.options.word)",
            options: [
                ScriptOption(name: "share", value: .number(3), isAssumed: true),
                ScriptOption(name: "loud", value: .boolean(true), isAssumed: true),
                ScriptOption(name: "word", value: .string("yes"), isAssumed: true),
            ])
        try fixture.run(.eachDay)
        #expect(fixture.printed == ["3\ttrue\tyes"])
        #expect(try fixture.loaded().behaviors.count == 2)
    }

    struct Failing: CustomTestStringConvertible, Sendable {
        let hook: HookName
        let body: String
        let message: String
        var testDescription: String { body }

        init(_ hook: HookName, _ body: String, _ message: String) {
            (self.hook, self.body, self.message) = (hook, body, message)
        }
    }

    // swift-format-ignore
    static let failing: [Failing] = [
        // Replies.
        Failing(.answerPrompt, "return 'allow_onse'", "answer_prompt returned 'allow_onse', which is not among the choices: did you mean 'allow_once'?"),
        Failing(.answerPrompt, "return { choice = 'allow_once', precise = false }", #"answer_prompt returned a table, where a choice is due and options may follow as a second value: return "allow_while_using", { precise = false }"#),
        Failing(.answerPrompt, "return 'always_allow'", "answer_prompt returned 'always_allow', which is not among the choices; there is 'dont_allow', 'allow_once', 'allow_while_using'"),
        Failing(.answerPrompt, "", "answer_prompt returned nothing, which is not among the choices; there is 'dont_allow', 'allow_once', 'allow_while_using'"),
        Failing(.answerPrompt, "return 'dont_allow', { afetr = 1 }", "an answer has the options precise and after, and no 'afetr': did you mean 'after'?"),
        Failing(.nextOpen, "return -1", "next_open returned -1 where the time until the next opening, or nil for never, is due: seconds in 0 ... 3153600000 (a hundred years), or a string such as \"90s\""),
        Failing(.nextOpen, "return 1 / 0", "next_open returned inf where the time until the next opening, or nil for never, is due: seconds in 0 ... 3153600000 (a hundred years), or a string such as \"90s\""),
        Failing(.nextOpen, "return '90'", "next_open returned '90' where the time until the next opening, or nil for never, is due: seconds in 0 ... 3153600000 (a hundred years), or a string such as \"90s\""),
        Failing(.sessionLength, "", "session_length returned nothing where a length is due: seconds in 0 ... 3153600000 (a hundred years), or a string such as \"90s\""),
        Failing(.nextTap, "return 'store_fnider', 1", "next_tap returned 'store_fnider', which is no feature: did you mean 'store_finder'?"),
        Failing(.nextTap, "return b[1]", "next_tap returned nothing where the time until the tap is due: seconds in 0 ... 3153600000 (a hundred years), or a string such as \"90s\""),
        Failing(.answerPrimer, "return 'continu'", "answer_primer returned 'continu', which is no answer: did you mean 'continue'?"),
        Failing(.answerSettingsAlert, "return true", "answer_settings_alert returned true, which is no answer; there is 'open_settings', 'cancel'"),
        // Fields.
        Failing(.eachDay, "local x = a.optoins", "a person has no field 'optoins': did you mean 'options'?"),
        Failing(.eachDay, "local x = a.options.grant_shrae", "the script declares no option 'grant_shrae': did you mean 'grant_share'?"),
        Failing(.eachDay, "a.device = 1", "a person is read-only: 'device' cannot be set"),
        Failing(.eachDay, "a.options.grant_share = 1", "the key 'grant_share' cannot be set here: this table is read-only, and all devices share it; copy it into a local"),
        Failing(.eachDay, "local x = a.options[1]", "options have names, not 1"),
        Failing(.answerPrompt, "local x = a.choice", "a prompt has no field 'choice': did you mean 'choices'?"),
        Failing(.answerPrompt, "return a.has('allow_onec')", "'allow_onec' is no choice: did you mean 'allow_once'?"),
        Failing(.answerPrimer, "return a.text", "a primer has no field 'text'"),
        Failing(.answerSettingsAlert, "return a.id", "a settings alert has no field 'id'"),
        // The phone and the libraries.
        Failing(.eachDay, "phone.settings('nevr')", "'nevr' is no row of Settings: did you mean 'never'?"),
        Failing(.eachDay, "phone.settings('bogus')", "'bogus' is no row of Settings; there is 'never', 'ask_next_time', 'while_using', 'always', 'while_using_or_widgets'"),
        Failing(.eachDay, "phone.settings('always', 'x')", "settings takes one value, not also 'x'"),
        Failing(.eachDay, "phone.precise()", "what to switch to is true or false, not nothing"),
        Failing(.eachDay, "phone.setings('never')", "phone has no 'setings': did you mean 'settings'?"),
        Failing(.eachDay, "phone.reinstall('soon')", "reinstall takes the time until then, in seconds or as \"2d\", not 'soon'"),
        Failing(.eachDay, "phone.restrict_location('on')", "what to switch to is true or false, not 'on'"),
        Failing(.eachDay, "phone.background_app_refresh()", "what to switch to is true or false, not nothing"),
        Failing(.eachDay, "phone.upgrade_os('20.0')", "upgrade_os takes a version that exists, as text such as \"26.0\", not '20.0'"),
        Failing(.eachDay, "phone.upgrade_os(26)", "upgrade_os takes a version that exists, as text such as \"26.0\", not 26"),
        Failing(.eachDay, "phone.delete_app('2d')", "delete_app takes nothing, not '2d'"),
        Failing(.eachDay, "phone.place_widget('large')", "place_widget takes nothing, not 'large'"),
        Failing(.eachDay, "phone.tap_location_buton()", "phone has no 'tap_location_buton': did you mean 'tap_location_button'?"),
        Failing(.eachDay, "rng.lognorml(1, 1)", "rng has no 'lognorml': did you mean 'lognormal'?"),
        Failing(.eachDay, "math.random()", "math has no 'random': rng.uniform(), rng.integer(lo, hi) and their kin draw"),
        Failing(.eachDay, "rng.chance(1.5)", "a probability lies in 0 ... 1: 1.5 does not"),
        Failing(.eachDay, "rng.pick {}", "pick takes weights with a sum above 0: here it is 0.0"),
        Failing(.eachDay, "odds(0.5, -1)", "an odds ratio is at least 0, not -1.0"),
        Failing(.eachDay, "rng.pick({ yes = 3, no = -1 })", "pick takes weights of at least 0, such as { yes = 3, no = 1 }: that of 'no' is -1"),
        Failing(.eachDay, "rng.pick { b = 0 / 0, c = -2, a = 'x' }", "pick takes weights of at least 0, such as { yes = 3, no = 1 }: that of 'a' is 'x'"),
        Failing(.eachDay, "rng.pick { 'yes', 'no' }", "pick takes names with their weights, such as { yes = 3, no = 1 }: the key 1, with 'yes', is no name"),
        Failing(.eachDay, "rng.pick('yes', 'no')", "pick takes a table of names with their weights, such as { yes = 3, no = 1 }, not 'yes'"),
        Failing(.eachDay, "local t = {} for i = 1, 33 do t['n' .. i] = 1 end rng.pick(t)", "pick takes at most 32 names, not 33"),
        // A colon where there is a dot.
        Failing(.eachDay, "phone:settings('never')", "settings is called with a dot: phone.settings(...)"),
        Failing(.eachDay, "phone:force_quit()", "force_quit is called with a dot: phone.force_quit(...)"),
        Failing(.eachDay, "rng:chance(0.5)", "chance is called with a dot: rng.chance(...)"),
        Failing(.eachDay, "rng:exponential(2)", "exponential is called with a dot: rng.exponential(...)"),
        Failing(.eachDay, "rng:integer(1, 2)", "integer is called with a dot: rng.integer(...)"),
        Failing(.eachDay, "rng:pick { a = 1 }", "pick is called with a dot: rng.pick(...)"),
        Failing(.eachDay, "rng:shuffle { 1, 2 }", "shuffle is called with a dot: rng.shuffle(list)"),
        // What is not there.
        Failing(.eachDay, "app:milestone('x')", "a behavior has no 'app': it is there for strategies alone"),
        Failing(.eachDay, "wait(5)", "a behavior has no 'wait': it is there for strategies alone"),
        Failing(.eachDay, "metrics.count('x')", "a behavior has no 'metrics': did you mean 'metric'?"),
        Failing(.eachDay, "local x = options.cap", "a behavior has no 'options': they are person.options"),
        Failing(.eachDay, "local x = require 'x'", "a behavior has no 'require': a script is one file; what it needs stands in it as local functions"),
        Failing(.eachDay, "io.write('x')", "a behavior has no 'io': there are no files; what print prints, locfleet why shows"),
        Failing(.eachDay, "local x = os.time()", "a behavior has no 'os': there is no clock but person.now, in seconds, person.day, person.weekday and person.local_hour"),
        Failing(.eachDay, "local x = helper", "a behavior has no 'helper': locals stand above what uses them, and self keeps what changes"),
        Failing(.eachDay, "error { 'no message' }", "raised a table, not a message"),
    ]

    @Test("is told what is wrong, where, and what was meant", arguments: failing)
    func failures(_ row: Failing) throws {
        let fixture = Fixture(
            row.hook, "\n" + row.body,
            options: [ScriptOption(name: "grant_share", value: .number(0.5), isAssumed: true)])
        let failure = try #require(Fixture.failure { try fixture.run(row.hook) })
        let isReply = row.message.contains(" returned ") || row.message.hasPrefix("an answer has")
        #expect(failure.message == "behavior.lua:" + (isReply ? " " : "2: ") + row.message)
        #expect(failure.place.code == (isReply ? .badReply : .runtime))
        #expect(failure.place.line == (isReply ? 1 : 2))
        #expect(failure.place.script == 0)
        #expect(failure.place.hook == row.hook)
    }

    @Test("knows the day of the week where its device is")
    func weekday() throws {
        let fixture = Fixture(.eachDay, "print(a.day, a.weekday)")
        for day in 0..<8 as Range<Int64> {
            try fixture.run(.eachDay, .person(time: .start + .days(day)))
        }
        #expect(fixture.printed == (0..<8).map { "\($0)\t\($0 % 7 + 1)" }, "the fifth of January")
    }

    @Test("that fails has done nothing to the phone")
    func nothingDone() throws {
        let fixture = Fixture(.eachDay, "phone.force_quit() error('no')")
        #expect(Fixture.failure { try fixture.run(.eachDay) } != nil)
        #expect(fixture.acts.isEmpty)
    }
}
