import AuthorizationCore
import DeviceCore
import LuaScripting
import Simulation
import Testing

@Suite("A Lua strategy's location managers")
struct LuaManagerTests {
    static func objects(_ names: [NameID?]) -> LocationObjectsView {
        var view = LocationObjectsView()
        view.managers = [LocationManager()] + names.map { LocationManager(name: $0) }
        return view
    }

    @Test("are made with Apple's call, usable at once, and told apart by a name of ours")
    func made() throws {
        let fixture = Fixture(
            .launched,
            """
            local fences, other = CLLocationManager("fences"), CLLocationManager()
            print(fences.identifier, other.identifier, a.manager.identifier)
            print(fences == a.managers.fences, fences == other, a.manager == a.managers.main)
            print(a.managers.nobody, fences.allowsBackgroundLocationUpdates)
            fences:startMonitoringVisits()
            fences:requestWhenInUseAuthorization()
            fences.allowsBackgroundLocationUpdates = true
            other:stopMonitoring { identifier = "store" }
            print(fences.allowsBackgroundLocationUpdates, a.manager.allowsBackgroundLocationUpdates)
            a.manager:startUpdatingLocation()
            """)
        let calls = try fixture.send(.launched)
        #expect(
            fixture.printed == [
                "fences\tmanager 3\tmain", "true\tfalse\ttrue", "nil\tfalse", "true\tfalse",
            ])
        let id = { (name: String) throws in try #require(fixture.names.id(of: name)) }
        #expect(
            calls == [
                .createManager(slot: 1, try id("fences")),
                .createManager(slot: 2, try id("manager 3")),
                .by(manager: 1), .start(.visits),
                .by(manager: 1), .requestWhenInUseAuthorization,
                .by(manager: 1), .setAllowsBackgroundLocationUpdates(true),
                .by(manager: 2), .stopMonitoring(try id("store")), .start(.updates),
            ])
    }

    @Test("are what callbacks give, and what a later hook finds by the name")
    func compared() throws {
        let fixture = Fixture(
            .didChangeAuthorization,
            "print(a.identifier, a == app.managers.fences, a == app.manager, b)")
        let fences = try #require(fixture.names.id(of: "fences"))
        var view = AppView.app(status: .denied)
        view.objects = Self.objects([nil, fences])
        for slot in [0, 2] as [UInt8] {
            view.manager = slot
            try fixture.send(.didChangeAuthorization(isLegacy: true), view)
        }
        #expect(fixture.printed == ["main\tfalse\ttrue\tdenied", "fences\ttrue\tfalse\tdenied"])
    }

    @Test(
        "take the first slot that is free, and give theirs back when the hook that releases them is over"
    )
    func slots() throws {
        let fixture = Fixture(
            .launched,
            "app.managers.fences:release() print(app.managers.fences) CLLocationManager('new')"
        )
        let fences = try #require(fixture.names.id(of: "fences"))
        var view = AppView.app()
        view.objects = Self.objects([fences])
        let calls = try fixture.send(.launched, view)
        let new = try #require(fixture.names.id(of: "new"))
        #expect(calls == [.releaseManager(slot: 1), .createManager(slot: 2, new)])
        #expect(fixture.printed == ["nil"])
        let again = Fixture(.launched, "CLLocationManager('third')")
        view.objects = Self.objects([nil, again.names.id(of: "new")])
        try again.send(.launched, view)
        let third = try #require(again.names.id(of: "third"))
        #expect(again.calls == [.createManager(slot: 1, third)])
    }

    @Test("are not in sight of the next device's hook")
    func otherDevice() throws {
        let fixture = Fixture(.launched, "print(a.managers.x, a.monitor) CLLocationManager('x')")
        for device in 1...3 as ClosedRange<UInt32> { try fixture.send(.launched, .app(device)) }
        #expect(fixture.printed == ["nil\tnil", "nil\tnil", "nil\tnil"])
    }

    @Test("have the properties of Apple's, each its own")
    func properties() throws {
        let fixture = Fixture(
            .launched,
            """
            local m, other = a.manager, CLLocationManager("other")
            print(m.pausesLocationUpdatesAutomatically, m.showsBackgroundLocationIndicator,
              m.desiredAccuracy)
            other.pausesLocationUpdatesAutomatically = false
            other.showsBackgroundLocationIndicator = true
            other.desiredAccuracy = "kCLLocationAccuracyReduced"
            print(other.pausesLocationUpdatesAutomatically, other.showsBackgroundLocationIndicator,
              other.desiredAccuracy)
            print(m.pausesLocationUpdatesAutomatically, m.showsBackgroundLocationIndicator,
              m.desiredAccuracy)
            """)
        let calls = try fixture.send(.launched)
        #expect(
            calls.dropFirst() == [
                .by(manager: 1), .setPausesLocationUpdatesAutomatically(false),
                .by(manager: 1), .setShowsBackgroundLocationIndicator(true),
                .by(manager: 1), .setDesiredAccuracy(.reduced),
            ])
        let defaults = "true\tfalse\tkCLLocationAccuracyBest"
        #expect(
            fixture.printed == [defaults, "false\ttrue\tkCLLocationAccuracyReduced", defaults])
    }

    @Test("do not outlast the hook: only their names do")
    func kept() throws {
        let fixture = Fixture(
            .launched, "self.m = self.m or CLLocationManager('x') self.m:requestLocation()")
        try fixture.send(.launched)
        let failure = Fixture.failure { try fixture.send(.launched) }
        #expect(
            failure?.message
                == "strategy.lua:1: this manager is gone: it lasts as long as its hook runs")
    }

    @Test("answer with the class method of old, too")
    func classMethod() throws {
        let fixture = Fixture(.launched, "print(CLLocationManager.authorizationStatus())")
        try fixture.send(.launched, .app(status: .restricted))
        #expect(fixture.printed == ["restricted"])
    }

    // swift-format-ignore
    static let failing: [(body: String, message: String, ios: String)] = [
        ("for i = 1, 8 do CLLocationManager() end", "a process has at most 8 location managers, the app's own included", "17.6"),
        ("CLLocationManager('x') CLLocationManager('x')", "this process has a manager 'x' already: it is app.managers['x']", "17.6"),
        ("CLLocationManager('main')", "this process has a manager 'main' already: it is app.managers['main']", "17.6"),
        ("CLLocationManager(7)", "the identifier of a manager is a string, not 7", "17.6"),
        ("a.manager:release()", "the app's own manager lives as long as its process: release one that CLLocationManager() has made", "17.6"),
        ("local m = CLLocationManager() m:release() m:requestLocation()", "this manager has been released", "17.6"),
        ("a.managers.x = 1", "a list of managers is read-only: 'x' cannot be set", "17.6"),
        ("a.manager.desiredAccuracy = 10", "10 is no accuracy of Apple's; there is 'kCLLocationAccuracyBest', 'kCLLocationAccuracyBestForNavigation', 'kCLLocationAccuracyNearestTenMeters', 'kCLLocationAccuracyHundredMeters', 'kCLLocationAccuracyKilometer', 'kCLLocationAccuracyThreeKilometers' and 1 more", "17.6"),
        ("a.manager.desiredAccuracy = 'kCLLocationAccuracyKilometre'", "'kCLLocationAccuracyKilometre' is no accuracy of Apple's: did you mean 'kCLLocationAccuracyKilometer'?", "17.6"),
        ("a.manager.desiredAccuracy = 'kCLLocationAccuracyReduced'", "kCLLocationAccuracyReduced exists from iOS 14.0 on and this device has 13.7: guard it with app.available(\"14.0\")", "13.7"),
        ("a.manager.showsBackgroundLocationIndicator = true", "showsBackgroundLocationIndicator exists from iOS 11.0 on and this device has 10.3: guard it with app.available(\"11.0\")", "10.3"),
        ("a.manager.pausesLocationUpdatesAutomatically = 0", "pausesLocationUpdatesAutomatically is true or false, not 0", "17.6"),
        ("a.manager.distanceFilter = 10", "distanceFilter is not there yet: it comes with movement", "17.6"),
        ("print(a.manager.location)", "location is not there yet: it comes with movement", "17.6"),
        ("CLLocationManager.authorisationStatus()", "CLLocationManager has no 'authorisationStatus': did you mean 'authorizationStatus'?", "17.6"),
        ("CLLocationManager.x = 1", "CLLocationManager is read-only", "17.6"),
        ("a.manager:requestTemporaryFullAccuracyAuthorization('x', print)", "requestTemporaryFullAccuracyAuthorization takes a purpose key alone: its completion is the hook didCompleteTemporaryFullAccuracyAuthorization", "17.6"),
        ("a.manager:requestState('x')", "requestState takes a region or { identifier = name }, not 'x'", "17.6"),
    ]

    @Test("are refused with what is true of them", arguments: failing)
    func failures(_ body: String, _ message: String, _ ios: String) throws {
        let fixture = Fixture(.launched, body)
        let failure = Fixture.failure { try fixture.send(.launched, .app(ios: ios)) }
        #expect(failure?.message == "strategy.lua:1: " + message)
        #expect(fixture.calls.isEmpty)
    }
}
