import SimPrimitives
import Testing

@testable import DaemonRuntime

@Suite("A schedule against the wall clock")
struct PacedScheduleTests {
    static let begin: UInt64 = 5_000_000_000
    static func wall(_ seconds: Double) -> UInt64 { begin + UInt64(seconds * 1e9) }
    static func sim(_ seconds: Double) -> SimTime {
        SimTime(microseconds: Int64((seconds * 1e6).rounded()))
    }

    @Test("is ahead by a tenth of a second at most", arguments: [0.001, 0.5, 1, 60, 1_000_000])
    func ahead(_ ratio: Double) {
        let schedule = PacedSchedule(ratio: ratio, from: Self.sim(7), at: Self.begin)
        var reached = Self.sim(7)
        var now = Self.begin
        var waits = 0
        for _ in 0..<200 {
            switch schedule.step(at: now, from: reached, epoch: .hours(1)) {
            case .wait(let seconds):
                #expect(seconds > 0 && seconds <= 0.101)
                waits += 1
                now += UInt64(seconds * 1e9) + 1_000
            case .run(let span):
                reached = reached + span
                now += 1_000_000
            }
            let due = 7 + Double(now - Self.begin) / 1e9 * ratio
            #expect((reached - .start).seconds <= due + 0.101 * ratio)
            #expect((reached - .start).seconds >= due - 0.002 * ratio - 2e-6)
            #expect(schedule.lagSeconds(at: now, of: reached) < 0.005)
        }
        #expect(waits > 90)
    }

    @Test("behind it, a run catches up in epochs as long as the pace has them")
    func behind() {
        let schedule = PacedSchedule(ratio: 60, from: .start, at: Self.begin)
        let now = Self.wall(1_000)
        #expect(schedule.lagSeconds(at: now, of: Self.sim(30_000)) == 500)
        #expect(
            schedule.step(at: now, from: Self.sim(30_000), epoch: .hours(1)) == .run(.hours(1)))
        #expect(
            schedule.step(at: now, from: Self.sim(30_000), epoch: .seconds(1)) == .run(.seconds(6)))
        #expect(
            schedule.step(at: now, from: Self.sim(59_990), epoch: .hours(1)) == .run(.seconds(16)))
        #expect(schedule.lagSeconds(at: now, of: Self.sim(60_003)) == 0)
    }

    @Test("knows every instant that a wall clock can have")
    func extremes() {
        for ratio in [0.001, 1_000_000.0] {
            let schedule = PacedSchedule(ratio: ratio, from: .start + .days(3_650), at: 0)
            for now in [0, 1, 1 << 40, UInt64.max] {
                #expect(schedule.target(at: now) >= .start + .days(3_650))
                for epoch in [SimDuration.milliseconds(1), .max] {
                    if case .run(let span) = schedule.step(at: now, from: .start, epoch: epoch) {
                        #expect(span > .zero)
                    }
                }
            }
        }
    }
}
