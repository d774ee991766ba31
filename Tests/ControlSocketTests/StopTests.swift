import DaemonRuntime
import Foundation
import TestSupport
import Testing

extension ControlSocketSuite {
    @Suite("A stop")
    struct StopTests {
        @Test("lets the answers of what was asked out, and then closes all")
        func flushes() throws {
            let served = try Served()
            let (client, idle) = (try served.connect(), try served.connect())
            client.send(request(1, "fleet.pause", #"{"fleet":"f"}"#) + request(2, "fleet.list"))
            #expect(eventually { served.handler.heldCount == 1 })
            #expect(eventually { served.server.connectionCount == 2 })
            let isDone = Flag()
            served.server.stop(within: 60) { isDone.raise() }
            #expect(eventually { served.folder.mode == nil })
            #expect(idle.isAtEnd)
            #expect(!isDone.isRaised)
            served.handler.release()
            #expect(client.line() == response(1, #""released""#))
            #expect(refusal(in: client.line()) == "shutting_down")
            #expect(client.isAtEnd)
            #expect(eventually { isDone.isRaised })
            #expect(served.server.counters.cut == 0)
            #expect(served.stop(), "a second one ends too")
        }

        @Test("cuts off who still waits at its end")
        func cuts() throws {
            let served = try Served()
            let (waiting, deaf) = (try served.connect(), try served.connect())
            waiting.send(request(1, "fleet.pause", #"{"fleet":"f"}"#))
            deaf.send(request(1, "why", #"{"fleet":"f","device":20000000}"#))
            #expect(eventually { served.handler.requests.count == 2 })
            #expect(served.stop(within: 0.1))
            #expect(waiting.isAtEnd)
            #expect(served.server.counters.cut == 2)
            #expect(eventually { served.handler.closed.count == 1 })
            served.handler.release()
            #expect(eventually { served.handler.closed.count == 2 })
        }

        @Test("before the start ends too")
        func early() throws {
            let folder = SocketFolder()
            let server = try ControlServer(
                ControlServer.Options(path: folder.socket), handler: FakeHandler())
            let isDone = Flag()
            server.stop(within: 1) { isDone.raise() }
            #expect(eventually { isDone.isRaised })
            #expect(folder.mode == nil)
        }
    }
}
