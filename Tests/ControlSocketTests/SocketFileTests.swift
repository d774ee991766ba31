import ControlProtocol
import DaemonRuntime
import Foundation
import TestSupport
import Testing

extension ControlSocketSuite {
    @Suite("The socket's file")
    struct SocketFileTests {
        private func server(
            _ path: String, mode: UInt16 = 0o600, group: UInt32? = nil
        ) throws(ControlServerError) -> ControlServer {
            try ControlServer(
                ControlServer.Options(path: path, mode: mode, group: group), handler: FakeHandler())
        }

        private func complaint(about path: String, mode: UInt16 = 0o600) -> ControlServerError? {
            #expect(throws: ControlServerError.self) { try server(path, mode: mode) }
        }

        /// Binds a socket as a daemon without our lock would.
        private func bindBare(_ path: String, listens: Bool) -> Int32 {
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let size = socklen_t(MemoryLayout<sockaddr_un>.size)
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    #expect(bind(descriptor, $0, size) == 0)
                }
            }
            if listens { #expect(listen(descriptor, 5) == 0) }
            return descriptor
        }

        @Test("has the mode that was asked for", arguments: [0o600, 0o660, 0o666] as [UInt16])
        func mode(_ mode: UInt16) throws {
            let served = try Served(mode: mode)
            #expect(served.folder.mode == S_IFSOCK | mode_t(mode))
            let client = try served.connect()
            client.send(request(1, "fleet.list"))
            #expect(client.line() == response(1, "true"))
        }

        @Test("has the group that was asked for, and the umask is as it was")
        func group() throws {
            let folder = SocketFolder()
            let before = umask(0o022)
            defer { umask(before) }
            let server = try server(folder.socket, mode: 0o660, group: getegid())
            var status = stat()
            #expect(lstat(folder.socket, &status) == 0)
            #expect(status.st_gid == getegid())
            #expect(umask(0o022) == 0o022)
            withExtendedLifetime(server) {}
        }

        @Test("that a daemon left behind is taken over")
        func stale() throws {
            let folder = SocketFolder()
            close(bindBare(folder.socket, listens: true))
            #expect(folder.mode != nil)
            let server = try server(folder.socket)
            server.start()
            let client = try RawClient(folder.socket)
            client.send(request(1, "fleet.list"))
            #expect(client.line() == response(1, "true"))
            let isDone = Flag()
            server.stop(within: 0) { isDone.raise() }
            #expect(eventually { isDone.isRaised })
            #expect(folder.mode == nil)
        }

        @Test("of a living daemon is not touched")
        func living() throws {
            let folder = SocketFolder()
            let descriptor = bindBare(folder.socket, listens: true)
            defer { close(descriptor) }
            #expect(complaint(about: folder.socket)?.code == .served)
            _ = try RawClient(folder.socket)
        }

