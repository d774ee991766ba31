import Bundles
import Foundation
import JSONText
import SimPrimitives
import StateStore
import TestSupport
import Testing

extension DaemonSuite {
    @Suite("After its end, however it came, the next daemon")
    struct RecoveryTests {
        /// Everything of a fleet that clients see and a restart must not change.
        private static let kept = [
            "state", "digest", "scenario", "bundle", "seed", "devices", "arms", "at_seconds", "at",
            "duration_seconds", "rate", "ended_by", "thresholds_met", "error", "journal",
        ]

        private func kept(_ fleet: JSONNode) -> [String: String] {
            Dictionary(uniqueKeysWithValues: Self.kept.map { ($0, fleet[$0]?.text ?? "absent") })
        }

        private func shown(_ daemon: Daemon, _ name: String) throws -> JSONNode {
            let caller = try daemon.connect()
            try #require(
                eventually(within: 60) {
                    (try? caller.show(name))?["replay_until_seconds"] == nil
                })
            return try caller.show(name)
        }

        @Test("has each fleet as it was, in every state", arguments: [SIGKILL, SIGTERM])
        func states(_ signal: Int32) throws {
            let folder = SocketFolder()
            var daemon = try Daemon(in: folder)
            var caller = try daemon.connect()
            let bundle = try bundle(devices: 200, days: 10)
            for name in ["ready", "paused", "finished", "stopped", "stepped"] {
                try caller.create(name, bundle, #","paused":true,"by":["persona"]"#)
                try caller.call(
                    "intervene", #"{"fleet":"\#(name)","do":"upgrade_os","value":"26.0"}"#)
            }
            try caller.call("fleet.step", #"{"fleet":"paused","span":"36h"}"#)
            try caller.call("fleet.start", named("finished"))
            try caller.call("fleet.step", #"{"fleet":"stopped","span":"5d"}"#)
            try caller.call("fleet.step", #"{"fleet":"stepped","span":"7d"}"#)
            for job in ["j1", "j2", "j3"] { try caller.call("wait", #"{"job":"\#(job)"}"#) }
            try caller.call("wait", #"{"fleet":"finished"}"#)
            try caller.call("fleet.stop", named("stopped"))
            try caller.call(
                "intervene",
                #"{"fleet":"stepped","where":"persona = depends","do":"settings","value":"never"}"#)
            let names = ["ready", "paused", "finished", "stopped", "stepped"]
            let before = try names.map { kept(try shown(daemon, $0)) }
            let views = try names.map { name in
                (
                    try caller.call("funnel", named(name)).text,
                    try caller.call("device.list", #"{"fleet":"\#(name)","limit":200}"#).text,
                    try caller.call("why", #"{"fleet":"\#(name)","device":17}"#).text
                )
            }
            daemon.end(signal)
            daemon = try Daemon(in: folder)
            caller = try daemon.connect()
            for (index, name) in names.enumerated() {
                #expect(kept(try shown(daemon, name)) == before[index], "\(name)")
                #expect(try caller.call("funnel", named(name)).text == views[index].0, "\(name)")
                let devices = try caller.call("device.list", #"{"fleet":"\#(name)","limit":200}"#)
                #expect(devices.text == views[index].1, "\(name)")
                let story = try caller.call("why", #"{"fleet":"\#(name)","device":17}"#)
                #expect(story.text == views[index].2, "\(name)")
            }
            try caller.call("fleet.resume", named("stepped"))
            let whole = try bundle.played(
                journal: [
                    try bundle.intervention(
                        InterventionWords(do: "upgrade_os", value: .string("26.0"))),
                    try bundle.intervention(
                        InterventionWords(
                            do: "settings", value: .string("never"), where: "persona = depends"),
                        at: .start + .days(7)),
                ])
            #expect(
                try caller.end(of: "stepped")["digest"]?.string == "\(whole.figures.digest)")
        }

        @Test("goes on with what ran, to the digest of a run that was never broken")
        func running() throws {
            let folder = SocketFolder()
            var daemon = try Daemon(in: folder)
            let bundle = try bundle(devices: 300, days: 30)
            let alone = try bundle.played()
            try daemon.connect().create("a", bundle, #","rate":"100000x""#)
            try daemon.connect().create("b", bundle)
            for _ in 0..<4 {
                usleep(400_000)
                daemon.end(SIGKILL)
                daemon = try Daemon(in: folder)
            }
            let caller = try daemon.connect()
            try caller.call("fleet.rate", #"{"fleet":"a","rate":"max"}"#)
            for name in ["a", "b"] {
                #expect(try caller.end(of: name)["digest"]?.string == "\(alone.figures.digest)")
            }
        }

        @Test("has a paced fleet go on from where it was, to within two seconds of its rate")
        func progress() throws {
            let folder = SocketFolder()
            var daemon = try Daemon(in: folder)
            try daemon.connect().create("a", try bundle(devices: 50), #","rate":"3600x""#)
            usleep(3_000_000)
            let before = try daemon.connect().show("a")["at_seconds"]?.number.flatMap(Double.init)
            daemon.end(SIGKILL)
            daemon = try Daemon(in: folder)
            let after = try shown(daemon, "a")["at_seconds"]?.number.flatMap(Double.init)
            #expect(try #require(after) >= #require(before) - 2 * 3_600)
        }

        @Test("still pauses where a fleet was to pause", arguments: [true, false])
        func goals(isInstant: Bool) throws {
            let folder = SocketFolder()
            var daemon = try Daemon(in: folder)
            let bundle = try bundle(devices: 200, days: 30)
            try daemon.connect().create("a", bundle, #","paused":true,"rate":"20000x""#)
            let goal = isInstant ? "2d3h" : "count(denied) >= 20"
            try daemon.connect().call("fleet.until", #"{"fleet":"a","until":"\#(goal)"}"#)
            usleep(300_000)
            daemon.end(SIGKILL)
            daemon = try Daemon(in: folder)
            let caller = try daemon.connect()
            try caller.call("fleet.rate", #"{"fleet":"a","rate":"max"}"#)
            let jobs = try caller.call("jobs").array ?? []
            #expect(jobs.count == 1)
            let job = jobs.first?["job"]?.string ?? ""
            let ended = try caller.call("wait", #"{"job":"\#(job)"}"#)
            #expect(ended["job"]?["state"]?.string == "done", "\(ended.text)")
            let shown = try caller.show("a")
            #expect(shown["state"]?.string == "paused")
            if isInstant { #expect(shown["at_seconds"]?.number == "183600") }
            let other = try daemon.connect()
            try other.create("b", bundle, #","paused":true"#)
            let until = try other.call("fleet.until", #"{"fleet":"b","until":"\#(goal)"}"#)
            try other.call("wait", #"{"job":"\#(until["job"]?.string ?? "")"}"#)
            #expect(try other.show("b")["digest"]?.text == shown["digest"]?.text)
            #expect(try other.show("b")["at_seconds"]?.text == shown["at_seconds"]?.text)
        }

        @Test("has forgotten what was deleted, and nothing of it is left")
        func deleted() throws {
            let folder = SocketFolder()
            let daemon = try Daemon(in: folder)
            let caller = try daemon.connect()
            try caller.create("a", try bundle(devices: 20))
            try caller.call("fleet.delete", named("a"))
            daemon.end(SIGKILL)
            let left = try FileManager.default.contentsOfDirectory(
                atPath: folder.state + "/fleets")
            #expect(left.isEmpty, "\(left)")
            let second = try Daemon(in: folder)
            #expect(try second.connect().call("fleet.list").array?.isEmpty == true)
            try second.connect().create("a", try bundle(devices: 21))
        }
    }
}
