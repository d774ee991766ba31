import Reports
import SimPrimitives
import Simulation
import Testing

@Suite("Failures of scripts in a report")
struct FailureKindTests {
    private func failure(
        _ line: UInt32, hour: Int64, device: UInt32, hook: HookName = .timer,
        code: ScriptFailureCode = .runtime
    ) -> FirstScriptFailure {
        FirstScriptFailure(
            key: RecordKey(time: .start + .hours(hour), device: DeviceID(device), ordinal: 3),
            place: ScriptFailurePlace(script: 1, hook: hook, code: code, line: line),
            message: "progressive.lua:\(line): no \(line) of \(device)")
    }

    private func report(_ failures: [FirstScriptFailure]) -> Report {
        var report = storeFinderReport(hasMachine: false)
        report.total.scriptFailures = 0
        report.total.scriptFailureKinds = [:]
        for failure in failures { report.total.count(failure) }
        return report
    }

    private func section(of report: Report) -> [Substring] {
        let lines = report.text().split(separator: "\n", omittingEmptySubsequences: false)
        return Array(lines.drop { $0 != "Script failures" }.prefix { !$0.isEmpty })
    }

    @Test("are counted by script, line, hook and code, with the first of each")
    func kinds() {
        let report = report([
            failure(8, hour: 30, device: 5), failure(8, hour: 9, device: 70),
            failure(8, hour: 9, device: 7), failure(3, hour: 2, device: 9),
            failure(8, hour: 1, device: 1, hook: .launched),
        ])
        #expect(
            section(of: report) == [
                "Script failures", "  5 of 3 kinds",
                "  3: progressive.lua:8 in timer (runtime), first on device 7, day 0 at 09:00:00",
                "    no 8 of 7",
                "  1: progressive.lua:8 in launched (runtime), first on device 1, day 0 at 01:00:00",
                "    no 8 of 1",
                "  1: progressive.lua:3 in timer (runtime), first on device 9, day 0 at 02:00:00",
                "    no 3 of 9",
                "    see the first: locfleet why SCENARIO --device 1",
            ])
    }

    @Test("are told for ten kinds, and counted beyond")
    func many() throws {
        let report = report((1...13).map { failure($0, hour: Int64($0), device: 1) })
        let lines = section(of: report)
        #expect(lines.count == 2 + 20 + 2)
        #expect(lines[lines.count - 2] == "  and 3 more kinds")
        let read = try ReadReport(report.json)
        #expect(read.number("arms.0.script_failures.kinds.12.count") == "1")
        #expect(read.number("arms.0.script_failures.kinds.13.count") == nil)
    }

    @Test("merge to the same whatever the order")
    func order() {
        let all = (0..<40 as Range<UInt32>).map {
            failure($0 % 7, hour: Int64($0 * 29 % 11), device: $0 * 17 % 40)
        }
        func merged(_ parts: [[FirstScriptFailure]]) -> FleetMetrics {
            var sum = FleetMetrics(funnels: [])
            for part in parts {
                var metrics = FleetMetrics(funnels: [])
                for failure in part { metrics.count(failure) }
                sum.merge(metrics)
            }
            return sum
        }
        let whole = merged([all])
        #expect(whole.scriptFailures == 40 && whole.scriptFailureKinds.count == 7)
        for parts in [[Array(all[20...]), Array(all[..<20])], all.reversed().map { [$0] }] {
            #expect(merged(parts).scriptFailureKinds == whole.scriptFailureKinds)
            #expect(merged(parts).firstScriptFailure == whole.firstScriptFailure)
        }
    }

    @Test("name the command that shows them, as a shell takes it")
    func command() {
        var report = report([failure(8, hour: 1, device: 4)])
        report.why = "locfleet why 'my fleet.json5' --seed 3"
        report.arms[0].name = "it's"
        #expect(
            section(of: report).last
                == #"    see it: locfleet why 'my fleet.json5' --seed 3 --arm 'it'\''s' --device 4"#
        )
    }
}
