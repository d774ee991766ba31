import ControlProtocol
import DaemonRuntime
import Foundation
import TestSupport
import Testing

extension ControlSocketSuite {
    @Suite("Peers")
    struct PeerTests {
        @Test("that vanish in the middle of a reply are forgotten")
        func vanish() throws {
            let served = try Served()
            let client = try served.connect()
            client.send(request(1, "why", #"{"fleet":"f","device":20000000}"#))
            var entry = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
            #expect(poll(&entry, 1, 10_000) == 1)
            client.close()
            #expect(eventually { served.server.connectionCount == 0 })
            #expect(served.handler.closed == [1])
        }

        @Test("that vanish while their request is served are closed after its answer")
        func vanishEarly() throws {
            let served = try Served()
            let client = try served.connect()
            client.send(request(1, "fleet.pause", #"{"fleet":"f"}"#))
            #expect(eventually { served.handler.heldCount == 1 })
            client.close()
            #expect(served.handler.closed == [])
            served.handler.release()
            #expect(
                eventually { served.handler.closed == [1] && served.server.connectionCount == 0 })
        }

        @Test("that subscribed are told things until they are gone, though they say no more")
        func subscribed() throws {
            let served = try Served()
            let client = try served.connect()
            client.send(request(1, "watch", #"{"fleet":"f"}"#))
            client.shutDownWriting()
            #expect(client.line() == response(1, #"{"subscription":"s1"}"#))
            #expect(client.line()?.contains("now") == true)
            let connection = try #require(served.handler.watchers.first)
            #expect(connection.peer == ControlPeer(pid: getpid(), uid: geteuid(), gid: getegid()))
            for count in 0..<100 {
                #expect(connection.notify("{\"n\":\n\(count)}"))
                #expect(client.line() == "{\"n\": \(count)}")
            }
            client.close()
            #expect(
                eventually { served.handler.closed == [1] && served.server.connectionCount == 0 })
            #expect(!connection.notify("{}"))
            #expect(served.server.counters.notificationsLost == 0)
        }

        @Test("that unsubscribe after they shut down their writing side are closed")
        func unsubscribed() throws {
            let served = try Served()
            let client = try served.connect()
            client.send(request(1, "watch", #"{"fleet":"f"}"#))
            client.shutDownWriting()
            #expect(client.line() != nil && client.line() != nil)
            served.handler.watchers.first?.setHasSubscriptions(false)
            #expect(client.isAtEnd)
        }

        @Test("that read nothing lose notifications, are told apart from others, and are cut off")
        func neverReading() throws {
            let served = try Served {
                $0.queuedNotificationBytes = 10_000
                $0.stalledSeconds = 0.3
            }
            let (deaf, other) = (try served.connect(), try served.connect())
            deaf.send(request(1, "watch", #"{"fleet":"f"}"#))
            #expect(eventually { served.handler.watchers.count == 1 })
            let connection = try #require(served.handler.watchers.first)
            let line = "\"\(String(repeating: "n", count: 997))\""
            // What the kernel holds for a socket, and then the queue, come to an end.
            #expect(eventually { !connection.notify(line) && served.server.counters.cut == 1 })
            #expect(served.server.counters.notificationsLost > 0)
            #expect(eventually { served.server.connectionCount == 1 })
            other.send(request(2, "fleet.list"))
            #expect(other.line() == response(2, "true"))
        }

        @Test("that read no replies have no more requests served, and lose none")
        func backPressure() throws {
            let served = try Served { $0.queuedReplyBytes = 100_000 }
            let client = try served.connect()
            let count = 200
            client.send(
                (0..<count).map { request($0, "why", #"{"fleet":"f","device":50000}"#) }.joined())
            var handled = -1
            // The kernel's buffer and the queue are full when nothing new was served for a while.
            #expect(
                eventually {
                    let before = served.handler.requests.count
                    poll(nil, 0, 100)
                    handled = served.handler.requests.count
                    return handled > 0 && handled == before
                })
            #expect(handled < count / 2)
            for id in 0..<count {
                #expect(
                    client.line()?.hasPrefix(#"{"jsonrpc":"2.0","id":\#(id),"result":"www"#) == true
                )
            }
            #expect(served.server.counters.cut == 0)
        }

        @Test("by the hundred may be idle, and leave no descriptor behind")
        func idle() throws {
            let folder: SocketFolder
            do {
                let served = try Served()
                folder = served.folder
                var clients: [RawClient] = []
                for _ in 0..<200 { clients.append(try served.connect()) }
                #expect(eventually { served.server.connectionCount == 200 })
                clients[117].send(request(1, "fleet.list"))
                #expect(clients[117].line() == response(1, "true"))
                #expect(socketCount(in: folder.path) == 201)
                clients.removeAll()
                #expect(eventually { served.server.connectionCount == 0 })
                #expect(eventually { socketCount(in: folder.path) == 1 })
                #expect(Set(served.handler.closed) == Set(1...200))
                #expect(served.stop())
            }
            #expect(eventually { socketCount(in: folder.path) == 0 })
        }

        @Test("over the limit are told so, and those who are here stay")
        func tooMany() throws {
            let served = try Served { $0.connections = 2 }
            let clients = [try served.connect(), try served.connect()]
            #expect(eventually { served.server.connectionCount == 2 })
            let newcomer = try served.connect()
            #expect(refusal(in: newcomer.line()) == "limit_reached")
            #expect(newcomer.isAtEnd)
            #expect(served.server.counters.refused == 1)
            clients[0].close()
            #expect(eventually { served.server.connectionCount == 1 })
            let next = try served.connect()
            next.send(request(1, "fleet.list"))
            #expect(next.line() == response(1, "true"))
        }

        @Test("are served on when no descriptor is left, and newcomers again when one is")
        func noDescriptors() async {
            // In a process of its own: the limit is the process's.
            await #expect(processExitsWith: .success) {
                let served = try Served()
                let client = try served.connect()
                let waiting = try served.connect()
                waiting.send(request(1, "fleet.list"))
                guard waiting.line() == response(1, "true") else { fatalError("not served") }
                // A newcomer needs a descriptor here and one there: there is none for the server.
                let newcomer = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
                close(newcomer)
                var limit = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                limit.rlim_cur = rlim_t(newcomer) + 1
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                let refused = try served.connect()
                guard refusal(in: refused.line()) == "limit_reached" else { fatalError("not told") }
                client.send(request(2, "fleet.list"))
                guard client.line() == response(2, "true") else { fatalError("not served on") }
                // Waiting for this peer to read takes a descriptor more, and does without.
                client.send(request(4, "why", #"{"fleet":"f","device":2000000}"#))
                guard client.line()?.utf8.count ?? 0 > 2_000_000 else { fatalError("not all") }
                waiting.close()
                refused.close()
                let next = try served.connect()
                next.send(request(3, "fleet.list"))
                guard next.line() == response(3, "true") else { fatalError("not recovered") }
                next.close()
                client.close()
                guard served.stop(within: 5) else { fatalError("not stopped") }
            }
        }
    }
}
