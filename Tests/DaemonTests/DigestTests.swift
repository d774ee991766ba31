import Bundles
import ControlProtocol
import DaemonRuntime
import JSONText
import Reports
import SimPrimitives
import Simulation
import TestSupport
import Testing

@testable import ControlService

extension DaemonSuite {
    /// What a fleet comes to is its bundle's and its journal's alone: each test plays the bundle in
    /// this process, without a daemon, and holds the fleet against that.
    @Suite("A fleet comes to what its bundle comes to")
    struct DigestTests {
        @Test("at full speed, with 1 and 3 workers", arguments: [1, 3])
        func workers(_ workers: Int) throws {
            // Two blocks and a bit, so that workers have something to share.
            let bundle = try bundle(devices: 33_000, days: 0.25)
            let status = try bundle.fleet(on: WorkerPool(workers: workers)).lived()
            let alone = try bundle.played(workers: 2)
            #expect(status.state == .finished)
            #expect(status.end == alone.end)
            expectSame(status.figures, alone.figures, of: bundle)
        }

        @Test("paused and resumed at any moment")
        func pauses() throws {
            let bundle = try bundle(devices: 900, days: 20)
            let fleet = try bundle.fleet(on: WorkerPool(workers: 2))
            try answer(fleet.start)
            var count = 0
            while (try? answer(fleet.pause)) != nil {
                count += 1
                // Another moment each time: so many events more than at the last.
                let busy = fleet.status.busySeconds
                // What was left of the last epoch may have been nothing.
                guard (try? answer(fleet.resume)) != nil else { break }
                _ = eventually(within: 0.002 * Double(count % 7)) {
                    fleet.status.busySeconds > busy
                }
            }
            let status = try fleet.end()
            #expect(count >= 3, "the fleet ended after \(count) pauses")
            expectSame(status.figures, try bundle.played().figures, of: bundle)
        }

        @Test("paced at first, then paused, then at full speed")
        func paced() throws {
            let bundle = try bundle(devices: 400, days: 10)
            let fleet = try bundle.fleet("a", .ratio(200_000), on: WorkerPool(workers: 2))
            try answer(fleet.start)
            try #require(eventually { fleet.status.figures.at > .start })
            try answer(fleet.pause)
            let at = fleet.status.figures.at
            #expect(at < .start + bundle.scenario.duration)
            try answer { fleet.setRate(.ratio(3_600), $0) }
            try answer(fleet.resume)
            try #require(eventually { fleet.status.figures.at > at })
            try answer(fleet.pause)
            try answer { fleet.setRate(.max, $0) }
            try answer(fleet.resume)
            let status = try fleet.end()
            #expect(status.rate == .max)
            expectSame(status.figures, try bundle.played().figures, of: bundle)
        }

        @Test(
            "paced, and asked for its figures and devices all the while", arguments: [1, 2, 3, 7])
        func polled(_ workers: Int) throws {
            let bundle = try bundle(devices: 300, days: 3, arms: ["ask_on_launch.lua"])
            let fleet = try bundle.fleet(
                "a", .ratio(500_000), on: WorkerPool(workers: workers))
            try answer(fleet.start)
            var seen: Set<SimTime> = []
            let hasEnded = eventually(within: 60) {
                seen.insert(fleet.status.figures.at)
                return fleet.status.state.isFinal
            }
            try #require(hasEnded)
            #expect(seen.count > 1)
            expectSame(try fleet.end().figures, try bundle.played().figures, of: bundle)
        }

        @Test("beside two and five others", arguments: [2, 5])
        func others(_ count: Int) throws {
            let bundle = try bundle(devices: 500)
            let pool = WorkerPool(workers: 2)
            let others = try (0..<count).map { index in
                try DaemonTests.bundle(devices: 300, ["seed": "\(100 + index)"])
            }
            let hosted = try others.enumerated().map { index, bundle in
                try bundle.fleet("other\(index)", on: pool)
            }
            let fleet = try bundle.fleet(on: pool)
            for fleet in hosted { try answer(fleet.start) }
            expectSame(try fleet.lived().figures, try bundle.played().figures, of: bundle)
            for (fleet, bundle) in zip(hosted, others) {
                expectSame(try fleet.end().figures, try bundle.played().figures, of: bundle)
            }
        }

        @Test("watched and followed by many")
        func watched() throws {
            let bundle = try bundle()
            let daemon = try Hosted()
            let client = try daemon.connect()
            try client.create("a", bundle, #","paused":true"#)
            let watcher = try daemon.connect()
            for condition in ["device < 50", "persona = refuses", "status = denied"] {
                try watcher.call("watch", #"{"fleet":"a","where":"\#(condition)"}"#)
            }
            try watcher.call("watch", #"{"fleet":"a","types":["answer","status"]}"#)
            let follower = try daemon.connect()
            for _ in 0..<3 {
                try follower.call("funnel.subscribe", #"{"fleet":"a","every_seconds":0.1}"#)
            }
            try client.call("fleet.start", named("a"))
            let shown = try client.end(of: "a")
            #expect(shown["digest"]?.string == (try bundle.played().figures.digest.description))
        }

        @Test("with arms, interventions, thresholds and a condition that ends it")
        func everything() throws {
            let bundle = try bundle(
                devices: 400, days: 20,
                [
                    "interventions": """
                    [{ at: "0s", do: "settings", value: "never", share: 0.2 },
                     { at: "1d", where: "persona = depends", do: "upgrade_os", value: "26.0" },
                     { at: "30h", share: 0.3, do: "reboot" }]
                    """,
                    "thresholds": """
                    ["share(authorizedAlways) > 0.01", "count(status = denied) < 10"]
                    """,
                    "end_when": "count(status = denied) > 60 and day >= 3",
                ], arms: ["ask_on_launch.lua"])
            let status = try bundle.fleet(on: WorkerPool(workers: 2)).lived()
            let alone = try bundle.played()
            #expect(status.end == .endWhen)
            #expect(alone.end == .endWhen)
            #expect(status.figures.arms[1].interventions == alone.figures.arms[1].interventions)
            expectSame(status.figures, alone.figures, of: bundle)
        }

        /// Whoever reads the two reports sees the same, to the last figure.
        private func expectSame(
            _ mine: FleetFigures, _ theirs: FleetFigures, of bundle: Bundles.Bundle,
            sourceLocation: SourceLocation = #_sourceLocation
        ) {
            #expect(mine.digest == theirs.digest, sourceLocation: sourceLocation)
            #expect(mine.events == theirs.events, sourceLocation: sourceLocation)
            func report(_ figures: FleetFigures) -> String {
                Report(
                    bundle.arms, figures, bundle: bundle.sha256, endedBy: nil, groupLabels: [],
                    machine: nil
                ).json
            }
            #expect(report(mine) == report(theirs), sourceLocation: sourceLocation)
        }
    }
}
