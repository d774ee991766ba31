import LuaScripting
import SimPrimitives
import Simulation
import Testing

@Suite("A task of a Lua strategy")
struct LuaTaskTests {
    /// Begins one, and lets every wait of it pass.
    private func tell(
        _ body: String, limits: ScriptLimits = ScriptLimits()
    ) throws -> (printed: [String], waits: [SimDuration]) {
        let fixture = Fixture(.launched, body, limits: limits)
        var waits: [SimDuration] = []
        var due: [UInt64] = []
        func note(_ calls: [AppCall]) {
            for case .setTimer(let timer) in calls {
                waits.append(timer.wait)
                due.append(timer.number)
            }
        }
        note(try fixture.send(.launched))
        while !due.isEmpty {
            let sessions = UInt32(1 + waits.count)
            note(
                try fixture.send(.timer(due.removeFirst(), isLast: true), .app(sessions: sessions)))
        }
        return (fixture.printed, waits)
    }

    @Test("begins at once, waits, and goes on with an app that is the current one")
    func waits() throws {
        let task = try tell(
            """
            a:start(function(self, mine)
              self.name = "me"
              print("begins", mine.sessions)
              local given = wait(60)
              print(self.name, mine.sessions, app.sessions, given.sessions, given == app)
              for i = 1, 2 do wait("2d") print(i, mine.manager.authorizationStatus) end
            end)
            print("and the hook goes on")
            """)
        #expect(
            task.printed == [
                "begins\t1", "and the hook goes on", "me\t2\t2\t2\ttrue", "1\tnotDetermined",
                "2\tnotDetermined",
            ])
        #expect(task.waits == [.seconds(60), .days(2), .days(2)])
    }

    @Test("waits within pcall, functions and loops, beside another that it began")
    func nested() throws {
        let task = try tell(
            """
            a:start(function()
              app:start(function() wait(2) print("inner") end)
              local function twice() wait(1) wait(1) return "twice" end
              print(pcall(twice))
              print(pcall(function() wait(1) error("caught", 0) end))
              for i in pairs { 7 } do wait(i) end
              table.sort({ 2, 1 }, function(x, y) wait(5) return x < y end)
            end)
            """)
        #expect(task.printed == ["inner", "true\ttwice", "false\tcaught"])
        #expect(task.waits.prefix(3) == [.seconds(2), .seconds(1), .seconds(1)])
        #expect(task.waits.last == .seconds(5))
    }

    @Test(
        "is refused what the hook that began it was given, and told what to do",
        arguments: [
            (
                "a.sessions",
                "this app is gone: it lasts as long as its hook runs, and a timer's function is given its own: function(self, app)"
            ),
            (
                "manager.authorizationStatus",
                "this manager is gone: it lasts as long as its hook runs: app.manager is there after a wait and in a timer"
            ),
        ])
    func stale(_ what: String, _ message: String) throws {
        let fixture = Fixture(
            .launched,
            "local manager = a.manager a:start(function() wait(1)\nprint(\(what)) end)")
        try fixture.send(.launched)
        let failure = Fixture.failure { try fixture.send(.timer(1, isLast: true)) }
        #expect(failure?.message == "strategy.lua:2: " + message)
    }

    @Test("has a budget of its own each time it goes on, and no more")
    func budget() throws {
        let loop = "for _ = 1, 30000 do end"
        #expect(
            try tell("a:start(function() for _ = 1, 20 do \(loop) wait(1) end print('done') end)")
                .printed == ["done"])
        let fixture = Fixture(.launched, "a:start(function() wait(1)\nwhile true do end end)")
        try fixture.send(.launched)
        let failure = Fixture.failure { try fixture.send(.timer(1, isLast: true)) }
        #expect(
            failure?.place
                == ScriptFailurePlace(script: 1, hook: .timer, code: .budgetExhausted, line: 2))
    }

    @Test(
        "ends in a clear error, whatever it does",
        arguments: [
            "while true do pcall(function() while true do end end) end",
            "local function deep() return app:start(deep) end deep()",
            "local function deep() app:start(function() deep() wait(1) end) end deep()",
            "while true do app:start(function() end) end",
            "local function again() pcall(again) pcall(wait, 'x') return again() end again()",
            "setmetatable({}, { __index = function() coroutine.yield() end }).x = nil coroutine.yield()",
            "error({})", "error()", "('x'):rep(20000)",
        ])
    func hostile(_ body: String) throws {
        let fixture = Fixture(.launched, "a:start(function() wait(1) \(body) end)")
        try fixture.send(.launched)
        let start = ContinuousClock.now
        let failure = Fixture.failure { try fixture.send(.timer(1, isLast: true)) }
        #expect(ContinuousClock.now - start < .seconds(5))
        #expect(failure?.place.hook == .timer, "\(failure?.message ?? "no failure")")
        #expect(fixture.calls.isEmpty)
        try fixture.send(.timer(1, isLast: true))
        try fixture.send(.launched, .app(1))
    }

    @Test("that fails has ended, and never goes on")
    func ended() throws {
        let fixture = Fixture(
            .launched, "a:start(function() wait(1) pcall(wait, 1) error('x') end)")
        try fixture.send(.launched)
        #expect(
            try fixture.send(.timer(1, isLast: true)) == [
                .setTimer(AppTimer(number: 2, wait: .seconds(1)))
            ])
        #expect(Fixture.failure { try fixture.send(.timer(2, isLast: true)) } != nil)
        for number: UInt64 in 1...3 {
            #expect(try fixture.send(.timer(number, isLast: true)).isEmpty)
        }
    }

    @Test("draws from the stream of the occasion on which it goes on")
    func draws() throws {
        let fixture = Fixture(
            .launched, "a:start(function() while true do print(rng.uniform()) wait(1) end end)")
        for device in UInt32(0)..<2 {
            try fixture.send(.launched, .app(device))
            var random = Fixture.stream(device)
            #expect(
                Double(try #require(fixture.printed.last))?.rounded(to: 1e-9)
                    == random.uniform().rounded(to: 1e-9))
        }
    }
}

extension Double {
    fileprivate func rounded(to step: Double) -> Double { (self / step).rounded() * step }
}
