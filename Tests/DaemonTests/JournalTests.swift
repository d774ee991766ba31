import Bundles
import ControlProtocol
import DaemonRuntime
import JSONText
import SimPrimitives
import Simulation
import TestSupport
import Testing

@testable import ControlService

extension DaemonSuite {
    /// A run with its journal in this process gives the digest of the fleet that wrote the journal.
    @Suite("The journal of a fleet replays it")
    struct JournalTests {
        private func replayed(
            _ bundle: Bundles.Bundle, _ fleet: Fleet,
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let status = try fleet.end()
            let alone = try bundle.played(journal: status.journal)
            #expect(status.end == alone.end, sourceLocation: sourceLocation)
            #expect(status.figures.at == alone.figures.at, sourceLocation: sourceLocation)
            #expect(status.figures.digest == alone.figures.digest, sourceLocation: sourceLocation)
            let untouched = try bundle.played()
            #expect(
                status.figures.digest != untouched.figures.digest, "the journal did nothing",
                sourceLocation: sourceLocation)
        }

        @discardableResult
        private func intervene(
            _ fleet: Fleet, _ bundle: Bundles.Bundle, where condition: String? = nil,
            share: Double = 1, do word: String, value: Bundles.Bundle.RequestedValue? = nil
        ) throws -> InterventionEffect {
            let intervention = try bundle.intervention(
                where: condition, share: share, do: word,
                value: value)
            return try answer { fleet.intervene(InterventionRequest(intervention), $0) }
        }

        @Test("whatever it was asked while it ran, paused and ran on")
        func running() throws {
            let bundle = try bundle(devices: 600, days: 20)
            // Slow enough to be asked something before its end.
            let fleet = try bundle.fleet("a", .ratio(100_000), on: WorkerPool(workers: 2))
            let effect = try intervene(fleet, bundle, do: "settings", value: .string("never"))
            #expect(effect.at == .start)
            // S7: nobody has the app's row yet.
            #expect(effect.reach == [InterventionReach(ignored: 600)])
            #expect(effect.entry == 1)
            try answer(fleet.start)
            try intervene(
                fleet, bundle, where: "persona = depends", share: 0.5, do: "settings",
                value: .string("always"))
            try answer(fleet.pause)
            let before = fleet.status.figures.at
            let paused = try intervene(fleet, bundle, share: 0.5, do: "reboot")
            #expect(paused.at >= before)
            #expect(fleet.status.state == .paused)
            let twice = try intervene(fleet, bundle, do: "upgrade_os", value: .string("26.0"))
            #expect(twice.at == paused.at, "a paused fleet stands at a border")
            #expect(twice.entry == 4)
            try answer { fleet.setRate(.max, $0) }
            try answer(fleet.resume)
            try replayed(bundle, fleet)
        }

        @Test("where conditions are judged at the very instants of interventions")
        func judged() throws {
            let bundle = try bundle(
                devices: 200, days: 3, ["end_when": "share(status = restricted) > 0.9"])
            let fleet = try bundle.fleet("a", .ratio(100_000), on: WorkerPool(workers: 1))
            try answer(fleet.start)
            let effect = try intervene(
                fleet, bundle, do: "restrict_location", value: .bool(true))
            #expect(effect.reach == [InterventionReach(devices: 200)])
            let status = try fleet.end()
            #expect(status.end == .endWhen)
            #expect(status.figures.at > effect.at, "what is judged at a border comes before it")
            try replayed(bundle, fleet)
        }

        @Test("where the scenario has something to do at that instant too")
        func sameInstant() throws {
            let bundle = try bundle(
                devices: 200, days: 3,
                [
                    "interventions": #"[{ at: "0s", do: "settings", value: "always" }]"#,
                    "end_when": "count(status = denied) = 200 and day >= 2",
                ])
            let fleet = try bundle.fleet(on: WorkerPool(workers: 1))
            try intervene(fleet, bundle, do: "settings", value: .string("never"))
            try answer(fleet.start)
            try replayed(bundle, fleet)
        }

