import Foundation
import TestSupport
import Testing

extension DaemonSuite {
    @Suite("locfleet top on a terminal")
    struct TopTests {
        private static let scenario = "config/scenarios/progressive.json5"
        private static let leave = "\u{1B}[?25h\u{1B}[2J\u{1B}[H\u{1B}[?1049l"

        private func daemon() throws -> Daemon {
            let daemon = try Daemon()
            for (name, words) in [("flat", ["--days", "3650"]), ("slow", ["--rate", "60x"])] {
                let made = try daemon.locfleet(
                    ["fleet", "create", Self.scenario, "--name", name, "--devices", "50"] + words)
                #expect(made.status == 0, "\(made.error)")
            }
            return daemon
        }

        private func top(
            _ terminal: PseudoTerminal, _ daemon: Daemon, _ environment: [String: String] = [:]
        ) throws -> Process {
            try terminal.start(
                ["top", "--every", "0.1"],
                environment: ["LOCFLEET_SOCKET": daemon.folder.socket].merging(environment) { $1 })
        }

        @Test("takes keys, shows what they do, and gives the terminal back")
        func keys() throws {
            let daemon = try daemon()
            let terminal = PseudoTerminal()
            let top = try top(terminal, daemon)
            #expect(eventually { terminal.text.contains("> flat") })
            #expect(eventually { terminal.text.contains("always_7d") })
            #expect(terminal.isRaw)
            terminal.type("j")
            #expect(eventually { terminal.text.contains("> slow") })
            terminal.type("p")
            #expect(eventually { terminal.text.contains("slow: paused") })
            terminal.type("p")
            #expect(eventually { terminal.text.contains("slow: running") })
            terminal.type("+")
            #expect(
                try eventually {
                    try daemon.locfleet(["fleet", "show", "slow"]).out.contains("600x")
                })
            terminal.type("\t")
            #expect(eventually { terminal.text.contains("[statuses]") })
            terminal.type("\u{1B}[C")
            #expect(eventually { terminal.text.contains("no script has failed") })
            terminal.type("?")
            #expect(eventually { terminal.text.contains("this help") })
            terminal.clear()
            terminal.resize(columns: 40, rows: 12)
            kill(top.processIdentifier, SIGWINCH)
            #expect(eventually { terminal.text.contains("\u{1B}[12;1H") })
            #expect(!terminal.text.contains("\u{1B}[13;1H"))
            terminal.type("q")
            #expect(terminal.end(of: top) == 0)
            #expect(terminal.text.hasSuffix(Self.leave) && !terminal.isRaw)
        }

        @Test(
            "gives the terminal back when it is ended or crashes",
            arguments: [(SIGINT, 0), (SIGTERM, 130), (SIGHUP, 130), (SIGABRT, SIGABRT)]
                as [(Int32, Int32)])
        func signals(_ signal: Int32, _ status: Int32) throws {
            let daemon = try daemon()
            let terminal = PseudoTerminal()
            let top = try top(terminal, daemon)
            #expect(eventually { terminal.text.contains("> flat") })
            kill(top.processIdentifier, signal)
            #expect(terminal.end(of: top) == status)
            #expect(terminal.text.hasSuffix(Self.leave) && !terminal.isRaw)
        }

        @Test("gives the terminal back while it is stopped, and draws anew afterwards")
        func stopping() throws {
            let daemon = try daemon()
            let terminal = PseudoTerminal()
            let top = try top(terminal, daemon)
            #expect(eventually { terminal.text.contains("> flat") })
            terminal.clear()
            kill(top.processIdentifier, SIGTSTP)
            #expect(eventually { terminal.text.hasSuffix(Self.leave) && !terminal.isRaw })
            terminal.clear()
            kill(top.processIdentifier, SIGCONT)
            #expect(eventually { terminal.isRaw && terminal.text.contains("> flat") })
            terminal.type("q")
            #expect(terminal.end(of: top) == 0)
        }

