import ControlProtocol
import DaemonRuntime
import Foundation
import TestSupport
import Testing

extension ControlSocketSuite {
    /// What systemd hands over. Descriptors stand where they happen to be, not from 3 on.
    @Suite("A socket that was handed over")
    struct HandedSocketTests {
        private func variables(
            _ count: Int = 1, names: String? = nil, pid: Int32 = getpid()
        ) -> [String: String] {
            var variables = ["LISTEN_PID": "\(pid)", "LISTEN_FDS": "\(count)"]
            variables["LISTEN_FDNAMES"] = names
            return variables
        }

        private func complaint(
            _ descriptor: Int32, _ variables: [String: String]? = nil
        ) -> String? {
            #expect(throws: ControlServerError.self) {
                try HandedSocket.taken(variables ?? self.variables(), first: descriptor)
            }?.message
        }

        @Test("is served, and stands there still when the server has stopped")
        func served() throws {
            let folder = SocketFolder()
            let listener = LocalSocket(folder.socket, listens: true)
            let handed = try HandedSocket.taken(variables(), first: listener.descriptor)
            var options = ControlServer.Options(path: handed?.path ?? "")
            options.handed = try #require(handed)
            #expect(options.path == folder.socket)
            let server = try ControlServer(options, handler: FakeHandler())
            server.start()
            let client = try RawClient(folder.socket)
            client.send(request(1, "fleet.list"))
            #expect(client.line() == response(1, "true"))
            let isDone = Flag()
            server.stop(within: 0) { isDone.raise() }
            #expect(eventually { isDone.isRaised })
            #expect(folder.mode != nil)
            #expect(!FileManager.default.fileExists(atPath: folder.socket + ".lock"))
            listener.isClosed = true
        }

        @Test("is closed on exec, and never waited for")
        func flags() throws {
            let folder = SocketFolder()
            let listener = LocalSocket(folder.socket, listens: true)
            #expect(fcntl(listener.descriptor, F_GETFD) == 0)
            _ = try HandedSocket.taken(variables(), first: listener.descriptor)
            #expect(fcntl(listener.descriptor, F_GETFD) == FD_CLOEXEC)
            #expect(fcntl(listener.descriptor, F_GETFL) & O_NONBLOCK != 0)
        }

        @Test("may have an abstract name")
        func abstract() throws {
            let name = "@locfleet-test-\(getpid())"
            let listener = LocalSocket(name, listens: true)
            let handed = try HandedSocket.taken(variables(), first: listener.descriptor)
            #expect(handed?.path == name)
        }

        @Test("lets in whom its own mode lets in: not this user and root alone")
        func others() async {
            guard geteuid() == 0 else { return }  // Root becomes somebody else here.
            await #expect(processExitsWith: .success) {
                let folder = SocketFolder()
                chmod(folder.path, 0o755)
                let listener = LocalSocket(folder.socket, listens: true)
                chmod(folder.socket, 0o666)
                var options = ControlServer.Options(path: folder.socket, mode: 0o600)
                options.handed = try HandedSocket.taken(
                    ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "1"], first: listener.descriptor)
                let server = try ControlServer(options, handler: FakeHandler())
                server.start()
                seteuid(12_345)
                let client = try RawClient(folder.socket)
                seteuid(0)
                client.send(request(1, "fleet.list"))
                guard client.line() == response(1, "true") else { fatalError("not served") }
            }
        }

        @Test("is nobody's where the variables are another process's, or none are there")
        func absent() throws {
            let first: Int32 = 1_000  // Nothing is there: nothing is looked at.
            for variables in [
                [:], ["LISTEN_FDS": "1"], variables(pid: getpid() + 1), variables(0),
                ["LISTEN_PID": "self", "LISTEN_FDS": "1"],
            ] {
                #expect(try HandedSocket.taken(variables, first: first) == nil, "\(variables)")
            }
        }

        @Test("is the one of its name where there are several, and the others are closed")
        func several() throws {
            let folder = SocketFolder()
            // Next to each other, above all that this process has open.
            let base: Int32 = 900
            let sockets = ["a", "b"].map { LocalSocket(folder.path + "/" + $0, listens: true) }
            for (index, socket) in sockets.enumerated() {
                #expect(dup2(socket.descriptor, base + Int32(index)) >= 0)
            }
            defer { for index in 0..<2 { close(base + Int32(index)) } }
            for names in [nil, "a:b", "locfleet.socket:locfleet.socket", "locfleet.socket"] {
                if names == "locfleet.socket" { continue }
                let message = complaint(base, variables(2, names: names))
                #expect(message?.contains("2 sockets were handed over, and") == true)
            }
            let handed = try HandedSocket.taken(
                variables(2, names: "other:locfleet.socket"), first: base)
            #expect(handed?.path == folder.path + "/b")
            #expect(fcntl(base, F_GETFD) < 0 && fcntl(base + 1, F_GETFD) == FD_CLOEXEC)
        }

        @Test("is refused where it is something else, with what is due")
        func refused() throws {
            let folder = SocketFolder()
            let file = open("/dev/null", O_RDONLY)
            let stream = Int32(SOCK_STREAM.rawValue)
            let tcp = socket(AF_INET, stream, 0)
            let datagram = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            defer { for descriptor in [file, tcp, datagram] { close(descriptor) } }
            let idle = LocalSocket(folder.socket, listens: false)
            for (descriptor, says) in [
                (file, "is no socket"), (tcp, "is no Unix socket"),
                (datagram, "is no stream socket"), (idle.descriptor, "does not listen"),
                (1_000, "is not open"),
            ] {
                let message = complaint(descriptor)
                #expect(message?.contains("descriptor \(descriptor)") == true)
                #expect(message?.contains(says) == true, "\(message ?? "")")
            }
            for count in ["-1", "65", "one", ""] {
                let variables = ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": count]
                #expect(complaint(1_000, variables)?.contains("in 0...64, not '\(count)'") == true)
            }
        }
    }
}
