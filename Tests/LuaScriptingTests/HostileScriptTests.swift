import Dispatch
import Foundation
import LuaScripting
import SimPrimitives
import Simulation
import Testing

/// A hostile script for each entry of the list of issue 5, on one device among others.
@Suite("A script that is hostile on one device", .timeLimit(.minutes(5)))
struct HostileScriptTests {
    /// The code runs only on device 7, in the hook `next_open`.
    struct Row: CustomTestStringConvertible, Sendable {
        let what: String
        let code: ScriptFailureCode
        let body: String
        let line: UInt32
        var testDescription: String { what }

        /// What a hook returns has the line of the hook, which is 4.
        init(_ what: String, _ code: ScriptFailureCode, _ body: String, line: UInt32? = nil) {
            (self.what, self.code, self.body) = (what, code, body)
            self.line = line ?? (code == .badReply ? 4 : 6)
        }
    }

    // swift-format-ignore
    static let rows: [Row] = [
        Row("an endless loop", .budgetExhausted, "while true do end"),
        Row("a loop by goto", .budgetExhausted, "::again:: goto again"),
        Row("a loop without a body, to the largest number", .budgetExhausted, "for i = 1, math.maxinteger do end"),
        Row("a loop inside pcall", .budgetExhausted, "pcall(function() while true do end end) return 1"),
        Row("pcall after pcall", .budgetExhausted, "while true do pcall(function() while true do end end) end"),
        Row("pcall of pcall", .budgetExhausted, "local function f() pcall(f) f() end f()"),
        Row("a message handler", .runtime, "local _ = xpcall(error, function() while true do end end)"),
        Row("a coroutine", .budgetExhausted, "coroutine.wrap(function() while true do end end)()"),
        Row("a coroutine within pcall", .budgetExhausted, "pcall(coroutine.wrap(function() while true do end end)) return 1"),
        Row("coroutines without end", .budgetExhausted, "while true do coroutine.resume(coroutine.create(function() end)) end"),
        Row("a finalizer", .runtime, "setmetatable({}, { __gc = function() while true do end end })"),
        Row("a finalizer slipped in later", .runtime, "local m = {} local t = setmetatable({}, m) m.__gc = function() while true do end end t = nil for i = 1, 200 do local s = { i } end error('still here')"),
        Row("a variable to close", .runtime, "local x <close> = setmetatable({}, { __close = function() while true do end end })"),
        Row("a chain of __index", .runtime, "local t = {} for i = 1, 100 do t = setmetatable({}, { __index = t }) end local _ = t.x"),
        Row("an __index that looks at itself", .runtime, "local t t = setmetatable({}, { __index = function(_, k) return t[k] end }) local _ = t.x"),
        Row("__tostring of an error", .runtime, "error(setmetatable({}, { __tostring = function() while true do end end }))"),
        Row("__tostring that is asked", .budgetExhausted, "local _ = tostring(setmetatable({}, { __tostring = function() while true do end end }))"),
        Row("a callback of gsub", .budgetExhausted, "local _ = (('x'):rep(99):gsub('x', function() while true do end end))"),
        Row("a table of gsub with __index", .budgetExhausted, "local _ = (('x'):gsub('x', setmetatable({}, { __index = function() while true do end end })))"),
        Row("an iterator that never ends", .budgetExhausted, "for x in function() return 1 end do end"),
        Row("a pattern that backtracks", .budgetExhausted, "local _ = ('a'):rep(30):find(('a?'):rep(30) .. ('a'):rep(30))"),
        Row("a pattern with nested ways", .budgetExhausted, "local _ = ('a'):rep(9999):match('.-.-.-.-.-b')"),
        Row("table.move without end", .budgetExhausted, "table.move({}, 1, math.maxinteger - 1, 2)"),
        Row("string.rep without end", .runtime, "local _ = ('x'):rep(math.maxinteger)"),
        Row("string.rep of nothing", .runtime, "local _ = (''):rep(math.maxinteger)"),
        Row("table.concat without end", .budgetExhausted, "local _ = table.concat(setmetatable({}, { __index = function() return '' end }), '', 1, math.maxinteger - 1)"),
        Row("unpack of a million", .runtime, "local _ = table.unpack({}, 1, 1000000)"),
        Row("sort by a comparer that never agrees", .budgetExhausted, "local t = {} for i = 1, 5000 do t[i] = i end table.sort(t, function() return true end)"),
        Row("sort by a comparer that loops", .budgetExhausted, "table.sort({ 2, 1 }, function() while true do end end)"),
        Row("insert into a huge __len", .budgetExhausted, "table.insert(setmetatable({}, { __len = function() return math.maxinteger - 1 end }), 1, 0)"),
        Row("__len that is no number", .runtime, "table.insert(setmetatable({}, { __len = function() return {} end }), 1)"),
        Row("a string that doubles", .stringTooLong, "local s = 'x' while true do s = s .. s end"),
        Row("a string that doubles within pcall", .stringTooLong, "pcall(function() local s = 'x' while true do s = s .. s end end) return 1"),
        Row("deep recursion in Lua", .budgetExhausted, "local function f(n) return 1 + f(n + 1) end local _ = f(1)"),
        Row("deep recursion through C", .budgetExhausted, "local function f() return (('x'):gsub('x', f)) end return pcall(error) and f() or coroutine.wrap(function() return f() end)() or setmetatable({}, { __index = function(t, k) return t[k .. 'x'] end }).x"),
        Row("coroutines within coroutines", .runtime, "local function f() return coroutine.wrap(f)() end local _ = f()"),
        Row("metamethods within metamethods", .runtime, "local m m = { __add = function(a, b) return setmetatable({}, m) + b end } local _ = setmetatable({}, m) + 1"),
        Row("an error that is a table", .runtime, "error({ code = 1 })"),
        Row("an error that is nil", .runtime, "error(nil)"),
        Row("an error that is true", .runtime, "error(true)"),
        Row("an error that is a function", .runtime, "error(print)"),
        Row("an error that is a coroutine", .runtime, "error(coroutine.create(print))"),
        Row("an error that is a host object", .runtime, "error(person)"),
        Row("bytecode by load", .runtime, "local _ = load('\\27Lua')()"),
        Row("text by load", .runtime, "local _ = load('return 1')()"),
        Row("string.dump", .runtime, "local _ = string.dump(print)"),
        Row("dofile", .runtime, "dofile('/etc/passwd')"),
        Row("require", .runtime, "require('os')"),
        Row("the metatable of strings", .runtime, "getmetatable('').__index = nil"),
        Row("the metatable of a host object", .runtime, "getmetatable(person).__index = nil"),
        Row("the metatable of a library", .runtime, "getmetatable(rng).__index = nil"),
        Row("a library changed", .runtime, "math.floor = nil"),
        Row("debug", .runtime, "debug.getregistry()"),
        Row("a name with a NUL byte", .runtime, "person['device\\0'] = 1"),
        Row("a field with invalid UTF-8", .runtime, "local _ = person['\\xff\\xfe']"),
        Row("a result with a NUL byte", .badReply, "return '9\\0s'"),
        Row("a result with invalid UTF-8", .badReply, "return '\\xff'"),
        Row("an error with invalid UTF-8 and a NUL byte", .runtime, "error('\\xff\\0\\xfe')"),
        Row("a result that is not a number", .badReply, "return 0 / 0"),
        Row("an infinite delay", .badReply, "return 1 / 0"),
        Row("a negative delay", .badReply, "return -1"),
        Row("a delay a hair below zero", .badReply, "return -5e-324"),
        Row("a delay of more than a hundred years", .badReply, "return 3153600001"),
        Row("a delay of 2^63", .badReply, "return 2^63"),
        Row("the largest integer as a delay", .badReply, "return math.maxinteger"),
        Row("the smallest integer as a delay", .badReply, "return math.mininteger"),
        Row("a delay in a text that is none", .badReply, "return '1e999d'"),
        Row("a fraction where a whole number is meant", .runtime, "local _ = rng.integer(1, 2.5)"),
        Row("integers beyond 2^53 as floats", .runtime, "local _ = rng.integer(0, 2^63)"),
        Row("all integers", .runtime, "local _ = rng.integer(math.mininteger, math.maxinteger)"),
        Row("a probability that is not a number", .runtime, "local _ = rng.chance(0 / 0)"),
        Row("a division by zero of integers", .runtime, "local zero = 0 * person.device local _ = 1 // zero"),
        Row("a yield across our call", .runtime, "coroutine.yield(1)"),
        Row("a yield within gsub", .runtime, "local _ = (('x'):gsub('x', coroutine.yield))"),
        Row("a yield within sort", .runtime, "table.sort({ 2, 1 }, coroutine.yield)"),
        Row("a yield within pick", .runtime, "local _ = pcall(coroutine.yield) and 1 or error('outside a coroutine')"),
        Row("a host object kept from another hook", .runtime, "local _ = self.kept.device"),
        Row("a list kept from another hook, written", .runtime, "self.features[1] = 'x'"),
        Row("a method kept from another hook", .runtime, "local _ = self.kept.has('x')"),
        Row("more acts than a hook may have", .runtime, "for i = 1, 300 do phone.force_quit() end"),
        Row("an assertion", .runtime, "assert(false, { 1 })"),
        Row("a tail call, which leaves no line but the hook's", .runtime, "return table.unpack({}, 1, 1 << 20)", line: 4),
        Row("a result that is a table", .badReply, "return {}"),
        Row("a result that is a function", .badReply, "return print"),
    ]

