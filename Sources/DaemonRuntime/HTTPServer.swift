import CGlibc
import CMicrohttpd
import Dispatch
import Glibc
import Synchronization

/// Answers GET on the loopback addresses alone, for collectors of metrics.
///
/// Each address has one thread, which no client can hold up: a connection has one request, so
/// many bytes of headers and so many seconds, and only a few are served at a time. What is asked
/// too often is answered from what was said a moment ago.
public final class HTTPServer: Sendable {
    public struct Limits: Sendable {
        /// Connections at a time, on each address.
        public var connections: UInt32 = 32
        /// Seconds of silence.
        public var idleSeconds: UInt32 = 10
        /// Seconds of wall time for a whole connection: then it is cut, done or not.
        public var lifeSeconds = 30.0
        /// Bytes of memory for the headers of one request.
        public var headerBytes = 32 << 10
        /// Seconds for which an answer is given again.
        public var keptSeconds = 0.2

        public init() {}
    }

    public struct Answer: Sendable {
        public var contentType: String
        public var text: String

        public init(contentType: String, text: String) {
            (self.contentType, self.text) = (contentType, text)
        }
    }

    public struct Failure: Error, Sendable {
        public let message: String
    }

    /// Makes a page, from the value of the request's `Accept`; on one of the server's threads.
    public typealias Page = @Sendable (_ accept: String?) -> Answer

    /// Those with which libmicrohttpd was built, as `1.2.3`.
    public static var libraryVersion: String { String(cString: MHD_get_version()) }

    /// As bound: of use where the system chose one.
    public let port: UInt16
    private let core: HTTPCore
    /// Safe: set in `init` and read in `stop`, once.
    nonisolated(unsafe) private let daemons: [OpaquePointer]
    private let isStopped = Atomic(false)

    /// Binds and serves 127.0.0.1, and ::1 where this machine has it.
    ///
    /// - Parameters:
    ///   - port: 0 lets the system choose one.
    ///   - pages: by path.
    public init(
        port: UInt16, limits: Limits = Limits(), pages: [String: Page]
    ) throws(Failure) {
        core = HTTPCore(pages: pages, limits: limits)
        let first = try HTTPListener.bind(port: port, isSix: false)
        guard let first else { throw Failure(message: "this machine has no address 127.0.0.1") }
        self.port = first.port
        var listeners = [first]
        do throws(Failure) {
            if let second = try HTTPListener.bind(port: first.port, isSix: true) {
                listeners.append(second)
            }
        } catch {
            close(first.descriptor)
            throw error
        }
        // Held by the daemons until `stop` has ended them.
        let context = Unmanaged.passUnretained(core).toOpaque()
        var started: [OpaquePointer] = []
        for listener in listeners {
            let daemon = locfleet_http_start(
                listener.descriptor, limits.connections, limits.idleSeconds, limits.headerBytes,
                HTTPCore.answer, context, HTTPCore.notify)
            if let daemon {
                started.append(daemon)
            } else {
                close(listener.descriptor)
            }
        }
        daemons = started
        guard started.count == listeners.count else {
            for daemon in started { MHD_stop_daemon(daemon) }
            isStopped.store(true, ordering: .relaxed)
            throw Failure(message: "port \(first.port): no thread can be had to serve it")
        }
    }

    deinit { stop() }

    /// Ends all connections, and closes the port.
    public func stop() {
        guard !isStopped.exchange(true, ordering: .sequentiallyConsistent) else { return }
        for daemon in daemons { MHD_stop_daemon(daemon) }
    }
}

/// A socket that listens on a loopback address.
private struct HTTPListener {
    let descriptor: Int32
    let port: UInt16

    /// - Returns: nil where the machine has no such address.
    static func bind(port: UInt16, isSix: Bool) throws(HTTPServer.Failure) -> HTTPListener? {
        let name = isSix ? "[::1]:\(port)" : "127.0.0.1:\(port)"
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(isSix ? AF_INET6 : AF_INET, type, 0)
        guard descriptor >= 0 else {
            if isSix { return nil }
            throw failure(name, "socket")
        }
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        // A port that a daemon has just left is free at once.
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, size)
        if isSix { setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &on, size) }
        guard bind(descriptor, port, isSix: isSix) == 0 else {
            let number = errno
            close(descriptor)
            if isSix, number == EADDRNOTAVAIL { return nil }
            if number == EADDRINUSE {
                throw HTTPServer.Failure(
                    message: "\(name): another program has this port; stop it, or name another")
            }
            throw HTTPServer.Failure(message: "\(name): bind: \(systemMessage(number))")
        }
        guard listen(descriptor, 64) == 0, let bound = boundPort(descriptor) else {
            let failure = failure(name, "listen")
            close(descriptor)
            throw failure
        }
        return HTTPListener(descriptor: descriptor, port: bound)
    }

    private static func bind(_ descriptor: Int32, _ port: UInt16, isSix: Bool) -> Int32 {
        guard isSix else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            return withBytes(&address) { Glibc.bind(descriptor, $0, $1) }
        }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        address.sin6_addr = in6addr_loopback
        return withBytes(&address) { Glibc.bind(descriptor, $0, $1) }
    }

    private static func boundPort(_ descriptor: Int32) -> UInt16? {
        var address = sockaddr_in6()  // The port stands in the same place in both.
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let answer = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &size)
            }
        }
        return answer == 0 ? UInt16(bigEndian: address.sin6_port) : nil
    }

    private static func withBytes<Address>(
        _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    private static func failure(_ name: String, _ call: String) -> HTTPServer.Failure {
        HTTPServer.Failure(message: "\(name): \(call): \(systemMessage())")
    }
}
