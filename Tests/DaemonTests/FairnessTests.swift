import SimPrimitives
import Synchronization
import TestSupport
import Testing

@testable import DaemonRuntime

extension DaemonSuite {
    @Suite("Fleets that share workers")
    struct FairnessTests {
        @Test("get as much each: one of a twentieth is done before the other has a fifth")
        func small() throws {
            let arms = (1..<20).map { number in
                #"{ name: "arm\#(number)", set: { "app.options.upgrade_after_uses": \#(number) } }"#
            }
            let large = try bundle(
                devices: 3_000, days: 4, ["arms": "[\(arms.joined(separator: ", "))]"])
            let pool = WorkerPool(workers: 1)
            let crowd = try large.fleet("large", on: pool)
            let few = try bundle(devices: 3_000, days: 4).fleet("few", on: pool)
            #expect(large.arms.count == 20)
            try answer(crowd.start)
            try answer(few.start)
            _ = try few.end()
            let then = crowd.status
            #expect(then.state == .running)
            let share = (then.figures.at - .start).seconds / large.scenario.duration.seconds
            #expect(share < 0.2, "the large one is at \(share) of its time")
            try answer(crowd.stop)
        }

        @Test("take turns at pieces of equal work, whoever came first and has more of them")
        func pieces() throws {
            let pool = WorkerPool(workers: 1)
            let (crowd, few) = (pool.makeTenant(), pool.makeTenant())
            let (done, atEndOfFew) = (Count(), Slot<Int>())
            let isOver = Flag()
            pool.perform(100, for: crowd) { piece in
                // Comes when the crowd has begun, and may not wait for its end.
                if piece == 0 {
                    pool.perform(10, for: few) { _ in
                        Self.spin()
                    } then: {
                        atEndOfFew.fill(done.value)
                    }
                }
                Self.spin()
                done.add()
            } then: {
                isOver.raise()
            }
            try #require(eventually(within: 60) { isOver.isRaised })
            let count = try #require(atEndOfFew.value)
            #expect(count < 40, "10 pieces were done after \(count) of the others")
        }

        /// As much work each time.
        private static func spin() {
            var value = 1.0
            for step in 1...20_000 { value += 1 / Double(step) / value }
            #expect(value > 1)
        }

        @Test("wait for a piece at most: a paced one stays near its schedule")
        func paced() throws {
            let pool = WorkerPool(workers: 1)
            let large = try bundle(devices: 20_000, days: 1.5).fleet("large", on: pool)
            let paced = try bundle(devices: 100, days: 100).fleet("paced", .ratio(600), on: pool)
            try answer(paced.start)
            try answer(large.start)
            let began = ContinuousClock.now
            var (lag, borders, last) = (0.0, 0, SimTime.start)
            let isOver = eventually(within: 60) {
                let status = paced.status
                lag = max(lag, status.lagSeconds)
                if status.figures.at > last { (borders, last) = (borders + 1, status.figures.at) }
                return large.status.state.isFinal
            }
            try #require(isOver)
            let wall = (ContinuousClock.now - began) / .seconds(1)
            #expect(lag < 5, "of \(wall) s")
            #expect(borders >= 2, "it stood still for \(wall) s")
            // What it may be behind: the lag, and what was not published yet.
            let due = (wall - 5) * 600
            #expect((paced.status.figures.at - .start).seconds >= due, "after \(wall) s")
            try answer(paced.stop)
        }
    }
}

/// Counts, from any thread.
private final class Count: Sendable {
    private let number = Atomic(0)
    var value: Int { number.load(ordering: .relaxed) }
    func add() { number.add(1, ordering: .relaxed) }
}
