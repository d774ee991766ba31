import AuthorizationCore
import DeviceCore
import SimPrimitives
import TestSupport
import Testing

@testable import Simulation

private let first = NameID(0), second = NameID(1)

@Suite("What a phone tells an app of places")
struct PlaceHookTests {
    private static let region = CircularRegion(
        first, latitudeDegrees: 52.5, longitudeDegrees: 13.4, radiusMeters: 200)

    /// Granted Always at the tap, with what `start` asks for.
    private func granted(
        ios: String = "17.6", delays: SystemDelays = .exact, _ start: [AppCall],
        _ more: @escaping (AppEvent) -> [AppCall] = { _ in [] }
    ) throws -> (LedDevice, StoryStrategy) {
        let strategy = StoryStrategy { event, app in
            switch event {
            case .tapped: [.requestAlwaysAuthorization]
            case .didChangeAuthorization where app.status == .authorizedAlways && app.manager == 0:
                start
            default: more(event)
            }
        }
        let behavior = StoryBehavior(openings: [60], taps: [10]) { question in
            Reply(question.kind == .whenInUse ? .allowWhileUsing : .changeToAlwaysAllow)
        }
        var led = try LedDevice(scenario(days: 1, ios: ios, delays: delays), behavior, strategy)
        try led.run(to: 100)
        return (led, strategy)
    }

    @Test("reaches its delegate: registrations, crossings and states of regions")
    func regions() throws {
        var (led, strategy) = try granted([
            .startMonitoring(Self.region), .requestState(first),
        ])
        try led.happen(.crossed(RegionID(0), isEntry: true))
        try led.happen(.crossed(RegionID(0), isEntry: false))
        let told: Set<HookName> = [
            .didStartMonitoringFor, .didEnterRegion, .didExitRegion, .didDetermineState,
        ]
        #expect(
            strategy.events.filter { told.contains($0.hook) } == [
                .didStartMonitoringFor(region: first),
                .didDetermineState(.unknown, region: first), .didEnterRegion(first),
                .didDetermineState(.inside, region: first), .didExitRegion(first),
                .didDetermineState(.outside, region: first),
            ])
    }

    @Test("reaches each of its managers where it is of a region, which they share")
    func shared() throws {
        var (led, strategy) = try granted([
            .createManager(slot: 1, second), .by(manager: 1), .startMonitoring(Self.region),
        ])
        try led.happen(.crossed(RegionID(0), isEntry: true))
        #expect(strategy.events.count { $0 == .didEnterRegion(first) } == 2)
        #expect(strategy.events.count { $0 == .didStartMonitoringFor(region: first) } == 1)
    }

    @Test("reaches it of visits and headings that it has started, and of no others")
    func visits() throws {
        for services in [[], [.visits, .heading]] as [ServiceSet] {
            var (led, strategy) = try granted([.start(services)])
            try led.happen(.visited(isArrival: true))
            try led.happen(.visited(isArrival: false))
            try led.happen(.headingChanged)
            let told = strategy.events.filter { [.didVisit, .didUpdateHeading].contains($0.hook) }
            let expected: [AppEvent] = [
                .didVisit(isArrival: true), .didVisit(isArrival: false), .didUpdateHeading,
            ]
            #expect(told == (services.isEmpty ? [] : expected))
        }
    }

    @Test("reaches it when updates pause at rest, and when it begins them again (B13)")
    func pauses() throws {
        for isAllowed in [true, false] {
            var (led, strategy) = try granted([
                .setAllowsBackgroundLocationUpdates(true), .start(.updates),
                .setPausesLocationUpdatesAutomatically(isAllowed),
            ]) { $0 == .didPauseLocationUpdates ? [.start(.updates)] : [] }
            try led.run(to: 300)
            try led.happen(.rested)
            let hooks: [HookName] = [
                .locationManagerDidPauseLocationUpdates, .locationManagerDidResumeLocationUpdates,
            ]
            let told = strategy.events.map(\.hook).filter { hooks.contains($0) }
            #expect(told == (isAllowed ? hooks : []))
        }
    }

    @Test("reaches it when a request for full accuracy is done, with the error if there is one")
    func fullAccuracy() throws {
        var (led, strategy) = try granted(
            ios: "14.0", [.requestTemporaryFullAccuracyAuthorization(purpose: first)])
        try led.run(to: 110)
        #expect(
            strategy.events.filter { $0.hook == .didCompleteTemporaryFullAccuracyAuthorization }
                == [.didCompleteTemporaryFullAccuracyAuthorization(.promptDeclined)])
    }
}
