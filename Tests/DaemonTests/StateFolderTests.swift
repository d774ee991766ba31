import Foundation
import JSONText
import TestSupport
import Testing

@testable import StateStore

extension DaemonSuite {
    /// Every folder here is under a fresh one of the test's own.
    @Suite("In the state folder the daemon")
    struct StateFolderTests {
        private static let manager = FileManager.default

        /// A folder elsewhere that nobody may touch.
        private func victim(in folder: SocketFolder) throws -> String {
            let victim = folder.path + "/victim"
            try Self.manager.createDirectory(atPath: victim, withIntermediateDirectories: true)
            for name in ["precious", "fleet.sqlite", "fleet.sqlite-wal"] {
                try Data(name.utf8).write(to: URL(filePath: victim + "/" + name))
            }
            return victim
        }

        private func expectUntouched(_ victim: String, _ comment: Comment) throws {
            let names = try Self.manager.contentsOfDirectory(atPath: victim).sorted()
            #expect(names == ["fleet.sqlite", "fleet.sqlite-wal", "precious"], comment)
            for name in names {
                let text = try String(contentsOfFile: victim + "/" + name, encoding: .utf8)
                #expect(text == name, comment)
            }
        }

        private func link(_ path: String, to target: String) throws {
            try Self.manager.createSymbolicLink(atPath: path, withDestinationPath: target)
        }

        private func makeFolder(_ path: String, _ files: [String] = []) throws {
            try Self.manager.createDirectory(atPath: path, withIntermediateDirectories: true)
            for name in files { try Data().write(to: URL(filePath: path + "/" + name)) }
        }

        /// A daemon that is to end by itself.
        private func refused(_ socket: String, _ state: String) throws -> Program {
            let running = try Daemon.start(["--socket", socket, "--state", state])
            if !eventually(within: 20, { !running.process.isRunning }) {
                kill(running.process.processIdentifier, SIGKILL)
            }
            return running.wait()
        }

