import CGlibc
import Glibc

/// The socket calls of the control server, each tried again when a signal interrupted it. None
/// waits.
enum ControlDescriptor {
    /// The kernel's `struct ucred`. Source: unix(7), SO_PEERCRED, Linux man-pages 6.9.
    private struct Credentials {
        var pid: Int32 = 0
        var uid: UInt32 = 0
        var gid: UInt32 = 0
    }

    /// A stream socket that is closed on exec and never waits, or -1.
    static func make() -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        return socket(AF_UNIX, type, 0)
    }

    /// The next newcomer, or -1 with `errno` set.
    static func accept(_ listener: Int32) -> Int32 {
        retrying {
            accept4(listener, nil, nil, Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue))
        }
    }

    static func peer(of descriptor: Int32) -> ControlPeer? {
        var credentials = Credentials()
        var size = socklen_t(MemoryLayout<Credentials>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else {
            return nil
        }
        return ControlPeer(pid: credentials.pid, uid: credentials.uid, gid: credentials.gid)
    }

    /// Whether the other end is closed in both directions.
    static func isPeerGone(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        guard retrying({ poll(&entry, 1, 0) }) > 0 else { return false }
        return Int32(entry.revents) & (POLLHUP | POLLERR | POLLNVAL) != 0
    }

    /// Sends what fits; -1 with `errno` set. No signal when the peer is gone.
    static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int {
        bytes.withUnsafeBytes { buffer in
            retrying {
                Glibc.send(
                    descriptor, buffer.baseAddress, buffer.count,
                    Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
        }
    }

    /// Reads what is there: 0 at the end of the peer's writing, -1 with `errno` set.
    static func receive(
        _ buffer: UnsafeMutableBufferPointer<UInt8>, from descriptor: Int32
    ) -> Int {
        retrying { recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)) }
    }

    /// Whether the last call failed only because it would have had to wait.
    static var wouldWait: Bool { errno == EAGAIN || errno == EWOULDBLOCK }

    /// Whether the last `accept` failed only because the newcomer left again.
    static var isNewcomerGone: Bool { errno == ECONNABORTED || errno == EPROTO }

    /// A descriptor that is kept to be given up, or -1.
    static func makeSpare() -> Int32 { open("/dev/null", O_RDONLY | O_CLOEXEC) }

    /// Another descriptor of the same socket, or -1.
    static func duplicate(_ descriptor: Int32) -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }

    static var ownUser: UInt32 { geteuid() }

    static func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

    /// Says one line to somebody who is not served, as far as it fits, and closes.
    static func turnAway(_ descriptor: Int32, _ line: String) {
        _ = send(Array((line + "\n").utf8)[...], to: descriptor)
        close(descriptor)
    }

    /// Calls `body` with the address of `path`, which was checked to fit.
    static func withAddress<Value>(
        of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        withAddress(Array(path.utf8), size: MemoryLayout<sockaddr_un>.size, body)
    }

    /// Calls `body` with the address of a path, or of the abstract name after `@`, which was
    /// checked to fit. An abstract name ends where its address does.
    static func withAddress<Value>(
        bytes: [UInt8], _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        let isAbstract = bytes.first == UInt8(ascii: "@")
        let name = isAbstract ? [0] + bytes.dropFirst() : bytes
        return withAddress(name, size: pathOffset + name.count + (isAbstract ? 0 : 1), body)
    }

    private static let pathOffset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2

    private static func withAddress<Value>(
        _ name: [UInt8], size: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(size))
            }
        }
    }

    /// The path that a socket is bound to, or `@` and its abstract name; nil: to none.
    static func path(of descriptor: Int32) -> String? {
        var address = sockaddr_un()
        var size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let answer = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &size)
            }
        }
        guard answer == 0, Int(size) > pathOffset else { return nil }
        let name = withUnsafeBytes(of: &address.sun_path) {
            Array($0.prefix(Int(size) - pathOffset))
        }
        guard name[0] == 0 else {
            return String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
        }
        return "@" + String(decoding: name.dropFirst(), as: UTF8.self)
    }

    static func retrying<Count: BinaryInteger>(_ call: () -> Count) -> Count {
        while true {
            let count = call()
            if count != -1 || errno != EINTR { return count }
        }
    }
}

/// What `errno` means, in the system's words.
func systemMessage(_ number: Int32 = errno) -> String { String(cString: strerror(number)) }