    private struct Outcome {
        /// What each device says, hook by hook.
        var said: [[String]] = []
        var failure: ScriptFailure?
    }

    /// The hostile lines are on line 6.
    private static func outcome(of body: String, hostile: UInt32?) throws -> Outcome {
        let fixture = Fixture(
            behavior: """
                return {
                born = function(self, person) self.n, self.kept = rng.integer(1, 1000), person end,
                next_tap = function(self, person, features) self.features = features return nil end,
                next_open = function(self, person) self.n = self.n + 1
                if person.device == \(hostile.map(String.init) ?? "-1") then do
                \(body) end end
                return self.n end,
                answer_prompt = function(self, prompt)
                return rng.pick { allow_once = self.n, dont_allow = 500 } end }
                """)
        var outcome = Outcome()
        for device in 0..<12 as Range<UInt32> {
            let person = PersonView.person(device)
            var said: [String] = []
            for hook in [HookName.born, .nextTap, .nextOpen, .nextOpen] {
                let failure = Fixture.failure { try fixture.run(hook, person) }
                said.append(failure.map { "\($0.place) \($0.message)" } ?? "fine")
                outcome.failure = outcome.failure ?? failure
            }
            said.append("\(try fixture.ask(.first, person))")
            outcome.said.append(said)
        }
        return outcome
    }

