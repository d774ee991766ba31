import AuthorizationCore
import DeviceCore
import SimPrimitives
import TestSupport

@testable import Simulation

/// One device that the test leads by the hand: what no behavior can cause happens to its phone.
struct LedDevice {
    var runner: DeviceRunner
    var device = Device(id: DeviceID(0), persona: 0, ios: 0, group: 0)
    var now = SimTime.start

    init(_ scenario: Scenario, _ behavior: StoryBehavior, _ strategy: StoryStrategy) throws {
        let names = Block.startingNames(of: scenario)
        runner = DeviceRunner(
            scenario: scenario, arm: 0, behaviors: [behavior], strategy: strategy, names: names,
            groupCount: 1, deviceCount: 1, keepsRecords: true)
        try runner.begin(&device, index: 0)
    }

    mutating func run(to seconds: Int64) throws {
        now = .start + .seconds(seconds)
        _ = try runner.run(&device, index: 0, until: now, isHalted: { false })
    }

    mutating func happen(_ event: PhoneEvent) throws {
        runner.takeInHand(0, device)
        try runner.apply(event, to: &device, at: now)
        try runner.carryOut(of: &device, at: now)
    }
}
