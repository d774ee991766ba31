import Foundation
import TestSupport
import Testing

/// What is wrong in a file of tests is told with its line, and harms nothing else.
@Suite("locfleet test with hostile files")
struct TestVerbHostileTests {
    /// A test's body, and what is said of it.
    static let bodies: [(body: String, said: String)] = [
        ("while true do end", "ran past its 10000000 instructions: does it loop for ever?"),
        ("while true do device:wait(1) end", "ran past its 10000000 instructions"),
        ("while true do device:wait(\"30d\") end", "lasts at most a thousand years"),
        ("while true do pcall(function() error(1) end) end", "ran past its 10000000 instr"),
        ("coroutine.wrap(function() while true do end end)()", "ran past its 10000000 instr"),
        ("local t for i = 1, 1e9 do t = { t } end", "ran out of memory: it has 64 MiB"),
        ("local function f() return 1 + f() end f()", "t.lua:3: "),
        ("device:lanch()", "a device has no 'lanch': did you mean 'launch'?"),
        ("device.launch()", "called with a colon: device:launch"),
        ("device:launch(\"now\")", "launch takes nothing, not also \"now\""),
        ("device:launch() device:launch()", "in the foreground already: leave() it first"),
        ("device:leave()", "leave: the app is not in the foreground (not_running): launch()"),
        ("device:terminate()", "the app does not run: launch() it first"),
        ("device:tap(\"store_finder\")", "tap: the app is not in the foreground"),
        ("device:tap(\"store_findr\")", "no feature 'store_findr'; did you mean 'store_finder'?"),
        ("device:tap(\"a\\0b\\27[2J\")", "no feature 'a\u{FFFD}b\u{FFFD}[2J'"),
        ("device:tap((\"x\"):rep(16000))", "no feature 'xxx"),
        ("device:tap(print)", "a function cannot be handed over"),
        ("device:tap({})", "tap takes the name of a feature, not a table"),
        ("local t = {} t.t = t device:tap(t)", "at most 8 deep, and 16384 bytes"),
        (
            "device:tap({ [print] = 1, [{}] = 2, a = print, b = { [{}] = 1 } })",
            "what is handed over here is true, "
        ),
        (
            "device:tap({ a = (\"x\"):rep(16000), b = (\"y\"):rep(16000) })",
            "what is handed over here is true, "
        ),
        (
            "device:tap(\"a\\xFFb\")",
            "what is handed over here is true, false, a number, text in UTF-8"
        ),
        (
            "for i = 1, 91 do device:wait(\"36500d\") end",
            "wait: a test lasts at most a thousand years"
        ),
        (
            "for i = 1, 3000 do device:reinstall(3153600000) end",
            "reinstall: a test lasts at most a"
        ),
        ("pairs(5)", "bad argument #1 to 'pairs' (table expected, got number)"),
        ("table.insert(nil, 1)", "bad argument #1 to 'insert' (table expected, got nil)"),
        ("table.sort({ 1, \"x\" })", "attempt to compare string with number"),
        ("device:answer(\"allow_one\")", "'allow_one' is not a button; did you mean 'allow_once'?"),
        ("device:answer(\"allow_once\")", "answer: there is no prompt on screen"),
        ("device:answer_primer(\"continue\")", "answer_primer: no primer is on screen"),
        ("device:answer_settings_alert(\"cancel\")", "no alert is on screen"),
        (
            "device:answer(\"allow_once\", { precis = 1 })",
            "no option 'precis'; did you mean 'precise'"
        ),
        (
            "device:settings(\"allways\")",
            "'allways' is not a row of Settings; did you mean 'always'"
        ),
        (
            "device:settings(\"ask_next_time\")",
            "cannot be done here: never_asked; see 'locfleet rules"
        ),
        ("device:upgrade_os(\"17.0\")", "upgrade_os: this cannot be done here: not_newer"),
        (
            "device:upgrade_os(\"19\")",
            "there is no iOS '19'; there are 8.0 to 18.7 and 26.0 to 26.9"
        ),
        ("device:precise(1)", "precise takes true or false, not 1"),
        ("device:wait(\"2 days\")", "text such as \"2d\", \"90s\" or \"1h30m\"; not \"2 days\""),
        ("device:wait(-1)", "wait takes seconds in 0 ... 3153600000"),
        ("device:wait(0/0)", "text such as \"2d\", \"90s\" or \"1h30m\"; not nan"),
        ("device:wait(-(0/0))", "text such as \"2d\", \"90s\" or \"1h30m\"; not nan"),
        ("device:run(\"2d\")", "nobody lives with this device: wait(\"2d\") lets time pass"),
        (
            "person:answer_prompt { kind = \"always\" }",
            "there is nobody to ask: give the file a beha"
        ),
        ("device.status = 1", "a device is read-only: status cannot be set"),
        ("setmetatable(device, {})", "a metatable is set once"),
        ("count = 1", "'count' is no local: write 'local count' first"),
        ("expct(1)", "there is no 'expct': did you mean 'expect'?"),
        ("expect(1):to_bee(1)", "expect(…) has no 'to_bee': did you mean 'to_be'?"),
        ("expect({}):to_be({})", "for two tables there is to_equal"),
        ("expect(nil):to_be_above(1)", "what is compared is a number, not nil"),
        ("expect(0/0):to_be_above(1)", "expected a number above 1, seen "),
        ("local t = {} t.t = t expect(t):to_equal { t = 1 }", "expected { t = 1 }, seen { t = { t"),
        ("error({})", "raised a table, not a message"),
        ("error()", "raised a nil, not a message"),
        (
            "local kind = device.prompt.kind",
            "a nil value (field 'prompt'): device.prompt is nil, for there is no prompt on screen"
        ),
        ("expect(1).to_be(2)", "matchers are called with a colon: expect(…):to_be(…)"),
        ("expect(1).to_fail()", "matchers are called with a colon: expect(…):to_fail(…)"),
        ("expect(1):toBe(2)", "expect(…) has no 'toBe': did you mean 'to_be'?"),
        ("expect.toEqual(1, 2)", "expect(…) has no 'toEqual': did you mean 'to_equal'?"),
        ("device:answerPrimer()", "a device has no 'answerPrimer': did you mean 'answer_primer'?"),
        (
            "expect(device.status):to_be(\"authorised\")",
            "seen \"notDetermined\" ('authorised' is no status; there is notDetermined, restricted,"
        ),
        (
            "expect(device.true_status):to_be(\"not_determind\")",
            "('not_determind' is no true_status; did you mean 'not_determined'?)"
        ),
        (
            "expect(device.process):to_be(\"forground\")",
            "('forground' is no process; did you mean 'foreground'?)"
        ),
        (
            "expect(device.accuracy):to_be(\"reduced\")",
            "('reduced' is no accuracy; there is fullAccuracy, reducedAccuracy)"
        ),
        ("coroutine.yield(1)", "attempt to yield from outside a coroutine"),
        ("share(0, print)", "share takes a number of people first, not 0"),
        ("io.open(\"x\")", "there is no 'io'"),
        ("load(\"x\")", "there is no 'load'"),
    ]

