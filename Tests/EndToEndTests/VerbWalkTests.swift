import Foundation
import JSONText
import TestSupport
import Testing

@testable import Commands

/// Every verb as the shell uses it: in a pipe, on a full disk, for a program that reads JSON, with a
/// daemon that says nothing, and without one.
@Suite("Every verb, as a tool of the shell,", .serialized)
struct VerbWalkTests {
    private static let scenario = "config/scenarios/progressive.json5"
    private static let small = "\(scenario) --devices 20 --days 1"

    /// A call of each verb that prints something, by its name: @ is a folder of its own, # a fleet.
    // swift-format-ignore
    static let calls: [String: String] = [
        "run": "run \(small)",
        "merge": "merge @/1 @/2",
        "verify-determinism": "verify-determinism \(small)",
        "why": "why \(small) --device 3",
        "check": "check scripts/strategies/progressive.lua",
        "test": "test scripts/tests/nudged.lua",
        "new": "new strategy mine --in @",
        "conformance": "conformance config/conformance/cases.jsonl --case plist-01",
        "lint": "lint config/apps/store-finder/Info.plist",
        "rules": "rules A1",
        "api": "api after",
        "fleet create": "fleet create \(small) --name new#",
        "fleet list": "fleet list",
        "fleet show": "fleet show #",
        "fleet rate": "fleet rate # 2x",
        "fleet start": "fleet start #",
        "fleet pause": "fleet pause #",
        "fleet resume": "fleet resume #",
        "fleet step": "fleet step # 1h",
        "fleet until": "fleet until # 1h",
        "fleet fork": "fleet fork # copy#",
        "fleet export": "fleet export # -o @/export#",
        "funnel": "funnel #",
        "metrics": "metrics #",
        "watch": "watch # --timeout 2",
        "device list": "device list #",
        "device show": "device show # 3",
        "device why": "device why # 3",
        "jobs": "jobs",
        "wait": "wait #",
        "intervene": "intervene # --do reboot",
        "rpc": "rpc fleet.list",
        "limits": "limits",
        "daemon status": "daemon status",
        "daemon reload": "daemon reload",
        "top": "top --count 1",
        "doctor": "doctor",
        "fleet stop": "fleet stop #",
        "fleet delete": "fleet delete #",
        "daemon stop": "daemon stop",
    ]

    /// A daemon, and a folder with the parts of a run.
    private final class Place {
        let folder: ScratchFolder
        let environment: [String: String]
        private let daemon: Program.Running

        init() throws {
            folder = try ScratchFolder()
            environment = ["LOCFLEET_SOCKET": folder.path("s")]
            daemon = try Program.started(
                ["--no-state"], environment: environment, executable: Program.url("locfleetd"))
            let path = folder.path("s")
            try #require(eventually { FileManager.default.fileExists(atPath: path) })
            for share in 1...2 {
                let words = "run \(VerbWalkTests.small) --shard \(share)/2 -o @/\(share)"
                #expect(try run(words).status == 0)
            }
        }

        deinit { daemon.process.terminate() }

        /// Makes the fleet that the verbs are about, in a state where the next of them works.
        func prepare(_ fleet: String, for verb: String) throws {
            guard VerbWalkTests.calls[verb]?.contains("#") == true, verb != "fleet create" else {
                return
            }
            let more =
                switch verb {
                case "fleet start": "--rate 1x --paused"
                case "fleet step", "fleet until": "--paused"
                case "wait": "--days 1"
                default: "--rate 1x"
                }
            let words = "fleet create \(VerbWalkTests.scenario) --devices 20"
            #expect(try run("\(words) --name \(fleet) \(more)").status == 0, "\(fleet)")
            if verb == "fleet resume" { #expect(try run("fleet pause \(fleet)").status == 0) }
        }

        func words(_ line: String, fleet: String = "") -> [String] {
            line.replacing("@", with: folder.url.path).replacing("#", with: fleet)
                .split(separator: " ").map(String.init)
        }

        func run(_ line: String, fleet: String = "") throws -> Program {
            try Program.locfleet(words(line, fleet: fleet), environment: environment)
        }

        /// A line of bash, in which `locfleet` is the program.
        func bash(_ line: String, fleet: String) throws -> Program {
            let program = Program.url("locfleet").path(percentEncoded: false)
            let line = line.replacing("@", with: folder.url.path).replacing("#", with: fleet)
            return try Program.started(
                ["-c", "locfleet() { \(program) \"$@\"; }; \(line)"], environment: environment,
                executable: URL(filePath: "/bin/bash")
            ).wait()
        }
    }

    /// The verbs in their order, the one that ends the daemon last.
    private static var verbs: [String] {
        Verb.all.map(\.name).filter { $0 != "daemon stop" } + ["daemon stop"]
    }

    private func walk(_ body: (Place, _ verb: String, _ fleet: String) throws -> Void) throws {
        let place = try Place()
        for (index, verb) in Self.verbs.enumerated() {
            try place.prepare("f\(index)", for: verb)
            try body(place, verb, "f\(index)")
        }
    }

    @Test("has a call here")
    func complete() {
        #expect(Set(Self.calls.keys) == Set(Verb.all.map(\.name)))
    }

