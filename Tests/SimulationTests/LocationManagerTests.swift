import AuthorizationCore
import DeviceCore
import SimPrimitives
import TestSupport
import Testing

@testable import Simulation

/// What the app heard, by the slot of the manager that it heard it from.
private final class Hearing {
    var events: [(manager: UInt8, event: AppEvent)] = []
    var views: [LocationObjectsView] = []

    func heard(_ hook: HookName) -> [UInt8] {
        events.filter { $0.event.hook == hook }.map(\.manager)
    }
}

private let first = NameID(0), second = NameID(1)

@Suite("The location managers of a process")
struct LocationManagerTests {
    private func strategy(
        _ hearing: Hearing, without absent: [HookName] = [],
        _ react: @escaping (AppEvent, AppView) -> [AppCall]
    ) -> StoryStrategy {
        StoryStrategy(without: absent) { event, app throws(HookError) in
            hearing.events.append((app.manager, event))
            hearing.views.append(app.objects ?? LocationObjectsView())
            return react(event, app)
        }
    }

    @Test("each hear once as they are made, and then of each change (C1, C2, C7)")
    func callbacks() {
        let hearing = Hearing()
        let strategy = strategy(hearing) { event, _ in
            switch event {
            case .launched: [.createManager(slot: 1, first)]
            case .tapped:
                [.createManager(slot: 2, second), .by(manager: 2), .requestWhenInUseAuthorization]
            default: []
            }
        }
        _ = run(scenario(days: 1), StoryBehavior(taps: [10], always: .allowWhileUsing), strategy)
        #expect(hearing.heard(.locationManagerDidChangeAuthorization) == [0, 1, 2, 0, 1, 2])
        #expect(hearing.heard(.didChangeAuthorization).isEmpty)
    }

    @Test(
        "hear by the method that their version knows (C6, C8)",
        arguments: [("13.7", [0, 1], []), ("14.0", [], [0, 1])] as [(String, [UInt8], [UInt8])])
    func versions(_ ios: String, _ old: [UInt8], _ new: [UInt8]) {
        let hearing = Hearing()
        let strategy = strategy(hearing) { event, _ in
            event == .launched ? [.createManager(slot: 1, first)] : []
        }
        _ = run(scenario(days: 1, ios: ios), StoryBehavior(), strategy)
        #expect(hearing.heard(.didChangeAuthorization) == old)
        #expect(hearing.heard(.locationManagerDidChangeAuthorization) == new)
    }

    @Test("hear of the status alone by the deprecated method, on iOS 14 too (S15)")
    func statusAlone() throws {
        let hearing = Hearing()
        let strategy = strategy(hearing, without: [.locationManagerDidChangeAuthorization]) {
            event, _ in
            switch event {
            case .launched: [.createManager(slot: 1, first)]
            case .tapped: [.requestWhenInUseAuthorization]
            default: []
            }
        }
        var led = try LedDevice(
            scenario(days: 1), StoryBehavior(taps: [10], always: .allowWhileUsing), strategy)
        try led.run(to: 100)
        #expect(hearing.heard(.didChangeAuthorization) == [0, 1, 0, 1])
        try led.happen(.preciseSwitched(false))
        #expect(hearing.heard(.didChangeAuthorization) == [0, 1, 0, 1])
    }

    @Test("are there for the hooks of the same instant, and die with the process")
    func lives() throws {
        let hearing = Hearing()
        let strategy = strategy(hearing) { event, app in
            event == .launched && app.isFirstLaunch ? [.createManager(slot: 1, first)] : []
        }
        var led = try LedDevice(scenario(days: 1), StoryBehavior(openings: [60, 600]), strategy)
        try led.run(to: 61)
        #expect(hearing.views[0].managers.isEmpty)
        #expect(hearing.events[1].event == .didChangeAuthorization(isLegacy: false))
        #expect(hearing.views[1].managers.map(\.name) == [nil, first])
        try led.happen(.processEnded(.forceQuit))
        #expect(led.runner.locationObjects[0] == nil)
        try led.run(to: 2_000)
        #expect(hearing.views.last?.managers.isEmpty == true)
        #expect(hearing.heard(.locationManagerDidChangeAuthorization) == [0, 1, 0])
    }

