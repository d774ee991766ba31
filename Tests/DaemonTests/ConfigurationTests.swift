import Foundation
import TestSupport
import Testing

@testable import Commands

extension DaemonSuite {
    @Suite("The daemon's file")
    struct ConfigurationTests {
        private func settings(
            _ text: String, _ words: [String] = [], environment: [String: String] = [:]
        ) throws -> DaemonSettings {
            let folder = try ScratchFolder()
            let path = try folder.write(text, to: "d.json5")
            let arguments = try Arguments(
                words, options: DaemonTool.options, verb: DaemonTool.name)
            return try DaemonSettings(
                arguments, try DaemonFile.read(path),
                environment: ["HOME": "/h"].merging(environment) { $1 })
        }

        /// What is said of it, without the folder.
        private func complaint(_ text: String, _ words: [String] = []) -> String {
            let error = #expect(throws: CommandError.self) { try settings(text, words) }
            #expect(error?.status == .usage)
            let message = error?.message ?? ""
            return message.firstRange(of: "d.json5").map { String(message[$0.lowerBound...]) }
                ?? message
        }

        @Test("has a key for every option but --config, each in the shipped file and in the docs")
        func keys() throws {
            let options = DaemonTool.options.map(\.name)
            #expect(Set(options) == Set(DaemonKey.allCases.map(\.option) + ["--config"]))
            func page(_ path: String) throws -> String {
                try String(contentsOf: projectRoot.appending(path: path), encoding: .utf8)
            }
            let (file, readme) = (try page("config/locfleetd.json5"), try page("config/README.md"))
            for key in DaemonKey.allCases {
                #expect(file.contains("\n  // \(key.rawValue): "), "\(key.rawValue)")
                #expect(readme.contains("\n| `\(key.rawValue)` | "), "\(key.rawValue)")
                #expect(readme.contains("| `\(key.option)` |"), "\(key.option)")
            }
            // As it ships, and with every line in force.
            #expect(try settings(file) == settings("{}"))
            let uncommented = file.split(separator: "\n").map {
                $0.hasPrefix("  // ") ? $0.dropFirst(5) : $0
            }.filter { !$0.contains("group:") && !$0.hasPrefix("no_state") }
            let all = try settings(uncommented.joined(separator: "\n"))
            #expect(all.metricsPort == 9_109 && all.workers == 4)
        }

        @Test("sets what no option of the command line does, and the environment names the socket")
        func order() throws {
            let text = """
                { socket: "/f/s", mode: "0660", state: "/f/state", workers: 3, metrics_port: 9200,
                  log_level: "debug", log_format: "json", no_state: false }
                """
            let file = try settings(text)
            #expect(file.socket.path == "/f/s" && file.mode == 0o660 && file.state == "/f/state")
            #expect(file.workers == 3 && file.metricsPort == 9_200)
            #expect(file.logLevel == .debug && file.logFormat == .json)
            #expect(
                try settings(text, environment: ["LOCFLEET_SOCKET": "/e/s"]).socket.path == "/e/s")
            #expect(try settings("{}", environment: ["STATE_DIRECTORY": "/e"]).state == "/e")
            let words = try settings(
                text,
                [
                    "--socket", "/o/s", "--mode", "0600", "--state", "/o", "--workers", "5",
                    "--metrics-port", "9300", "--log-level", "error", "--log-format", "text",
                ], environment: ["LOCFLEET_SOCKET": "/e/s"])
            #expect(words.socket.path == "/o/s" && words.mode == 0o600 && words.state == "/o")
            #expect(words.workers == 5 && words.metricsPort == 9_300)
            #expect(words.logLevel == .error && words.logFormat == .text)
            #expect(try settings(text, ["--no-state"]).state == nil)
            #expect(try settings("{ no_state: true }").state == nil)
            #expect(try settings("{ no_state: true }", ["--state", "/o"]).state == "/o")
        }

        // swift-format-ignore
        @Test("says what is wrong with it, with line and key", arguments: [
            ("{ workers: 2,\n  wrokers: 3 }", "d.json5:2:3: unknown key \"wrokers\"; did you mean \"workers\"?"),
            ("{ colour: 1 }", "d.json5:1:3: unknown key \"colour\"; there are socket, mode, group,"),
            ("{ workers: 0 }", "d.json5:1:12: workers is a whole number in 1 ... "),
            ("{ workers: 1.5 }", "d.json5:1:12: workers is a whole number in 1 ... "),
            ("{ workers: \"2\" }", "d.json5:1:12: workers is a whole number"),
            ("{ metrics_port: 65536 }", "metrics_port is a whole number in 1 ... 65535, not '65536'"),
            ("{ no_state: 1 }", "d.json5:1:13: no_state is true or false"),
            ("{ mode: 0660 }", "d.json5:1:"),
            ("{ mode: \"0777\" }", "mode is 0600, 0660 or 0666, not '0777'"),
            ("{ group: \"no-such-group-here\" }", "there is no group 'no-such-group-here'"),
            ("{ socket: \"s\" }", "d.json5:1:11: socket is a string: an absolute path"),
            ("{ state: null }", "d.json5:1:10: state is a string: an absolute path"),
            ("{ workers: 2,\n  state: \"/tmp/x\\u0000y\" }", "d.json5:2:10: state has a NUL character in it"),
            ("{ socket: \"/tmp/x\\u0000y\" }", "d.json5:1:11: socket has a NUL character in it"),
            ("{ group: \"root\\u0000x\" }", "d.json5:1:10: group has a NUL character in it"),
            ("{ log_level: \"warn\" }", "log_level is one of error, warning, notice, info, debug, not 'warn'"),
            ("{ log_format: \"jsn\" }", "not 'jsn'; did you mean 'json'?"),
            ("{ no_state: true, state: \"/x\" }", "state and no_state contradict each other"),
            ("{ workers: 2, workers: 3 }", "d.json5:1:15: "), ("[]", "d.json5:1:1: an object"),
            ("{ workers: 2", "d.json5:1:13: "), ("", "d.json5:1:1: "), ("{ \u{0}: 1 }", "d.json5:1:3: "),
        ])
        func wrong(_ text: String, _ says: String) {
            #expect(complaint(text).contains(says), "\(complaint(text))")
        }