    @Test("prints data alone on standard output, as JSON with --json")
    func json() throws {
        try walk { place, verb, fleet in
            let call = try #require(Self.calls[verb], "\(verb) has no call here")
            let program = try place.run(call + " --json", fleet: fleet)
            let due: Int32 = verb == "watch" ? 124 : 0
            #expect(program.status == due, "\(verb): \(program.error)")
            guard verb != "watch" else { return }  // A paced fleet tells nothing so soon.
            let isWhole = (try? JSONReader.read(Array(program.out.utf8), as: .json)) != nil
            let lines = program.out.split(separator: "\n")
            let areLines = lines.allSatisfy { line in
                (try? JSONReader.read(Array(line.utf8), as: .json)) != nil
            }
            #expect(!lines.isEmpty && (isWhole || areLines), "\(verb): \(program.out)")
        }
    }

    @Test("ends quietly when nobody reads on, whether or not SIGPIPE is ignored")
    func brokenPipe() throws {
        for trap in ["", "trap '' PIPE; "] {
            try walk { place, verb, fleet in
                let call = try #require(Self.calls[verb])
                // The reader goes without reading.
                let line =
                    "\(trap)mkfifo @/\(fleet); (exec 3< @/\(fleet); sleep 0.02) & "
                    + "locfleet \(call) > @/\(fleet)"
                let program = try place.bash(line, fleet: fleet)
                #expect(!program.error.contains("pipe"), "\(trap)\(verb): \(program.error)")
            }
            let place = try Place()
            let head = try place.bash("\(trap)locfleet rules | head -1", fleet: "")
            #expect(head.error.isEmpty && !head.out.isEmpty, "\(head.error)")
        }
    }

    @Test("says that the disk is full, with status 1")
    func fullDisk() throws {
        try walk { place, verb, fleet in
            guard verb != "watch" else { return }
            let call = try #require(Self.calls[verb])
            let program = try place.bash("locfleet \(call) > /dev/full", fleet: fleet)
            #expect(program.status == 1, "\(verb): \(program.error)")
            let due = "locfleet: standard output: No space left on device\n"
            #expect(program.error.hasSuffix(due), "\(verb): \(program.error)")
        }
        let place = try Place()
        for words in ["help", "help run", "version", "help fleet.rate"] {
            let program = try place.bash("locfleet \(words) > /dev/full", fleet: "")
            #expect(program.status == 1, "\(words)")
        }
    }

    /// Verbs that talk to the daemon.
    private static var asking: [String] {
        Verb.all.filter { $0.options.contains { $0.name == "--timeout" } }.map(\.name)
    }

    private func call(of verb: String) throws -> String {
        let call = verb == "why" ? "why # --device 1" : try #require(Self.calls[verb])
        return call.components(separatedBy: " --timeout")[0]
    }

    @Test("gives up after --timeout with status 124 where the daemon says nothing")
    func timeout() throws {
        let folder = SocketFolder()
        let silent = try Program.started(
            ["-lkU", folder.socket], executable: URL(filePath: "/usr/bin/nc"))
        defer { silent.process.terminate() }
        try #require(eventually { FileManager.default.fileExists(atPath: folder.socket) })
        #expect(Self.asking.count > 15)
        for verb in Self.asking {
            let words = try call(of: verb).replacing("#", with: "demo")
                .split(separator: " ").map(String.init)
            let program = try Program.locfleet(
                words + ["--timeout", "0.1"], environment: ["LOCFLEET_SOCKET": folder.socket])
            #expect(program.status == 124, "\(verb): \(program.status) \(program.error)")
            #expect(program.out.isEmpty && program.error.contains("no answer in time"), "\(verb)")
        }
    }

    @Test("says with status 4 that there is no daemon")
    func nobody() throws {
        for verb in Self.asking {
            let words = try call(of: verb).replacing("#", with: "demo")
                .split(separator: " ").map(String.init)
            let program = try Program.locfleet(
                words, environment: ["LOCFLEET_SOCKET": "/nonexistent/s"])
            #expect(program.status == 4, "\(verb): \(program.error)")
            #expect(program.out.isEmpty && program.error.contains("no daemon at"), "\(verb)")
        }
    }

    @Test("ends with each status of the contract")
    func statuses() throws {
        let place = try Place()
        let poor = try place.folder.write("return { answer_promt = 1 }", to: "behaviors/x.lua")
        // swift-format-ignore
        let rows: [(line: String, status: Int32)] = [
            ("rules A1", 0), ("fleet list", 0),
            ("fleet show nobody", 1), ("run \(Self.small) --log /dev/full", 1),
            ("fleet", 2), ("run missing.json5", 2), ("rpc fleet.shwo", 2), ("rpc fleet.show {", 2),
            ("rpc fleet.show {\"flete\":1}", 2), ("run \(Self.small) --set devices=x", 2),
            ("check \(poor)", 3), ("fleet list --socket /nonexistent/s", 4),
        ]
        for (line, status) in rows {
            let program = try place.run(line)
            #expect(program.status == status, "\(line): \(program.status) \(program.error)")
            #expect(program.error.isEmpty == [0, 3].contains(status), "\(line): \(program.error)")
        }
        let run = try Program.started(
            ["run", Self.scenario, "--devices", "20000", "--days", "3650", "--rate", "60x"])
        usleep(500_000)
        run.process.interrupt()
        #expect(run.wait().status == 130)
        try place.prepare("w", for: "watch")
        // Whoever runs the tests may have them ignore the signal, or block it.
        let watch = try Program.started(
            ["--default-signal=INT", Program.url("locfleet").path, "watch", "w"],
            environment: place.environment, executable: URL(filePath: "/usr/bin/env"))
        let isThere = try eventually {
            try place.run("rpc daemon.status").out.contains("\"subscriptions\":1")
        }
        try #require(isThere)
        watch.process.interrupt()
        #expect(watch.wait().status == 130)
    }
}
