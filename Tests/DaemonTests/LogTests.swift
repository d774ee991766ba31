import Foundation
import TestSupport
import Testing

extension DaemonSuite {
    @Suite("The daemon's log")
    struct LogTests {
        private static let scenario = "config/scenarios/progressive.json5"

        private func lived(_ options: [String]) throws -> [String] {
            let daemon = try Daemon(options)
            let words = ["fleet", "create", Self.scenario, "--name", "a", "--devices", "40"]
            #expect(try daemon.locfleet(words + ["--days", "2", "--paused"]).status == 0)
            let intervention = [
                "intervene", "a", "--do", "settings", "--value", "never", "--where", "device < 9",
            ]
            #expect(try daemon.locfleet(intervention).status == 0)
            #expect(try daemon.locfleet(["fleet", "start", "a"]).status == 0)
            #expect(
                try eventually(within: 60) {
                    try daemon.locfleet(["fleet", "show", "a"]).out.contains("finished")
                })
            #expect(try daemon.locfleet(["fleet", "pause", "a"]).status == 1)
            let ended = daemon.end(SIGTERM)
            #expect(ended.status == 0 && ended.out.isEmpty)
            return ended.error.split(separator: "\n").map(String.init)
        }

        @Test("tells the life of the daemon and its fleets, and who did what to them")
        func notices() throws {
            let lines = try lived([])
            let form = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (error|warning|notice|info|debug) .+/
            for line in lines { #expect(line.wholeMatch(of: form) != nil, "\(line)") }
            #expect(lines.allSatisfy { $0.contains("Z notice ") })
            let who = "uid=\(getuid()) gid=\(getgid()) pid="
            for words in [
                ["listening at "], ["fleet=a", who, " created, paused"],
                ["fleet=a", who, " intervention: settings never where device < 9"],
                ["fleet=a", who, " started"], ["fleet=a", "digest=", "ended_by=duration"],
                [" stopped"],
            ] {
                #expect(
                    lines.contains { line in words.allSatisfy { line.contains($0) } },
                    "\(words) is not in \(lines)")
            }
        }

        @Test("has who connects at info, every call at debug, and next to nothing at error")
        func levels() throws {
            let info = try lived(["--log-level", "info"])
            #expect(info.contains { $0.contains(" info connection=1 uid=") })
            #expect(!info.contains { $0.contains(" debug ") })
            let debug = try lived(["--log-level", "debug"])
            #expect(debug.contains { $0.contains(" debug method=fleet.show ") })
            #expect(debug.contains { $0.contains("code=wrong_state") })
            #expect(try lived(["--log-level", "error"]).isEmpty)
        }

        @Test("tells the end of every fleet, however it came to be")
        func ends() throws {
            let folder = SocketFolder()
            var daemon = try Daemon(in: folder)
            let caller = try daemon.connect()
            let bundle = try bundle(devices: 20, days: 2)
            for name in ["created", "kept"] { try caller.create(name, bundle, #","paused":true"#) }
            try caller.call("fleet.fork", #"{"fleet":"created","name":"forked"}"#)
            _ = try caller.end(of: "forked")
            try caller.call("fleet.start", named("created"))
            _ = try caller.end(of: "created")
            var log = daemon.end(SIGTERM).error
            daemon = try Daemon(in: folder)
            try daemon.connect().call("fleet.start", named("kept"))
            _ = try daemon.connect().end(of: "kept")
            log += daemon.end(SIGTERM).error
            for name in ["created", "forked", "kept"] {
                let ends = log.split(separator: "\n").filter {
                    $0.contains("fleet=\(name) state=finished digest=")
                }
                #expect(ends.count == 1, "\(name): \(log)")
            }
        }

        @Test("is JSON where that is asked for, each line an object")
        func json() throws {
            for line in try lived(["--log-format", "json", "--log-level", "debug"]) {
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                let members = try #require(object as? [String: Any])
                #expect(members["level"] is String && members["message"] is String)
                #expect(members["event"] is String && members["time"] is String)
            }
        }

        @Test("refuses what is no level or format, with the nearest")
        func refusals() throws {
            let level = try Daemon.start(["--log-level", "warn"]).wait()
            #expect(level.status == 2)
            #expect(level.error.contains("error, warning, notice, info, debug, not 'warn'"))
            let format = try Daemon.start(["--log-format", "jsn"]).wait()
            #expect(format.status == 2 && format.error.contains("did you mean 'json'?"))
        }
    }
}
