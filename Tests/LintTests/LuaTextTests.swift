import Simulation
import Testing

@testable import Lint

@Suite("The text of a strategy")
struct LuaTextTests {
    // swift-format-ignore
    static let tokens: [(String, [String])] = [
        ("a = 1", ["a", "=", "1"]),
        ("a -- b\nc", ["a", "c"]),
        ("a --[[ b\n c ]] d", ["a", "d"]),
        ("a --[==[ b ]] ]=] ]==] d", ["a", "d"]),
        ("a --[ b\nc", ["a", "c"]),
        ("'b -- c' d", ["b -- c", "d"]),
        ("'it\\'s' \"\\\"\" x", ["it's", "\"", "x"]),
        ("[[ b\n]] c", [" b\n", "c"]),
        ("[==[ ]] ]==] c", [" ]] ", "c"]),
        ("t[1] t[a[2]]", ["t", "[", "1", "]", "t", "[", "a", "[", "2", "]", "]"]),
        ("a == b ~= c .. d ... e", ["a", "==", "b", "~=", "c", "..", "d", "...", "e"]),
        ("0x1F 1e5 3.5", ["0x1F", "1e5", "3.5"]),
        ("'open\nb", ["open", "b"]),
        ("--[[ open", []),
        ("[[ open", [" open"]),
        ("'a\\z  \n b'", ["ab"]),
        ("'\\", ["\\"]),
        ("", []),
    ]

    @Test("falls into words, without comments and with strings whole", arguments: tokens)
    func words(_ source: String, _ due: [String]) {
        #expect(LuaTokens.read(source).map(\.text) == due)
    }

    @Test("keeps lines through comments and strings")
    func lines() {
        let tokens = LuaTokens.read("a --[[\n\n]] b [[\n]] c '\\\nx' d -- e\nf")
        #expect(tokens.map(\.text) == ["a", "b", "", "c", "\nx", "d", "f"])
        #expect(tokens.map(\.line) == [1, 3, 3, 4, 4, 5, 6])
    }

    private static let wiu = "m:requestWhenInUseAuthorization()"
    private static let always = "m:requestAlwaysAuthorization()"

    // swift-format-ignore
    static let pairs: [(String, Int?)] = [
        ("\(wiu)\n\(always)", 2),
        ("\(always)\n\(wiu)", 2),
        ("\(wiu)\n\(wiu)", nil),
        ("function a() \(wiu) end function b() \(always) end", nil),
        ("function a() \(wiu)\n if x then \(always) end end", 2),
        ("if x then \(wiu) else \(always) end", nil),
        ("if x then \(wiu) elseif y then \(always) end", nil),
        ("if x then \(wiu) elseif y then z() else \(always) end", nil),
        ("if x then \(wiu) end\n if y then \(always) end", 2),
        ("if x then \(wiu) return end \(always)", nil),
        ("if x then if y then \(wiu) end return end \(always)", nil),
        ("if x then return end \(wiu)\n \(always)", 2),
        ("for i = 1, 2 do \(wiu) end\n \(always)", 2),
        ("while x do \(wiu)\n \(always) end", 2),
        ("do \(wiu) end repeat until x\n \(always)", 2),
        ("\(wiu) local f = function() \(always) end", nil),
        ("function a() \(wiu)\n f(function() return 1 end) \(always) end", 2),
        ("-- \(wiu)\n\(always)", nil),
        ("local s = '\(wiu)' \(always)", nil),
        ("end end until \(wiu) else\n \(always)", 2),
    ]

    @Test("shows both requests back to back, unless something parts them", arguments: pairs)
    func pair(_ source: String, _ line: Int?) {
        #expect(LuaBlocks.backToBack(LuaTokens.read(source)) == line)
    }

    @Test("tells what is called, and what is only named")
    func calls() {
        let source = """
            local m = app.manager
            m:startUpdatingLocation() m:stopMonitoringVisits()
            m:startMonitoring { identifier = "a" }
            local f = m.startMonitoringVisits -- not called
            function requestAlwaysAuthorization() end
            m.allowsBackgroundLocationUpdates = is_on
            if m.allowsBackgroundLocationUpdates == true then end
            m:requestTemporaryFullAccuracyAuthorization(key)
            m:requestTemporaryFullAccuracyAuthorization("A" .. b)
            m:requestTemporaryFullAccuracyAuthorization(app.options.purpose)
            """
        let use = StrategyUse(
            source: source, name: "x", hooks: HookSet(), options: ["purpose": "Near"])
        #expect(use.services.map(\.service) == [.updates, .regions])
        #expect(use.services.map(\.line) == [2, 3])
        #expect(use.alwaysLine == nil)
        #expect(use.backgroundUpdatesLine == 6)
        #expect(use.purposes.map(\.key) == [nil, nil, "Near"])
    }

    @Test("may be anything: bytes cut and changed never stop the reader")
    func fuzz() {
        let source = "return { a = function(m) \(Self.wiu) --[==[ x ]==] y = [[z]] .. '\\'' end }"
        let bytes = Array(source.utf8)
        for place in bytes.indices {
            for mask: UInt8 in [0, 0x01, 0x20, 0x80, 0xFF] {
                var changed = bytes
                changed[place] ^= mask
                for text in [changed, Array(changed[...place])] {
                    _ = StrategyUse(
                        source: String(decoding: text, as: UTF8.self), name: "x", hooks: HookSet())
                }
            }
        }
    }
}
