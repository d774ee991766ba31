import DaemonRuntime
import Foundation
import Synchronization
import TestSupport
import Testing

extension ControlSocketSuite {
    @Suite("The port for collectors")
    struct HTTPServerTests {
        /// A peer on a loopback address that does what the test says.
        private final class Peer {
            let descriptor: Int32

            init(_ port: UInt16, isSix: Bool = false) throws {
                let family = isSix ? AF_INET6 : AF_INET
                descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
                var hints = addrinfo()
                (hints.ai_family, hints.ai_flags) = (family, AI_NUMERICHOST)
                var list: UnsafeMutablePointer<addrinfo>?
                getaddrinfo(isSix ? "::1" : "127.0.0.1", "\(port)", &hints, &list)
                defer { freeaddrinfo(list) }
                let address = try #require(list)
                let answer = connect(
                    descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen)
                guard answer == 0 else { throw RawClient.Failure(number: errno) }
            }

            deinit { close(descriptor) }

            func send(_ text: String) {
                _ = Foundation.send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL))
            }

            /// All until the other end closes; nil where it does not for ten seconds.
            func rest() -> String? {
                var text = ""
                var bytes = [UInt8](repeating: 0, count: 1 << 16)
                while true {
                    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                    guard poll(&entry, 1, 10_000) > 0 else { return nil }
                    let count = recv(descriptor, &bytes, bytes.count, 0)
                    guard count > 0 else { return text }
                    text += String(decoding: bytes[..<count], as: UTF8.self)
                }
            }
        }

        private static func server(
            _ limits: HTTPServer.Limits = HTTPServer.Limits()
        ) throws -> HTTPServer {
            try HTTPServer(
                port: 0, limits: limits,
                pages: [
                    "/metrics": {
                        HTTPServer.Answer(contentType: "text/x", text: "for \($0 ?? "all")\n")
                    },
                    "/large": { _ in
                        HTTPServer.Answer(
                            contentType: "text/x", text: String(repeating: "l", count: 8 << 20))
                    },
                ])
        }

        private static func answer(
            _ server: HTTPServer, _ request: String, isSix: Bool = false
        ) throws -> String? {
            let peer = try Peer(server.port, isSix: isSix)
            peer.send(request)
            return peer.rest()
        }

        @Test("answers GET and HEAD, says what else is not taken, and closes")
        func methods() throws {
            let server = try Self.server()
            defer { server.stop() }
            let get = try #require(
                try Self.answer(
                    server, "GET /metrics?x=1 HTTP/1.1\r\nHost: a\r\nAccept: me\r\n\r\n"))
            #expect(get.hasPrefix("HTTP/1.1 200 OK\r\n") && get.hasSuffix("\r\n\r\nfor me\n"))
            #expect(get.contains("Content-Type: text/x\r\n") && get.contains("Connection: close"))
            let head = try #require(
                try Self.answer(server, "HEAD /metrics HTTP/1.1\r\nHost: a\r\n\r\n"))
            #expect(head.contains("Content-Length: 8\r\n") && head.hasSuffix("\r\n\r\n"))
            for method in ["POST", "PUT", "DELETE", "OPTIONS", "X"] {
                let head =
                    "\(method) /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 900000\r\n\r\n"
                let answer = try #require(try Self.answer(server, head))
                #expect(answer.hasPrefix("HTTP/1.1 405 "), "\(answer)")
                #expect(answer.contains("Allow: GET, HEAD\r\n"))
            }
            for path in ["/", "/metrics/", "/../metrics", "/%00", "/METRICS"] {
                let answer = try #require(
                    try Self.answer(server, "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n"))
                #expect(answer.hasPrefix("HTTP/1.1 404 "), "\(path): \(answer)")
            }
        }

        @Test("is there on both loopback addresses, and on no other")
        func addresses() throws {
            let server = try Self.server()
            defer { server.stop() }
            let request = "GET /metrics HTTP/1.0\r\n\r\n"
            #expect(try Self.answer(server, request)?.hasSuffix("for all\n") == true)
            let table = try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)
            let port = String(server.port, radix: 16, uppercase: true)
            let own = table.split(separator: "\n").filter {
                $0.contains(":0A ") || $0.contains(" 0A ")
            }
            .filter {
                $0.contains(
                    ":\(String(repeating: "0", count: 4 - port.count))\(port) 00000000:0000")
            }
            #expect(own.count == 1 && own[0].contains("0100007F:"), "\(own)")
            if (try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8))?.contains(" lo")
                == true
            {
                #expect(
                    try Self.answer(server, request, isSix: true)?.hasSuffix("for all\n") == true)
            }
        }

        @Test("rubbish, floods and headers without end harm who sends them alone")
        func hostile() throws {
            let server = try Self.server()
            defer { server.stop() }
            for text in [
                "\u{0}\u{1}\u{2}\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\r\n\r\n\r\n",
                "GET /metrics HTTP/1.1\r\nX: " + String(repeating: "y", count: 100_000),
                "GET /" + String(repeating: "z", count: 100_000) + " HTTP/1.1\r\n\r\n",
                String(repeating: "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n", count: 200),
            ] {
                let peer = try Peer(server.port)
                peer.send(text)
                shutdown(peer.descriptor, Int32(SHUT_WR))
                _ = peer.rest()
                #expect(
                    try Self.answer(server, "GET /metrics HTTP/1.0\r\n\r\n")?.hasSuffix("for all\n")
                        == true, "\(text.prefix(30))")
            }
        }

        @Test("those who send or read slowly are cut, and the others have their place then")
        func slow() throws {
            var limits = HTTPServer.Limits()
            (limits.connections, limits.lifeSeconds) = (4, 0.5)
            let server = try Self.server(limits)
            defer { server.stop() }
            var peers: [Peer] = []
            for number in 0..<4 {
                let peer = try Peer(server.port)
                peer.send(number < 2 ? "GET /metr" : "GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
                peers.append(peer)
            }
            #expect(
                try eventually(within: 30) {
                    try Self.answer(server, "GET /metrics HTTP/1.0\r\n\r\n")?.hasSuffix("for all\n")
                        == true
                })
            for peer in peers { #expect(peer.rest() != nil, "it was not closed") }
        }

        @Test("a page is made once for many who ask at the same time, and stopping closes all")
        func kept() throws {
            let count = Mutex(0)
            var limits = HTTPServer.Limits()
            limits.keptSeconds = 1_000
            let server = try HTTPServer(
                port: 0, limits: limits,
                pages: [
                    "/metrics": { _ in
                        count.withLock { $0 += 1 }
                        return HTTPServer.Answer(contentType: "text/x", text: "x")
                    }
                ])
            for _ in 0..<20 { _ = try Self.answer(server, "GET /metrics HTTP/1.0\r\n\r\n") }
            #expect((1...2).contains(count.withLock { $0 }), "a thread for each address")
            let idle = try Peer(server.port)
            server.stop()
            #expect(idle.rest() != nil)
            #expect(throws: (any Error).self) { try Peer(server.port) }
        }
    }
}
