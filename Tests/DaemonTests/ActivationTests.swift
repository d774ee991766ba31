import Foundation
import TestSupport
import Testing

extension DaemonSuite {
    /// The daemon as systemd starts it, without systemd.
    @Suite("The daemon as a service")
    struct ActivationTests {
        /// Starts it with `listener` as descriptor 3.
        private func start(
            _ listener: LocalSocket, _ words: [String] = [], environment: [String: String] = [:]
        ) throws -> Program.Running {
            let program = Program.url("locfleetd").path(percentEncoded: false)
            return try Program.started(
                [
                    "-c", "exec 3<&0 0</dev/null; LISTEN_PID=$$ LISTEN_FDS=1 exec \"$0\" \"$@\"",
                    program, "--no-state",
                ] + words,
                environment: environment, executable: URL(filePath: "/bin/bash"),
                reading: listener.descriptor)
        }

        @Test(
            "serves the socket that it was handed, tells how it stands, and leaves the socket there"
        )
        func life() throws {
            let folder = SocketFolder()
            let listener = LocalSocket(folder.socket, listens: true)
            let notify = LocalSocket(folder.path + "/n", type: SOCK_DGRAM)
            // A client that is there before the daemon is waits, and is served.
            let early = try RawClient(folder.socket)
            early.send(request(1, "fleet.list"))
            let running = try start(
                listener, environment: ["NOTIFY_SOCKET": folder.path + "/n"])
            #expect(notify.datagram() == "READY=1\nSTATUS=0 fleets, 0 running")
            #expect(early.line() == response(1, "[]"))
            kill(running.process.processIdentifier, SIGHUP)
            #expect(notify.datagram()?.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") == true)
            #expect(notify.datagram() == "READY=1\nSTATUS=0 fleets, 0 running")
            kill(running.process.processIdentifier, SIGTERM)
            #expect(notify.datagram() == "STOPPING=1\nSTATUS=stopping")
            let ended = running.wait()
            #expect(ended.status == 0, "\(ended.error)")
            #expect(ended.error.contains("listening at \(folder.socket), which was handed over"))
            #expect(folder.mode != nil)
            #expect(!FileManager.default.fileExists(atPath: folder.socket + ".lock"))
            // Whoever comes next is the next daemon's.
            let late = try RawClient(folder.socket)
            late.send(request(2, "fleet.list"))
            let next = try start(listener)
            #expect(late.line() == response(2, "[]"))
            kill(next.process.processIdentifier, SIGTERM)
            #expect(next.wait().status == 0)
        }

        @Test("is told to live for as long as it answers")
        func watchdog() throws {
            let folder = SocketFolder()
            let notify = LocalSocket("@locfleet-daemon-\(getpid())", type: SOCK_DGRAM)
            let running = try start(
                LocalSocket(folder.socket, listens: true),
                environment: [
                    "NOTIFY_SOCKET": "@locfleet-daemon-\(getpid())", "WATCHDOG_USEC": "100000",
                ])
            #expect(notify.datagram()?.hasPrefix("READY=1\n") == true)
            for _ in 0..<3 {
                #expect(notify.datagram() == "WATCHDOG=1\nSTATUS=0 fleets, 0 running")
            }
            kill(running.process.processIdentifier, SIGTERM)
            #expect(running.wait().status == 0)
        }

        @Test("is not ready when what it was handed cannot be served")
        func refused() throws {
            let folder = SocketFolder()
            let notify = LocalSocket(folder.path + "/n", type: SOCK_DGRAM)
            let ended = try start(
                LocalSocket(folder.socket, listens: false),
                environment: ["NOTIFY_SOCKET": folder.path + "/n"]
            ).wait()
            #expect(ended.status == 1)
            #expect(
                ended.error
                    == "locfleetd: descriptor 3, which was handed over (LISTEN_FDS), does not "
                    + "listen; the unit is due to say Accept=no, which is the default\n")
            var bytes: [UInt8] = [0]
            #expect(recv(notify.descriptor, &bytes, 1, Int32(MSG_DONTWAIT)) < 0)
        }
    }

    @Suite("Two daemons")
    struct TwoDaemonsTests {
        @Test("cannot share a state folder, whatever their sockets are")
        func state() throws {
            let daemon = try Daemon()
            let other = SocketFolder()
            let second = try Daemon.start([
                "--socket", other.socket, "--state", daemon.folder.state,
            ]).wait()
            #expect(second.status == 1 && other.mode == nil)
            #expect(
                second.error
                    == "locfleetd: \(daemon.folder.state): another daemon keeps its state here; stop "
                    + "it, or name another folder with --state\n")
            #expect(try daemon.connect().call("daemon.status")["fleets"]?.number == "0")
            #expect(daemon.end(SIGTERM).status == 0)
        }

        @Test("have the path one after the other: what was killed is taken over")
        func killed() throws {
            let folder = SocketFolder()
            let first = try Daemon(in: folder)
            #expect(first.end(SIGKILL).status == 128 + SIGKILL)
            #expect(folder.mode != nil)
            let second = try Daemon(in: folder)
            let loser = try Daemon.start(["--socket", folder.socket]).wait()
            #expect(loser.status == 1 && loser.error.contains("another daemon serves this socket"))
            #expect(folder.mode != nil)
            #expect(try second.connect().call("daemon.status")["fleets"]?.number == "0")
            #expect(second.end(SIGTERM).status == 0)
            #expect(folder.mode == nil)
        }

        @Test(
            "never remove each other's socket, also where somebody has taken the first one's away")
        func removed() throws {
            let folder = SocketFolder()
            let first = try Daemon(in: folder)
            for name in [folder.socket, folder.socket + ".lock"] { #expect(unlink(name) == 0) }
            let second = try Daemon(in: folder, ["--state", folder.path + "/other"])
            #expect(first.end(SIGTERM).status == 0)
            #expect(folder.mode == S_IFSOCK | 0o600)
            #expect(try second.connect().call("daemon.status")["fleets"]?.number == "0")
            #expect(second.end(SIGTERM).status == 0)
            #expect(folder.mode == nil)
        }

        @Test("tell in their logs who connected, and who asked them to stop")
        func peers() throws {
            let daemon = try Daemon(["--log-level", "info"])
            #expect(try daemon.locfleet(["daemon", "stop"]).status == 0)
            let log = daemon.wait().error
            let peer = "uid=\(getuid()) gid=\(getgid()) pid="
            #expect(log.contains(/notice uid=\d+ gid=\d+ pid=\d+ asked to stop/), "\(log)")
            #expect(log.contains(" \(peer)"))
        }
    }
}
