import LuaScripting
import Simulation
import Testing

/// A short function without loop or call runs with the count switched off.
@Suite("A hook that ends by itself")
struct UncountedHookTests {
    /// With a budget of nothing, whatever is counted fails once 200 instructions are over.
    private static func fails(_ source: String) throws -> Bool {
        var limits = ScriptLimits()
        limits.instructionsMax = 1_000
        let fixture = Fixture(behavior: source, limits: limits)
        return Fixture.failure { try fixture.run(.nextOpen) }?.place.code == .budgetExhausted
    }

    private static func hook(_ body: String, before: String = "") -> String {
        """
        \(before)
        return { answer_prompt = print, next_open = function(self, person) \(body) end }
        """
    }

    // swift-format-ignore
    static let endless = [
        "while true do end", "repeat until false", "::again:: goto again", "for i = 1, 1e9 do end",
        "for _ in function() return 1 end do end", "if person then while true do end end",
        "local function f() return f() end return f()", "return (function() while true do end end)()",
        "return f()", "return 1 + f()",
    ]

    @Test("is counted all the same when it can go on without end", arguments: endless)
    func loops(_ body: String) throws {
        #expect(try Self.fails(Self.hook(body, before: "local function f() while true do end end")))
    }

    // swift-format-ignore
    static let operations = [
        "return self.t.x", "return self.t[1]", "self.t.x = 1 return 1", "return self.t + 1", "return -self.t",
        "return self.t == self.u and 1", "return self.t < self.u and 1", "return self.t <= self.u and 1",
        "return #self.t", "return 2 // self.t", "return self.t & 1", "return ~self.t", "return self.t .. ''",
        "local v = self.t v.a, v.b = 1, 2 return 1",
    ]

    @Test("is counted once a script has made metamethods", arguments: operations)
    func metamethods(_ body: String) throws {
        let made = """
            local function f() while true do end end
            return { answer_prompt = print,
              born = function(self)
                local m = {}
                for name in ("index newindex add unm eq lt le len idiv band bnot concat"):gmatch("%a+") do
                  m["__" .. name] = f
                end
                self.t, self.u = setmetatable({}, m), setmetatable({}, m)
              end,
              next_open = function(self, person) \(body) end }
            """
        var limits = ScriptLimits()
        limits.instructionsMax = 5_000
        let fixture = Fixture(behavior: made, limits: limits)
        try fixture.run(.born)
        let failure = Fixture.failure { try fixture.run(.nextOpen) }
        #expect(failure?.place.code == .budgetExhausted, "\(failure?.message ?? "no failure")")
    }

    /// What looks like a call of the host's and runs a function of the script's.
    // swift-format-ignore
    static let disguised = [
        "self.t:start()", "app = self.t app:start()", "local a = app a = self.t a:start()",
        "app:start(self.f)", "app.manager.authorizationStatus:gsub('.', self.f)", "self.f()",
        "local a if app.sessions > 0 then a = self.t else a = app end a:start()",
        "local a = app.sessions > 0 and self.t or app a:start()",
        "local a = app if app.sessions > 0 then a = self.t end a:start()",
        "local a, b = app, self.t a, b = b, a a:start()", "local start = app.start start(app, self.f)",
        "app.available('9.0', self.f()) ", "local a = app do local a = self.t a:start() end",
    ]

    @Test("is counted where what it calls is not the host's", arguments: disguised)
    func disguises(_ body: String) throws {
        var limits = ScriptLimits()
        limits.instructionsMax = 5_000
        let fixture = Fixture(
            strategy: """
                local function f() while true do end end
                return {
                  launched = function(self) self.f, self.t = f, { start = f } end,
                  entered_foreground = function(self, app) \(body) end,
                }
                """, limits: limits)
        try fixture.send(.launched)
        let failure = Fixture.failure { try fixture.send(.enteredForeground) }
        #expect(failure?.place.code == .budgetExhausted, "\(failure?.message ?? "no failure")")
    }

    @Test("is counted although a task that it starts makes the first metamethods of the fleet")
    func taskWithMetamethods() throws {
        let source = """
            local function f() while true do end end
            local function body(self) self.t = setmetatable({}, { __index = f }) end
            return { launched = function(self, app) app:start(body) local x = self.t.y end }
            """
        var limits = ScriptLimits()
        limits.instructionsMax = 5_000
        let fixture = Fixture(strategy: source, limits: limits)
        let failure = Fixture.failure { try fixture.send(.launched) }
        #expect(failure?.place.code == .budgetExhausted, "\(failure?.message ?? "no failure")")
    }

    @Test("fares alike before and after another device of the state has made metamethods")
    func neighbors() throws {
        let compare = String(repeating: "n = a < b ", count: 100)
        let source = """
            return {
              launched = function(self, app)
                self.a, self.b = ("\\0"):rep(16000) .. "a", ("\\0"):rep(16000) .. "b"
              end,
              tapped = function() setmetatable({}, {}) end,
              entered_foreground = function(self, app) local a, b, n = self.a, self.b \(compare) end,
            }
            """
        var limits = ScriptLimits()
        limits.instructionsMax = 20_000
        let fixture = Fixture(strategy: source, limits: limits)
        try fixture.send(.launched)
        let before = Fixture.failure { try fixture.send(.enteredForeground) }
        try fixture.send(.tapped(feature: 0))
        let after = Fixture.failure { try fixture.send(.enteredForeground) }
        #expect(before?.message == after?.message)
        #expect(before?.place.code == .budgetExhausted)
    }

    @Test("is not counted where it calls methods of the host alone")
    func calls() throws {
        let calls = String(repeating: "app.manager:requestLocation() ", count: 30)
        var limits = ScriptLimits()
        limits.instructionsMax = 100
        let fixture = Fixture(
            strategy: """
                return { launched = print, entered_foreground = function(self, app)
                  local manager, count = app.manager, self.count or 0
                  self.count = count + 1
                  if manager.authorizationStatus == "denied" then manager:requestAlwaysAuthorization() end
                  if count > 0 then \(calls) elseif count == 0 then app:milestone("first") end
                end }
                """, limits: limits)
        _ = try fixture.loaded()
        #expect(try fixture.send(.enteredForeground).count == 1)
        #expect(try fixture.send(.enteredForeground).count == 30)
    }

    @Test("is not counted where it cannot")
    func straight() throws {
        let sums = (1...90).map { "self.a = self.a + \($0)" }.joined(separator: " ")
        var limits = ScriptLimits()
        limits.instructionsMax = 100
        let fixture = Fixture(
            behavior: Self.hook("self.a = 0 \(sums) return self.a"), limits: limits)
        _ = try fixture.loaded()
        #expect(Fixture.failure { try fixture.run(.nextOpen) } == nil)
    }
}
