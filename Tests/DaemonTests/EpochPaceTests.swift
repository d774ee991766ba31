import SimPrimitives
import Testing

@testable import DaemonRuntime

@Suite("The length of epochs")
struct EpochPaceTests {
    /// A fleet on a machine that takes exactly so long for an event.
    struct Fake: CustomTestStringConvertible {
        var devices: UInt64
        /// Of one device, a simulated second.
        var events: Double
        var nanosecondsPerEvent: Double
        var pace = EpochPace()
        private var total = 0.0
        var testDescription: String {
            "\(devices) devices, \(events) events/s each, \(nanosecondsPerEvent) ns each"
        }

        init(_ devices: UInt64, _ events: Double, _ nanosecondsPerEvent: Double) {
            (self.devices, self.events) = (devices, events)
            self.nanosecondsPerEvent = nanosecondsPerEvent
        }

        /// What one epoch comes to.
        struct Epoch {
            var wallSeconds: Double
            var perDevice: Double
            var lines: UInt64
        }

        /// Runs an epoch as long as the pace has it, or cut short.
        @discardableResult
        mutating func run(most: SimDuration = .max, linesPerEvent: Double = 0) -> Epoch {
            let span = min(pace.epoch, most)
            let perDevice = span.seconds * events
            let all = perDevice * Double(devices)
            total += all
            let lines = UInt64(all * linesPerEvent)
            pace.adapt(
                span: span, wallNanoseconds: UInt64(all * nanosecondsPerEvent),
                events: UInt64(total), devices: devices, lines: lines)
            return Epoch(
                wallSeconds: all * nanosecondsPerEvent / 1e9, perDevice: perDevice, lines: lines)
        }
    }

    /// From a phone that is opened once a day to one that never rests.
    static let fakes = [1, 1_000, 100_000, 1_000_000, 10_000_000].flatMap { devices in
        [1 / 86_400, 1 / 3_000, 0.01, 1, 30].flatMap { events in
            [40, 300, 10_000_000].map { Fake(devices, events, $0) }
        }
    }

    @Test(
        "is the longer of 50 ms and 32 events a device, and at most 2 s of wall time",
        arguments: fakes)
    func aims(_ fake: Fake) {
        var fake = fake
        for _ in 0..<40 { fake.run() }
        let epoch = fake.run()
        let for32 = 32 * Double(fake.devices) * fake.nanosecondsPerEvent / 1e9
        let aim = min(max(0.05, for32), 2)
        // The bounds of an epoch, a millisecond and 31 years, may come before.
        let shortest = 0.001 * fake.events * Double(fake.devices) * fake.nanosecondsPerEvent / 1e9
        #expect(epoch.wallSeconds <= max(aim, shortest) * 1.05)
        #expect(epoch.wallSeconds >= aim * 0.95 || fake.pace.epoch > .days(365 * 30))
    }

    @Test(
        "is right again at once after the one in which a fleet became 100 or 10,000 times busier",
        arguments: [100.0, 10_000], [40.0, 300])
    func burst(_ times: Double, _ nanoseconds: Double) {
        var fake = Fake(1_000_000, 1 / 3_000, nanoseconds)
        for _ in 0..<40 { fake.run() }
        let before = fake.run()
        fake.events *= times
        let long = fake.run()
        #expect(long.wallSeconds > before.wallSeconds * times * 0.9)
        for _ in 0..<10 { #expect(fake.run().wallSeconds <= 2.01) }
    }

    @Test("grows by four times at most: what is to come is not known")
    func growth() {
        var pace = EpochPace()
        for _ in 0..<100 {
            let before = pace.epoch
            pace.adapt(span: before, wallNanoseconds: 0, events: 0, devices: 1, lines: 0)
            #expect(pace.epoch.microseconds <= before.microseconds * 4)
        }
        #expect(pace.epoch == SimDuration(microseconds: 1_000_000_000_000_000))
    }

    @Test(
        "does not grow while something else ends them: a schedule, conditions, interventions",
        arguments: [1e-6, 0.1, 60, 3_599])
    func cutShort(_ seconds: Double) throws {
        var fake = Fake(1_000_000, 1 / 3_000, 100)
        for _ in 0..<40 { fake.run() }
        let length = fake.pace.epoch
        let short = try #require(SimDuration(seconds: seconds))
        for _ in 0..<1_000 { fake.run(most: short) }
        #expect(fake.pace.epoch <= length)
        // And it is not forgotten that they may be long.
        for _ in 0..<25 { fake.run() }
        #expect(fake.run().wallSeconds > 0.9 * 2)
    }

    @Test("keeps at most so many records of one epoch as memory is meant for")
    func lines() {
        var fake = Fake(100_000, 0.01, 100)
        for _ in 0..<20 { fake.run(linesPerEvent: 2) }
        #expect(fake.run(linesPerEvent: 2).lines <= EpochPace.linesMax)
    }

    @Test("stays in its bounds for every wall time and count that there is")
    func extremes() {
        let numbers: [UInt64] = [0, 1, 1_000, 1 << 40, .max]
        for wall in numbers {
            for devices in numbers {
                for lines in numbers {
                    for span in [SimDuration.zero, .seconds(1), .max] {
                        var pace = EpochPace()
                        for events in numbers {
                            pace.adapt(
                                span: span, wallNanoseconds: wall, events: events,
                                devices: devices, lines: lines)
                            #expect(pace.epoch >= .milliseconds(1))
                            #expect(pace.epoch.microseconds <= 1_000_000_000_000_000)
                        }
                    }
                }
            }
        }
    }
}
