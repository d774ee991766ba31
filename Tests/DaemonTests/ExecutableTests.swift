import Foundation
import JSONText
import TestSupport
import Testing

extension DaemonSuite {
    @Suite("The daemon's executable")
    struct ExecutableTests {
        @Test("serves its user alone, and its socket only once")
        func socket() throws {
            let daemon = try Daemon()
            #expect(daemon.folder.mode == S_IFSOCK | 0o600)
            let second = try Daemon.start(["--socket", daemon.folder.socket]).wait()
            #expect(second.status == 1)
            #expect(second.out.isEmpty)
            #expect(
                second.error
                    == "locfleetd: \(daemon.folder.socket): another daemon serves this socket; stop "
                    + "it, or name another socket\n")
            #expect(try daemon.connect().call("daemon.status")["fleets"]?.number == "0")
            let first = daemon.end(SIGTERM)
            #expect(first.status == 0)
            #expect(first.error.hasSuffix(" stopped\n"), "\(first.error)")
        }

        @Test("serves again when descriptors had run out and are there once more")
        func descriptors() throws {
            let daemon = try Daemon(descriptorsMax: 40)
            let first = try daemon.connect()
            var crowd = try (0..<60).map { _ in try RawClient(daemon.folder.socket) }
            #expect(eventually { daemon.descriptorCount >= 39 })
            #expect(try first.call("daemon.status")["version"] != nil, "who was there is served")
            crowd.removeAll()
            let isServed = eventually(within: 20) {
                (try? daemon.connect().call("daemon.status")) != nil
            }
            #expect(isServed)
            #expect(daemon.end(SIGTERM).status == 0)
        }

        @Test("takes over the socket and the fleets of one that was killed")
        func killed() throws {
            let folder = SocketFolder()
            let first = try Daemon(in: folder)
            try first.connect().create("a", try bundle(devices: 20))
            #expect(first.end(SIGKILL).status == 128 + SIGKILL)
            #expect(folder.mode != nil, "nobody tidied up")
            #expect(try first.locfleet(["fleet", "list"]).status == 4)
            let second = try Daemon(in: folder)
            let there = try second.connect().call("fleet.list").array?.map { $0["fleet"]?.string }
            #expect(there == ["a"])
            #expect(second.end(SIGTERM).status == 0)
            #expect(folder.mode == nil)
        }