        @Test("and an intervention at the start does not let the end be judged sooner")
        func judgedAtStart() throws {
            let bundle = try bundle(devices: 100, days: 3, ["end_when": "day < 1"])
            let fleet = try bundle.fleet(on: WorkerPool(workers: 1))
            try intervene(fleet, bundle, do: "settings", value: .string("never"))
            try answer(fleet.start)
            try replayed(bundle, fleet)
            #expect(fleet.status.figures.at == .start + .hours(1))
        }
    }

    @Suite("One device of a fleet")
    struct WhyTests {
        /// What `locfleet why` prints of the demo's scenario with these words.
        private func file(_ device: Int, _ words: [String]) throws -> [String] {
            let program = try Program.locfleet(
                ["why", "config/scenarios/progressive.json5", "--device", "\(device)", "--json"]
                    + words)
            #expect(program.status == 0, "\(program.error)")
            return program.out.split(separator: "\n").map(String.init)
        }

        private func why(_ client: Caller, _ device: Int) throws -> [String] {
            let result = try client.call("why", #"{"fleet":"a","device":\#(device)}"#)
            return (result["records"]?.array ?? []).map(\.text)
        }

        /// All records of a watch until it ends.
        private func records(_ client: Caller) throws -> [String] {
            var lines: [String] = []
            while let news = try client.next() {
                #expect(news["lost"]?.number == "0")
                lines += (news["records"]?.array ?? []).map(\.text)
                if news["ended"]?.bool == true { return lines }
            }
            Issue.record("the watch did not end")
            return lines
        }

        @Test("has the same records in why, in the watch and in why of the file")
        func three() throws {
            let daemon = try Hosted()
            let client = try daemon.connect()
            try client.create("a", try bundle(devices: 300), #","paused":true"#)
            let devices = [0, 17, 299]
            let watchers = try devices.map { device in
                let watcher = try daemon.connect()
                try watcher.call("watch", #"{"fleet":"a","where":"device = \#(device)"}"#)
                return watcher
            }
            try client.call("fleet.start", named("a"))
            _ = try client.end(of: "a")
            for (device, watcher) in zip(devices, watchers) {
                let lines = try why(client, device)
                #expect(!lines.isEmpty)
                #expect((lines == (try records(watcher))) as Bool, "device \(device)")
                #expect(
                    lines == (try file(device, ["--devices", "300", "--days", "4"])),
                    "device \(device)")
            }
        }

        @Test("lives as long as the fleet did, whatever its own standing would end")
        func endWhen() throws {
            let daemon = try Hosted()
            let client = try daemon.connect()
            // Some device is denied soon; half of all only later, if at all.
            let condition = "share(status = denied) > 0.15"
            try client.create(
                "a", try bundle(devices: 300, days: 10, ["end_when": condition]), #","paused":true"#
            )
            let watcher = try daemon.connect()
            try watcher.call("watch", #"{"fleet":"a","types":["answer"]}"#)
            try client.call("fleet.start", named("a"))
            let shown = try client.end(of: "a")
            #expect(shown["ended_by"]?.string == "end_when")
            let answers = try records(watcher)
            let refused = try #require(
                answers.first { $0.contains("\"dont_allow\"") }, "nobody refuses")
            let device = try #require(
                try JSONReader.read(Array(refused.utf8), as: .json)["device"]?.number)
            let number = try #require(Int(device))
            let lines = try why(client, number)
            let own = answers.filter { $0.contains("\"device\":\(device),") }
            #expect(lines.filter { $0.contains("\"type\":\"answer\"") } == own)
            let words = ["--devices", "300", "--days", "10"]
            let whole = try file(number, words)
            let conditional = try file(number, words + ["--set", "end_when=\(condition)"])
            #expect(conditional.count == whole.count, "end_when is not about one device alone")
            let end = try #require(Double(shown["at_seconds"]?.number ?? ""))
            let due = try whole.filter { line in
                let node = try JSONReader.read(Array(line.utf8), as: .json)
                return Double(node["us"]?.number ?? "") ?? 0 < end * 1e6
            }
            #expect(lines.count == due.count)
            #expect((lines == due) as Bool)
        }

        @Test("shows what was done to it by a client")
        func intervened() throws {
            let daemon = try Hosted()
            let client = try daemon.connect()
            try client.create(
                "a", try bundle(devices: 100, days: 20), #","paused":true,"rate":"100000x""#)
            let watcher = try daemon.connect()
            try watcher.call("watch", #"{"fleet":"a","where":"device = 5"}"#)
            try client.call("fleet.start", named("a"))
            try client.call("intervene", #"{"fleet":"a","do":"settings","value":"never"}"#)
            try client.call("fleet.rate", #"{"fleet":"a","rate":"max"}"#)
            _ = try client.end(of: "a")
            let lines = try why(client, 5)
            #expect((lines == (try records(watcher))) as Bool)
        }
    }
}
