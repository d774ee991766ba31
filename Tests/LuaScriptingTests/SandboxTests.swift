import LuaScripting
import SimPrimitives
import Simulation
import Testing

/// Everything here hung, crashed or leaked in a sandbox that was less careful.
@Suite("A script in the sandbox", .timeLimit(.minutes(1)))
struct SandboxTests {
    struct Attack: CustomTestStringConvertible, Sendable {
        let code: ScriptFailureCode
        let body: String
        var testDescription: String { "\(code.rawValue): \(body)" }

        init(_ code: ScriptFailureCode, _ body: String) {
            (self.code, self.body) = (code, body)
        }
    }

    // swift-format-ignore
    static let attacks: [Attack] = [
        // Loops, and what might swallow the budget or renew it.
        Attack(.budgetExhausted, "while true do end"),
        Attack(.budgetExhausted, "while true do pcall(function() while true do end end) end"),
        Attack(.runtime,         "xpcall(error, function() while true do end end)"),
        Attack(.budgetExhausted, "for i = 1, 3000 do coroutine.wrap(function() while true do end end)() end"),
        Attack(.budgetExhausted, "for i = 1, 3000 do coroutine.resume(coroutine.create(function() for i = 1, 190 do end end)) end"),
        Attack(.budgetExhausted, "local x = setmetatable({}, { __index = function() while true do end end }).x"),
        Attack(.budgetExhausted, "print(setmetatable({}, { __tostring = function() while true do end end }))"),
        Attack(.budgetExhausted, "('x'):gsub('x', function() while true do end end)"),
        Attack(.budgetExhausted, "local function f() return 1 + f() end f()"),
        Attack(.runtime,         "error(setmetatable({}, { __tostring = function() while true do end end }))"),
        // What runs, or shows, at the collector's whim.
        Attack(.runtime, "setmetatable({}, { __gc = function() while true do end end })"),
        Attack(.runtime, "setmetatable({}, { __mode = 'k' })"),
        Attack(.runtime, "local x <close> = setmetatable({}, { __close = function() while true do end end })"),
        Attack(.runtime, "local m = {} local t = setmetatable({}, m) m.__close = print local x <close> = t"),
        Attack(.runtime, "collectgarbage()"),
        // Work within one instruction.
        Attack(.runtime,         "string.rep('', 1 << 62)"),
        Attack(.budgetExhausted, "string.find(('a'):rep(30), ('a?'):rep(30) .. ('a'):rep(30))"),
        Attack(.budgetExhausted, "string.match(('a'):rep(9999), '.-.-.-.-b')"),
        Attack(.budgetExhausted, "string.find(('a'):rep(16000), ('a'):rep(8000) .. 'b', 1, true)"),
        Attack(.budgetExhausted, "table.move({}, 1, 1 << 60, 2)"),
        Attack(.budgetExhausted, "table.concat(setmetatable({}, { __index = function() return '' end }), '', 1, 1 << 60)"),
        Attack(.budgetExhausted, "table.insert(setmetatable({}, { __len = function() return 1 << 60 end }), 1, 'x')"),
        Attack(.budgetExhausted, "table.remove(setmetatable({}, { __len = function() return 1 << 60 end }), 1)"),
        Attack(.budgetExhausted, "table.sort(setmetatable({}, { __len = function() return 1 << 60 end }))"),
        Attack(.runtime,         "table.unpack({}, 1, 1 << 20)"),
        Attack(.budgetExhausted, "local s = ('x'):rep(9999) while true do s:byte(1, -1) end"),
        Attack(.budgetExhausted, "local s = ('x'):rep(9999) while true do local t = s .. 'y' end"),
        Attack(.runtime,         "local t = {} t.__call = setmetatable(t, t) t()"),
        Attack(.runtime,         "local t = {} for i = 1, 9 do t = setmetatable({}, { __index = t }) end"),
        Attack(.runtime,         "local a, b = {}, {} setmetatable(a, { __index = b }) setmetatable(b, { __newindex = a })"),
        // Strings that would grow long.
        Attack(.stringTooLong, "local s = 'x' while true do s = s .. s end"),
        Attack(.stringTooLong, "local s = 'x' pcall(function() while true do s = s .. s end end) return 'allow_once'"),
        Attack(.runtime,       "string.rep('x', 1 << 30)"),
        Attack(.runtime,       "local s = ('x'):rep(9999) s:gsub('x', s)"),
        Attack(.runtime,       "local t = {} for i = 1, 9 do t[i] = ('x'):rep(9999) end table.concat(t)"),
        // What is not there.
        Attack(.runtime, "return os.time()"),
        Attack(.runtime, "return math.random()"),
        Attack(.runtime, "load('return 1')()"),
        Attack(.runtime, "rawset(_G, 'x', 1)"),
        Attack(.runtime, "string.format('%-20p', 'x')"),
        Attack(.runtime, "getmetatable('').__index = nil"),
        // What would pass from one person to another.
        Attack(.runtime, "count = 1"),
        Attack(.runtime, "string.x = 1"),
        Attack(.runtime, "setmetatable(string, {})"),
        Attack(.runtime, "getmetatable(string).__index = {}"),
        Attack(.runtime, "prompt.kind = 'x'"),
        // What has no fixed order.
        Attack(.runtime, "for k in pairs({ [{}] = 1 }) do end"),
        Attack(.runtime, "next({ 1, 2 }, 1)"),
        Attack(.runtime, "rng.uniform = nil"),
        Attack(.runtime, "getmetatable(prompt).__index = {}"),
        Attack(.runtime, "_ENV.x = 1"),
        Attack(.runtime, "prompt.choices[1] = 'allow_once'"),
        Attack(.runtime, "table.sort(prompt.choices)"),
        Attack(.runtime, "rng.shuffle(prompt.choices)"),
        // What is too much.
        Attack(.runtime,         "for i = 1, 300 do phone.force_quit() end"),
        Attack(.budgetExhausted, "while true do rng.pick { a = 1 } end"),
        Attack(.budgetExhausted, "while true do local x = prompt.choices end"),
        Attack(.budgetExhausted, "local x = {} while true do rng.shuffle(x) end"),
        Attack(.budgetExhausted, "while true do next(self) end"),
        Attack(.budgetExhausted, "local co = coroutine.wrap(function() while true do coroutine.yield() end end) while true do co() end"),
        Attack(.runtime,         "local function f(n) return coroutine.wrap(f)(n + 1) end f(1)"),
        Attack(.runtime,         "rng.integer(1, 1.5)"),
        Attack(.runtime,         "rng.chance(2)"),
        Attack(.runtime,         "rng.exponential(0 / 0)"),
        Attack(.runtime,         "rng.exponential(1 / 0)"),
        Attack(.runtime,         "rng.normal(0, -1)"),
        Attack(.runtime,         "rng.pick { a = 0 }"),
        Attack(.runtime,         "rng.pick { 1, 2 }"),
        Attack(.runtime,         "rng.pick { a = 1 / 0 }"),
        // Replies that are none.
        Attack(.badReply, "return 'maybe'"),
        Attack(.badReply, "return {}"),
        Attack(.badReply, "return 'change_to_always_allow'"),
        Attack(.badReply, "return 'dont_allow', 2"),
        Attack(.badReply, "return 'dont_allow', { after = -1 }"),
        Attack(.badReply, "return 'dont_allow', { after = 0 / 0 }"),
        Attack(.badReply, "return 'dont_allow', { afetr = 1 }"),
        Attack(.badReply, "return 'dont_allow', { precise = 1 }"),
        Attack(.badReply, "return 'dont_allow', { after = '3 parsecs' }"),
        Attack(.badReply, "return 'dont_allow', { after = 3153600001 }"),
        Attack(.badReply, "return nil"),
    ]

