import LuaScripting
import SimPrimitives
import Simulation
import Testing

@Suite("A timer of a Lua strategy")
struct LuaTimerTests {
    @Test("is set in seconds or with a unit, once or with a period, and numbered in order")
    func set() throws {
        let fixture = Fixture(
            .launched,
            "a:after(1.5, print) a:after('2d', print) a:every(1, print) app:every('5m', print) a:after(0, print)"
        )
        #expect(
            try fixture.send(.launched) == [
                .setTimer(AppTimer(number: 1, wait: .milliseconds(1_500))),
                .setTimer(AppTimer(number: 2, wait: .days(2))),
                .setTimer(AppTimer(number: 3, wait: .seconds(1), period: .seconds(1))),
                .setTimer(AppTimer(number: 4, wait: .seconds(300), period: .seconds(300))),
                .setTimer(AppTimer(number: 5, wait: .zero)),
            ])
    }

    @Test("calls its function with the app's storage and the app, and once where it fires once")
    func fires() throws {
        let fixture = Fixture(
            .launched,
            """
            self.name = "mine"
            local count = 0
            a:after(60, function(self, app, none)
              count = count + 1
              print(self.name, app.sessions, none, count)
            end)
            a:every(60, function() count = count + 1 print("again", count) end)
            """)
        try fixture.send(.launched)
        for _ in 0..<2 { try fixture.send(.timer(1, isLast: true), .app(sessions: 7)) }
        for _ in 0..<2 { try fixture.send(.timer(2, isLast: false)) }
        #expect(fixture.printed == ["mine\t7\tnil\t1", "again\t2", "again\t3"])
    }

    @Test("is cancelled once, also in its own function and from storage")
    func cancel() throws {
        let fixture = Fixture(
            strategy: """
                return {
                  launched = function(self, app)
                    self.timer = app:every(60, function(self) self.timer:cancel() print("once") end)
                    local other = app:after(60, print)
                    other:cancel() other:cancel() other.cancel(other)
                  end,
                  tapped = function(self) self.timer:cancel() end,
                }
                """)
        #expect(
            try fixture.send(.launched).dropFirst() == [
                .setTimer(AppTimer(number: 2, wait: .seconds(60))), .cancelTimer(2),
            ])
        #expect(try fixture.send(.timer(1, isLast: false)) == [.cancelTimer(1)])
        for event in [
            .tapped(feature: 0), AppEvent.timer(1, isLast: false), .timer(2, isLast: true),
        ] {
            #expect(try fixture.send(event).isEmpty)
        }
        #expect(fixture.printed == ["once"])
    }

    @Test("runs for no other device, and is cancelled by no other")
    func devices() throws {
        let fixture = Fixture(
            strategy: """
                return {
                  launched = function(self, app)
                    local name = app.sessions
                    app:after(60, function(self, app) print(name, app.sessions) end)
                  end,
                }
                """)
        for device in UInt32(0)..<3 { try fixture.send(.launched, .app(device, sessions: device)) }
        // Numbers are given once in a state: 2 is the second device's.
        try fixture.send(.timer(2, isLast: true), .app(0))
        try fixture.send(.timer(2, isLast: true), .app(2))
        #expect(fixture.printed.isEmpty)
        try fixture.send(.timer(2, isLast: true), .app(1, sessions: 9))
        #expect(fixture.printed == ["1\t9"])
    }

    @Test("is gone with the process, and with the app", arguments: [true, false])
    func process(_ isDeleted: Bool) throws {
        let fixture = Fixture(
            strategy: """
                return {
                  launched = function(self, app)
                    self.timer = app:every(60, function() print("alive") end)
                    app:start(function() wait(60) print("alive too") end)
                  end,
                  tapped = function(self) if self.timer then self.timer:cancel() end end,
                }
                """)
        try fixture.send(.launched, .app(3))
        try fixture.send(.launched, .app(4))
        let strategy = try fixture.loaded().strategy
        if isDeleted {
            strategy.forget(indexInBlock: 3)
        } else {
            strategy.processEnded(indexInBlock: 3)
        }
        for number: UInt64 in 1...2 { try fixture.send(.timer(number, isLast: false), .app(3)) }
        #expect(try fixture.send(.tapped(feature: 0), .app(3)).isEmpty)
        #expect(fixture.printed.isEmpty)
        try fixture.send(.timer(3, isLast: false), .app(4))
        #expect(fixture.printed == ["alive"])
    }

    @Test("is undone, as is its end, where the hook fails")
    func undone() throws {
        let fixture = Fixture(
            strategy: """
                return {
                  launched = function(self, app)
                    self.timer = app:every(60, function() print("kept") end)
                  end,
                  tapped = function(self, app)
                    self.timer:cancel()
                    app:after(60, function() print("never") end)
                    app:start(function() wait(60) print("never") end)
                    error("no")
                  end,
                }
                """)
        try fixture.send(.launched)
        #expect(Fixture.failure { try fixture.send(.tapped(feature: 0)) } != nil)
        #expect(fixture.calls.isEmpty)
        for number: UInt64 in 1...3 { try fixture.send(.timer(number, isLast: false)) }
        #expect(fixture.printed == ["kept"])
    }

    @Test("fails by the name timer, with its own line, and goes on where it has a period")
    func failures() throws {
        let fixture = Fixture(
            .launched,
            """

            a:every(60, function(self)
              self.count = (self.count or 0) + 1
              if self.count == 1 then
                error("first")
              end
              print(self.count)
            end)
            """)
        try fixture.send(.launched)
        let failure = Fixture.failure { try fixture.send(.timer(1, isLast: false)) }
        #expect(failure?.message == "strategy.lua:5: first")
        #expect(
            failure?.place
                == ScriptFailurePlace(script: 1, hook: .timer, code: .runtime, line: 5))
        try fixture.send(.timer(1, isLast: false))
        #expect(fixture.printed == ["2"])
    }

    @Test("is one of 64 at most, and one that was cancelled makes room")
    func limit() throws {
        let fixture = Fixture(
            .launched,
            """
            local timers = {}
            for i = 1, 64 do timers[i] = a:after(i, print) end
            timers[7]:cancel() timers[7]:cancel()
            a:after(1, print)
            print(pcall(a.after, a, 1, print))
            for _ = 1, 1000 do pcall(a.after, a, 1, print) end
            """)
        #expect(try fixture.send(.launched).count == 66)
        let message =
            "an app has at most 64 timers and waiting tasks at a time on a device: "
            + "cancel one first"
        #expect(fixture.printed == ["false\tstrategy.lua:5: " + message])
        #expect(
            Fixture.failure { try fixture.send(.launched, .app(timerCount: 64)) }?.message
                == "strategy.lua:2: " + message)
        #expect(AppTimer.countMax == 64)
    }

    @Test("that is cancelled although the host counts none makes room for no more than one")
    func uncounted() throws {
        let fixture = Fixture(
            strategy: """
                return {
                  launched = function(self, app) self.timer = app:after(9, print) end,
                  tapped = function(self, app)
                    self.timer:cancel()
                    for _ = 1, 65 do app:after(9, print) end
                    print(pcall(app.after, app, 9, print))
                  end,
                }
                """)
        try fixture.send(.launched)
        #expect(try fixture.send(.tapped(feature: 0)).count == 66)
        #expect(fixture.printed.map { $0.hasPrefix("false\t") } == [true])
    }

    @Test("and a task leave nothing behind when their process ends")
    func memory() throws {
        var limits = ScriptLimits()
        limits.stateBytesMax = 3 << 20
        let fixture = Fixture(
            .launched,
            """
            for i = 1, 30 do
              local text = ("x"):rep(1000) .. i
              a:after(60, function() print(text) end)
              a:start(function() local kept = text .. "y" wait(60) print(kept) end)
            end
            """, limits: limits)
        let strategy = try fixture.loaded().strategy
        for round in 0..<400 {
            let device = UInt32(round % 5)
            try fixture.send(.launched, .app(device))
            strategy.processEnded(indexInBlock: device)
        }
    }

    // swift-format-ignore
    static let failing: [(body: String, message: String)] = [
        ("a:after(-1, print)", "after takes seconds in 0 ... 3153600000 (a hundred years), or a string such as \"90s\" or \"2d\", not -1"),
        ("a:after(0/0, print)", "after takes seconds in 0 ... 3153600000 (a hundred years), or a string such as \"90s\" or \"2d\", not nan"),
        ("a:after(1e300, print)", "after takes seconds in 0 ... 3153600000 (a hundred years), or a string such as \"90s\" or \"2d\", not 1e+300"),
        ("a:every('2 days', print)", "every takes seconds in 0 ... 3153600000 (a hundred years), or a string such as \"90s\" or \"2d\", not '2 days'"),
        ("a:every(0.5, print)", "every takes a period of at least 1 second"),
        ("a:every(0, print)", "every takes a period of at least 1 second"),
        ("a:after(60)", "after takes a time and a function, not nothing"),
        ("a:every(60, 'print')", "every takes a period and a function, not 'print'"),
        ("a:start()", "start takes a function, not nothing"),
        ("a.after(60, print)", "a method of the app is called with a colon: app:after(...)"),
        ("a.start(print)", "a method of the app is called with a colon: app:start(...)"),
        ("a:after(60, print).cancel()", "a timer is cancelled with a colon: timer:cancel()"),
        ("a:after(60, print):cansel()", "a timer has no field 'cansel': did you mean 'cancel'?"),
        ("a:after(60, print).due = 3", "a timer has no field 'due'"),
        ("wait(60)", "wait works inside app:start(function() ... end) alone: elsewhere app:after(seconds, function) does it"),
        ("coroutine.wrap(function() wait(60) end)()", "wait works inside app:start(function() ... end) alone: elsewhere app:after(seconds, function) does it"),
        ("a:start(function() wait() end)", "wait takes seconds in 0 ... 3153600000 (a hundred years), or a string such as \"90s\" or \"2d\", not nothing"),
        ("a:start(function() coroutine.wrap(function() wait(60) end)() end)", "wait pauses the task that app:start began, and cannot pause a coroutine within it"),
        ("a:start(function() coroutine.yield(60) end)", "coroutine.yield cannot pause a task: wait(seconds) does"),
        ("a:start(function() app:start(function() wait(1) end) coroutine.yield(60) end)", "coroutine.yield cannot pause a task: wait(seconds) does"),
        ("a:start(function() error('no') end)", "no"),
    ]

    @Test("is told what is wrong, where, and what was meant", arguments: failing)
    func messages(_ body: String, _ message: String) throws {
        let fixture = Fixture(.launched, "\n" + body)
        let failure = try #require(Fixture.failure { try fixture.send(.launched) })
        #expect(failure.message == "strategy.lua:2: " + message)
        #expect(failure.place.hook == .launched)
        #expect(fixture.calls.isEmpty)
    }
}
