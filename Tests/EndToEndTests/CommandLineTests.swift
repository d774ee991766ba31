import Foundation
import TestSupport
import Testing

@Suite("The command line")
struct CommandLineTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let words: [String]
        let status: Int32
        /// What standard error says, after `locfleet: `; nil where help goes to standard output.
        let message: String
        var testDescription: String { words.joined(separator: " ") }

        init(_ words: String, _ status: Int32, _ message: String) {
            self.words = words.isEmpty ? [] : words.components(separatedBy: " ")
            (self.status, self.message) = (status, message)
        }
    }

    static let scenario = "config/scenarios/progressive.json5"

    // swift-format-ignore
    static let rows: [Row] = [
        Row("rnu", 2, "unknown verb 'rnu'; did you mean 'run'?"),
        Row("frobnicate", 2, "unknown verb 'frobnicate'; 'locfleet help' lists them"),
        Row("fleet", 2, "unknown verb 'fleet'; there are fleet create, fleet list, fleet show, fleet start, fleet pause, fleet resume, fleet rate, fleet step, fleet until, fleet fork, fleet export, fleet stop, fleet delete"),
        Row("fleet lst", 2, "unknown verb 'fleet lst'; did you mean 'fleet list'?"),
        Row("fleet frobnicate", 2, "unknown verb 'fleet frobnicate'; there are fleet create, fleet list, fleet show, fleet start, fleet pause, fleet resume, fleet rate, fleet step, fleet until, fleet fork, fleet export, fleet stop, fleet delete"),
        Row("fleet list --socket /nonexistent/s", 4, "no daemon at /nonexistent/s: No such file or directory; start it with 'locfleetd'"),
        Row("daemon status --timeout x", 2, "--timeout is a number of seconds in 0.001 ... 1000000000, not 'x'"),
        Row("daemon status --timeout 1e308", 2, "--timeout is a number of seconds in 0.001 ... 1000000000, not '1e308'"),
        Row("daemon status --timeout 0x10", 2, "--timeout is a number of seconds in 0.001 ... 1000000000, not '0x10'"),
        Row("daemon status --timeout 0", 2, "--timeout is a number of seconds in 0.001 ... 1000000000, not '0'"),
        Row("top --every nan", 2, "--every is a number of seconds in 0.1 ... 86400, not 'nan'"),
        Row("funnel a --watch --every 0x1", 2, "--every is a number of seconds in 0.1 ... 86400, not '0x1'"),
        Row("intervene a --do reboot --share 0x1p-1", 2, "--share is a number above 0 and at most 1, such as 0.3, not '0x1p-1'"),
        Row("intervene a --do reboot --share 2", 2, "--share is a number above 0 and at most 1, such as 0.3, not '2'"),
        Row("run a --days 0x10", 2, "--days is a number above 0 and at most 3650, not '0x10'"),
        Row("wait", 2, "a fleet or --job JOB is missing; see 'locfleet help wait'"),
        Row("metrics", 2, "a fleet is missing: only --format openmetrics tells of all; see 'locfleet help metrics'"),
        Row("device why demo --device 17", 2, "unknown option --device; the number stands alone: 'locfleet device why FLEET 17'"),
        Row("device why demo", 2, "a fleet and the number of a device are taken, as in 'locfleet device why demo 17'; see 'locfleet help device why'"),
        Row("why demo 17", 2, "a device's number goes to --device, as in 'locfleet why demo --device 17'"),
        Row("rpc watch {\"fleet\":\"a\"}", 2, "watch tells its connection, which ends with this command: 'locfleet watch FLEET' stays"),
        Row("rpc funnel.subscribe {\"fleet\":\"a\"}", 2, "funnel.subscribe tells its connection, which ends with this command: 'locfleet funnel FLEET --watch' stays"),
        Row("run \(scenario) --arm nope", 2, "--arm: there is no arm \"nope\"; there are none; the file of a strategy ends in .lua"),
        Row("run", 2, "scenario is missing; see 'locfleet help run'"),
        Row("run a b", 2, "one scenario is taken, not also 'b'"),
        Row("run a --devcies 3", 2, "unknown option --devcies; did you mean --devices?"),
        Row("run a --frobnicate", 2, "unknown option --frobnicate; 'locfleet help run' lists them"),
        Row("run a --json --csv", 2, "--json and --csv exclude each other"),
        Row("run a --json --json", 2, "--json stands here twice"),
        Row("run a --json=1", 2, "--json takes no value"),
        Row("run a --workers", 2, "--workers takes a value: --workers W"),
        Row("run a --workers 0", 2, "--workers is a whole number in 1 ... 1024, not '0'"),
        Row("run a --workers -1", 2, "--workers is a whole number in 1 ... 1024, not '-1'"),
        Row("run a --workers two", 2, "--workers is a whole number in 1 ... 1024, not 'two'"),
        Row("run a --rate fast", 2, "--rate is max or a ratio in 0.001x ... 1000000x, such as 60x, not 'fast'"),
        Row("run a --rate 60", 2, "--rate is max or a ratio in 0.001x ... 1000000x, such as 60x, not '60'; did you mean 60x?"),
        Row("run a --rate 0x", 2, "--rate is max or a ratio in 0.001x ... 1000000x, such as 60x, not '0x'"),
        Row("run a --rate -1x", 2, "--rate is max or a ratio in 0.001x ... 1000000x, such as 60x, not '-1x'"),
        Row("run a --rate nanx", 2, "--rate is max or a ratio in 0.001x ... 1000000x, such as 60x, not 'nanx'"),
        Row("fleet rate a 60", 2, "a rate is max or a ratio in 0.001x ... 1000000x, such as 60x, not '60'; did you mean 60x?"),
        Row("run a --by size", 2, "--by splits by persona, ios or persona,ios, not by 'size'"),
        Row("run a --by presona", 2, "--by splits by persona, ios or persona,ios, not by 'presona'; did you mean persona?"),
        Row("run a --by ios,ios", 2, "--by names ios twice"),
        Row("run a --set seed", 2, "--set takes KEY=VALUE, such as seed=7, not 'seed'"),
        Row("run a --json --log -", 2, "--log - and --json or --csv would share standard output; name a file"),
        Row("run a --days week", 2, "--days is a number above 0 and at most 3650, not 'week'"),
        Row("run a --days 3651", 2, "--days is a number above 0 and at most 3650, not '3651'"),
        Row("run a --days inf", 2, "--days is a number above 0 and at most 3650, not 'inf'"),
        Row("run a --days nan", 2, "--days is a number above 0 and at most 3650, not 'nan'"),
        Row("run a --devices 0", 2, "--devices is a whole number in 1 ... 100000000, not '0'"),
        Row("run \(scenario) --set devices=0", 2, "--set devices: the number of devices is a whole number, 1 to 100,000,000, not 0"),
        Row("run a --days 0d", 2, "--days is a number above 0 and at most 3650, not '0d'"),
        Row("run config/scenarios/progresive.json5", 2, "config/scenarios/progresive.json5: there is no such file; did you mean \"config/scenarios/progressive.json5\"?"),
        Row("rules A99", 2, "unknown rule 'A99'; did you mean A9?"),
        Row("rules frobnicate", 2, "unknown rule 'frobnicate'; 'locfleet rules' lists them"),
        Row("rules --json --markdown", 2, "--json and --markdown exclude each other"),
        Row("rules A8 --markdown", 2, "--markdown prints all rules, not 'A8'"),
        Row("conformance config/conformance/cases.jsonl --rule A99", 2, "--rule A99: no case of the file; did you mean A9?"),
        Row("conformance config/conformance/cases.jsonl --case frobnicate", 2, "--case frobnicate: no case of the file"),
        Row("why \(scenario)", 2, "--device is missing; see 'locfleet help why'"),
        Row("why \(scenario) --devices 10 --device 10", 2, "--device is a whole number in 0 ... 9: the scenario has 10 devices; not '10'"),
        Row("why \(scenario) --device -1", 2, "--device is a whole number in 0 ... 99999: the scenario has 100000 devices; not '-1'"),
        Row("run \(scenario) --devices 5 --log /", 2, "--log /: this is a folder; a file is due"),
        Row("run \(scenario) --devices 5 --log /nowhere/x", 2, "--log /nowhere/x: No such file or directory"),
    ]

    @Test("says in one line what is wrong and what would be accepted", arguments: rows)
    func refuses(_ row: Row) throws {
        let program = try Program.locfleet(row.words)
        #expect(program.error == "locfleet: \(row.message)\n")
        #expect(program.status == row.status)
        #expect(program.out.isEmpty)
    }

    @Test("without a verb shows the verbs and exits 2; help exits 0")
    func help() throws {
        let bare = try Program.locfleet([])
        #expect(bare.status == 2 && bare.error.contains("Usage: locfleet VERB"))
        for words in [["help"], ["--help"], ["help", "run"], ["run", "--help"], ["why", "-h"]] {
            let program = try Program.locfleet(words)
            #expect(program.status == 0 && program.out.contains("Usage: locfleet"), "\(words)")
            #expect(program.error.isEmpty)
        }
    }
}