    @Test("fails alone, within two seconds", arguments: attacks)
    func attack(_ attack: Attack) throws {
        let fixture = Fixture(
            behavior: """
                return { answer_prompt = function(self, prompt) \(attack.body) end,
                  next_open = function() return 60 end }
                """)
        _ = try fixture.loaded()
        let start = ContinuousClock.now
        let failure = Fixture.failure { try fixture.ask() }
        #expect(ContinuousClock.now - start < .seconds(2))
        #expect(failure?.place.code == attack.code, "\(failure?.message ?? "no failure")")
        #expect(failure?.place.line == 1)
        #expect(failure?.place.hook == .answerPrompt)
        #expect(fixture.acts.isEmpty)
        try fixture.run(.nextOpen)
    }

    // swift-format-ignore
    static let floods = [
        "while true do self[#self + 1] = #self .. ('x'):rep(999) end",
        "pcall(function() while true do self[#self + 1] = #self .. ('x'):rep(999) end end) return 'allow_once'",
        "coroutine.wrap(function() while true do self[#self + 1] = #self .. ('x'):rep(999) end end)()",
        // Little lives, but every new key rehashes the table.
        "for i = 1, 2048 do self[i + 0.5] = 1 end for i = 1, 2048 do self[i + 0.5] = nil self[-i - 0.5] = 1 end",
    ]