    @Test("fails each alone, with its line and what would be accepted")
    func eachAlone() throws {
        var tests = ""
        for (place, row) in Self.bodies.enumerated() {
            tests += "[\"\(place)\"] = function(device, person) \(row.body) end,\n"
        }
        tests += "[\"last\"] = function(device) device:launch() end,"
        let test = try ScriptTestRun(tests)
        let program = try test.run("--tap")
        #expect(program.status == 3 && program.error.isEmpty, "\(program.error)")
        let lines = program.out.split(separator: "\n")
        #expect(lines.contains("1..\(Self.bodies.count + 1)"))
        for (place, row) in Self.bodies.enumerated() {
            let head = "not ok \(place + 1) - \(test.path): \(place) (iOS 18.0)"
            guard let at = lines.firstIndex(of: Substring(head)) else {
                Issue.record("\(row.body) has not failed")
                continue
            }
            let about = lines[at...].prefix(5).joined(separator: "\n")
                .replacing("\\\"", with: "\"")
            let isSaid = about.contains(row.said) || row.said.hasPrefix("t.lua:")
            #expect(isSaid, "\(row.body): \(about)")
            #expect(about.contains("at: \"\(test.path):\(place + 3)\""), "\(row.body): \(about)")
        }
        let last = "ok \(Self.bodies.count + 1) - \(test.path): last (iOS 18.0)"
        #expect(lines.contains(Substring(last)))
    }

