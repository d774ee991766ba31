import Foundation
import Simulation
import Testing

/// All of these took seconds within the budget of one call: C worked long and paid little.
@Suite("A hook that makes C work", .timeLimit(.minutes(1)))
struct PriceTests {
    /// Far above what a budget takes in a debug build, and far below what each took.
    static let secondsMax = 0.5

    // swift-format-ignore
    static let bodies: [(body: String, code: ScriptFailureCode)] = [
        // Sets in patterns, gone through for each character of a run.
        ("s:gsub('[' .. ('b'):rep(4000) .. 'z]-', '')", .budgetExhausted),
        ("s:gsub('[' .. ('b'):rep(4000) .. 'z]*x', '')", .budgetExhausted),
        ("s:gsub('[' .. ('b'):rep(60) .. 'z]-', '')", .budgetExhausted),
        ("while true do s:find('%b()') end", .budgetExhausted),
        ("while true do string.find('', s) end", .budgetExhausted),
        // Strings read as numbers.
        ("while true do tonumber(s, 36) end", .budgetExhausted),
        ("while true do tonumber((' '):rep(16000)) end", .budgetExhausted),
        ("while true do local x = nines + 0 end", .budgetExhausted),
        ("while true do local x = -nines end", .budgetExhausted),
        ("while true do local x = hex % 3 end", .budgetExhausted),
        ("local f = math.floor while true do f(hex) f(hex) f(hex) f(hex) end", .budgetExhausted),
        ("local f = math.ult while true do f(hex, hex) end", .budgetExhausted),
        ("local f = rng.integer while true do pcall(f, hex, hex) end", .budgetExhausted),
        ("while true do s:sub(hex) end", .budgetExhausted),
        ("while true do table.concat({}, '', 1, hex) end", .budgetExhausted),
        // Strings compared, NUL by NUL.
        ("local x while true do x = a < b x = a <= b x = a > b x = a >= b end", .budgetExhausted),
        ("local t = {} for i = 1, 40 do t[a .. i] = i end while true do pairs(t) end", .budgetExhausted),
        ("local t = {} for i = 1, 60 do t[i] = a .. i end while true do table.sort(t) end", .budgetExhausted),
        // Many values copied.
        ("local function f(...) while true do select('#', ...) end end f(s:byte(1, -1))", .budgetExhausted),
        ("local function f(...) while true do math.max(...) end end f(s:byte(1, -1))", .budgetExhausted),
        ("local function f(...) local function g() end while true do g(...) end end f(s:byte(1, -1))", .budgetExhausted),
        ("local c = coroutine.wrap(function(...) while true do for _ = 1, 30 do select('#', ...) end coroutine.yield() end end) c(s:byte(1, -1)) while true do c() end", .budgetExhausted),
        // Keys that all lie in one chain.
        ("for i = 1, 16384 do self[i * 16383] = true end", .runtime),
        ("for i = 1, 2048 do self[i * 2047] = true end local x while true do x = self[-2047] end", .budgetExhausted),
        ("for i = 1, 16384 do self[i + 0.5] = true end", .runtime),
        ("for i = 1, 16384 do self['k' .. i] = true end", .runtime),
    ]

    @Test("ends within its budget of instructions, and soon", arguments: bodies.map(\.body))
    func ends(_ body: String) throws {
        let code = Self.bodies.first { $0.body == body }?.code
        let fixture = Fixture(
            behavior: """
                local s, nines, hex = ("z"):rep(16000), ("9"):rep(16000), "0x" .. ("f"):rep(15990)
                local a, b = ("\\0"):rep(16000) .. "a", ("\\0"):rep(16000) .. "b"
                return { answer_prompt = print, next_open = function(self)
                \(body) end }
                """)
        _ = try fixture.loaded()
        let began = Self.threadSeconds
        let failure = Fixture.failure { try fixture.run(.nextOpen) }
        #expect(failure?.place.code == code, "\(failure?.message ?? "no failure")")
        #expect(failure?.place.line == 4)
        #expect(Self.threadSeconds - began < Self.secondsMax)
    }

    /// Of the processor: other tests run at the same time.
    private static var threadSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test("gathers values over the life of a task, and ends as soon")
    func tasks() throws {
        let ones = String(repeating: "1,", count: 240)
        let fixture = Fixture(
            strategy: """
                local function grow(n, ...)
                  if n == 0 then while true do select("#", ...) end end
                  return grow(n - 1, \(ones) ...)
                end
                return { launched = function(self, app) app:start(function() grow(250) end) end }
                """)
        _ = try fixture.loaded()
        let began = Self.threadSeconds
        let failure = Fixture.failure { try fixture.send(.launched) }
        #expect(failure?.place.code == .budgetExhausted, "\(failure?.message ?? "no failure")")
        #expect(Self.threadSeconds - began < Self.secondsMax)
    }

    @Test("tells that a table has too many keys, whatever it catches")
    func keys() throws {
        let fixture = Fixture(
            .nextOpen,
            "return pcall(function() for i = 1, 3000 do self['k' .. i] = 1 end end) and 1")
        #expect(
            Fixture.failure { try fixture.run(.nextOpen) }?.message
                == "behavior.lua:1: a table has at most 2048 keys, beside those of a list that is "
                + "filled from 1 on")
    }

    @Test("may have lists of 16,384 values, and 2,048 names beside them")
    func lists() throws {
        let fixture = Fixture(
            .nextOpen,
            "for i = 1, 16384 do self[i] = i end for i = 1, 2048 do self['k' .. i] = i end return 1"
        )
        try fixture.run(.nextOpen)
    }

    @Test("may make more strings than a list may have values")
    func manyStrings() throws {
        let fixture = Fixture(
            .nextOpen,
            """
            self.lists = self.lists or {}
            for i = #self.lists + 1, #self.lists + 8 do
              local list = {}
              for k = 1, 2000 do list[k] = i .. "/" .. k end
              self.lists[i] = list
            end
            return #self.lists
            """)
        for _ in 0..<6 { try fixture.run(.nextOpen) }  // 96,000 of them.
    }

    @Test("tells that a list is too long, whatever it catches, and leaves those of the chunk alone")
    func longList() throws {
        let fixture = Fixture(
            .nextOpen, "return pcall(function() for i = 1, 17000 do self[i] = i end end) and 1")
        #expect(
            Fixture.failure { try fixture.run(.nextOpen) }?.message
                == "behavior.lua:1: a list has at most 16384 values")
        let shared = Fixture(
            behavior: """
                local long = {}
                for i = 1, 20000 do long[i] = i end
                return { answer_prompt = print, next_open = function() return long[20000] end }
                """)
        try shared.run(.nextOpen)
    }

    @Test("orders strings by their bytes, a NUL like any other")
    func order() throws {
        let fixture = Fixture(
            .nextOpen,
            "local t = { 'b', 'B', 'a\\0b', 'a', '', '\\xff', 'a\\0a' } table.sort(t) "
                + "print(table.concat(t, ' ')) return 1")
        try fixture.run(.nextOpen)
        #expect(
            fixture.printed.map { $0.replacing("\0", with: "0") } == [" B a a0a a0b b \u{FFFD}"])
    }

    @Test("pays nothing more for short strings and few values")
    func ordinary() throws {
        let fixture = Fixture(
            .nextOpen,
            "for i = 1, 150 do local x = tonumber('12') + math.max(i, 3) x = ('abc'):sub(2, 3) "
                + "x = 'abc' < 'abd' x = ('a b'):find('%s') end return 1")
        try fixture.run(.nextOpen)
    }
}