    @Test("ends the run when its state is full, whatever it catches", arguments: floods)
    func memory(_ body: String) throws {
        var limits = ScriptLimits()
        limits.stateBytesMax = 1 << 20
        let fixture = Fixture(.answerPrompt, body, limits: limits)
        let error = #expect(throws: HookError.self) { try fixture.ask() }
        guard case .run(let failure)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.code == .scriptMemoryExhausted)
    }

    @Test("ends the run when the table of names is full")
    func names() throws {
        let names = NameTable((0..<NameTable.countMax).map { "name \($0)" })
        let fixture = Fixture(
            strategy: """
                return { launched = function(self, app) app:milestone("name 7") end,
                  tapped = function(self, app) pcall(app.milestone, app, "one more") end }
                """, names: names)
        #expect(try fixture.send(.launched) == [.milestone(NameID(7))])
        let error = #expect(throws: HookError.self) { try fixture.send(.tapped(feature: 0)) }
        guard case .run(let failure)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.code == .tooManyNames)
        #expect(
            failure.detail
                == "strategy.lua:2: the scripts have brought too many names: 'one more' is one "
                + "more than \(NameTable.countMax); a name with a number or a time in it is a new "
                + "one each time")
    }

    @Test("sees the same in every process")
    func order() throws {
        let fixture = Fixture(
            .answerPrompt,
            """
            local order = {}
            for k in pairs { b = 1, a = 2, [2] = 3, [1] = 4, c = 5 } do order[#order + 1] = k end
            print(table.concat(order, " "), next {}, next { 1 }, {}, print, coroutine.create(print))
            print(string.format("%s %s %5.1f %q 100%%", {}, nil, 2, "x"), a, b)
            return "dont_allow"
            """)
        try fixture.ask()
        #expect(
            fixture.printed == [
                "1 2 a b c\tnil\ttrue\ttable\tfunction\tthread",
                "table nil   2.0 \"x\" 100%\tuserdata\tuserdata",
            ])
    }

    @Test("says nan of what is no number, whatever sign the processor gives it")
    func notANumber() throws {
        let fixture = Fixture(
            .answerPrompt,
            """
            local one = 0 / 0
            for _, n in ipairs { one, -one, math.huge - math.huge, tonumber("nan") or one } do
              print(n, tostring(n), ("%f %5.1f %g %s %d"):format(n, n, n, n, 7), ("x"):rep(2, n))
              print(table.concat({ n, 1 }, " "), (("x"):gsub("x", { x = n })), ("%q"):format(n))
              print(pcall(rng.exponential, n))
            end
            return "dont_allow"
            """)
        try fixture.ask()
        let due = [
            "nan\tnan\tnan   nan nan nan 7\txnanx", "nan 1\tnan\t(0/0)",
            "false\tbehavior.lua:5: the mean is a finite number, not nan",
        ]
        #expect(fixture.printed == due + due + due + due)
    }

    // swift-format-ignore
    static let wrongArguments: [(body: String, message: String)] = [
        ("pairs(5)", "bad argument #1 to 'pairs' (table expected, got number)"),
        ("for k in pairs(nil) do end", "bad argument #1 to 'pairs' (table expected, got nil)"),
        ("pairs(a)", "bad argument #1 to 'pairs' (table expected, got userdata)"),
        ("next(5)", "bad argument #1 to 'next' (table expected, got number)"),
        ("coroutine.resume(5)", "bad argument #1 to 'resume' (coroutine expected, got number)"),
        ("coroutine.wrap(5)", "bad argument #1 to 'wrap' (function expected, got number)"),
        ("table.concat(5)", "bad argument #1 to 'concat' (table expected, got number)"),
        ("table.insert(nil, 1)", "bad argument #1 to 'insert' (table expected, got nil)"),
        ("table.remove('x')", "bad argument #1 to 'remove' (table expected, got string)"),
        ("table.sort(true)", "bad argument #1 to 'sort' (table expected, got boolean)"),
        ("table.unpack(print)", "bad argument #1 to 'unpack' (table expected, got function)"),
        ("table.move(1, 1, 1, 1)", "bad argument #1 to 'move' (table expected, got number)"),
        ("rng.shuffle()", "bad argument #1 to 'shuffle' (table expected, got nil)"),
        ("string.format('%d', 'x')", "bad argument #2 to 'format' (number expected, got string)"),
        ("string.format('%d', 1.5)", "bad argument #2 to 'format' (number has no integer representation)"),
        ("string.format()", "a string is due here, not a nil"),
        ("table.sort({ 1, 'x' })", "attempt to compare string with number"),
        ("table.sort({ 2, 1 }, 5)", "attempt to call a number value (local 'is_before')"),
        ("table.insert({}, {}, 1)", "a whole number is due here, not a table"),
    ]

    @Test(
        "is told of a wrong argument at its own line, in Lua's words", arguments: wrongArguments)
    func arguments(_ body: String, _ message: String) throws {
        for caught in [false, true] {
            let call =
                caught
                ? "local ok, why = pcall(function()\n\(body)\nend) error(why, 0)" : "\n\(body)"
            let fixture = Fixture(.answerPrompt, call)
            let failure = try #require(Fixture.failure { try fixture.ask() })
            let isWhole = failure.message == "behavior.lua:2: " + message
            #expect(isWhole || caught && failure.message.hasSuffix(message), "\(failure.message)")
            #expect(!failure.message.contains("prelude"), "\(failure.message)")
        }
    }

    @Test("pays the same whatever came before")
    func price() throws {
        let source = """
            local Parent = { greet = function() end }
            local words = { "a", "b", "c" }
            return {
              answer_prompt = function() return "dont_allow" end,
              next_open = function(self, person)
                local object = setmetatable({}, { __index = Parent })
                local text = ("x"):rep(3000)
                object[text] = text:upper()
                for name in pairs(object) do self.name = name end
                for i = 1, 200 do self["item " .. i] = words[i % #words + 1] end
                return 1
              end }
            """
        var outcomes: Set<[Bool]> = []
        for budget in stride(from: 0, to: 6_000, by: 50) {
            var limits = ScriptLimits()
            limits.instructionsMax = Int64(budget)
            let fixture = Fixture(behavior: source, limits: limits)
            if (try? fixture.loaded()) == nil { continue }
            outcomes.insert(
                (0..<3).map { _ in Fixture.failure { try fixture.run(.nextOpen) } == nil })
        }
        #expect(outcomes == [[false, false, false], [true, true, true]])
    }

    @Test("has Lua's own patterns and a stable sort")
    func libraries() throws {
        let fixture = Fixture(
            .answerPrompt,
            #"""
            print(("key = value"):match("^(%w+)%s*=%s*(%w+)$"))
            print(("THE (quick) fox"):find("%((%a+)%)"), ("a.b"):find(".", 2, true))
            print(("hello world"):gsub("(%w+)", "<%1>"), ("abc"):gsub("", "-"), ("x y"):gsub("%w", { x = 1 }))
            print(("f(a(b)c)d"):match("%b()"), ("THE (quick) fox"):gsub("%f[%a]%a+", string.lower))
            print((" a b "):match("^%s*(.-)%s*$"), ("aXbXc"):match("()X()"), ([["a'b"]]):match("([\"'])(.-)%1"))
            for k, v in ("a=1, b=2"):gmatch("(%w+)=(%w+)") do print(k, v) end
            local list = { "bb", "a", "cc", "d", "aa" }
            table.sort(list, function(x, y) return #x < #y end)
            print(table.concat(list, " "), table.remove(list, 1), #list, table.unpack(list, 3))
            return "dont_allow"
            """#)
        try fixture.ask()
        #expect(
            fixture.printed == [
                "key\tvalue", "5\t2\t2", "<hello> <world>\t-a-b-c-\t1 y\t2",
                "(a(b)c)\tthe (quick) fox\t3", "a b\t2\t\"\ta'b", "a\t1", "b\t2",
                "a d bb cc aa\ta\t4\tcc\taa",
            ])
    }
}
