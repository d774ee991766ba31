import LuaScripting
import Simulation
import Testing

/// All devices of a block share one Lua state, in an order that is not part of the result.
@Suite("What a script keeps outside self")
struct SealTests {
    // swift-format-ignore
    static let refused: [(source: String, message: String)] = [
        ("local n = 0\nreturn { launched = function()\nn = n + 1 end }", "x.lua:3: 'n' belongs to the script, and all devices share it: keep it in self"),
        ("local n = 0\nlocal function count()\n\nn = n + 1 end\nreturn { launched = function() count() end }", "x.lua:4: 'n' belongs to the script, and all devices share it: keep it in self"),
        ("local n\nreturn { launched = function()\nreturn function() n = 1 end end }", "x.lua:3: 'n' belongs to the script, and all devices share it: keep it in self"),
        ("local function counter() local n = 0\nreturn function() n = n + 1 return n end end\nreturn { launched = counter() }", "x.lua:2: 'n' belongs to the script, and all devices share it: keep it in self"),
        ("return { launched = function()\n_ENV = {} end }", "x.lua:2: '_ENV' belongs to the script, and all devices share it: keep it in self"),
        ("local c = coroutine.create(print)\nreturn { launched = function() coroutine.resume(c) end }", "x.lua: a coroutine that is made while the script loads is shared by all devices"),
        ("local c = coroutine.wrap(print)\nreturn { launched = function() c() end }", "x.lua: a coroutine that is made while the script loads is shared by all devices"),
        ("local words = ('a b'):gmatch('%a')\nreturn { launched = function() print(words()) end }", "x.lua: an iterator that is made while the script loads is shared by all devices"),
        ("local t = setmetatable({}, { __index = (function() local n = 0\nreturn function() n = n + 1 return n end end)() })\nreturn { launched = function() print(t.x) end }", "x.lua:2: 'n' belongs to the script, and all devices share it: keep it in self"),
    ]

    @Test("is refused when a hook would change it", arguments: refused)
    func assignments(_ row: (source: String, message: String)) {
        let error = #expect(throws: ScriptError.self) {
            try ScriptOutline.read(source: row.source, name: "x.lua", kind: .strategy)
        }
        #expect(error?.description == row.message)
    }

    // swift-format-ignore
    static let changes = [
        "t.x = 2", "t.y = 2", "t[1] = 2", "table.insert(t, 2)", "table.remove(t)", "table.sort(t)",
        "t.inner.x = 2", "Class.x = 2", "object.x = 2", "getmetatable(object).x = 1", "key.x = 1",
        "object.parts.x = 1", "setmetatable(t, {})", "M.launched = nil", "M.extra = 1",
    ]

    @Test("is read-only once the script is loaded", arguments: changes)
    func tables(_ change: String) throws {
        let fixture = Fixture(
            strategy: """
                local t = { 3, 1, 2, x = 1, inner = { x = 1 } }
                local Class = {} Class.__index = Class
                local object = setmetatable({ parts = {} }, Class)
                local key = {}
                local by_key = { [key] = 1 }
                local M = {}
                function M.launched() print(t, Class, object, key, by_key, M) \(change) end
                return M
                """)
        let failure = try #require(Fixture.failure { try fixture.send(.launched) })
        #expect(failure.place.code == .runtime, "\(failure.message)")
    }

    @Test("works as before for those who only read")
    func reading() throws {
        let fixture = Fixture(
            strategy: """
                local weights = { yes = 1, no = 0 }
                local list = { "b", "a", nil, "d" }
                local Class = { greeting = "hello" } Class.__index = Class
                function Class:greet() return self.greeting .. " " .. self.name end
                local Child = setmetatable({ greeting = "hi" }, Class) Child.__index = Child
                local object = setmetatable({ name = "you" }, Child)
                local double = setmetatable({}, { __index = function(t, k) return k * 2 end,
                  __call = function(t, x) return x + 1 end })
                local function fib(n) return n < 2 and n or fib(n - 1) + fib(n - 2) end
                return { launched = function(self)
                  print(rng.pick(weights), #list, list[2], list[9], next(weights), next(list))
                  for k, v in pairs(weights) do print(k, v) end
                  for i, v in ipairs(list) do print(i, v) end
                  print(object:greet(), setmetatable({ name = "me" }, Child):greet(), double[21], double(1))
                  print(table.concat({ table.unpack(list, 1, 2) }, " "), fib(10))
                  local n = 0
                  local function count() n = n + 1 end
                  count() count()
                  print(n)
                end }
                """)
        try fixture.send(.launched)
        #expect(
            fixture.printed == [
                "yes\t4\ta\tnil\ttrue\ttrue", "no\t0", "yes\t1", "1\tb", "2\ta",
                "hi you\thi me\t42\t2", "b a\t55", "2",
            ])
    }
}
