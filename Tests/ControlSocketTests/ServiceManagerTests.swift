import DaemonRuntime
import Foundation
import TestSupport
import Testing

extension ControlSocketSuite {
    /// A plain socket stands for systemd.
    @Suite("The service manager")
    struct ServiceManagerTests {
        @Test("is told how the daemon stands, by a path and by an abstract name")
        func told() throws {
            let folder = SocketFolder()
            for name in [folder.path + "/n", "@locfleet-notify-\(getpid())"] {
                let socket = LocalSocket(name, type: SOCK_DGRAM)
                let manager = try #require(ServiceManager(["NOTIFY_SOCKET": name]))
                manager.ready("2 fleets,\n1 running")
                #expect(socket.datagram() == "READY=1\nSTATUS=2 fleets, 1 running")
                var before = timespec()
                clock_gettime(CLOCK_MONOTONIC, &before)
                manager.reloading()
                let lines = socket.datagram()?.split(separator: "\n") ?? []
                #expect(lines.first == "RELOADING=1")
                let time = lines.last?.split(separator: "=")
                #expect(time?.first == "MONOTONIC_USEC")
                #expect(Int(time?.last ?? "") ?? 0 >= before.tv_sec * 1_000_000)
                manager.stopping()
                #expect(socket.datagram() == "STOPPING=1\nSTATUS=stopping")
            }
        }

        @Test("is not there where no socket is named, and may be gone")
        func absent() throws {
            for name in [nil, "", "relative", "@", "/", "vsock:2:1234"] {
                #expect(ServiceManager(["NOTIFY_SOCKET": name ?? ""]) == nil, "\(name ?? "nil")")
            }
            #expect(ServiceManager([:]) == nil)
            let long = "/" + String(repeating: "n", count: 107)
            #expect(ServiceManager(["NOTIFY_SOCKET": long]) == nil)
            let gone = try #require(ServiceManager(["NOTIFY_SOCKET": "/nowhere/at/all"]))
            gone.ready("nobody hears it")
        }

        @Test("hears a heartbeat where it expects one of this process")
        func heartbeat() throws {
            let folder = SocketFolder()
            let socket = LocalSocket(folder.path + "/n", type: SOCK_DGRAM)
            let name = ["NOTIFY_SOCKET": folder.path + "/n"]
            let served = try Served()
            for (more, isExpected) in [
                (["WATCHDOG_USEC": "20000"], true),
                (["WATCHDOG_USEC": "20000", "WATCHDOG_PID": "\(getpid())"], true),
                (["WATCHDOG_USEC": "20000", "WATCHDOG_PID": "1"], false),
                (["WATCHDOG_USEC": "0"], false), (["WATCHDOG_USEC": "soon"], false), ([:], false),
            ] {
                let manager = try #require(ServiceManager(name.merging(more) { $1 }))
                let heartbeat = Heartbeat(manager, of: served.server) { "well" }
                #expect((heartbeat != nil) == isExpected, "\(more)")
                guard isExpected else { continue }
                for _ in 0..<3 { #expect(socket.datagram() == "WATCHDOG=1\nSTATUS=well") }
                heartbeat?.stop()
            }
        }
    }
}