        @Test("is a file, of at most 64 KiB, and there where it is named")
        func files() throws {
            let long = complaint("{" + String(repeating: " ", count: 65_535) + "}")
            #expect(long.contains("at most 65536 bytes, this one has 65537"))
            for (path, says) in [
                ("/nowhere/d.json5", "No such file"), ("/tmp", "this is no file"),
                ("/dev/zero", "this is no file"),
            ] {
                let error = #expect(throws: CommandError.self) { try DaemonFile.read(path) }
                #expect(error?.message.contains("\(path): ") == true)
                #expect(error?.message.contains(says) == true)
                let program = try Daemon.start(["--config", path]).wait()
                #expect(program.status == 2 && program.out.isEmpty, "\(program.error)")
            }
        }

        private func reload(_ daemon: Daemon) throws -> String {
            try daemon.locfleet(["daemon", "reload", "--json"]).out
        }

        @Test(
            "is read again on demand: what can change changes, the rest waits, a wrong one is nothing"
        )
        func reload() throws {
            let folder = try ScratchFolder()
            let path = try folder.write("{ workers: 2, log_level: \"error\" }", to: "d.json5")
            let daemon = try Daemon(["--config", path])
            let same = #"{"config":"\#(path)","changed":[],"needs_restart":[]}"# + "\n"
            #expect(try reload(daemon) == same)
            // The command line has --workers and wins; a metrics port waits.
            try folder.write(
                #"{ workers: 7, metrics_port: 9111, log_level: "debug", log_format: "json" }"#,
                to: "d.json5")
            let text = try daemon.locfleet(["daemon", "reload"])
            #expect(
                text.out == "read \(path) again; changed: log_level, log_format; "
                    + "after a restart: metrics_port\n")
            let again = #""changed":[],"needs_restart":["metrics_port"]}"# + "\n"
            #expect(try reload(daemon).hasSuffix(again))
            try folder.write("{ log_level: \"error\", wokers: 1 }", to: "d.json5")
            let wrong = try daemon.locfleet(["daemon", "reload"])
            #expect(wrong.status == 2 && wrong.out.isEmpty)
            #expect(wrong.error.contains("\(path):1:23: unknown key \"wokers\"; did you mean"))
            #expect(wrong.error.hasSuffix("; nothing was changed\n"))
            #expect(try daemon.locfleet(["fleet", "list"]).status == 0)
            let lines = daemon.end(SIGTERM).error.split(separator: "\n")
            #expect(lines.allSatisfy { $0.hasPrefix("{") }, "\(lines)")
            #expect(lines.contains { $0.contains(#""method":"fleet.list""#) }, "still at debug")
            #expect(lines.contains { $0.contains("daemon_not_reloaded") })
        }

        @Test("is read again on SIGHUP, also where there is none")
        func hangup() throws {
            let folder = try ScratchFolder()
            let path = try folder.write("{ log_level: \"error\" }", to: "d.json5")
            let daemon = try Daemon(["--config", path])
            try folder.write("{ log_level: \"notice\" }", to: "d.json5")
            kill(daemon.pid, SIGHUP)
            // Signals of two kinds are heard in any order.
            #expect(eventually { (try? reload(daemon).contains(#""changed":[]"#)) == true })
            let ended = daemon.end(SIGTERM)
            #expect(ended.status == 0)
            #expect(ended.error.contains("changed=log_level"), "\(ended.error)")
        }

        @Test("with an option that is wrong ends the daemon before it has done anything")
        func start() throws {
            let folder = try ScratchFolder()
            let path = try folder.write("{\n  log_levle: \"error\" }", to: "d.json5")
            let socket = SocketFolder()
            let program = try Daemon.start(["--config", path, "--socket", socket.socket]).wait()
            #expect(program.status == 2)
            #expect(
                program.error
                    == "locfleetd: \(path):2:3: unknown key \"log_levle\"; did you mean "
                    + "\"log_level\"?\n")
            #expect(socket.mode == nil)
        }
    }
}
