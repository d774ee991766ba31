import AuthorizationCore
import DeviceCore
import LuaScripting
import SimPrimitives
import Simulation
import Testing

@Suite("A Lua strategy")
struct LuaStrategyTests {
    @Test("calls what an app can call, in order")
    func calls() throws {
        let fixture = Fixture(
            .launched,
            """
            local m = a.manager
            m:requestWhenInUseAuthorization() m:requestAlwaysAuthorization()
            m:requestTemporaryFullAccuracyAuthorization("why") m:requestLocation()
            m:startUpdatingLocation() m:stopUpdatingLocation()
            m:startMonitoringSignificantLocationChanges()
            m:stopMonitoringSignificantLocationChanges()
            m:startMonitoringVisits() m:stopMonitoringVisits()
            m.allowsBackgroundLocationUpdates = true
            print(m.allowsBackgroundLocationUpdates)
            a:show_primer { id = "why", text = "See the shops." } a:show_settings_alert()
            a:feature_done("alerts", "success") a:milestone("done")
            """)
        let calls = try fixture.send(.launched)
        let id = { (name: String) throws in try #require(fixture.names.id(of: name)) }
        #expect(
            calls == [
                .requestWhenInUseAuthorization, .requestAlwaysAuthorization,
                .requestTemporaryFullAccuracyAuthorization(purpose: try id("why")),
                .requestLocation, .start(.updates), .stop(.updates), .start(.significantChange),
                .stop(.significantChange), .start(.visits), .stop(.visits),
                .setAllowsBackgroundLocationUpdates(true), .showPrimer(id: try id("why")),
                .showSettingsAlert, .featureDone(try id("alerts"), outcome: try id("success")),
                .milestone(try id("done")),
            ])
        #expect(fixture.printed == ["true"])
    }

