import Foundation
import JSONText
import TestSupport
import Testing

extension DaemonSuite {
    @Suite("While a fleet is played again after a restart")
    struct ReplayTests {
        /// Long enough that whoever comes at once comes before its end.
        private static let span = "20d12h"
        private static let seconds = "1771200"

        /// A daemon that was killed with a paused fleet, and one of today's, in the replay.
        private func replaying(
            _ body: (Daemon, Caller, _ before: JSONNode) throws -> Void
        ) throws {
            let folder = SocketFolder()
            var daemon = try Daemon(in: folder)
            var caller = try daemon.connect()
            let bundle = try bundle(devices: 1_200, days: 30)
            try caller.create("a", bundle, #","paused":true"#)
            for (span, share) in [("10d", "0.5"), ("10d", "0.25"), ("12h", "0.25")] {
                let job = try caller.call("fleet.step", #"{"fleet":"a","span":"\#(span)"}"#)
                let isDone = try eventually(within: 300) {
                    let wait = #"{"job":"\#(job["job"]?.string ?? "")","within_seconds":1}"#
                    return try caller.call("wait", wait)["ended"]?.bool == true
                }
                try #require(isDone)
                guard span == "10d" else { continue }
                try caller.call(
                    "intervene",
                    #"{"fleet":"a","do":"upgrade_os","value":"26.0","share":\#(share)}"#)
            }
            let before = try caller.show("a")
            daemon.end(SIGKILL)
            daemon = try Daemon(in: folder)
            caller = try daemon.connect()
            try #require(try caller.show("a")["replay_until_seconds"]?.number == Self.seconds)
            try body(daemon, caller, before)
        }

        @Test("it is stopped, forked and exported as it stood before, and not as far as it is")
        func stood() throws {
            try replaying { daemon, caller, before in
                // At once: what waits for the replay comes on connections of its own.
                let exporter = try daemon.connect()
                exporter.raw.send(request(1, "fleet.export", named("a")))
                let here = try caller.call(
                    "fleet.fork", #"{"fleet":"a","name":"here","paused":true}"#)
                #expect(here["from_seconds"]?.number == Self.seconds)
                let earlier = try caller.call(
                    "fleet.fork", #"{"fleet":"a","name":"earlier","at":"20d6h","paused":true}"#)
                #expect(earlier["from_seconds"]?.number == "1749600")
                let beyond = try caller.refusal(
                    "fleet.fork", #"{"fleet":"a","name":"beyond","at":"20d13h"}"#)
                #expect(beyond.code == "wrong_state")
                let stopper = try daemon.connect()
                stopper.raw.send(request(1, "fleet.stop", named("a")))
                try #require(try caller.show("a")["replay_until_seconds"] != nil, "it is over")
                let isStopped = try eventually(within: 300) {
                    try caller.show("a")["state"]?.string == "stopped"
                }
                try #require(isStopped)
                #expect(stopper.raw.line()?.contains(#""state":"stopped""#) == true)
                let exported = try #require(exporter.raw.line())
                #expect(exported.contains(#""at_us":1771200000000"#), "\(exported)")
                for key in ["at_seconds", "digest", "journal"] {
                    #expect(try caller.show("a")[key]?.text == before[key]?.text, "\(key)")
                }
                let job = here["job"]?.string ?? ""
                let isDone = try eventually(within: 300) {
                    try caller.call("wait", #"{"job":"\#(job)","within_seconds":1}"#)["job"]?[
                        "state"]?.string == "done"
                }
                try #require(isDone)
                #expect(try caller.show("here")["digest"]?.text == before["digest"]?.text)
                daemon.end(SIGKILL)
                let next = try Daemon(in: daemon.folder)
                let kept = try next.connect().show("a")
                #expect(kept["state"]?.string == "stopped")
                #expect(kept["digest"]?.text == before["digest"]?.text)
            }
        }

        @Test("it takes a rate, resumes, pauses and is deleted, and loses nothing by it")
        func changed() throws {
            try replaying { daemon, caller, before in
                try caller.call("fleet.rate", #"{"fleet":"a","rate":"2x"}"#)
                try caller.call("fleet.resume", named("a"))
                try caller.call("fleet.pause", named("a"))
                let stopper = try daemon.connect()
                stopper.raw.send(request(1, "fleet.stop", named("a")))
                try #require(try caller.show("a")["replay_until_seconds"] != nil, "it is over")
                daemon.end(SIGKILL)
                let second = try Daemon(in: daemon.folder)
                let next = try second.connect()
                let shown = try next.show("a")
                #expect(shown["state"]?.string == "paused" && shown["rate"]?.string == "2x")
                let isOver = try eventually(within: 120) {
                    try next.show("a")["replay_until_seconds"] == nil
                }
                try #require(isOver)
                #expect(try next.show("a")["digest"]?.text == before["digest"]?.text)
                second.end(SIGKILL)
                let third = try Daemon(in: daemon.folder)
                let last = try third.connect()
                let waiting = try third.connect()
                waiting.raw.send(request(1, "fleet.stop", named("a")))
                usleep(200_000)  // The connections' order is nobody's: it waits by now.
                try #require(try last.show("a")["replay_until_seconds"] != nil, "it is over")
                try last.call("fleet.delete", named("a"))
                #expect(refusal(in: waiting.raw.line()) == "wrong_state")
            }
        }
    }
}
