import Foundation
import TestSupport
import Testing

extension DaemonSuite {
    @Suite("A verb whose time is up")
    struct TimeoutWordsTests {
        private let daemon: Hosted
        private let client: Caller

        init() throws {
            daemon = try Hosted()
            client = try daemon.connect()
            try client.create("slow", try bundle(devices: 20, days: 20), #","rate":"1x""#)
            try client.create("held", try bundle(devices: 20, days: 20), #","paused":true"#)
        }

        private func run(_ words: String) throws -> Program {
            try Program.locfleet(
                words.split(separator: " ").map(String.init),
                environment: ["LOCFLEET_SOCKET": daemon.folder.socket])
        }

        @Test(
            "says what is true of what it waited for",
            arguments: [
                (
                    "wait held --timeout 0.2",
                    "held has not started, and waits for 'locfleet fleet start held'"
                ),
                ("wait slow --timeout 0.2", "slow is still running"),
                ("watch slow --timeout 0.2", "stopped watching slow after 0.2 s"),
                ("funnel slow --watch --timeout 0.2", "stopped watching slow after 0.2 s"),
                ("fleet until slow 10d --timeout 0.3", "slow is still running, "),
                (
                    "fleet until slow 10d --timeout 0.3",
                    "; job j1 goes on: 'locfleet wait --job j1'"
                ),
                ("fleet step slow 10d --timeout 0.3", "; job j1 goes on: 'locfleet wait --job j1'"),
            ])
        func words(words: String, says: String) throws {
            let program = try run(words)
            #expect(program.status == 124)
            #expect(program.error.contains(says), "\(program.error)")
            #expect(!program.error.contains("no answer"))
        }

        @Test("says so of one that is paused, at once where there is no time-out")
        func paused() throws {
            try client.call("fleet.pause", named("slow"))
            let program = try run("wait slow --timeout 0.2")
            #expect(program.error.contains("slow is paused, "), "\(program.error)")
            #expect(program.error.contains("'locfleet fleet resume slow'"))
            let running = try Program.started(
                ["wait", "slow"], environment: ["LOCFLEET_SOCKET": daemon.folder.socket])
            usleep(700_000)
            try client.call("fleet.stop", named("slow"))
            let ended = running.wait()
            #expect(ended.status == 1)
            #expect(ended.error.contains("slow is paused, "), "\(ended.error)")
        }

        @Test("and one that Ctrl-C ends say which job goes on")
        func interrupted() throws {
            let running = try Program.started(
                ["fleet", "until", "slow", "10d"],
                environment: ["LOCFLEET_SOCKET": daemon.folder.socket])
            #expect(try eventually { try client.call("jobs").array?.count == 1 })
            usleep(500_000)
            running.process.interrupt()
            let program = running.wait()
            #expect(program.status == 130)
            #expect(
                program.error
                    == "locfleet: slow: interrupted; job j1 goes on: 'locfleet wait --job j1'\n")
            #expect(try client.call("jobs").array?[0]["state"]?.string == "running")
        }
    }
}