@Suite("Conformance cases, as a user replays them")
struct ConformanceVerbTests {
    @Test("are played under another setting, and with the system's delays, where that is asked for")
    func settings() throws {
        let folder = try ScratchFolder()
        let steps = #"""
            [{"do":"launch"},{"do":"request_when_in_use"},{"answer":"allow_while_using"},{"do":"start","service":"visits"},{"do":"event","service":"visits","kind":"arrival"},{"do":"wait","seconds":60},{"expect":{"delivered":[{"service":"visits"}]}}]
            """#
        let cases = try folder.write(
            #"{"id":"v-1","ios":["17.0"],"plist":{"NSLocationWhenInUseUsageDescription":"a"},"steps":"#
                + steps + "}", to: "c.jsonl")
        func status(_ words: String...) throws -> Int32 {
            try Program.locfleet(["conformance", cases] + words).status
        }
        #expect(try status() == 0)
        #expect(try status("--delays") == 3)
        let soon = ["visit_delay_min_seconds=0", "visit_delay_max_seconds=60"]
        #expect(try status("--delays", "--set", soon[0], "--set", soon[1]) == 0)
        let early = try Program.locfleet(
            ["conformance", cases, "--set", "visit_delay_min_seconds=600"])
        #expect(early.status == 0, "there are no delays")
        #expect(
            early.error == "note: --set visit_delay_min_seconds has no effect without --delays\n")
        let never = try Program.locfleet(
            ["conformance", cases, "--delays", "--set", "confirm_delay_min_seconds=1"])
        #expect(never.status == 2)
        #expect(
            never.error == "locfleet: --set confirm_delay_min_seconds has no effect on cases: "
                + "in a case the second prompt comes at the step `idle`\n")
        #expect(try status("--set", "visit_delay_min_seconds=601") == 2, "the most is 600")
        let program = try Program.locfleet(["conformance", cases, "--set", "visit_delay=1"])
        #expect(program.status == 2)
        #expect(
            program.error.hasPrefix(
                "locfleet: --set visit_delay: rules.visit_delay: there is no key"))
    }

    @Test("are refused before they fill the memory, with the size and the limit")
    func huge() throws {
        let folder = try ScratchFolder()
        let cases = try folder.write("", to: "c.jsonl")
        let handle = try #require(FileHandle(forWritingAtPath: cases))
        try handle.truncate(atOffset: 100_000_000)
        try handle.close()
        let program = try Program.locfleet(["conformance", cases])
        #expect(program.status == 2)
        #expect(
            program.error == "locfleet: \(cases): a file of cases has at most 67108864 bytes; "
                + "this one has 100000000\n")
    }
}

@Suite("A run, as a user has it")
struct RunTests {
    static let small = ["run", CommandLineTests.scenario, "--devices", "300", "--days", "3"]

    @Test("prints a funnel, and splits it on demand")
    func funnel() throws {
        let program = try Program.locfleet(Self.small + ["--by", "persona,ios"])
        #expect(program.status == 0, "\(program.error)")
        #expect(program.error.isEmpty, "no progress bar on a pipe")
        for word in ["installed", "opened", "asked", "granted", "kept", "always_7d", "digest"] {
            #expect(program.out.contains(word), "\(word)")
        }
        #expect(program.out.contains("accepts") && program.out.contains("17.6"))
    }

    @Test("keeps what was computed when it is interrupted, and exits 130")
    func interrupted() throws {
        let folder = try ScratchFolder()
        let log = folder.path("records.ndjson")
        let running = try Program.started([
            "run", CommandLineTests.scenario, "--devices", "20000", "--days", "3650", "--json",
            "--log", log,
        ])
        // The log grows once the first border is past.
        let deadline = Date.now.addingTimeInterval(60)
        while size(of: log + ".part") == 0, Date.now < deadline { usleep(20_000) }
        running.process.interrupt()
        let program = running.wait()
        #expect(program.status == 130, "\(program.error)")
        #expect(program.out.contains("\"ended_by\": \"interrupted\""))
        #expect(size(of: log) > 0, "the log is kept")
        #expect(size(of: log + ".part") == 0)
    }

    @Test("leaves no half-written log where the disk is full")
    func fullDisk() throws {
        let program = try Program.locfleet(Self.small + ["--log", "/dev/full"])
        #expect(program.status == 1)
        #expect(program.error == "locfleet: --log /dev/full: No space left on device\n")
        #expect(program.out.isEmpty)
    }

    @Test("does not touch an older log when the scenario is bad")
    func badInput() throws {
        let folder = try ScratchFolder()
        let log = try folder.write("old", to: "records.ndjson")
        let program = try Program.locfleet(["run", "nowhere.json5", "--log", log])
        #expect(program.status == 2)
        #expect(try String(contentsOfFile: log, encoding: .utf8) == "old")
        #expect(size(of: log + ".part") == 0)
    }

    @Test("does not write its log over what it reads")
    func logOverInput() throws {
        let folder = try ScratchFolder()
        let text = try String(
            contentsOf: projectRoot.appending(path: CommandLineTests.scenario), encoding: .utf8)
        let scenario = try folder.write(text, to: "s.json5")
        let program = try Program.locfleet(["run", scenario, "--devices", "5", "--log", scenario])
        #expect(program.status == 2)
        #expect(
            program.error == "locfleet: --log \(scenario): the run reads this file; name another\n")
        #expect(try String(contentsOfFile: scenario, encoding: .utf8) == text)
    }

    @Test("shares its log with no other run")
    func sharedLog() throws {
        let folder = try ScratchFolder()
        let log = folder.path("records.ndjson")
        let first = try Program.started([
            "run", CommandLineTests.scenario, "--devices", "20000", "--days", "3650", "--log", log,
        ])
        let deadline = Date.now.addingTimeInterval(60)
        while size(of: log + ".part") == 0, Date.now < deadline { usleep(20_000) }
        let second = try Program.locfleet(Self.small + ["--log", log])
        #expect(second.status == 2)
        #expect(second.error == "locfleet: --log \(log): another run is writing this file\n")
        first.process.interrupt()
        #expect(first.wait().status == 130)
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("{\"us\":") && $0.hasSuffix("}") })
    }

    @Test("does not wait for a pipe that nobody reads")
    func silentPipe() throws {
        let folder = try ScratchFolder()
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let program = try Program.locfleet(Self.small + ["--log", pipe])
        #expect(program.status == 2)
        #expect(program.error == "locfleet: --log \(pipe): nobody reads this pipe\n")
    }

    @Test("lets no name speak to the terminal")
    func escapes() throws {
        let folder = try ScratchFolder()
        let scenario = try folder.write(#"{"\u001b[31mRED\u0007":1}"#, to: "s.json5")
        let cases = try folder.write(
            #"{"id":"\u001b[31m\nE","ios":["17.0"],"plist":{},"steps":[{"expect":{"status":"denied"}}]}"#,
            to: "c.jsonl")
        for words in [
            ["run", scenario], ["run", CommandLineTests.scenario, "--set", "\u{1B}[31mX=1"],
            ["conformance", cases],
        ] {
            let program = try Program.locfleet(words)
            #expect(!(program.out + program.error).contains("\u{1B}"), "\(words)")
        }
    }

    private func size(of path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.size] as? Int ?? 0
    }

    @Test(
        "says that standard output was closed, whatever is open under its number",
        arguments: [
            "version", "run config/scenarios/progressive.json5 --devices 10 --days 1",
        ])
    func closedOutput(_ words: String) throws {
        let program = try Program.started(
            ["-c", "exec \(Program.url("locfleet").path) \(words) >&-"],
            executable: URL(filePath: "/bin/sh")
        ).wait()
        #expect(program.status == 1)
        #expect(program.error.hasSuffix("locfleet: standard output: Bad file descriptor\n"))
    }
}
