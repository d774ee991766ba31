import Foundation

/// A Unix socket as somebody else would make it, bound to a path or to `@` and an abstract name.
public final class LocalSocket {
    public let descriptor: Int32
    /// Somebody else has closed it.
    public var isClosed = false

    public init(_ name: String, type: __socket_type = SOCK_STREAM, listens: Bool = false) {
        descriptor = socket(AF_UNIX, Int32(type.rawValue), 0)
        let isAbstract = name.hasPrefix("@")
        let bytes: [UInt8] = isAbstract ? [0] + name.utf8.dropFirst() : Array(name.utf8) + [0]
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let answer = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size)
            }
        }
        precondition(answer == 0, "\(name): \(String(cString: strerror(errno)))")
        if listens { precondition(listen(descriptor, 16) == 0, "\(name) cannot listen") }
    }

    deinit { if !isClosed { close(descriptor) } }

    /// The next datagram; nil where none comes within ten seconds.
    public func datagram() -> String? {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 10_000) > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }
}