        @Test("says that the daemon is away, stopped or not, and comes back when it does")
        func away() throws {
            let daemon = try daemon()
            let terminal = PseudoTerminal()
            let top = try top(terminal, daemon)
            #expect(eventually { terminal.text.contains("> flat") })
            kill(daemon.pid, SIGSTOP)
            #expect(eventually { terminal.text.contains(": no answer") })
            terminal.clear()
            kill(daemon.pid, SIGCONT)
            #expect(eventually { terminal.text.contains("locfleetd 0.") })
            daemon.end(SIGKILL)
            #expect(eventually { terminal.text.contains("no daemon at") })
            terminal.clear()
            let next = try Daemon(in: daemon.folder)
            #expect(eventually { terminal.text.contains("locfleetd 0.") })
            next.end(SIGKILL)
            terminal.type("q")
            #expect(terminal.end(of: top) == 0)
            #expect(terminal.text.hasSuffix(Self.leave))
        }

        @Test("is lines where there is no screen to draw on")
        func lines() throws {
            let daemon = try daemon()
            let plain = try daemon.locfleet(["top", "--count", "2", "--every", "0.1"])
            #expect(plain.status == 0)
            let lines = plain.out.split(separator: "\n")
            #expect(lines.count == 4 && lines[0].hasPrefix("flat  running  2026-"), "\(plain.out)")
            #expect(!plain.out.contains("\u{1B}"))
            let json = try daemon.locfleet(["top", "slow", "--json", "--count", "1"])
            #expect(json.out.hasPrefix(#"{"fleet":"slow","state":"running","#), "\(json.out)")
            #expect(json.out.hasSuffix(#""events_per_second":null}"# + "\n"))
            let none = try daemon.locfleet(["top", "slwo", "--count", "1"])
            #expect(none.status == 1)
            #expect(
                none.error == "locfleet: there is no fleet \"slwo\"; did you mean \"slow\"?\n")
            let dumb = PseudoTerminal()
            let process = try dumb.start(
                ["top", "--count", "1"],
                environment: ["TERM": "dumb", "LOCFLEET_SOCKET": daemon.folder.socket])
            #expect(dumb.end(of: process) == 0)
            #expect(dumb.text.hasPrefix("flat  running") && !dumb.text.contains("\u{1B}"))
        }

        @Test("has ASCII alone and no colors where nothing else is wanted")
        func plainTerminal() throws {
            let daemon = try daemon()
            let terminal = PseudoTerminal()
            let top = try top(terminal, daemon, ["LC_ALL": "C", "NO_COLOR": "1", "TERM": "linux"])
            #expect(
                eventually { terminal.text.contains("always_7d") && terminal.text.contains("##") })
            #expect(terminal.text.utf8.allSatisfy { $0 < 0x80 })
            #expect(terminal.text.firstMatch(of: /\u{1B}\[[1-9][0-9]*m/) == nil)
            #expect(!terminal.text.contains("?2026"))
            terminal.type("q")
            #expect(terminal.end(of: top) == 0)
        }

        @Test("a watched funnel is drawn over itself, and ends after so many")
        func funnel() throws {
            let daemon = try daemon()
            let terminal = PseudoTerminal(columns: 80, rows: 10)
            let watch = try terminal.start(
                ["funnel", "flat", "--watch", "--every", "0.1", "--count", "3"],
                environment: ["LOCFLEET_SOCKET": daemon.folder.socket])
            #expect(terminal.end(of: watch) == 0)
            let text = terminal.text
            #expect(text.ranges(of: "\u{1B}[2J").count == 1)
            #expect(text.ranges(of: "\u{1B}[?7l\u{1B}[H").count == 3)
            #expect(text.ranges(of: "\r\n").count == 3 * 8, "nine lines fit")
            let file = try daemon.locfleet([
                "funnel", "flat", "--watch", "--every", "0.1", "--count", "2",
            ])
            #expect(file.status == 0 && !file.out.contains("\u{1B}"))
            #expect(file.out.ranges(of: "Funnel  times").count == 2)
            #expect(try daemon.locfleet(["fleet", "stop", "flat"]).status == 0)
            let over = try daemon.locfleet(["funnel", "flat", "--watch", "--json"])
            #expect(over.status == 0 && over.out.split(separator: "\n").count == 1, "\(over.out)")
            #expect(try daemon.locfleet(["funnel", "flat", "--count", "2"]).status == 2)
        }
    }
}
