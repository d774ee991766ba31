import DeviceCore
import Simulation
import Testing

@Suite("A Lua strategy's regions")
struct LuaRegionTests {
    @Test("are handed over with Apple's fields, and taken back by their identifier")
    func calls() throws {
        let fixture = Fixture(
            .launched,
            """
            local store = { identifier = "store", latitude = -33.9, longitude = 18, radius = 200 }
            a.manager:startMonitoring(store)
            a.manager:stopMonitoring(store)
            a.manager:stopMonitoring { identifier = "depot" }
            """)
        let calls = try fixture.send(.launched)
        let id = { (name: String) throws in try #require(fixture.names.id(of: name)) }
        let store = CircularRegion(
            try id("store"), latitudeDegrees: -33.9, longitudeDegrees: 18, radiusMeters: 200)
        #expect(
            calls == [
                .startMonitoring(store), .stopMonitoring(store.id),
                .stopMonitoring(try id("depot")),
            ])
    }

    @Test("can be named and given up where their monitoring failed")
    func failed() throws {
        let fixture = Fixture(
            .monitoringDidFail, "print(b.identifier, c) a:stopMonitoring(b)")
        let store = try #require(fixture.names.id(of: "store"))
        let calls = try fixture.send(.monitoringDidFail(region: store, .regionMonitoringFailure))
        #expect(fixture.printed == ["store\tregionMonitoringFailure"])
        #expect(calls == [.stopMonitoring(store)])
    }

    @Test("do not outlast the callback that gave them")
    func kept() throws {
        let fixture = Fixture(
            .monitoringDidFail, "self.kept = self.kept or b a:stopMonitoring(self.kept)")
        let store = try #require(fixture.names.id(of: "store"))
        let event = AppEvent.monitoringDidFail(region: store, .regionMonitoringDenied)
        try fixture.send(event)
        let failure = Fixture.failure { try fixture.send(event) }
        #expect(
            failure?.message
                == "strategy.lua:1: this region is gone: it lasts as long as its hook runs")
    }

    // swift-format-ignore
    static let failing: [(call: String, message: String)] = [
        ("startMonitoring('x')", "startMonitoring takes { identifier = name, latitude = degrees, longitude = degrees, radius = meters }, not 'x'"),
        ("startMonitoring { identifier = 'x', lattitude = 1 }", "a region has an identifier, a latitude, a longitude and a radius, and no 'lattitude': did you mean 'latitude'?"),
        ("startMonitoring { latitude = 1, longitude = 1, radius = 1 }", "the identifier of a region is a string, not nothing"),
        ("startMonitoring { identifier = ('x'):rep(65) }", "the identifier of a region has 1 to 64 bytes, not 65"),
        ("startMonitoring { identifier = 'x', latitude = 90.5, longitude = 1, radius = 1 }", "the latitude of a region is a number of degrees in -90 ... 90, not 90.5"),
        ("startMonitoring { identifier = 'x', latitude = 1, longitude = '1', radius = 1 }", "the longitude of a region is a number of degrees in -180 ... 180, not '1'"),
        ("startMonitoring { identifier = 'x', latitude = 1, longitude = 1 }", "the radius of a region is a number of meters in 0.001 ... 1e9, not nothing"),
        ("startMonitoring { identifier = 'x', latitude = 1, longitude = 1, radius = 1/0 }", "the radius of a region is a number of meters in 0.001 ... 1e9, not inf"),
        ("stopMonitoring(a)", "stopMonitoring takes a region or { identifier = name }, not a userdata"),
        ("stopMonitoring {}", "the identifier of a region is a string, not nothing"),
    ]

    @Test("are refused with the field that is wrong", arguments: failing)
    func failures(_ call: String, _ message: String) throws {
        let fixture = Fixture(.launched, "local m = a.manager m:\(call)")
        let failure = Fixture.failure { try fixture.send(.launched) }
        #expect(failure?.message == "strategy.lua:1: " + message)
        #expect(fixture.calls.isEmpty)
    }
}
