import Simulation
import Testing

/// What a script names: milestones, primers, metrics, managers, regions.
@Suite("A name that a script gives")
struct LuaNameTests {
    static let calls = [
        "a:milestone(NAME)", "a:show_primer { id = NAME }", "metric.count(NAME)",
        "metric.observe(NAME, 1)", "funnel.step(NAME)", "CLLocationManager(NAME)",
        "CLMonitor(NAME)", "a:feature_done('alerts', NAME)",
        "a.manager:startMonitoring { identifier = NAME, latitude = 1, longitude = 1, radius = 1 }",
        "a.manager:requestState { identifier = NAME }",
        "a.manager:requestTemporaryFullAccuracyAuthorization(NAME)",
        "CLServiceSession { authorization = 'always', fullAccuracyPurposeKey = NAME }",
        "CLMonitor('x'):remove(NAME)",
    ]
    /// Lua's text, and how a message shows it: cut, overlong, a surrogate, beyond the last.
    static let broken = [
        (#"'\xFF'"#, #"'\xFF'"#), (#"'a\x80b'"#, #"'a\x80b'"#), (#"'é\xC3'"#, #"'é\xC3'"#),
        (#"'\xC0\x80'"#, #"'\xC0\x80'"#), (#"'\xE0\x9F\xBF'"#, #"'\xE0\x9F\xBF'"#),
        (#"'\u{D800}'"#, #"'\xED\xA0\x80'"#), (#"'\u{110000}'"#, #"'\xF4\x90\x80\x80'"#),
        (#"'\xF0\x8F\xBF\xBF'"#, #"'\xF0\x8F\xBF\xBF'"#),
    ]

    @Test("is refused where it is no text in UTF-8, with its bytes", arguments: calls)
    func broken(_ call: String) throws {
        for (text, shown) in Self.broken {
            let body = call.replacing("NAME", with: text)
            let fixture = Fixture(.launched, "a.manager:requestLocation() " + body)
            let failure = Fixture.failure { try fixture.send(.launched, .app(ios: "18.5")) }
            let message = try #require(failure?.message, "\(body)")
            #expect(message.hasPrefix("strategy.lua:1: "), "\(message)")
            #expect(message.hasSuffix(" is text in UTF-8, not \(shown)"), "\(message)")
            #expect(fixture.calls.isEmpty)
        }
    }

    @Test("is taken whatever it says", arguments: calls)
    func taken(_ call: String) throws {
        for text in [
            "\u{7FF}", "\u{800}", "\u{FFFD}", "\u{D7FF}\u{E000}", "\u{10FFFF}", "e\u{301}",
        ] {
            let fixture = Fixture(.launched, call.replacing("NAME", with: "'\(text)'"))
            #expect(try !fixture.send(.launched, .app(ios: "18.5")).isEmpty)
        }
    }

    @Test("comes back as the bytes that it was, whichever spelling another device has brought")
    func spellings() throws {
        let fixture = Fixture(
            strategy: #"""
                return {
                  launched = function(self, app)
                    self.mine = app.sessions == 1 and "e\u{301}" or "\u{E9}"
                    app:show_primer { id = self.mine }
                  end,
                  primer_answered = function(self, app, id) print(id == self.mine, #id) end,
                }
                """#)
        for device in 0..<4 as Range<UInt32> {
            let app = AppView.app(device, sessions: device % 2 + 1)
            guard case .showPrimer(let id)? = try fixture.send(.launched, app).first else {
                Issue.record("no primer")
                return
            }
            try fixture.send(.primerAnswered(id: id, .continue), app)
        }
        #expect(fixture.printed == ["true\t3", "true\t2", "true\t3", "true\t2"])
    }
}