    /// What a person of a test is asked, and what is said of it.
    static let people: [(body: String, said: String)] = [
        ("person.local_hour = 24", "local_hour is a number from 0 to below 24, not 24"),
        ("person.local_hour = 0/0", "local_hour is a number from 0 to below 24, not "),
        ("person.local_hour = \"noon\"", "from 0 to below 24, not \"noon\""),
        ("person.day = -1", "day is a whole number in 0 ... 36500, not -1"),
        ("person.acts = {}", "status, day and local_hour of a person can be set, not 'acts'"),
        ("person.status = \"deny\"", "'deny' is not a status"),
        ("local x = person.counter", "a person has no 'counter': did you mean 'counters'?"),
        (
            "person:answer_prompt { kind = \"always\", ordinal = 4294967295 }",
            "ordinal is a whole number in 1 ... 1000000, not 4294967295"
        ),
        (
            "person:answer_prompt { kind = \"always\", asked_before = -1 }",
            "asked_before is a whole number in 0 ... 1000000, not -1"
        ),
    ]

    @Test("fails what cannot be asked of a person", arguments: people)
    func askedWrongly(_ body: String, _ said: String) throws {
        let program = try ScriptTestRun.body(body, file: "behavior = \"archetype.lua\"")
        #expect(program.status == 3 && program.out.contains(said), "\(program.out)\(program.error)")
    }

    /// Calls everything with anything, 200 times on each version, and looks at everything.
    private static let walk = """
        local words = function(text)
          local list = {}
          for word in text:gmatch("[%w_%.]+") do list[#list + 1] = word end
          return list
        end
        local things = words [[store_finder continue not_now cancel always never while_using 26.0
          13.0 allow_once allow dont_allow allow_while_using change_to_always_allow 30d x]]
        for _, value in ipairs { true, false, 0, 1, -1, 0/0, 1/0, 2^53, 1e300, "", {},
          { kind = "widget", ordinal = 2^32 - 1, asked_before = 2^32 - 1 } } do
          things[#things + 1] = value
        end
        local verbs, fields, asks, traits = words [[VERBS]], words [[FIELDS]], words [[ASKS]],
          words [[TRAITS]]
        local pick = function(list) return list[rng.integer(1, #list)] end
        for _ = 1, 200 do
          local verb = rng.chance(0.3) and "launch" or pick(verbs)
          pcall(device[verb], device, rng.chance(0.7) and pick(things) or nil)
          pcall(device.wait, device, rng.exponential(3000))
          if device.prompt then pcall(device.answer, device, pick(device.prompt.choices)) end
          pcall(function() return device[pick(fields)] end)
          pcall(function() person[pick(asks)](person, pick(things)) end)
          pcall(function() person[pick(traits)] = pick(things) end)
          pcall(function() return person[pick(traits)] end)
        end
        """

