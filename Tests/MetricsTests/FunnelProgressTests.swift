import Metrics
import SimPrimitives
import Testing

/// One device's news: at a minute, some steps.
private typealias News = (minute: Int64, mask: UInt32)

/// What a list of news comes to in one funnel.
private struct Outcome: Equatable, CustomStringConvertible {
    var reached: [UInt64]
    var lost: [UInt64]
    var outside: [UInt64]
    /// Minutes from the step before; one for each step reached.
    var waits: [Int64]

    var description: String { "reached \(reached) lost \(lost) outside \(outside) waits \(waits)" }
}

/// Plays `news` through `FunnelProgress`, as the engine does, to the end of the run.
private func played(
    _ news: [News], steps: Int, windowMinutes: Int64? = nil, endMinute: Int64 = 1_000
) -> Outcome {
    let window = windowMinutes.map { SimDuration.minutes($0) }
    var counts = FunnelCounts(stepCount: steps)
    let progress = progressed(news, window, &counts)
    if progress.hasMissedWindow(by: .start + .minutes(endMinute), window: window) {
        counts.lost[Int(progress.reached)] += 1
    }
    let waits = counts.waits.compactMap { $0.quantile(0.5) }.map { Int64($0) }
    return Outcome(
        reached: counts.reached, lost: counts.lost, outside: counts.outside, waits: waits)
}

private func progressed(
    _ news: [News], _ window: SimDuration?, _ counts: inout FunnelCounts
) -> FunnelProgress {
    var progress = FunnelProgress()
    var instant: (minute: Int64, ahead: UInt32) = (-1, 0)
    for (minute, mask) in news {
        if minute != instant.minute { instant = (minute, 0) }
        progress.occurred(
            mask, at: .start + .minutes(minute), ahead: &instant.ahead, window: window,
            counts: &counts)
    }
    return progress
}

/// The definition of the contract, word for word, over the whole list at once.
private func defined(
    _ news: [News], steps: Int, windowMinutes: Int64?, endMinute: Int64
) -> Outcome {
    var outcome = Outcome(
        reached: Array(repeating: 0, count: steps), lost: Array(repeating: 0, count: steps),
        outside: Array(repeating: 0, count: steps), waits: [])
    var before: Int64?
    var countsUntil = Int64.max
    for step in 0..<steps {
        let first = news.first { $0.minute >= before ?? 0 && $0.mask >> step & 1 == 1 }?.minute
        let deadline = windowMinutes.flatMap { window in before.map { $0 + window } } ?? .max
        guard let first, first <= deadline else {
            // A run that ends within the window leaves the device on its way.
            if first.map({ $0 > deadline }) ?? (endMinute > deadline) {
                outcome.lost[step] = 1
                countsUntil = deadline
            }
            break
        }
        outcome.reached[step] = 1
        outcome.waits.append(first - (before ?? first))
        before = first
    }
    for step in 0..<steps where outcome.reached[step] == 0 {
        let isSeen = news.contains { $0.minute <= countsUntil && $0.mask >> step & 1 == 1 }
        outcome.outside[step] = isSeen ? 1 : 0
    }
    return outcome
}

@Suite("A device's way through a funnel")
struct FunnelProgressTests {
    @Test("takes the steps in order, each at its first occurrence after the one before")
    func order() {
        let outcome = played([(1, 0b1), (2, 0b1), (5, 0b10), (9, 0b10), (20, 0b100)], steps: 3)
        #expect(outcome.reached == [1, 1, 1])
        #expect(outcome.lost == [0, 0, 0])
    }

    @Test("takes several steps of one instant, told at once or one by one, in whatever order")
    func oneInstant() {
        #expect(played([(1, 0b111)], steps: 3).reached == [1, 1, 1])
        #expect(played([(1, 0b1), (1, 0b100), (1, 0b10)], steps: 3).reached == [1, 1, 1])
        #expect(played([(1, 0b100), (1, 0b10), (1, 0b1)], steps: 3).outside == [0, 0, 0])
    }

    @Test("counts a step before its turn beside the funnel, until it comes in turn")
    func outside() {
        let early = played([(1, 0b1), (2, 0b100), (3, 0b100)], steps: 3)
        #expect(early.reached == [1, 0, 0])
        #expect(early.outside == [0, 0, 1])
        let later = played([(1, 0b1), (2, 0b100), (3, 0b10), (4, 0b100)], steps: 3)
        #expect(later.reached == [1, 1, 1])
        #expect(later.outside == [0, 0, 0])
    }

