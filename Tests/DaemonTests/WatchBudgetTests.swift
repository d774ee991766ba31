import JSONText
import SimPrimitives
import Simulation
import Synchronization
import TestSupport
import Testing

@testable import DaemonRuntime

@Suite("What a flat-out fleet spends on watchers")
struct WatchBudgetTests {
    /// Plays epochs of a fleet of which a record costs so much, and so much more to be told.
    ///
    /// - Returns: what telling took, and the whole, in nanoseconds; and the records told.
    private func play(
        quiet: Double, telling: Double, density: Double, longest: Double, seconds: Double
    ) -> (telling: Double, all: Double, told: Double) {
        var budget = WatchBudget()
        var (spent, all, told) = (0.0, 0.0, 0.0)
        while all < seconds * 1e9 {
            let span = budget.span
            let microseconds = min(longest, span.map { Double($0.microseconds) } ?? longest)
            let records = density * microseconds
            let lines = span == nil ? 0 : min(records, Double(budget.recordsMax(ofPieces: 1)))
            let epoch = WatchBudget.Epoch(
                span: SimDuration(microseconds: Int64(microseconds)), records: UInt64(records),
                wanted: UInt64(records), told: UInt64(lines),
                workNanoseconds: UInt64(records * quiet + 1_000),
                tellNanoseconds: UInt64(lines * telling))
            if span == nil { budget.counted(epoch) } else { budget.told(epoch) }
            spent += lines * telling
            all += records * quiet + lines * telling + 1_000
            told += lines
        }
        return (spent, all, told)
    }

    @Test(
        "is its share, whatever a record costs",
        arguments: [100.0, 400, 3_000], [500.0, 3_000, 40_000])
    func share(quiet: Double, telling: Double) {
        // What is told for nothing costs what it costs.
        let free = Double(2 * WatchBudget.freeRecords) * telling
        let played = play(
            quiet: quiet, telling: telling, density: 0.1, longest: 5e6, seconds: 200)
        let most = Double(WatchBudget.sharePercent) / 100
        #expect((played.telling - free) / played.all < most * 1.1)
        #expect(played.telling / played.all > most * 0.5)
    }

    @Test("is nothing beyond its share where everything happens in the first second")
    func installs() {
        var budget = WatchBudget()
        let records = 1_000_000
        let pieces = 16
        let lines = pieces * budget.recordsMax(ofPieces: pieces)
        #expect(lines < records / 4)
        budget.told(
            WatchBudget.Epoch(
                span: .seconds(1), records: UInt64(records), wanted: UInt64(records),
                told: UInt64(lines), workNanoseconds: 600_000_000, tellNanoseconds: 900_000_000))
        #expect(budget.span == nil)
    }
}

extension DaemonSuite {
    @Suite("The watchers of a fleet that runs flat out")
    struct FlatOutTests {
        private struct Heard {
            var lines: [String] = []
            var lost = 0
            var hasEnded = false
        }

        private final class Ear: Sendable {
            let heard = Mutex(Heard())

            func watcher(_ types: RecordTypes, _ condition: DeviceCondition) -> FleetWatcher {
                FleetWatcher(types: types, condition: condition) { lines in
                    self.heard.withLock { $0.lines += lines }
                } lose: { count, _ in
                    self.heard.withLock { $0.lost += count }
                } end: {
                    self.heard.withLock { $0.hasEnded = true }
                }
            }
        }

        private func watch(
            _ fleet: Fleet, _ types: RecordTypes = .all,
            _ condition: DeviceCondition = .constant(true)
        ) throws -> Ear {
            let ear = Ear()
            _ = try answer { fleet.watch(ear.watcher(types, condition), $0) }
            return ear
        }

        private func log(_ devices: Int, days: Int) throws -> [String] {
            let run = try Program.locfleet([
                "run", "config/scenarios/progressive.json5", "--devices", "\(devices)", "--days",
                "\(days)", "--log", "-",
            ])
            #expect(run.status == 0, "\(run.error)")
            return run.out.split(separator: "\n").map(String.init)
        }

        @Test("are told records as they are in the log, in their order, and how many they missed")
        func accounts() throws {
            let log = try log(3_000, days: 6)
            let bundle = try bundle(devices: 3_000, days: 6)
            let fleet = try bundle.fleet(on: WorkerPool(workers: 1))
            let all = try watch(fleet)
            let status = try watch(fleet, RecordTypes(.status))
            let condition = try bundle.devices(where: "device < 10", after: [])
            let few = try watch(fleet, .all, condition)
            try answer(fleet.start)
            let end = try fleet.end()
            #expect(end.state == .finished)
            let heard = all.heard.withLock { $0 }
            #expect(heard.lines.count + heard.lost == log.count)
            #expect(heard.lines.count >= WatchBudget.freeRecords / 2)
            #expect(heard.lost > 0 && heard.hasEnded)
            let places = Dictionary(uniqueKeysWithValues: zip(log, log.indices))
            let told = heard.lines.compactMap { places[$0] }
            #expect(told.count == heard.lines.count && told == told.sorted())
            let changes = log.count { $0.contains(#""type":"status""#) }
            status.heard.withLock { #expect($0.lines.count + $0.lost == changes) }
            few.heard.withLock { heard in
                let lines = log.count { line in
                    (0..<10).contains { line.contains(#""device":\#($0),"#) }
                }
                #expect(heard.lines.count + heard.lost >= lines && heard.lines.count > 0)
                #expect(heard.lines.allSatisfy { places[$0] != nil })
            }
        }

        @Test("are told all of a step that is no longer than what is told for nothing")
        func steps() throws {
            let bundle = try bundle(devices: 1_000, days: 6)
            let fleet = try bundle.fleet(on: WorkerPool(workers: 1))
            let all = try watch(fleet)
            for day in [2, 4, 6] {
                let there = Slot<Bool>()
                let goal = FleetGoal(.instant(.start + .days(Int64(day))), text: "\(day)d")
                fleet.run(to: goal) { _ in
                } then: { _ in
                    there.fill(true)
                }
                try #require(eventually(within: 60) { there.value == true })
            }
            let heard = all.heard.withLock { $0 }
            #expect(heard.lost == 0)
            #expect(try heard.lines.count == log(1_000, days: 6).count)
        }
    }
}