    @Test("harms nobody with any row of calls", arguments: [true, false])
    func walk(_ hasBehavior: Bool) throws {
        let prelude = try String(
            contentsOf: projectRoot.appending(path: "Sources/LuaScripting/Prelude/tests.lua"),
            encoding: .utf8)
        var body = Self.walk
        for name in ["verbs", "fields", "asks", "traits"] {
            let list = prelude.split(separator: "\nlocal \(name) = words ")[1]
                .split { "[]\"".contains($0) }[0]
            body.replace("[[\(name.uppercased())]]", with: "[[\(list)]]")
        }
        let behavior = hasBehavior ? ", behavior = \"b.lua\"" : ""
        let test = try ScriptTestRun(
            "[\"test\"] = function(device, person)\n\(body)\nexpect(device.ios):to_be_above(7) end,",
            file: "ios = \"8..26\", strategy = \"s.lua\"\(behavior)")
        try test.folder.write(ScriptTimersTests.behavior, to: "b.lua")
        try test.folder.write(
            """
            return {
              launched = function(self, app)
                app:every(60, function() metric.count("ticks") end)
                app:start(function() while true do wait(50) metric.observe("x", 1) end end)
                app:show_primer("why")
                app.manager:startUpdatingLocation()
              end,
              primer_answered = function(self, app)
                funnel.step("why")
                app.manager:requestWhenInUseAuthorization()
                app.manager:requestLocation()
              end,
              tapped = function(self, app, feature) app:feature_done(feature, "success")
                app.manager:requestAlwaysAuthorization() end }
            """, to: "s.lua")
        for seed in ["1", "2"] {
            let program = try test.run("--seed", seed)
            #expect(program.status == 0, "seed \(seed): \(program.out)\(program.error)")
        }
    }

    @Test("ends a device that never comes to rest, and a test that never stops to look")
    func endless() throws {
        let test = try ScriptTestRun(
            """
            ["waits"] = function(device) device:launch() device:answer("allow_while_using")
              device:wait("36000d") end,
            ["looks"] = function(device) device:launch() device:answer("allow_while_using")
              device:wait("20d") while true do local _ = device.answers[1] end end,
            """, file: "strategy = \"s.lua\"")
        try test.folder.write(
            """
            return { launched = function(self, app) app.manager:requestWhenInUseAuthorization() end,
              didUpdateLocations = function(self) app:milestone("here") end,
              locationManagerDidChangeAuthorization = function(self, manager)
                manager:startUpdatingLocation() end }
            """, to: "s.lua")
        let program = try test.run()
        #expect(program.status == 3)
        let waits = "\(test.path):4: wait: a device plays at most 500000 events in a test"
        #expect(program.out.contains(waits), "\(program.out)")
        let looks = "\(test.path):6: the test looks at its device too often: keep what it saw"
        #expect(program.out.contains(looks), "\(program.out)")
    }

