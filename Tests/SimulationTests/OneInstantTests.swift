import DeviceCore
import SimPrimitives
import TestSupport
import Testing

@testable import Simulation

/// Each of these kept a device busy at one instant for ever.
@Suite("A device in a hurry")
struct OneInstantTests {
    static var instantly: SystemDelays {
        var delays = SystemDelays.exact
        (delays.answer, delays.position, delays.updateInterval) = (.zero, .zero, .zero)
        return delays
    }

    /// The records of one simulated hour, which must end.
    func records(_ behavior: StoryBehavior, _ strategy: StoryStrategy) -> Int {
        run(
            scenario(days: 1, delays: Self.instantly), behavior, strategy,
            until: .start + .hours(1)
        ).records.count
    }

    @Test("goes on where it has counted so far that its counters go round")
    func counters() throws {
        var asked = 0
        let strategy = StoryStrategy { event, _ in
            asked += 1
            return switch event {
            case .enteredForeground: [.start(.significantChange), .requestWhenInUseAuthorization]
            case .didChangeAuthorization, .timer:
                [.requestLocation, .setTimer(AppTimer(number: UInt64(asked), wait: .zero))]
            default: [.milestone(NameID(0)), .showPrimer(id: NameID(0))]
            }
        }
        let behavior = StoryBehavior(
            openings: [60, 60, 60], taps: [9, 9], always: .allowWhileUsing)
        var led = try LedDevice(scenario(days: 1), behavior, strategy)
        let most = UInt32.max
        led.device.occasions = Device.Occasions(
            opening: most, length: most, tap: most, primer: most, settingsAlert: most, app: most,
            move: most, system: most, noise: most, day: 0)
        (led.device.recordCount, led.device.sessions) = (most, most)
        try led.run(to: 3_600)
        #expect(led.device.recordCount > 0 && led.device.recordCount < 10_000)
    }

    @Test("cannot open and leave an app without end")
    func sessions() {
        let behavior = StoryBehavior(
            openings: [Int64](repeating: 0, count: 10_000), sessionSeconds: 0)
        #expect(records(behavior, StoryStrategy()) < 3 * 3_600)
    }

    @Test("cannot tap without end")
    func taps() {
        let behavior = StoryBehavior(
            openings: [0], sessionSeconds: 60, taps: [Int64](repeating: 0, count: 10_000))
        #expect(records(behavior, StoryStrategy()) < 700)
    }

    @Test("cannot answer an own screen, or be located, without end")
    func ownScreens() {
        let strategy = StoryStrategy { event, _ in
            switch event {
            case .enteredForeground, .primerAnswered:
                [.showPrimer(id: NameID(0)), .requestWhenInUseAuthorization, .requestLocation]
            case .didUpdateLocations: [.requestLocation, .start(.updates)]
            default: []
            }
        }
        let behavior = StoryBehavior(openings: [0], sessionSeconds: 60, always: .allowWhileUsing)
        #expect(records(behavior, strategy) < 2_000)
    }
}
