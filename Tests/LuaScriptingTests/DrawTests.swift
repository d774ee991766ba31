import LuaScripting
import SimPrimitives
import Simulation
import Testing

@Suite("What a script draws and computes")
struct DrawTests {
    func printed(_ body: String) throws -> [String] {
        var limits = ScriptLimits()
        limits.instructionsMax = 10_000_000
        let fixture = Fixture(.answerPrompt, body + "\nreturn 'dont_allow'", limits: limits)
        try fixture.ask()
        return fixture.printed
    }

    @Test("comes from the stream of the occasion, and from nothing else")
    func stream() throws {
        let fixture = Fixture(
            .answerPrompt,
            """
            local text = ""
            for _, x in ipairs { rng.uniform(), rng.exponential(3), rng.normal(5, 2),
                rng.lognormal(2, 0.5), rng.integer(-3, 3) } do
              text = text .. string.format("%a ", x)
            end
            print(text) return "dont_allow"
            """)
        try fixture.ask()
        try fixture.ask()
        var stream = Fixture.stream()
        let numbers = [
            stream.uniform(), 3 * stream.exponential(), 5 + 2 * stream.normal(),
            2 * Elementary.exp(0.5 * stream.normal()), Double(Int64(stream.next(below: 7)) - 3),
        ]
        let line = try #require(fixture.printed.first)
        let drawn = line.split(separator: " ").map { Double(String($0)) }
        #expect(drawn == numbers)
        #expect(fixture.printed == [line, line])
    }

    @Test("leaves the stream where the script has left it")
    func count() throws {
        let fixture = Fixture(.answerPrompt, "rng.uniform() rng.chance(1) return 'dont_allow'")
        var (stream, other) = (Fixture.stream(), Fixture.stream())
        _ = try fixture.behavior().answerPrompt(
            .first, .person(), random: &stream, acts: &fixture.acts)
        for _ in 0..<2 { _ = other.next() }
        #expect(stream.next() == other.next())
    }

    @Test("gives every name of a pick its share")
    func shares() throws {
        let lines = try printed(
            """
            local hits, picks, sum = 0, { yes = 0, no = 0 }, 0
            for _ = 1, 1000 do
              if rng.chance(0.25) then hits = hits + 1 end
              local pick = rng.pick { yes = 3, no = 1, never = 0 }
              picks[pick] = picks[pick] + 1
              sum = sum + rng.integer(1, 6)
            end
            print(hits, picks.yes, picks.no, sum)
            """)
        let counts = lines[0].split(separator: "\t").compactMap { Int($0) }
        #expect(abs(counts[0] - 250) < 55, "\(counts)")  // Four deviations.
        #expect(abs(counts[1] - 750) < 55 && counts[1] + counts[2] == 1000, "\(counts)")
        #expect(abs(counts[3] - 3500) < 216, "\(counts)")
    }

    @Test("is told with the answer: the share and the draw of the last pick")
    func picks() throws {
        var stream = Fixture.stream()
        let (first, second) = (stream.uniform(), stream.uniform())
        let rows: [(body: String, expected: Pick?)] = [
            ("", nil), ("rng.uniform()", nil),
            ("rng.pick { only = 5, never = 0 }", Pick(share: 1, draw: first)),
            ("rng.chance(0.9)", Pick(share: first < 0.9 ? 0.9 : 1 - 0.9, draw: first)),
            ("rng.chance(0)", Pick(share: 1, draw: first)),
            ("rng.chance(0.5) rng.pick { only = 5 }", Pick(share: 1, draw: second)),
        ]
        for row in rows {
            let reply = try Fixture(.answerPrompt, row.body + " return 'dont_allow'").ask()
            #expect(reply.pick == row.expected, "\(row.body)")
        }
        let fixture = Fixture(.answerPrompt, "return rng.pick { dont_allow = 1, allow_once = 3 }")
        let reply = try fixture.ask()
        // In the order of names allow_once comes first.
        #expect(reply.choice == (first * 4 < 3 ? .allowOnce : .dontAllow))
        #expect(reply.pick == Pick(share: reply.choice == .allowOnce ? 0.75 : 0.25, draw: first))
        #expect(try Fixture(.answerPrompt, "return 'dont_allow'").ask().pick == nil)
    }

    @Test("shuffles into every order alike")
    func shuffle() throws {
        let lines = try printed(
            """
            local counts = {}
            for _ = 1, 600 do
              local order = table.concat(rng.shuffle { "a", "b", "c" })
              counts[order] = (counts[order] or 0) + 1
            end
            for order, count in pairs(counts) do print(order, count) end
            """)
        #expect(lines.map { $0.prefix(3) } == ["abc", "acb", "bac", "bca", "cab", "cba"])
        for line in lines {
            let count = try #require(Int(line.dropFirst(4)))
            #expect(abs(count - 100) < 40, "\(line)")
        }
    }

    @Test("shifts a share by an odds ratio")
    func odds() throws {
        #expect(
            try printed("print(odds(0.5, 3), odds(0, 5), odds(1, 5), odds(0.8, 1))")
                == ["0.75\t0.0\t1.0\t0.8"])
    }

    /// Arguments for which the results of glibc 2.36 differ from these in the last bit.
    @Test("has the bits of SLEEF in every elementary function, and in the power operator")
    func elementary() throws {
        let lines = try printed(
            """
            for _, y in ipairs { 0.9348 ^ 1.996, 2 ^ 0.5, math.exp(0.4954), math.exp(1),
                math.log(0.9408), math.sin(0.5119), math.cos(0.473), math.tan(0.7222),
                math.asin(0.7201), math.acos(0.5945), math.atan(0.1055), math.log(0.8683, 2),
                math.log(0.7829, 10), math.atan(0.1936, 1.657) } do
              print(string.format("%a", y))
            end
            """)
        let numbers = lines.map { Double($0) }
        #expect(
            numbers == [
                Elementary.pow(0.9348, 1.996), Elementary.pow(2, 0.5), Elementary.exp(0.4954),
                Elementary.exp(1), Elementary.log(0.9408), Elementary.sin(0.5119),
                Elementary.cos(0.473), 0x1.c30e355e0a66ep-1, 0x1.9b9eddba12cb1p-1,
                0x1.de4941291c603p-1, 0x1.ae890f6818759p-4, -0x1.a13f8f3022763p-3,
                -0x1.b36107b0ec30fp-4, 0x1.dc683590c057ep-4,
            ])
        #expect(try printed("print(10 ^ 2, 2 ^ 10, 0 ^ 0, 2 ^ -1)") == ["100.0\t1024.0\t1.0\t0.5"])
    }
}