    @Test("tells of a failing hook by its own line, at the line of the test that led to it")
    func failingHook() throws {
        let test = try ScriptTestRun(
            "[\"test\"] = function(device) device:launch() end,", file: "strategy = \"s.lua\"")
        let strategy = try test.folder.write(
            "return {\n  launched = function(self, app) app:milestonee(\"x\") end,\n}", to: "s.lua")
        let program = try test.run()
        #expect(program.status == 3)
        #expect(
            program.out.contains(
                "\(test.path):3: \(strategy):2: an app has no field 'milestonee': did you mean "
                    + "'milestone'? (hook launched)"),
            "\(program.out)")
    }

    /// A whole file, and what is said of it.
    static let files: [(text: String, said: String)] = [
        ("return 5", "t.lua: a file of tests returns a table such as { strategy = "),
        ("return {", "t.lua:1: unexpected symbol near <eof>"),
        ("while true do end", "t.lua:1: the call ran past its instruction budget"),
        ("\u{1B}Lua", "attempt to load a binary chunk"),
        (
            "return { didFailWithError = function() end, options = {} }",
            "this is a strategy, and a file of tests is due, which names it: return { strategy = "
        ),
        (
            "return { options = {}, answer_prompt = function() end }",
            "this is a behavior, and a file of tests is due, which names it: return { behavior = "
        ),
        ("return { tests = { x = print } }", "names what it tests: strategy = \"…\", behavior"),
        ("return { strategy = \"progressive.lua\" }", "a file of tests has tests = { [\"…\"] ="),
        (
            "return { strategy = \"progressive.lua\", tests = {} }",
            "tests: there is no test; one is"
        ),
        ("return { strategy = \"progressive.lua\", tests = 5 }", "tests is a table, not 5"),
        ("return { strategy = \"progressive.lua\", tests = { 5 } }", "a test has a name: [\"asks"),
        ("return { strategy = 5, tests = {} }", "t.lua:1: strategy is the name of a file, not 5"),
        (
            "return { strategi = \"progressive.lua\", tests = {} }",
            "t.lua:1: a file of tests has no 'strategi': did you mean 'strategy'?"
        ),
        (
            "return { strategy = \"none.lua\", tests = { x = function() end } }",
            "t.lua: strategy: 'none.lua': there is no such file; looked for"
        ),
        (
            "return { strategy = \"progressive.lua\", tests = { x = 5 } }",
            "the test \"x\" is a function, or a table with one first, not 5"
        ),
        (
            "return { strategy = \"progressive.lua\",\nios = \"19\", tests = { x = function() end } }",
            "ios: a version or a range, such as 18, 13.4 or 15..26, is due, not '19'"
        ),
        (
            "return { strategy = \"progressive.lua\", seed = 1.5, tests = { x = function() end } }",
            "seed is a whole number from 0 on, not 1.5"
        ),
        (
            "return { strategy = \"progressive.lua\", options = { upgrade_after_usees = 3 },\n"
                + "tests = { x = function() end } }",
            "no script here declares 'upgrade_after_usees'; did you mean 'upgrade_after_uses'?"
        ),
        (
            "return { strategy = \"progressive.lua\", options = { upgrade_after_uses = -1 },\n"
                + "tests = { x = function() end } }",
            "options: upgrade_after_uses lies in 0.0 ... 1000.0, not -1"
        ),
        (
            "return { strategy = \"progressive.lua\", features = { 1 },\n"
                + "tests = { x = function() end } }", "features: features are different names"
        ),
        (
            "return { strategy = \"progressive.lua\", tests = {\n[\"x\"] = function() end,\n"
                + "[\"y\"] = function() end,\n[\"x\"] = function() end } }",
            "t.lua:4: there is another test 'x' on line 2; each has a name of its own"
        ),
        (
            "return { strategy = \"progressive.lua\",\ntests = { [\"a\\xFFb\"] = function() end } }",
            "t.lua:2: the name of a test is text in UTF-8, not 'a\\xFFb'"
        ),
        (
            "return setmetatable({}, { __index = function(_, key) return key end })",
            "a file of tests has tests = { [\"…\"] ="
        ),
        (
            "return setmetatable({ strategy = \"progressive.lua\", tests = { x = setmetatable({},\n"
                + "{ __index = function() return print end }) } },\n"
                + "{ __index = function(_, key) return key end })",
            "the test \"x\" is a function, or a table with one first, not {}"
        ),
        (
            "return { strategy = \"progressive.lua\", tests = { x = { sed = 1, function() end } } }",
            "the test \"x\" has no 'sed': did you mean 'seed'?"
        ),
    ]

    @Test("refuses a wrong file as a whole, with line or key, and runs nothing", arguments: files)
    func wrongFile(_ text: String, _ said: String) throws {
        let folder = try ScratchFolder()
        let path = try folder.write(text, to: "t.lua")
        let program = try Program.locfleet(["test", path, "scripts/tests/archetype.lua"])
        #expect(program.status == 2 && program.out.isEmpty, "\(program.out)")
        #expect(program.error.contains(said), "\(program.error)")
    }

    @Test("tells of every wrong file at once")
    func allFiles() throws {
        let folder = try ScratchFolder()
        let first = try folder.write("return 1", to: "a.lua")
        let program = try Program.locfleet(["test", first, folder.path("none.lua"), "scripts"])
        #expect(program.status == 2)
        #expect(program.error.contains("\(first): a file of tests returns a table"))
        #expect(program.error.contains("none.lua: there is no such file"))
        #expect(program.error.contains("scripts: this is a folder; a file is due here"))
    }
}
