import ControlProtocol
import DaemonRuntime
import Foundation
import TestSupport
import Testing

extension ControlSocketSuite {
    /// `fleet.pause` is answered when the test says so.
    @Suite("Peers that go while they wait for an answer")
    struct GoneTests {
        private static let pause = request(1, "fleet.pause", #"{"fleet":"f"}"#)

        private func waiting(_ text: String = Self.pause) throws -> (Served, RawClient) {
            let served = try Served { $0.peerCheckMilliseconds = 10 }
            let client = try served.connect()
            client.send(text)
            #expect(eventually { served.handler.heldCount == 1 })
            return (served, client)
        }

        @Test("are noticed, and whoever waits for them is told")
        func noticed() throws {
            let (served, client) = try waiting()
            client.close()
            #expect(eventually { served.handler.abandoned == [1] })
            // Work that nobody waits for still counts.
            #expect(served.server.connectionCount == 1 && served.handler.closed == [])
            served.handler.release()
            #expect(
                eventually { served.handler.closed == [1] && served.server.connectionCount == 0 })
            #expect(served.handler.abandoned == [1])
        }

        @Test("have no more of their requests served", arguments: [false, true])
        func pipelined(isBatch: Bool) throws {
            let line = String(Self.pause.dropLast())
            let text = isBatch ? "[\(line),\(line)]\n" : Self.pause + Self.pause
            let (served, client) = try waiting(text)
            client.close()
            #expect(eventually { served.handler.abandoned == [1] })
            served.handler.release()
            #expect(eventually { served.server.connectionCount == 0 })
            #expect(served.handler.requests.count == 1 && served.handler.closed == [1])
        }

        @Test("are not those who only say no more: they get their answer")
        func halfClosed() throws {
            let (served, client) = try waiting()
            client.shutDownWriting()
            poll(nil, 0, 100)
            #expect(served.handler.abandoned == [])
            served.handler.release()
            #expect(client.line() == response(1, #""released""#))
            #expect(client.isAtEnd)
        }

        @Test("are not those who wait and have sent more")
        func patient() throws {
            let (served, client) = try waiting(Self.pause + request(2, "fleet.list"))
            poll(nil, 0, 100)
            served.handler.release()
            #expect(client.line() == response(1, #""released""#))
            #expect(client.line() == response(2, "true"))
            #expect(served.handler.abandoned == [])
        }
    }
}