    @Test("makes a request off the main thread where it says so")
    func threads() throws {
        let fixture = Fixture(
            .launched,
            """
            local m = a.manager
            m:requestWhenInUseAuthorization { thread = "background" }
            m:requestAlwaysAuthorization { thread = "background" }
            m:requestAlwaysAuthorization { thread = "main" } m:requestWhenInUseAuthorization(nil)
            """)
        #expect(
            try fixture.send(.launched) == [
                .requestOffMain(.whenInUse), .requestOffMain(.always),
                .requestAlwaysAuthorization, .requestWhenInUseAuthorization,
            ])
    }

    @Test("sees of its app and manager what it may")
    func fields() throws {
        let fixture = Fixture(
            strategy: """
                return { launched = function(self, app)
                  local m = app.manager
                  print(app.sessions, app.first_launch, app.launched_by_system, app.ios,
                    app.options.uses)
                  print(m.authorizationStatus, m.accuracyAuthorization,
                    m.allowsBackgroundLocationUpdates)
                  print(app.available("17.6"), app.available("17.7"), app:available("9"),
                    app.available("26.0"))
                end }
                """,
            strategyOptions: [ScriptOption(name: "uses", value: .number(2.5), isAssumed: false)])
        try fixture.send(
            .launched,
            .app(
                status: .denied, accuracy: .reducedAccuracy, allowsBackgroundUpdates: true,
                wasLaunchedBySystem: true, sessions: 4, isFirstLaunch: false))
        #expect(
            fixture.printed == [
                "4\tfalse\ttrue\t17.6\t2.5", "denied\treducedAccuracy\ttrue",
                "true\tfalse\ttrue\tfalse",
            ])
    }

    @Test("is told everything that happens")
    func events() throws {
        let hooks = HookName.strategy.map { hook in
            "\(hook.rawValue) = function(self, a, b, c) print('\(hook.rawValue)', b, c) end,"
        }
        let fixture = Fixture(strategy: "return { \(hooks.joined(separator: "\n")) }")
        let why = try #require(fixture.names.id(of: "why"))
        let events: [AppEvent] = [
            .launched, .enteredForeground, .enteredBackground, .tapped(feature: 1),
            .primerAnswered(id: why, .notNow), .settingsAlertAnswered(.cancel),
            .didChangeAuthorization(isLegacy: false), .didChangeAuthorization(isLegacy: true),
            .didUpdateLocations(horizontalAccuracyMeters: 12.5), .didFailWithError(.promptDeclined),
            .monitoringDidFail(region: why, .regionMonitoringDenied),
            .didStartMonitoringFor(region: why), .didEnterRegion(why), .didExitRegion(why),
            .didDetermineState(.inside, region: why), .didVisit(isArrival: true),
            .didUpdateHeading, .didPauseLocationUpdates, .didResumeLocationUpdates,
            .didCompleteTemporaryFullAccuracyAuthorization(nil),
            .didCompleteTemporaryFullAccuracyAuthorization(.promptDeclined),
            .didReceiveMonitorEvent(condition: why, .satisfied, []),
            .didReceiveLiveUpdate(horizontalAccuracyMeters: 10, []),
            .didReceiveServiceSessionDiagnostic,
        ]
        for event in events { try fixture.send(event, .app(status: .restricted)) }
        #expect(
            fixture.printed == [
                "launched\tnil\tnil", "entered_foreground\tnil\tnil",
                "entered_background\tnil\tnil", "tapped\talerts\tnil",
                "primer_answered\twhy\tnot_now", "settings_alert_answered\tcancel\tnil",
                "locationManagerDidChangeAuthorization\tnil\tnil",
                "didChangeAuthorization\trestricted\tnil", "didUpdateLocations\tuserdata\tnil",
                "didFailWithError\tpromptDeclined\tnil",
                "monitoringDidFail\tuserdata\tregionMonitoringDenied",
                "didStartMonitoringFor\tuserdata\tnil", "didEnterRegion\tuserdata\tnil",
                "didExitRegion\tuserdata\tnil", "didDetermineState\tinside\tuserdata",
                "didVisit\tuserdata\tnil", "didUpdateHeading\tuserdata\tnil",
                "locationManagerDidPauseLocationUpdates\tnil\tnil",
                "locationManagerDidResumeLocationUpdates\tnil\tnil",
                "didCompleteTemporaryFullAccuracyAuthorization\tnil\tnil",
                "didCompleteTemporaryFullAccuracyAuthorization\tpromptDeclined\tnil",
                "didReceiveMonitorEvent\tuserdata\tnil", "didReceiveLiveUpdate\tnil\tnil",
                "didReceiveServiceSessionDiagnostic\tnil\tnil",
            ])
    }

    @Test("gets positions as a list of one, without coordinates")
    func locations() throws {
        let fixture = Fixture(
            .didUpdateLocations,
            "for i, l in ipairs(b) do print(i, #b, l.horizontalAccuracy, b[2]) end b[1].coordinate = 1"
        )
        let failure = Fixture.failure {
            try fixture.send(.didUpdateLocations(horizontalAccuracyMeters: 12.5))
        }
        #expect(fixture.printed == ["1\t1\t12.5\tnil"])
        #expect(failure?.message.contains("location is read-only") == true)
    }

    @Test("keeps an app's storage until the app is deleted")
    func storage() throws {
        let fixture = Fixture(.launched, "self.n = (self.n or 0) + 1 print(self.n)")
        for device in [1, 2, 1] as [UInt32] { try fixture.send(.launched, .app(device)) }
        try fixture.loaded().strategy.forget(indexInBlock: 1)
        try fixture.loaded().strategy.forget(indexInBlock: 9)
        for device in [1, 2] as [UInt32] { try fixture.send(.launched, .app(device)) }
        #expect(fixture.printed == ["1", "1", "2", "1", "2"])
    }

    @Test("cannot read what the person keeps")
    func twoMemories() throws {
        let fixture = Fixture(
            behavior: """
                return { answer_prompt = function(self) self.x = 1 return "dont_allow" end }
                """,
            strategy: "return { launched = function(self) print(self.x) self.x = 2 end }")
        try fixture.ask()
        try fixture.send(.launched)
        #expect(fixture.printed == ["nil"])
    }

    @Test("cannot keep what belongs to a call, but finds its app under a global name")
    func kept() throws {
        let fixture = Fixture(
            .launched,
            "self.kept = self.kept or a.manager print(app.sessions, self.kept.authorizationStatus)")
        try fixture.send(.launched)
        let failure = Fixture.failure { try fixture.send(.launched) }
        #expect(
            failure?.message
                == "strategy.lua:1: this manager is gone: it lasts as long as its hook runs")
    }

    struct Failing: CustomTestStringConvertible, Sendable {
        let body: String
        let message: String
        let ios: String
        var testDescription: String { body }

        init(_ body: String, _ message: String, ios: String = "17.6") {
            (self.body, self.message, self.ios) = (body, message, ios)
        }
    }

    // swift-format-ignore
    static let failing: [Failing] = [
        Failing("a.manager:requestAlwaysAuthorisation()", "a manager has no field 'requestAlwaysAuthorisation': did you mean 'requestAlwaysAuthorization'?"),
        Failing("a.manager:requestAlwaysAuthorization('background')", "a request takes nothing, or { thread = \"background\" }, not 'background'"),
        Failing("a.manager:requestAlwaysAuthorization { tread = 'background' }", "a request has a thread, and no 'tread'"),
        Failing("a.manager:requestAlwaysAuthorization { thread = 'other' }", "the thread of a request is \"main\" or \"background\", not 'other'"),
        Failing("a.manager:requestWhenInUseAuthorization {}", "the thread of a request is \"main\" or \"background\", not nothing"),
        Failing("a.manager:requestTemporaryFullAccuracyAuthorisation('x')", "a manager has no field 'requestTemporaryFullAccuracyAuthorisation': did you mean 'requestTemporaryFullAccuracyAuthorization'?"),
        Failing("local x = a.manager.accuracyAuthorization", "accuracyAuthorization exists from iOS 14.0 on and this device has 13.7: guard it with app.available(\"14.0\")", ios: "13.7"),
        Failing("a.manager:requestTemporaryFullAccuracyAuthorization('x')", "requestTemporaryFullAccuracyAuthorization exists from iOS 14.0 on and this device has 13.7: guard it with app.available(\"14.0\")", ios: "13.7"),
        Failing("a.manager:requestLocation()", "requestLocation exists from iOS 9.0 on and this device has 8.4: guard it with app.available(\"9.0\")", ios: "8.4"),
        Failing("a.manager.allowsBackgroundLocationUpdates = true", "allowsBackgroundLocationUpdates exists from iOS 9.0 on and this device has 8.4: guard it with app.available(\"9.0\")", ios: "8.4"),
        Failing("a.manager.allowsBackgroundLocationUpdates = 1", "allowsBackgroundLocationUpdates is true or false, not 1"),
        Failing("a.manager.authorizationStatus = 'denied'", "a manager is read-only: 'authorizationStatus' cannot be set"),
        Failing("a.manager.requestLocation()", "a method of the manager is called with a colon: manager:requestLocation(...)"),
        Failing("a.milestone('x')", "a method of the app is called with a colon: app:milestone(...)"),
        Failing("a.show_primer { id = 'why' }", "a method of the app is called with a colon: app:show_primer(...)"),
        Failing("a.show_settings_alert()", "a method of the app is called with a colon: app:show_settings_alert(...)"),
        Failing("a.feature_done('alerts', 'success')", "a method of the app is called with a colon: app:feature_done(...)"),
        Failing("a.manager.requestAlwaysAuthorization()", "a method of the manager is called with a colon: manager:requestAlwaysAuthorization(...)"),
        Failing("a.manager.stopMonitoringVisits()", "a method of the manager is called with a colon: manager:stopMonitoringVisits(...)"),
        Failing("a.manager.startMonitoring { identifier = 'x' }", "a method of the manager is called with a colon: manager:startMonitoring(...)"),
        Failing("a.manager.requestState { identifier = 'x' }", "a method of the manager is called with a colon: manager:requestState(...)"),
        Failing("CLLocationManager().release()", "a method of the manager is called with a colon: manager:release(...)"),
        Failing("CLMonitor('x').remove('y')", "a method of the monitor is called with a colon: monitor:remove(...)"),
        Failing("a.manager.milestone(a, 'x')", "a manager has no field 'milestone'"),
        Failing("a:milestone('')", "a milestone has 1 to 64 bytes, not 0"),
        Failing("a:milestone(('x'):rep(65))", "a milestone has 1 to 64 bytes, not 65"),
        Failing("a:milestone(3)", "a milestone is a string, not 3"),
        Failing("a:milestone('two\\nlines')", "a milestone has no control characters"),
        Failing("a:feature_done('alrets', 'success')", "'alrets' is no feature of the app: did you mean 'alerts'?"),
        Failing("a:feature_done('alerts')", "an outcome is a string, not nothing"),
        Failing("a:show_primer('why')", "show_primer takes { id = name, text = what it says }, not 'why'"),
        Failing("a:show_primer { text = 'x' }", "the id of a primer is a string, not nothing"),
        Failing("a:show_primer { id = 'x', title = 'x' }", "a primer has an id and a text, and no 'title'"),
        Failing("a.available(17)", "available takes a version such as \"17.0\", not 17"),
        Failing("a.available('17.x')", "available takes a version such as \"17.0\", not '17.x'"),
        // What later versions will have.
        Failing("a.manager:requestState {}", "the identifier of a region is a string, not nothing"),
        // What is not there.
        Failing("phone.force_quit()", "a strategy has no 'phone': it is there for behaviors alone"),
        Failing("local x = odds(0.5, 2)", "a strategy has no 'odds': it is there for behaviors alone"),
        Failing("local x = options.uses", "a strategy has no 'options': they are app.options"),
        Failing("manager:requestLocation()", "a strategy has no 'manager': it is app.manager"),
        Failing("local x = os.time()", "a strategy has no 'os': there is no clock but app.now, in seconds"),
        Failing("CLLocationManger()", "a strategy has no 'CLLocationManger': did you mean 'CLLocationManager'?"),
    ]

    @Test("is told what is wrong, where, and what was meant", arguments: failing)
    func failures(_ row: Failing) throws {
        let fixture = Fixture(.launched, "\n" + row.body)
        let failure = try #require(
            Fixture.failure { try fixture.send(.launched, .app(ios: row.ios)) })
        #expect(failure.message == "strategy.lua:2: " + row.message)
        #expect(
            failure.place
                == ScriptFailurePlace(script: 1, hook: .launched, code: .runtime, line: 2))
        #expect(fixture.calls.isEmpty)
    }

    @Test("has no coordinates to give, and says why")
    func coordinates() throws {
        let fixture = Fixture(.didUpdateLocations, "print(b[1].coordinate)")
        let failure = Fixture.failure {
            try fixture.send(.didUpdateLocations(horizontalAccuracyMeters: 12.5))
        }
        #expect(
            failure?.message
                == "strategy.lua:1: positions have no coordinate until movement is modelled")
    }
}