    @Test("lets a step come at the last instant of its window and not after")
    func window() {
        #expect(played([(1, 0b1), (11, 0b10)], steps: 2, windowMinutes: 10).reached == [1, 1])
        let late = played([(1, 0b1), (12, 0b10)], steps: 2, windowMinutes: 10)
        #expect(late.reached == [1, 0])
        #expect(late.lost == [0, 1])
    }

    @Test("is on its way, not lost, where the run ends within the window")
    func notYet() {
        let open = played([(1, 0b1)], steps: 2, windowMinutes: 10, endMinute: 11)
        #expect(open.lost == [0, 0])
        let missed = played([(1, 0b1)], steps: 2, windowMinutes: 10, endMinute: 12)
        #expect(missed.lost == [0, 1])
    }

    @Test("has no window for the first step, and none after the last")
    func ends() {
        #expect(played([(500, 0b1)], steps: 2, windowMinutes: 10, endMinute: 501).lost == [0, 0])
        #expect(played([(1, 0b11)], steps: 2, windowMinutes: 10).lost == [0, 0])
    }

    @Test("counts nothing more once a window has passed")
    func afterLoss() {
        let outcome = played([(1, 0b1), (50, 0b100)], steps: 3, windowMinutes: 10)
        #expect(outcome.lost == [0, 1, 0])
        #expect(outcome.outside == [0, 0, 0])
    }

    @Test("goes through as many steps as a funnel may have")
    func manySteps() {
        let outcome = played([(1, .max), (2, .max)], steps: FunnelDefinition.stepCountMax)
        #expect(outcome.reached == Array(repeating: 1, count: FunnelDefinition.stepCountMax))
    }

    @Test("agrees with the definition on random lives", arguments: 0..<40)
    func definition(seed: UInt64) {
        var random = SystematicNumbers(seed)
        for life in 0..<500 {
            let steps = 1 + random.next(5)
            let endMinute = Int64(5 + random.next(30))
            let windowMinutes = random.next(3) == 0 ? nil : Int64(1 + random.next(12))
            var minute: Int64 = 0
            var news: [News] = []
            while minute < endMinute, news.count < 20 {
                // Half the news share their instant with the one before.
                if random.next(2) == 0 { minute += Int64(random.next(4)) }
                if minute <= endMinute {
                    news.append((minute, UInt32(random.next(1 << steps))))
                }
            }
            let seen = played(
                news, steps: steps, windowMinutes: windowMinutes, endMinute: endMinute)
            var expected = defined(
                news, steps: steps, windowMinutes: windowMinutes, endMinute: endMinute)
            expected.waits = expected.waits.map(bucketed)
            #expect(
                seen == expected,
                """
                seed \(seed), life \(life): \(steps) steps, window \(windowMinutes as Any), \
                end \(endMinute), news \(news)
                """)
        }
    }

    /// Minutes as the histogram gives them back: the least of their bucket, in microseconds.
    private func bucketed(minutes: Int64) -> Int64 {
        var histogram = LogLinearHistogram()
        histogram.record(UInt64(minutes * 60_000_000))
        return Int64(histogram.quantile(1) ?? 0)
    }
}

@Suite("A funnel's counts")
struct FunnelCountsTests {
    @Test("of two halves are those of the whole")
    func merging() {
        var (whole, left, right) = (
            FunnelCounts(stepCount: 3), FunnelCounts(stepCount: 3), FunnelCounts(stepCount: 3)
        )
        var random = SystematicNumbers(7)
        for device in 0..<1_000 {
            let news = (0..<6).map { (Int64($0 * 7), UInt32(random.next(8))) }
            record(news, in: &whole)
            if device % 3 == 0 { record(news, in: &left) } else { record(news, in: &right) }
        }
        left.merge(right)
        #expect(left == whole)
        #expect(whole.lost.reduce(0, +) > 0 && whole.outside.reduce(0, +) > 0)
    }

    private func record(_ news: [News], in counts: inout FunnelCounts) {
        _ = progressed(news, .minutes(10), &counts)
    }
}

@Suite("A funnel's steps")
struct FunnelStepTests {
    @Test("have the names of the contract")
    func names() {
        #expect(
            FunnelDefinition.builtIn.steps.map(\.name) == [
                "installed", "opened", "asked", "granted", "kept", "asked_always", "always",
                "always_7d",
            ])
        #expect(FunnelStep.milestone("a").name == "milestone:a")
        #expect(FunnelStep.feature("b").name == "feature:b")
        #expect(FunnelStep.status("denied").name == "status:denied")
    }
}
