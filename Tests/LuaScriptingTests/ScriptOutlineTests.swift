import LuaScripting
import Simulation
import Testing

@Suite("A script's outline")
struct ScriptOutlineTests {
    func read(_ source: String, _ kind: ScriptKind = .behavior) throws -> ScriptOutline {
        try ScriptOutline.read(source: source, name: "scripts/x.lua", kind: kind)
    }

    @Test("has hooks and options in the order of their names")
    func outline() throws {
        let outline = try read(
            """
            local M = { options = {
              zeal = { default = 3, min = 1, max = 9, unit = "uses", about = "how often" },
              loud = { default = true, source = "survey-2024" },
              word = { default = "yes", source = "assumed" },
              pace = { default = 1.5, assumed = true },
            } }
            function M.answer_prompt(self, prompt) return "dont_allow" end
            M.each_day = function() end
            return M
            """)
        #expect(outline.hooks.contains(.answerPrompt) && outline.hooks.contains(.eachDay))
        #expect(!outline.hooks.contains(.born))
        #expect(outline.options.map(\.name) == ["loud", "pace", "word", "zeal"])
        #expect(outline.options.map(\.isAssumed) == [false, true, true, true])
        #expect(outline.options.map(\.source) == ["survey-2024", nil, nil, nil])
        #expect(
            outline.options.map(\.defaultValue)
                == [.boolean(true), .number(1.5), .string("yes"), .number(3)])
        #expect(outline.options[3].min == 1 && outline.options[3].max == 9)
        #expect(outline.options[3].unit == "uses" && outline.options[3].about == "how often")
    }

    @Test("of a strategy has no assumed options: they are choices")
    func strategy() throws {
        let outline = try read("return { options = { n = { default = 1 } } }", .strategy)
        #expect(outline.options.map(\.isAssumed) == [false])
        #expect(outline.hooks == HookSet())
    }

    @Test("tells which values an option takes")
    func values() throws {
        let outline = try read(
            "return { options = { n = { default = 1, min = 0, max = 2 } } }", .strategy)
        let option = outline.options[0]
        #expect(option.complaint(about: .number(2)) == nil)
        #expect(option.complaint(about: .number(2.5)) == "n lies in 0.0 ... 2.0")
        #expect(option.complaint(about: .number(.nan)) == "n is a finite number")
        #expect(option.complaint(about: .string("2")) == "n is a number")
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let source: String
        let message: String
        let kind: ScriptKind
        var testDescription: String { message }

        init(_ source: String, _ message: String, _ kind: ScriptKind = .behavior) {
            (self.source, self.message, self.kind) = (source, message, kind)
        }

        /// An option of a strategy, on line 3.
        static func option(_ body: String, _ message: String) -> Row {
            Row("return {\noptions = {\n\(body)\n} }", message, .strategy)
        }
    }

    // swift-format-ignore
    static let rows: [Row] = [
        // Loading.
        Row("return {", "scripts/x.lua:1: unexpected symbol near <eof>"),
        Row("local x = 1\nlocal y = = 2", "scripts/x.lua:2: unexpected symbol near '='"),
        Row("return 1", "scripts/x.lua: a script returns a table of hooks"),
        Row("\n\nerror('no')", "scripts/x.lua:3: no"),
        Row("\nwhile true do end", "scripts/x.lua:2: the call ran past its instruction budget of 100000: the usual reason is a loop that does not end"),
        Row("local n = 1\nif n != 2 then end", "scripts/x.lua:2: 'then' expected near '!'; not equal is written ~="),
        Row("local n = 1\nn += 1", "scripts/x.lua:2: syntax error near '+'; there is no +=: write x = x + 1"),
        Row("local n = 1\nn++", "scripts/x.lua:2: syntax error near '+'; there is no ++: write x = x + 1"),
        Row("return {\n  born = function()\n    if true then\n  end\n}", "scripts/x.lua:5: unexpected symbol near '}'; an end may be missing above: each function, if, for and while has one"),
        Row("return {\n  born = function()\n    if true then\n  end,\n}", "scripts/x.lua:4: unexpected symbol near ','; an end may be missing above: each function, if, for and while has one"),
        Row("if a then\nelse if b then\nend", "scripts/x.lua:3: 'end' expected (to close 'if' at line 1) near <eof>; each function, if, for and while has an end of its own, and elseif is one word"),
        Row("return {\n  born = function() end\n  each_day = function() end\n}", "scripts/x.lua:3: '}' expected (to close '{' at line 1) near 'each_day'; commas stand between the entries of a table, also after the end of a function"),
        Row("local x = rng.uniform()", "scripts/x.lua:1: rng draws only while a hook runs"),
        Row("phone.force_quit()", "scripts/x.lua:1: a person can reach for the phone only while a hook runs"),
        Row("app:milestone('x')", "scripts/x.lua:1: this app is gone: it lasts as long as its hook runs", .strategy),
        Row("\u{1b}Lua", "scripts/x.lua: attempt to load a binary chunk (mode is 't')"),
        Row(String(repeating: "-", count: 300_000), "scripts/x.lua: a script has at most 262144 bytes"),
        Row("count = 1", "scripts/x.lua:1: 'count' cannot be set here: keep it in self or in a local"),
        // Hooks.
        Row("return {}", "scripts/x.lua: a behavior has a hook answer_prompt, and it is missing here"),
        Row("return {\n  answer_promt = function() end }", "scripts/x.lua:2: a behavior has no hook 'answer_promt': did you mean 'answer_prompt'?"),
        Row("return { answer_prompt = 1 }", "scripts/x.lua:1: the hook answer_prompt is a function, not a number"),
        Row("return { lunched = print }", "scripts/x.lua:1: a strategy has no hook 'lunched': did you mean 'launched'?", .strategy),
        Row("return { born = function() end }", "scripts/x.lua:1: born is a hook of behaviors, and this is a strategy", .strategy),
        Row("return {\n\ntapped = function() end }", "scripts/x.lua:3: tapped is a hook of strategies, and this is a behavior"),
        Row("return { didFinishDeferredUpdates = function() end }", "scripts/x.lua:1: didFinishDeferredUpdates is not there yet: it comes with movement", .strategy),
        Row("return { print }", "scripts/x.lua: the members of a script and its options have names, not numbers", .strategy),
        // Options.
        Row("return { options = 1 }", "scripts/x.lua:1: options is a table", .strategy),
        .option("n = 1", "scripts/x.lua:3: the option n is a table such as { default = 1 }"),
        .option("n = {}", "scripts/x.lua:3: the option n has a default"),
        .option("n = { default = print }", "scripts/x.lua:3: the default of n is a number, a boolean or a string"),
        .option("n = { default = 1, maximum = 2 }", "scripts/x.lua:3: an option has no field 'maximum'"),
        .option("n = { default = 1, mim = 2 }", "scripts/x.lua:3: an option has no field 'mim': did you mean 'min'?"),
        .option("n = { default = 1, min = '0' }", "scripts/x.lua:3: min of n is a finite number"),
        .option("n = { default = 1, max = 0 / 0 }", "scripts/x.lua:3: max of n is a finite number"),
        .option("n = { default = 1, unit = 1 }", "scripts/x.lua:3: unit of n is a string, not a number"),
        .option("n = { default = 1, assumed = 'yes' }", "scripts/x.lua:3: assumed of n is true or false"),
        .option("n = { default = 3, min = 0, max = 2 }", "scripts/x.lua:3: the default of n lies in 0.0 ... 2.0, not 3"),
        .option("n = { default = -1, min = 0 }", "scripts/x.lua:3: the default of n is at least 0.0, not -1"),
        .option("n = { default = 1 / 0 }", "scripts/x.lua:3: the default of n is a finite number, not inf"),
        .option("n = { default = '2d' }", "scripts/x.lua:3: the option n is a duration: its default is a number of seconds, { default = 3600, unit = \"s\" }, not '2d'"),
        .option("n = { default = '1.5h', unit = 's' }", "scripts/x.lua:3: the option n is a duration: its default is a number of seconds, { default = 3600, unit = \"s\" }, not '1.5h'"),
        .option("n = { default = 1, min = 2, max = 1 }", "scripts/x.lua:3: min of n is above its max"),
        .option("n = { default = 'x', max = 1 }", "scripts/x.lua:3: only numbers have a min and a max, and n is none"),
        .option("n = { default = 1, assumed = true, source = 'x' }", "scripts/x.lua:3: n is assumed or has the source x, not both"),
        .option("['a-b'] = { default = 1 }", "scripts/x.lua: 'a-b' cannot name an option: at most 64 of a-z, 0-9 and _"),
    ]

    @Test("is refused with the place and what would be accepted", arguments: rows)
    func refused(_ row: Row) {
        let error = #expect(throws: ScriptError.self) { try read(row.source, row.kind) }
        #expect(error?.description == row.message)
    }

    @Test("is refused in the same words when a fleet is loaded")
    func fleet() {
        let fixture = Fixture(strategy: "return {\nlunched = print }")
        let error = #expect(throws: ScriptError.self) { try fixture.loaded() }
        #expect(
            error?.description
                == "strategy.lua:2: a strategy has no hook 'lunched': did you mean 'launched'?")
    }
}