        @Test("belongs to one server at a time")
        func two() throws {
            let served = try Served()
            let error = complaint(about: served.folder.socket)
            #expect(error?.code == .served)
            #expect(
                error?.message
                    == "\(served.folder.socket): another daemon serves this socket; stop it, or "
                    + "name another socket")
            let client = try served.connect()
            client.send(request(1, "fleet.list"))
            #expect(client.line() == response(1, "true"))
            #expect(served.stop())
            _ = try server(served.folder.socket)
            #expect(served.folder.mode == nil, "a server that was let go of leaves nothing")
        }

        // swift-format-ignore
        @Test("says what stands in its place, and leaves it there", arguments: [
            ("mkfifo s", "a FIFO"), ("mkdir s", "a folder"), ("touch s", "a file"),
            ("ln -s nowhere s", "a symbolic link"), ("ln -s /dev/null s", "a symbolic link"),
        ])
        func kinds(_ command: String, _ kind: String) throws {
            let folder = SocketFolder()
            let made = try Program.started(
                ["-c", "cd \(folder.path) && \(command)"], executable: URL(filePath: "/bin/sh"))
            #expect(made.wait().status == 0)
            let before = folder.mode
            let error = complaint(about: folder.socket)
            #expect(error?.code == .occupied)
            #expect(
                error?.message
                    == "\(folder.socket): this is \(kind) and no socket, and is not touched; "
                    + "remove it, or name another socket")
            #expect(folder.mode == before)
        }

        @Test("cannot be given to a group that the daemon's user is not in")
        func foreignGroup() async {
            guard geteuid() == 0 else { return }  // Root becomes somebody else here.
            await #expect(processExitsWith: .success) {
                let folder = SocketFolder()
                chmod(folder.path, 0o777)
                seteuid(12_345)
                let options = ControlServer.Options(path: folder.socket, mode: 0o660, group: 54_321)
                do throws(ControlServerError) {
                    _ = try ControlServer(options, handler: FakeHandler())
                    fatalError("given away")
                } catch {
                    guard error.code == .system, error.message.contains("only root can give") else {
                        fatalError(error.message)
                    }
                }
                seteuid(0)
                guard folder.mode == nil else { fatalError("left behind") }
            }
        }

        @Test("is never put in the place of another kind of file")
        func occupied() throws {
            let folder = SocketFolder()
            try "mine".write(toFile: folder.socket, atomically: false, encoding: .utf8)
            #expect(complaint(about: folder.socket)?.code == .occupied)
            #expect(try String(contentsOfFile: folder.socket, encoding: .utf8) == "mine")
            let link = folder.path + "/link"
            symlink(folder.path + "/nowhere", link)
            #expect(complaint(about: link)?.code == .occupied)
            #expect(complaint(about: folder.path)?.code == .occupied)
            let lock = folder.path + "/l"
            symlink(folder.path + "/elsewhere", lock + ".lock")
            #expect(complaint(about: lock)?.message.contains("is a symbolic link") == true)
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/elsewhere"))
        }

        /// Only root can give a file away; for others there is nothing to look at here.
        @Test("of another user is not touched")
        func foreign() {
            guard geteuid() == 0 else { return }
            let folder = SocketFolder()
            close(bindBare(folder.socket, listens: false))
            #expect(lchown(folder.socket, 12_345, 12_345) == 0)
            #expect(complaint(about: folder.socket)?.code == .occupied)
            #expect(folder.mode != nil)
        }

        @Test("has a path of up to 107 bytes, in a folder that is there")
        func paths() throws {
            let folder = SocketFolder()
            let name = String(repeating: "n", count: 107 - folder.path.utf8.count - 1)
            _ = try server("\(folder.path)/\(name)")
            let error = complaint(about: "\(folder.path)/\(name)n")
            #expect(error?.code == .badPath)
            #expect(error?.message.contains("1 to 107 bytes, this one has 108") == true)
            #expect(complaint(about: "")?.code == .badPath)
            #expect(complaint(about: "a\0b")?.code == .badPath)
            #expect(complaint(about: folder.socket, mode: 0o1000)?.code == .badPath)
            #expect(complaint(about: folder.path + "/missing/s")?.code == .badFolder)
        }

        @Test("that took its place is left alone at the end")
        func replaced() throws {
            let served = try Served()
            #expect(unlink(served.folder.socket) == 0)
            let descriptor = bindBare(served.folder.socket, listens: true)
            defer { close(descriptor) }
            #expect(served.stop())
            #expect(served.folder.mode != nil)
        }

        /// Only root can become somebody else; for others there is nothing to look at here.
        @Test("with mode 0600 lets nobody else in, whatever its permissions became")
        func credentials() async {
            guard geteuid() == 0 else { return }
            await #expect(processExitsWith: .success) {
                let served = try Served()
                chmod(served.folder.path, 0o755)
                chmod(served.folder.socket, 0o666)
                seteuid(12_345)
                let client = try served.connect()
                let line = client.line()
                let isAtEnd = client.isAtEnd
                seteuid(0)
                guard refusal(in: line) == "not_permitted", isAtEnd else {
                    fatalError("\(line ?? "")")
                }
                guard served.server.counters.refused == 1 else { fatalError("not counted") }
                guard served.stop() else { fatalError("not stopped") }
            }
        }
    }

    @Suite("The default path")
    struct DefaultPathTests {
        // swift-format-ignore
        @Test("follows the environment and the user", arguments: [
            (["XDG_RUNTIME_DIR": "/run/user/7"], 7, "/run/user/7/locfleet.sock"),
            (["XDG_RUNTIME_DIR": "/run/user/7/"], 0, "/run/user/7/locfleet.sock"),
            (["XDG_RUNTIME_DIR": ""], 7, "/tmp/locfleet-7/locfleet.sock"),
            (["XDG_RUNTIME_DIR": "run"], 0, "/run/locfleet/locfleet.sock"),
            ([:], 0, "/run/locfleet/locfleet.sock"),
            ([:], 1_000, "/tmp/locfleet-1000/locfleet.sock"),
        ] as [([String: String], UInt32, String)])
        func paths(_ environment: [String: String], _ uid: UInt32, _ path: String) {
            #expect(ControlSocketPath.default(environment: environment, uid: uid).path == path)
        }

        @Test("has a folder of this user's alone")
        func folder() throws {
            // A user that nobody is, so that the folder is this test's.
            let uid = UInt32.max - 1 - UInt32(getpid())
            let path = ControlSocketPath.default(environment: [:], uid: uid)
            let folder = "/tmp/locfleet-\(uid)"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            // Made by this user, it is another's: the owner is looked at.
            let foreign = #expect(throws: ControlServerError.self) { try path.prepareFolder() }
            #expect(foreign?.code == .badFolder)
            #expect(foreign?.message.contains("belongs to user \(geteuid())") == true)
            var status = stat()
            #expect(lstat(folder, &status) == 0)
            #expect(status.st_mode == S_IFDIR | 0o700)
            guard geteuid() == 0 else { return }  // The rest needs a folder to be given away.
            #expect(chown(folder, uid, gid_t.max) == 0)
            try path.prepareFolder()
            #expect(chmod(folder, 0o710) == 0)
            let wide = #expect(throws: ControlServerError.self) { try path.checkFolder() }
            #expect(wide?.message == "\(folder): this folder has mode 0710; it is due to be 0700")
            #expect(rmdir(folder) == 0)
            #expect(symlink("/tmp", folder) == 0)
            let link = #expect(throws: ControlServerError.self) { try path.prepareFolder() }
            #expect(link?.message == "\(folder): this is no folder, or a link to one")
        }
    }
}