        @Test(
            "ends on a signal, also while fleets run and clients wait",
            arguments: [
                SIGTERM, SIGINT,
            ])
        func signals(_ signal: Int32) throws {
            let daemon = try Daemon()
            let client = try daemon.connect()
            let bundle = try bundle(devices: 3_000, days: 365)
            for name in ["a", "b", "c"] { try client.create(name, bundle) }
            try client.create("paused", bundle, #","paused":true"#)
            try client.create("paced", bundle, #","rate":"60x""#)
            let watcher = try daemon.connect()
            try watcher.call("watch", named("paced"))
            try watcher.call("funnel.subscribe", named("a"))
            let began = ContinuousClock.now
            let end = daemon.end(signal)
            #expect(end.status == 0, "\(end.error)")
            #expect(ContinuousClock.now - began < .seconds(8))
            #expect(daemon.folder.mode == nil)
            while watcher.raw.line() != nil {}
            #expect(watcher.raw.isAtEnd)
        }

        @Test("stops when a client says so, and that client waits for it")
        func stop() throws {
            let daemon = try Daemon()
            try daemon.connect().create("a", try bundle(devices: 3_000, days: 365))
            let client = try daemon.locfleet(["daemon", "stop"])
            #expect(client.out == "stopping\n")
            #expect(client.status == 0)
            #expect(daemon.wait().status == 0)
            #expect(daemon.folder.mode == nil)
            let other = try Daemon()
            let json = try other.locfleet(["daemon", "stop", "--json"])
            #expect(json.out == "{\"stopping\":true}\n")
            #expect(other.wait().status == 0)
        }

        @Test("has options that are checked")
        func options() throws {
            let folder = SocketFolder()
            let rows: [(words: [String], status: Int32, says: String)] = [
                (["--help"], 0, ""), (["--version"], 0, ""),
                (["--sokcet", folder.socket], 2, "--socket"),
                (["--socket", folder.socket, "--workers", "0"], 2, "--workers"),
                (["--socket", folder.socket, "--mode", "0777"], 2, "--mode"),
                (["--socket", folder.socket, "word"], 2, "'word'"),
                (["--socket", folder.path + "/missing/s"], 1, "missing"),
            ]
            for (words, status, says) in rows {
                let program = try Daemon.start(words).wait()
                #expect(program.status == status, "\(words): \(program.error)")
                #expect(says.isEmpty || program.error.contains(says), "\(words): \(program.error)")
                #expect(program.out.isEmpty == (status != 0))
            }
        }
    }

    @Suite("The client")
    struct ClientTests {
        static let scenario = "config/scenarios/progressive.json5"

        @Test("ends with the contract's statuses")
        func statuses() throws {
            let folder = SocketFolder()
            let nobody = try Program.locfleet(["fleet", "list", "--socket", folder.socket])
            #expect(nobody.status == 4)
            #expect(nobody.error.contains("start it with 'locfleetd'"), "\(nobody.error)")
            let daemon = try Daemon()
            try daemon.connect().create("a", try bundle(devices: 20), #","paused":true"#)
            let rows: [(words: [String], status: Int32, says: String)] = [
                (["fleet", "show", "b"], 1, "there is no fleet \"b\"; did you mean \"a\"?"),
                (["fleet", "pause", "a"], 1, "fleet \"a\" is ready and cannot pause"),
                (["fleet", "rate", "a", "60"], 2, "did you mean 60x?"),
                (["fleet", "create", Self.scenario, "--name", "a"], 1, "there is a fleet \"a\""),
                (["fleet", "create", Self.scenario, "--name", "a b"], 2, "\"name\""),
                (["fleet", "create", Self.scenario, "--rate", "fast"], 2, "--rate"),
                (["fleet", "create", "missing.json5"], 2, "missing.json5"),
                (["device", "list", "a", "--where", "statsu = denied"], 2, "statsu"),
                (["intervene", "a", "--do", "setings", "--value", "never"], 2, "settings"),
                (["intervene", "a"], 2, "--do"),
                (["why", "a", "--device", "20"], 1, "0 to 19"),
                (["watch", "a", "--type", "answr"], 2, "did you mean \"answer\"?"),
                (["fleet", "strat", "a"], 2, "fleet start"),
                (["fleet", "show"], 2, "fleet"),
            ]
            for (words, status, says) in rows {
                let program = try daemon.locfleet(words)
                #expect(program.status == status, "\(words): \(program.error)")
                #expect(program.error.contains(says), "\(words): \(program.error)")
                #expect(program.error.split(separator: "\n").count == 1, "\(program.error)")
                #expect(program.out.isEmpty, "\(words)")
            }
        }

        @Test("waits no longer than --timeout says")
        func timeout() throws {
            let daemon = try Daemon()
            try daemon.connect().create("a", try bundle(devices: 20), #","paused":true"#)
            for words in [["watch", "a"], ["funnel", "a", "--watch"]] {
                let program = try daemon.locfleet(words + ["--timeout", "0.2"])
                #expect(program.status == 124, "\(words)")
                #expect(
                    program.error.contains("stopped watching a after 0.2 s"), "\(program.error)")
            }
            #expect(try daemon.locfleet(["fleet", "list", "--timeout", "60"]).status == 0)
        }

        /// In order: each is about the fleet as those before have left it.
        static let verbs: [(words: String, out: String, keys: [String])] = [
            (
                "fleet create \(scenario) --devices 60 --days 2 --paused --name #", "#: ready",
                ["fleet", "state", "digest"]
            ),
            ("fleet list", "#", []),
            (
                "fleet show #", "ready",
                [
                    "fleet", "state", "digest", "scenario", "bundle", "seed", "devices", "arms",
                    "at_seconds", "duration_seconds", "rate", "lag_seconds", "ended_by", "error",
                    "events", "busy_seconds", "epoch_seconds_max", "journal",
                ]
            ),
            ("fleet rate # 0.001x", "#: ready", ["fleet", "state"]),
            ("fleet start #", "#: running", ["fleet", "state"]),
            ("fleet pause #", "#: paused", ["fleet", "state"]),
            (
                "intervene # --do restrict_location --value true --share 0.5", " after the start",
                ["at_seconds", "devices", "journal"]
            ),
            ("fleet resume #", "#: running", ["fleet", "state"]),
            ("funnel #", "installed", ["fleet", "state", "at_seconds", "funnel"]),
            ("metrics #", "digest", ["fleet", "state", "locfleet", "bundle"]),
            (
                "device list # --where ios>=17 --limit 3 --after 4", "true_status",
                ["fleet", "at_seconds", "devices", "next"]
            ),
            ("why # --device 7", "Device 7", ["us", "t", "device", "n", "type"]),
            ("daemon status", "uptime_seconds", ["version", "fleets", "uptime_seconds"]),
            ("fleet rate # max", "#: running", ["fleet", "state"]),
            (
                "funnel # --watch --every 0.1", "always_7d",
                ["subscription", "lost", "state", "at_seconds", "funnel"]
            ),
            (
                "fleet create \(scenario) --devices 60 --rate 0.001x --name other-#",
                "other-#: running", ["fleet", "state", "digest"]
            ),
            ("fleet stop other-#", "other-#: stopped", ["fleet", "state"]),
            ("fleet delete other-#", "other-#: deleted", ["fleet", "deleted"]),
        ]

        @Test("has every verb, for people and for programs")
        func verbs() throws {
            let daemon = try Daemon()
            for isJSON in [false, true] {
                let name = isJSON ? "json" : "text"
                for (line, out, keys) in Self.verbs {
                    let words = line.replacingOccurrences(of: "#", with: name)
                        .split(separator: " ").map { $0 == "ios>=17" ? "ios >= 17" : String($0) }
                    let program = try daemon.locfleet(words + (isJSON ? ["--json"] : []))
                    #expect(program.status == 0, "\(words): \(program.error)")
                    guard isJSON else {
                        let due = out.replacingOccurrences(of: "#", with: name)
                        #expect(program.out.contains(due), "\(words): \(program.out)")
                        continue
                    }
                    let first = program.out.split(separator: "\n").first ?? ""
                    let node = try JSONReader.read(Array(first.utf8), as: .json)
                    #expect(Array(node.keys.prefix(keys.count)) == keys, "\(words): \(first)")
                }
            }
        }

        @Test("watches a fleet to its end, as the daemon's why has it")
        func watch() throws {
            let daemon = try Daemon()
            let client = try daemon.connect()
            try client.create("a", try bundle(devices: 40, days: 2), #","paused":true"#)
            let watch = try Program.started(
                ["watch", "a", "--where", "device = 7"],
                environment: ["LOCFLEET_SOCKET": daemon.folder.socket])
            let isThere = try eventually {
                try client.call("daemon.status")["subscriptions"]?.number == "1"
            }
            try #require(isThere)
            try client.call("fleet.start", named("a"))
            let program = watch.wait()
            #expect(program.status == 0, "\(program.error)")
            #expect(program.error.isEmpty)
            let why = try daemon.locfleet(["why", "a", "--device", "7", "--json"])
            #expect((program.out == why.out) as Bool)
            let file = try Program.locfleet([
                "why", Self.scenario, "--devices", "40", "--days", "2", "--device", "7",
            ])
            let story = try daemon.locfleet(["why", "a", "--device", "7"])
            #expect(story.out == file.out)
            #expect(story.out.contains("Device 7"))
        }
    }
}