    @Test(
        "fails there with script, line, hook and code, and nobody else notices", arguments: rows)
    func isolation(_ row: Row) throws {
        let start = ContinuousClock.now
        let with = try Self.outcome(of: row.body, hostile: 7)
        #expect(ContinuousClock.now - start < .seconds(10), "twice over budget")
        let without = try Self.outcome(of: row.body, hostile: nil)
        #expect(without.failure == nil)
        for device in 0..<12 where device != 7 {
            #expect(with.said[device] == without.said[device])
        }
        let failure = try #require(with.failure, "it did not fail")
        #expect(failure.place.code == row.code, "\(failure.message)")
        #expect(failure.place.hook == .nextOpen)
        #expect(failure.message.hasPrefix("behavior.lua"), "\(failure.message)")
        #expect(failure.place.line == row.line, "\(failure.message)")
        #expect(!failure.message.contains("0x"), "an address: \(failure.message)")
    }

    /// On a queue's thread, as workers are, and on one with a sixteenth of that stack.
    @Test("overflows no worker's stack, however deep it calls", arguments: [512, 8 * 1024])
    func stack(kibibytes: Int) throws {
        // swift-format-ignore
        let bodies = [
            "local function f() return (('x'):gsub('x', f)) end return f()",
            "local function f() pcall(f) error('x') end f()",
            "local function f() return coroutine.wrap(f)() end return f()",
            "local function f(a, b) return setmetatable({}, { __index = f }).x end return f()",
            "local function f(a, b) return tostring(setmetatable({}, { __tostring = f })) end return f()",
            "local t = {} for i = 1, 190 do t = { t } end return rng.pick(t)",
            "local m m = { __lt = function(a, b) return setmetatable({}, m) < b end } return setmetatable({}, m) < 1",
            "local function f(a, b) table.sort({ 2, 1 }, f) end f()",
            "error((('('):rep(200) .. (')'):rep(200)):match(('('):rep(30) .. '.-' .. (')'):rep(30)))",
            "error(('x'):rep(9999):find(('.-'):rep(200)))",
        ]
        nonisolated(unsafe) var codes: [ScriptFailureCode?] = []
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            for body in bodies {
                let fixture = Fixture(.nextOpen, body)
                codes.append(Fixture.failure { try fixture.run(.nextOpen) }?.place.code)
            }
            done.signal()
        }
        thread.stackSize = kibibytes << 10
        thread.start()
        done.wait()
        #expect(codes.count == bodies.count)
        #expect(codes.allSatisfy { $0 != nil }, "\(codes)")
    }

    @Test("is not read where it has 50 MB, and names its first line where that is wrong")
    func sources() {
        let long = String(repeating: "-- x\n", count: 10 << 20)
        let start = ContinuousClock.now
        let refused = #expect(throws: ScriptError.self) {
            try ScriptOutline.read(source: long, name: "x.lua", kind: .behavior)
        }
        #expect(refused?.code == .sourceTooLong && ContinuousClock.now - start < .seconds(2))
        let wrong = #expect(throws: ScriptError.self) {
            try ScriptOutline.read(source: "}", name: "x.lua", kind: .behavior)
        }
        #expect(wrong?.line == 1 && wrong?.code == .syntax)
    }

    /// The parser recurses in C.
    @Test(
        "does not overflow the parser",
        arguments: ["(", "{", "function() ", "-", "not ", "a.", "if a then ", "x=", "[["])
    func parser(_ opening: String) {
        for start in ["return ", "", "local x = "] {
            let source = start + String(repeating: opening, count: 200_000 / opening.utf8.count)
            #expect(throws: ScriptError.self) {
                try ScriptOutline.read(source: source, name: "x.lua", kind: .behavior)
            }
        }
    }
}