        @Test("sweeps away what it has left itself, follows no link, and tells what else is there")
        func sweep() throws {
            let folder = SocketFolder()
            let victim = try victim(in: folder)
            let fleets = folder.state + "/fleets/"
            try makeFolder(fleets)
            let strangers = [".anything", ".new-link", ".deleted-link", ".new-file", ".new-odd"]
            for name in strangers.prefix(3) { try link(fleets + name, to: victim) }
            try Data("mine".utf8).write(to: URL(filePath: fleets + ".new-file"))
            try makeFolder(fleets + ".new-odd", ["fleet.sqlite", "notes"])
            try makeFolder(fleets + ".new-own", ["fleet.sqlite", "fleet.sqlite-wal"])
            try makeFolder(fleets + ".deleted-own", ["fleet.sqlite", "fleet.sqlite-journal"])
            let daemon = try Daemon(in: folder)
            let caller = try daemon.connect()
            let left = try Self.manager.contentsOfDirectory(atPath: fleets)
            #expect(Set(left) == Set(strangers))
            #expect(try Self.manager.contentsOfDirectory(atPath: fleets + ".new-odd") == ["notes"])
            let bundle = try bundle(devices: 5)
            try caller.create("own", bundle, #","paused":true"#)
            for name in ["link", "file", "odd"] {
                let (code, message) = try caller.refusal(
                    "fleet.create", #"{"name":"\#(name)","bundle":"\#(bundle.sha256)"}"#)
                #expect(code == "state_error")
                #expect(message.contains(fleets + ".new-\(name): "), "\(message)")
            }
            try expectUntouched(victim, "after the sweep and what was to be made in its place")
            try caller.call("fleet.delete", named("own"))
            let log = daemon.end(SIGTERM).error
            for name in strangers {
                #expect(log.contains(" warning \(fleets)\(name): this is not"), "\(log)")
            }
        }

        @Test("follows no link to a fleet or its files, and deletes none through it")
        func links() throws {
            let folder = SocketFolder()
            let victim = try victim(in: folder)
            var daemon = try Daemon(in: folder)
            for name in ["folder", "file", "wal", "whole"] {
                try daemon.connect().create(name, try bundle(devices: 5), #","paused":true"#)
            }
            daemon.end(SIGTERM)
            let fleets = folder.state + "/fleets/"
            try Self.manager.removeItem(atPath: fleets + "folder")
            try link(fleets + "folder", to: victim)
            try Self.manager.removeItem(atPath: fleets + "file/fleet.sqlite")
            try link(fleets + "file/fleet.sqlite", to: victim + "/fleet.sqlite")
            try? Self.manager.removeItem(atPath: fleets + "wal/fleet.sqlite-wal")
            try link(fleets + "wal/fleet.sqlite-wal", to: victim + "/fleet.sqlite-wal")
            daemon = try Daemon(in: folder)
            let caller = try daemon.connect()
            let listed = try caller.call("fleet.list").array?.map { $0["fleet"]?.string }
            #expect(listed == ["whole"])
            for (name, file) in [
                ("folder", "folder"), ("file", "file/fleet.sqlite"),
                ("wal", "wal/fleet.sqlite-wal"),
            ] {
                let (code, message) = try caller.refusal("fleet.show", named(name))
                #expect(code == "state_error")
                #expect(message.contains(fleets + file + ": this is a symbolic link"), "\(message)")
            }
            #expect(try caller.refusal("fleet.delete", named("folder")).code == "state_error")
            for name in ["file", "wal"] { try caller.call("fleet.delete", named(name)) }
            #expect(try caller.refusal("fleet.show", named("file")).code == "no_such_fleet")
            try expectUntouched(victim, "after deleting")
        }

        @Test("wants the folder of fleets itself, while the way to it may have links")
        func folders() throws {
            let folder = SocketFolder()
            let victim = try victim(in: folder)
            try makeFolder(folder.state)
            try link(folder.state + "/fleets", to: victim)
            let refused = try refused(folder.socket, folder.state)
            #expect(refused.status == 1)
            #expect(
                refused.error.hasPrefix(
                    "locfleetd: \(folder.state)/fleets: this is a symbolic link"),
                "\(refused.error)")
            try expectUntouched(victim, "of a link to all fleets")
            try Self.manager.removeItem(atPath: folder.state + "/fleets")
            try link(folder.path + "/alias", to: folder.state)
            let daemon = try Daemon(in: folder, ["--state", folder.path + "/alias"])
            try daemon.connect().create("a", try bundle(devices: 5))
            daemon.end(SIGTERM)
            let next = try Daemon(in: folder)
            #expect(try next.connect().call("fleet.list").array?.count == 1)
        }

        @Test("does not start where it cannot write", .enabled(if: getuid() != 0))
        func readOnly() throws {
            let folder = SocketFolder()
            for path in [folder.state + "/fleets", folder.state] {
                try makeFolder(path)
                chmod(path, 0o500)
                let refused = try refused(folder.socket, folder.state)
                chmod(path, 0o700)
                #expect(refused.status == 1)
                #expect(refused.error.hasPrefix("locfleetd: \(path): Permission denied"))
            }
        }

        @Test("is alone, whatever somebody takes out of it")
        func locked() throws {
            let folder = SocketFolder()
            let daemon = try Daemon(in: folder)
            for name in try Self.manager.contentsOfDirectory(atPath: folder.state) {
                try Self.manager.removeItem(atPath: folder.state + "/" + name)
            }
            let second = try refused(folder.path + "/t", folder.state)
            #expect(second.status == 1)
            #expect(second.error.contains("another daemon keeps its state here"))
            let bundle = try bundle(devices: 5)
            let caller = try daemon.connect()
            try caller.send(bundle)
            let (code, message) = try caller.refusal(
                "fleet.create", #"{"name":"a","bundle":"\#(bundle.sha256)"}"#)
            #expect(code == "state_error")
            #expect(message.contains("this is not the folder with which"), "\(message)")
        }

        /// What somebody does to the file of a fleet that is open.
        static let losses: [(name: String, loss: @Sendable (String) throws -> Void)] = [
            ("file", { try manager.removeItem(atPath: $0 + "/fleet.sqlite") }),
            ("wal", { try manager.removeItem(atPath: $0 + "/fleet.sqlite-wal") }),
            ("folder", { try manager.removeItem(atPath: $0) }),
            (
                "other",
                {
                    try manager.copyItem(atPath: $0 + "/fleet.sqlite", toPath: $0 + "/copy")
                    try manager.removeItem(atPath: $0 + "/fleet.sqlite")
                    try manager.moveItem(atPath: $0 + "/copy", toPath: $0 + "/fleet.sqlite")
                }
            ),
        ]

        @Test("acknowledges nothing that it would write into a file that is gone", arguments: 0..<4)
        func gone(_ index: Int) throws {
            let (name, loss) = Self.losses[index]
            let folder = SocketFolder()
            let daemon = try Daemon(in: folder)
            let caller = try daemon.connect()
            try caller.create("a", try bundle(devices: 50), #","paused":true"#)
            try caller.create("ends", try bundle(devices: 50), #","paused":true"#)
            for fleet in ["a", "ends"] {
                if fleet == "ends" { try caller.call("fleet.start", named(fleet)) }
                try loss(folder.state + "/fleets/" + fleet)
            }
            for (method, more) in [
                ("fleet.start", ""), ("fleet.stop", ""), ("fleet.rate", #","rate":"2x""#),
                ("fleet.step", #","span":"1h""#),
                ("intervene", #","do":"upgrade_os","value":"26.0""#),
            ] {
                let (code, message) = try caller.refusal(method, #"{"fleet":"a"\#(more)}"#)
                #expect(code == "state_error", "\(name): \(method): \(message)")
                #expect(message.contains("was taken away"), "\(name): \(method): \(message)")
            }
            let shown = try caller.show("a")
            #expect(shown["state"]?.string == "ready" && shown["journal"]?.number == "0")
            #expect(shown["state_error"]?.string?.contains("was taken away") == true, "\(name)")
            try caller.call("fleet.export", named("a"))
            try caller.call("fleet.delete", named("a"))
            let ended = try caller.end(of: "ends")
            if let error = ended["state_error"]?.string {
                #expect(error.contains("was taken away") && !error.contains("computed again"))
            }
        }

        @Test("writes no log into files of the state, where it has no standard error")
        func descriptors() throws {
            let folder = SocketFolder()
            let path = Program.url("locfleetd").path(percentEncoded: false)
            let running = try Program.started(
                [
                    "-c", #"exec "$0" "$@" 0<&- 1>&- 2>&-"#, path, "--socket", folder.socket,
                    "--state", folder.state, "--log-level", "debug",
                ], executable: URL(filePath: "/bin/sh"))
            defer {
                kill(running.process.processIdentifier, SIGKILL)
                _ = running.wait()
            }
            try #require(eventually(within: 30) { (try? Caller(folder.socket)) != nil })
            for number in 0...2 {
                let opened = try Self.manager.destinationOfSymbolicLink(
                    atPath: "/proc/\(running.process.processIdentifier)/fd/\(number)")
                #expect(opened == "/dev/null")
            }
        }
    }
}
