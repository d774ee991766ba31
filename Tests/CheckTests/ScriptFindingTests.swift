import Check
import LuaScripting
import TestSupport
import Testing

@Suite("The check of a script")
struct ScriptFindingTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let code: CheckFinding.Code
        let severity: CheckFinding.Severity
        let line: Int?
        let kind: ScriptKind
        /// Shows the finding, and the same without it.
        let source: String
        let clean: String
        /// What the finding says, in part.
        let says: String
        var ios: [String]?
        var testDescription: String { "\(code.rawValue): \(says)" }

        init(
            _ code: CheckFinding.Code, _ severity: CheckFinding.Severity, _ line: Int?,
            _ kind: ScriptKind, _ source: String, clean: String, says: String,
            ios: [String]? = nil
        ) {
            (self.code, self.severity, self.line, self.kind) = (code, severity, line, kind)
            (self.source, self.clean, self.says, self.ios) = (source, clean, says, ios)
        }

        /// A body of `answer_prompt`, on line 3.
        static func answer(
            _ code: CheckFinding.Code, as severity: CheckFinding.Severity = .error,
            line: Int? = 3, _ body: String, clean: String, says: String, ios: [String]? = nil
        ) -> Row {
            let around = { (body: String) in
                "return {\nanswer_prompt = function(self, prompt, person)\n\(body)\nend }"
            }
            return Row(
                code, severity, line, .behavior, around(body), clean: around(clean), says: says,
                ios: ios)
        }

        /// A body of `tapped`, on line 3.
        static func tapped(
            _ code: CheckFinding.Code, as severity: CheckFinding.Severity = .error,
            _ body: String, clean: String, says: String, ios: [String]? = nil
        ) -> Row {
            let around = { (body: String) in
                "return {\ntapped = function(self, app, feature)\n\(body)\nend }"
            }
            return Row(
                code, severity, 3, .strategy, around(body), clean: around(clean), says: says,
                ios: ios)
        }

        /// What `launched` sets, on line 3.
        static func timed(_ body: String, clean: String, says: String) -> Row {
            let around = { (body: String) in
                "return {\nlaunched = function(self, app)\n\(body)\nend }"
            }
            return Row(
                .failingHook, .error, 3, .strategy, around(body), clean: around(clean), says: says)
        }

        /// Hooks of a person beside `answer_prompt`, from line 2 on.
        static func person(
            _ code: CheckFinding.Code, _ severity: CheckFinding.Severity, _ hook: String,
            clean: String, says: String
        ) -> Row {
            let around = { (hook: String) in
                "return {\n\(hook),\nanswer_prompt = function(_, p) return p.choices[1] end }"
            }
            return Row(
                code, severity, 2, .behavior, around(hook), clean: around(clean), says: says)
        }

        /// Options of a strategy, from line 2 on, with all of `read` read.
        static func option(
            _ code: CheckFinding.Code, _ severity: CheckFinding.Severity, _ body: String,
            clean: String, says: String
        ) -> Row {
            let around = { (body: String) in
                "return { options = {\n\(body)\n},\nlaunched = function(s, app) "
                    + "app:milestone(app.options.n .. '') end }"
            }
            return Row(
                code, severity, 2, .strategy, around(body), clean: around(clean), says: says)
        }
    }

    static let first = "return prompt.choices[1]"
    static let good = "n = { default = 1, about = 'a', unit = 'uses' }"

    // swift-format-ignore
    static let rows: [Row] = [
        Row(.syntax, .error, 1, .strategy, "return {", clean: "return {}", says: "unexpected symbol near <eof>"),
        Row(.script, .error, 1, .strategy, "error('no')", clean: "return {}", says: "no"),
        Row(.script, .error, nil, .strategy, "return 1", clean: "return {}", says: "returns a table of hooks"),
        Row(.syntax, .error, nil, .strategy, "\u{1b}Lua", clean: "return {}", says: "binary chunk"),
        Row(.budgetExhausted, .error, 2, .strategy, "\nwhile true do end", clean: "return {}", says: "instruction budget"),
        Row(.sharedState, .error, 2, .strategy, "local n = 0\nreturn { launched = function() n = n + 1 end }", clean: "return { launched = function(self) self.n = 1 end }", says: "'n' belongs to the script, and all devices share it: keep it in self"),
        Row(.sharedState, .error, 1, .strategy, "count = 1\nreturn {}", clean: "local count = 1\nreturn { launched = function(self) self.n = count end }", says: "'count' cannot be set here"),
        Row(.unknownHook, .error, 2, .strategy, "return {\nlunched = print }", clean: "return { launched = print }", says: "did you mean 'launched'?"),
        Row(.hookNoFunction, .error, 2, .behavior, "return { answer_prompt = function(_, p) return p.choices[1] end,\nnext_open = 3600 }", clean: "return { answer_prompt = function(_, p) return p.choices[1] end,\nnext_open = function() return 3600 end }", says: "the hook next_open is a function, not a number"),
        Row(.otherKindsHook, .error, 1, .strategy, "return { next_open = print }", clean: "return { launched = print }", says: "next_open is a hook of behaviors"),
        Row(.missingHook, .error, nil, .behavior, "return { born = function() end }", clean: "return { answer_prompt = function(_, p) return p.choices[1] end }", says: "has a hook answer_prompt, and it is missing here"),
        .option(.badOption, .error, "n = { default = 3, max = 2, about = 'a', unit = 'uses' }", clean: good, says: "the default of n is at most 2.0, not 3"),
        .option(.badOption, .error, "n = { default = 1, mim = 2, about = 'a', unit = 'uses' }", clean: good, says: "did you mean 'min'?"),
        .option(.undescribedOption, .warning, "n = { default = 1 }", clean: good, says: "no about (what it is) and no unit"),
        .option(.undescribedOption, .warning, "n = { default = 'x' }", clean: "n = { default = 'x', about = 'a' }", says: "no about"),
        .option(.unusedOption, .warning, "spare = { default = true, about = 'a' }, \(good)", clean: good, says: "spare is declared and nothing reads it"),
        .option(.unknownSource, .warning, "n = { default = 1, about = 'a', unit = 'uses', source = 'felt-atention' }", clean: "n = { default = 1, about = 'a', unit = 'uses', source = 'felt-attention' }", says: "did you mean 'felt-attention'?"),
        .option(.unknownSource, .warning, "n = { default = 1, about = 'a', unit = 'uses', source = 'my blog' }", clean: "n = { default = 1, about = 'a', unit = 'uses', source = 'assumed' }", says: "'my blog' of the option n is none of config/sources"),
        .answer(.unknownWord, as: .warning, "return prompt.kind == 'when_in_user' and prompt.choices[2] or prompt.choices[1]", clean: "return prompt.kind == 'when_in_use' and prompt.choices[2] or prompt.choices[1]", says: "did you mean 'when_in_use'?"),
        .answer(.unknownWord, as: .warning, "return 'authorised' ~= person.status and prompt.choices[2] or prompt.choices[1]", clean: "return 'authorizedAlways' ~= person.status and prompt.choices[2] or prompt.choices[1]", says: "status is never 'authorised'; there are notDetermined"),
        .tapped(.unknownWord, as: .warning, "if app.manager.authorizationStatus == 'authorisedAlways' then return end", clean: "if app.manager.authorizationStatus == 'authorizedAlways' or self.kind == 'x' then return end", says: "did you mean 'authorizedAlways'?"),
        .person(.neverOpens, .warning, "next_open = function() rng.exponential(86400) end", clean: "next_open = function() return rng.exponential(86400) end", says: "is a return missing?"),
        .person(.implausibleSpan, .note, "next_open = function() return 24 end", clean: "next_open = function(self) self.n = (self.n or 0) + 1 return self.n % 2 == 0 and 86400 or 24 end", says: "at most 24 at every call, which are seconds"),
        .person(.implausibleSpan, .note, "session_length = function() return 120000 end", clean: "session_length = function() return 120 end", says: "at least 120000 at every call, which are seconds"),
        .timed("self.t = app:every(5, function(self, app) self.t.cancel() end)", clean: "self.t = app:every(5, function(self, app) self.t:cancel() end)", says: "cancelled with a colon"),
        .timed("app:every(5, function(self, app) self.t:cancel() end)", clean: "app:every(5, function(self, app) if self.t then self.t:cancel() end end)", says: "attempt to index a nil value (field 't')"),
        .timed("app:after(5, function() wait(5) end)", clean: "app:start(function() wait(5) end)", says: "wait works inside app:start"),
        .timed("local a = app; app:after(5, function() a:milestone('x') end)", clean: "app:after(5, function(self, app) app:milestone('x') end)", says: "this app is gone"),
        .timed("app:start(function(self, app) local m = app.manager wait(5) m:requestWhenInUseAuthorization() end)", clean: "app:start(function(self, app) wait(5) app.manager:requestWhenInUseAuthorization() end)", says: "this manager is gone"),
        .timed("app:start(function(self, app) for i = 1, 20 do wait('1d') end error('late') end)", clean: "app:start(function(self, app) while true do wait('1d') end end)", says: "late"),
        .timed("app:after('2d', function(self, app) app:after('2d', function(self, app) error('second') end) end)", clean: "local function again(self, app) app:after('2d', again) end again(self, app)", says: "second"),
        .timed("app:every('1h', function(self, app) self.n = (self.n or 0) + 1 if self.n == 2 then error('again') end end)", clean: "local t = app:after('1h', function(self, app) error('never') end) t:cancel()", says: "again"),
        .timed("local last = app.now app:after('1d', function(self, app) if app.now - last == 86400 then error('in time') end end)", clean: "local last = self.last or 0 if app.now < last then error('back in time') end app:after('90d', function(self, app) self.last = app.now end)", says: "in time"),
        .tapped(.listWithHole, as: .warning, "self.t = { 1, nil, 3 }", clean: "self.t = { 1, false, 3 }; print(1, nil, 3)", says: "no certain length"),
        .answer(.failingHook, "error('no')", clean: first, says: "no"),
        .answer(.failingHook, line: 3, "error({})", clean: first, says: "raised a table"),
        .answer(.failingHook, line: 3, "error(nil)", clean: first, says: "raised a nil"),
        .answer(.failingHook, line: 2, "return {}", clean: first, says: "a choice is due"),
        .answer(.failingHook, "return person.options.shre", clean: first, says: "shre"),
        .answer(.budgetExhausted, "while true do end", clean: first, says: "instruction budget"),
        .answer(.budgetExhausted, "pcall(function() while true do end end)", clean: first, says: "instruction budget"),
        .answer(.absentChoice, line: 2, "return 'allow_once'", clean: first, says: "not among the choices"),
        .answer(.absentChoice, line: 2, "return prompt.kind == 'when_in_use' and 'allow_once' or prompt.choices[1]", clean: "return prompt.has('allow_once') and 'allow_once' or prompt.choices[1]", says: "not among the choices", ios: ["12.0", "13.0"]),
        .answer(.probability, "return rng.chance(1.5) and prompt.choices[1]", clean: "return rng.chance(0.5) and prompt.choices[1] or prompt.choices[2]", says: "a probability lies in 0 ... 1"),
        .answer(.probability, "return rng.chance(odds(-0.1, 2)) and prompt.choices[1]", clean: "return rng.chance(odds(0.1, 2)) and prompt.choices[1] or prompt.choices[2]", says: "a probability lies in 0 ... 1"),
        .answer(.weights, "return rng.pick { [prompt.choices[1]] = -1 }", clean: "return rng.pick { [prompt.choices[1]] = 1 }", says: "weights of at least 0"),
        .answer(.weightsSum, as: .warning, "return rng.pick { [prompt.choices[1]] = 0.5, [prompt.choices[2]] = 0.4 }", clean: "return rng.pick { [prompt.choices[1]] = 0.5, [prompt.choices[2]] = 0.5 }", says: "sum to 0.9"),
        .answer(.weightsSum, as: .warning, "return rng.pick { [prompt.choices[1]] = 0.9, [prompt.choices[2]] = 0.2 }", clean: "return rng.pick { [prompt.choices[1]] = 9, [prompt.choices[2]] = 2 }", says: "sum to 1.1"),
        .tapped(.absentCall, "app.manager:requestLocation()", clean: "if app.available('9.0') then app.manager:requestLocation() end", says: "exists from iOS 9.0 on", ios: ["8.4", "18.5"]),
        .tapped(.failingHook, "app.manager:requestLocatoin()", clean: "app.manager:requestLocation()", says: "did you mean 'requestLocation'?"),
        Row(.untriedHook, .note, 1, .strategy, "return { primer_answered = print }", clean: "return { launched = function(s, app) app:show_primer { id = 'why', text = 'x' } end, primer_answered = function() end }", says: "no occasion for primer_answered"),
        Row(.unknownFeature, .note, 1, .behavior, "return { next_tap = function() return 'map', 1 end, answer_prompt = function(_, p) return p.choices[1] end }", clean: "return { next_tap = function(_, _, f) return f[1], 1 end, answer_prompt = function(_, p) return p.choices[1] end }", says: "which is no feature"),
    ]

    @Test("finds what is wrong, and nothing where it is right", arguments: rows)
    func finds(_ row: Row) throws {
        let found = try findings(row.source, row.kind, ios: row.ios)
        let match = found.first { $0.code == row.code && $0.reason.contains(row.says) }
        #expect(match != nil, "found \(found)")
        #expect(match?.severity == row.severity)
        #expect(match?.line == row.line)
        #expect(try findings(row.clean, row.kind, ios: row.ios) == [])
    }

    @Test("says what the hook was called with, and on which versions it fails")
    func input() throws {
        let source = """
            return { answer_prompt = function(_, prompt)
              return prompt.kind == "always" and "allow" or prompt.choices[1]
            end }
            """
        let found = try findings(source, .behavior, ios: ["10.3", "11.4", "12.5", "18.5"])
        #expect(found.count == 1)
        #expect(found[0].versions.map(\.description) == ["11.4", "12.5"])
        #expect(
            found[0].input?.hasPrefix(
                "a prompt always with only_while_using, always_allow or dont_allow, number 1 of its "
                    + "kind, 0 asked before, not primed, not expected; persona everyone (the defaults), "
                    + "iOS 11.4")
                == true)
    }

    @Test("is one finding where prompts, versions, devices and hooks alone differ")
    func once() throws {
        let person = try findings(
            "return { answer_prompt = function() return 'allow_once' end }", .behavior)
        #expect(person.map(\.code) == [.absentChoice])
        #expect(person.first?.versions.count == 12)
        #expect((person.first?.callCount ?? 0) > 5_000)
        let app = try findings(
            """
            local function finish(app) app:milestoen("x") end
            return {
              launched = function(self, app) finish(app) end,
              tapped = function(self, app) finish(app) app:oops() end,
            }
            """, .strategy)
        #expect(app.map(\.line) == [1])
        #expect(app.first?.hook == .launched && app.first?.otherHooks == [.tapped])
        let two = try findings(
            "return { launched = function() error(1) end, tapped = function() error('x') end }",
            .strategy)
        #expect(two.count == 2)
    }

    @Test("tells everything at once, worst first")
    func everything() throws {
        let found = try findings(
            """
            return {
              options = { a = { default = 1, mix = 2 }, b = { default = 9, max = 1 } },
              lunched = print,
              born = print,
              tapped = function() error("tap") end,
              launched = function() error("launch") end,
            }
            """, .strategy)
        #expect(
            found.map(\.code) == [
                .badOption, .badOption, .unknownHook, .otherKindsHook, .failingHook, .failingHook,
                .undescribedOption, .undescribedOption, .unusedOption, .unusedOption,
            ])
        #expect(found.map(\.line) == [2, 2, 3, 4, 5, 6, 2, 2, 2, 2])
    }

    @Test("tells a script's kind by its folder, else by its hooks, also misspelt ones")
    func kind() throws {
        let person = "return { answer_promt = function() end, born = function() end }"
        let app = "return { lunched = function() end, tapped = function() end }"
        #expect(try findings(person).map(\.code) == [.missingHook, .unknownHook])
        #expect(try findings(app).map(\.code) == [.unknownHook])
        let folder = try ScratchFolder()
        for (text, name, kind) in [
            (app, "behaviors/a.lua", FileReport.Kind.behavior),
            (person, "strategies/b.lua", .strategy),
            (person, "c.lua", .behavior), (app, "d.lua", .strategy),
        ] {
            #expect(fileCheck().report(try folder.write(text, to: name)).kind == kind, "\(name)")
        }
        #expect(fileCheck(as: .behavior).report(folder.path("d.lua")).kind == .behavior)
    }
}
