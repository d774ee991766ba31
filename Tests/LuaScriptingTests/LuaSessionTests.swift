import AuthorizationCore
import DeviceCore
import LuaScripting
import Simulation
import Testing

@Suite("A Lua strategy's sessions, monitor and live updates")
struct LuaSessionTests {
    @Test("are made with Apple's names, found again in a later hook, and ended")
    func calls() throws {
        let fixture = Fixture(
            .launched,
            """
            local session = CLServiceSession { authorization = "always",
              fullAccuracyPurposeKey = "Navigation" }
            print(session.authorization, session == a.service_sessions.always)
            print(a.service_sessions.whenInUse)
            CLServiceSession { authorization = "whenInUse" }
            local background, monitor = CLBackgroundActivitySession(), CLMonitor("places")
            print(monitor.name, a.monitor == monitor, a.background_activity_session == background)
            monitor:add { identifier = "home", latitude = 1, longitude = 2, radius = 300 }
            monitor:remove("home")
            local updates = CLLocationUpdate.liveUpdates()
            print(updates == a.live_updates)
            updates:cancel() background:invalidate() session:invalidate()
            print(a.live_updates, a.background_activity_session, a.service_sessions.always)
            """)
        let calls = try fixture.send(.launched, .app(ios: "18.5"))
        #expect(
            fixture.printed == [
                "always\ttrue", "nil", "places\ttrue\ttrue", "true", "nil\tnil\tnil",
            ])
        let id = { (name: String) throws in try #require(fixture.names.id(of: name)) }
        let home = CircularRegion(
            try id("home"), latitudeDegrees: 1, longitudeDegrees: 2, radiusMeters: 300)
        #expect(
            calls == [
                .holdServiceSession(.always, purpose: try id("Navigation")),
                .holdServiceSession(.whenInUse, purpose: nil), .holdBackgroundActivitySession(true),
                .openMonitor(try id("places")), .addCondition(home), .removeCondition(home.id),
                .start(.liveUpdates), .stop(.liveUpdates), .holdBackgroundActivitySession(false),
                .endServiceSession(.always),
            ])
    }

    @Test("are there for a hook as the process holds them, with the session's flags")
    func held() throws {
        let fixture = Fixture(
            .tapped,
            """
            local flags = a.service_sessions.whenInUse.diagnostics
            print(a.service_sessions.always, a.monitor.name, flags.authorizationDenied,
              flags.authorizationDeniedGlobally, flags.fullAccuracyDenied)
            print(a.live_updates, a.background_activity_session)
            """)
        var view = AppView.app(ios: "18.5", status: .denied)
        view.objects = LocationObjectsView()
        view.objects?.held = [.whenInUseSession, .monitor]
        view.objects?.monitor = fixture.names.id(of: "places")
        view.objects?.sessionDiagnostics = [.authorizationDenied, .fullAccuracyDenied]
        try fixture.send(.tapped(feature: 0), view)
        #expect(fixture.printed == ["nil\tplaces\ttrue\tfalse\ttrue", "nil\tnil"])
    }

    @Test("tell of conditions and positions with their flags")
    func deliveries() throws {
        let fixture = Fixture(
            strategy: """
                return {
                  didReceiveMonitorEvent = function(self, monitor, event)
                    print(monitor.name, event.identifier, event.state, event.accuracyLimited)
                  end,
                  didReceiveLiveUpdate = function(self, update)
                    print(update.location and update.location.horizontalAccuracy,
                      update.insufficientlyInUse, update.authorizationDenied)
                  end,
                }
                """)
        let home = try #require(fixture.names.id(of: "home"))
        var view = AppView.app(ios: "18.0", status: .authorizedAlways)
        view.objects = LocationObjectsView()
        view.objects?.held = [.monitor, .liveUpdates]
        view.objects?.monitor = fixture.names.id(of: "places")
        let event = AppEvent.didReceiveMonitorEvent(condition: home, .satisfied, .accuracyLimited)
        try fixture.send(event, view)
        for (meters, flags) in [(12.5, []), (nil, [.insufficientlyInUse])]
            as [(Double?, DiagnosticFlags)]
        {
            try fixture.send(
                .didReceiveLiveUpdate(horizontalAccuracyMeters: meters, flags), view)
        }
        #expect(
            fixture.printed == [
                "places\thome\tsatisfied\ttrue", "12.5\tfalse\tfalse", "nil\ttrue\tfalse",
            ])
    }

    // swift-format-ignore
    static let borders: [(call: String, name: String, ios: String, first: String)] = [
        ("CLServiceSession { authorization = 'always' }", "CLServiceSession", "17.6", "18.0"),
        ("CLBackgroundActivitySession()", "CLBackgroundActivitySession", "16.7", "17.0"),
        ("CLMonitor('x')", "CLMonitor", "16.7", "17.0"),
        ("CLLocationUpdate.liveUpdates()", "CLLocationUpdate.liveUpdates", "16.7", "17.0"),
    ]

    @Test("exist from their version on, which a failure before it names", arguments: borders)
    func versions(_ call: String, _ name: String, _ ios: String, _ first: String) throws {
        let fixture = Fixture(.launched, call)
        let failure = Fixture.failure { try fixture.send(.launched, .app(ios: ios)) }
        #expect(
            failure?.message
                == "strategy.lua:1: \(name) exists from iOS \(first) on and this device has \(ios): "
                + "guard it with app.available(\"\(first)\")")
        #expect(try fixture.send(.launched, .app(ios: first)).count == 1)
    }

    @Test("say on iOS 17 that the flags of events and updates came with 18")
    func flags() throws {
        let fixture = Fixture(.didReceiveLiveUpdate, "print(a.location) print(a.accuracyLimited)")
        let failure = Fixture.failure {
            try fixture.send(.didReceiveLiveUpdate(horizontalAccuracyMeters: nil, []))
        }
        #expect(fixture.printed == ["nil"])
        #expect(
            failure?.message
                == "strategy.lua:1: accuracyLimited exists from iOS 18.0 on and this device has "
                + "17.6: guard it with app.available(\"18.0\")")
    }

    // swift-format-ignore
    static let failing: [(body: String, message: String)] = [
        ("CLServiceSession('always')", "CLServiceSession takes { authorization = \"whenInUse\" or \"always\", fullAccuracyPurposeKey = key }, not 'always'"),
        ("CLServiceSession { authorisation = 'always' }", "a service session has an authorization and a fullAccuracyPurposeKey, and no 'authorisation': did you mean 'authorization'?"),
        ("CLServiceSession { zz = 1, yy = 2, [{}] = 3, [print] = 4, [a] = 5, ab = 6, ac = 7, aa = 8 }", "a service session has an authorization and a fullAccuracyPurposeKey, and no 'aa'"),
        ("CLServiceSession { ['x\\0c'] = 1, ['x\\0b'] = 2, ['x\\0a'] = 3, ['x\\0d'] = 4, ['authorization\\0'] = 5, authorization = 'always' }", "a service session has an authorization and a fullAccuracyPurposeKey, and no 'authorization\\x00': did you mean 'authorization'?"),
        ("CLServiceSession { ['x\\0c'] = 1, ['x\\0b'] = 2, ['x\\0a'] = 3, ['x\\0d'] = 4 }", "a service session has an authorization and a fullAccuracyPurposeKey, and no 'x\\x00a'"),
        ("CLServiceSession { [{}] = 1, [print] = 2, [function() end] = 3, [{ 1 }] = 4 }", "a service session has an authorization and a fullAccuracyPurposeKey, and no a table"),
        ("CLServiceSession { authorization = 'alway' }", "'alway' is no authorization of a service session: did you mean 'always'?"),
        ("CLServiceSession {}", "nothing is no authorization of a service session; there is 'whenInUse', 'always'"),
        ("local x = a.service_sessions.when_in_use", "'when_in_use' is no authorization of a service session; there is 'whenInUse', 'always'"),
        ("CLBackgroundActivitySession(1)", "CLBackgroundActivitySession takes nothing, not 1"),
        ("CLMonitor()", "the name of a monitor is a string, not nothing"),
        ("CLMonitor('a') CLMonitor('b')", "a process has one CLMonitor here, and 'a' is open: add the condition to app.monitor"),
        ("CLMonitor('a'):add('x')", "add takes { identifier = name, latitude = degrees, longitude = degrees, radius = meters }, not 'x'"),
        ("CLMonitor('a'):add { identifier = 'x', latitude = 91, longitude = 0, radius = 1 }", "the latitude of a condition is a number of degrees in -90 ... 90, not 91"),
        ("CLMonitor('a'):remove {}", "the identifier of a condition is a string, not a table"),
        ("CLLocationUpdate.liveUpdate()", "CLLocationUpdate has no 'liveUpdate': did you mean 'liveUpdates'?"),
        ("CLBackgroundActivitySession().invalidate()", "a method of a session is called with a colon: session:invalidate(), live_updates:cancel()"),
        ("local s = CLServiceSession { authorization = 'always' } s:invalidate() print(s.diagnostics)", "this service session has ended"),
    ]

    @Test("are refused with what is true and what would be accepted", arguments: failing)
    func failures(_ body: String, _ message: String) throws {
        let fixture = Fixture(.launched, body)
        let failure = Fixture.failure { try fixture.send(.launched, .app(ios: "18.5")) }
        #expect(failure?.message == "strategy.lua:1: " + message)
        #expect(fixture.calls.isEmpty)
    }

    @Test(
        "cannot be made while a script loads", arguments: ["CLMonitor('x')", "CLLocationManager()"])
    func loading(_ call: String) throws {
        let fixture = Fixture(strategy: "local x = \(call) return {}")
        #expect {
            try fixture.loaded()
        } throws: { error in
            "\(error)".contains("only while a hook runs")
        }
    }
}