    @Test("take their prompt along when they are released, and no other's (J1)")
    func release() throws {
        for (slot, isClosed) in [(1, true), (2, false)] as [(UInt8, Bool)] {
            let hearing = Hearing()
            let strategy = strategy(hearing) { event, _ in
                switch event {
                case .launched: [.createManager(slot: 1, first), .createManager(slot: 2, second)]
                case .tapped:
                    [.by(manager: 1), .requestWhenInUseAuthorization, .releaseManager(slot: slot)]
                default: []
                }
            }
            let (records, _) = run(scenario(days: 1), StoryBehavior(taps: [10]), strategy)
            let closed = records.contains {
                if case .unanswered(.whenInUse, .j1) = $0.content { true } else { false }
            }
            #expect(closed == isClosed, "slot \(slot)")
        }
    }

    @Test("get the positions that they asked for, as exact as they wanted them")
    func positions() throws {
        let hearing = Hearing()
        let strategy = strategy(hearing) { event, app in
            switch event {
            case .launched:
                [
                    .createManager(slot: 1, first), .createManager(slot: 2, second),
                    .by(manager: 1), .setDesiredAccuracy(.hundredMeters),
                    .by(manager: 2), .setDesiredAccuracy(.reduced),
                ]
            case .tapped: [.requestWhenInUseAuthorization]
            case .didChangeAuthorization where app.status == .authorizedWhenInUse:
                switch app.manager {
                case 0: []
                case 1: [.by(manager: 1), .start(.updates)]
                default: [.by(manager: 2), .requestLocation]
                }
            default: []
            }
        }
        var led = try LedDevice(
            scenario(days: 1), StoryBehavior(taps: [10], always: .allowWhileUsing), strategy)
        try led.run(to: 90)
        let positions = hearing.events.filter { $0.event.hook == .didUpdateLocations }
        let reduced = led.runner.scenario.rules.reducedAccuracyMeters
        #expect(Set(positions.map(\.manager)) == [1, 2])
        for (manager, event) in positions {
            let meters = manager == 1 ? 100 : reduced
            #expect(event == .didUpdateLocations(horizontalAccuracyMeters: meters))
        }
        #expect(positions.count { $0.manager == 2 } == 1)
    }

    @Test("stop what the phone runs for them when the last of them stops it")
    func stopping() throws {
        let hearing = Hearing()
        let strategy = strategy(hearing) { event, app in
            switch event {
            case .launched: [.createManager(slot: 1, first)]
            case .enteredForeground: [.requestWhenInUseAuthorization]
            case .didChangeAuthorization
            where app.manager == 1 && app.status == .authorizedWhenInUse:
                [.start(.updates), .by(manager: 1), .start(.updates)]
            case .tapped: (app.objects?.held ?? []) == [] ? [.stop(.updates)] : []
            default: []
            }
        }
        var led = try LedDevice(
            scenario(days: 1), StoryBehavior(taps: [10], always: .allowWhileUsing), strategy)
        try led.run(to: 100)
        #expect(led.device.phone.services == .updates)
        let told = hearing.heard(.didUpdateLocations)
        #expect(told.contains(1) && told.filter { $0 == 0 }.count <= 1)
        led.runner.calls = [.releaseManager(slot: 1)]
        try led.runner.carryOut(of: &led.device, at: led.now)
        #expect(led.device.phone.services == [])
    }

    @Test("keep a device as small as it was where there is but one")
    func memory() {
        func bytes(_ react: @escaping (AppEvent) -> [AppCall]) -> UInt64 {
            let strategy = StoryStrategy { event, _ in react(event) }
            return run(
                scenario(days: 1), StoryBehavior(), strategy, until: .start + .seconds(200)
            ).block.stateBytes
        }
        let flat = UInt64(Block.bytesPerDevice(funnels: 1))
        #expect(bytes { _ in [] } == flat)
        #expect(bytes { $0 == .launched ? [.createManager(slot: 1, first)] : [] } > flat)
    }
}
