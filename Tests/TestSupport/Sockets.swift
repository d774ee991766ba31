import Foundation
import Synchronization

/// Looks at `condition` until it holds; false when it does not within so many seconds.
public func eventually(within seconds: Double = 10, _ condition: () throws -> Bool) rethrows -> Bool
{
    let deadline = ContinuousClock.now + .seconds(seconds)
    while try !condition() {
        guard ContinuousClock.now < deadline else { return false }
        poll(nil, 0, 1)
    }
    return true
}

/// A folder for one test's socket, as short as a socket's path has to be.
public final class SocketFolder {
    public let path: String

    public init() {
        _ = pipeSignalIsCaught
        var name = Array(("/tmp/lfs-" + String(repeating: "X", count: 6)).utf8CString)
        path = String(cString: mkdtemp(&name))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    public var socket: String { path + "/s" }
    /// Where a daemon keeps its fleets.
    public var state: String { path + "/state" }

    /// Type and permissions of the socket's file; nil when there is none.
    public var mode: mode_t? {
        var status = stat()
        return lstat(socket, &status) == 0 ? status.st_mode : nil
    }
}

public final class Flag: Sendable {
    private let value = Atomic(false)
    public init() {}

    public var isRaised: Bool { value.load(ordering: .acquiring) }
    public func raise() { value.store(true, ordering: .releasing) }
}

/// A peer that does what the test says.
public final class RawClient {
    public struct Failure: Error {
        public let number: Int32
        public init(number: Int32) { self.number = number }
    }

    public private(set) var descriptor: Int32
    private var received: [UInt8] = []

    public init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = descriptor
        let answer = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard answer == 0 else { throw Failure(number: errno) }
    }

    deinit { close() }

    public func close() {
        if descriptor >= 0 { Foundation.close(descriptor) }
        descriptor = -1
    }

    /// Waits until the kernel has taken all, or the peer is gone.
    public func send(_ text: String) { send(Array(text.utf8)) }

    public func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Sends what the kernel takes without waiting.
    public func sendSome(_ bytes: [UInt8]) -> Int {
        Foundation.send(
            descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }

    public func shutDownWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// The next line, or nil at the end, or when none comes within ten seconds.
    public func line() -> String? {
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                defer { received.removeSubrange(...end) }
                return String(decoding: received[..<end], as: UTF8.self)
            }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 10_000) > 0 else { return nil }
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            guard count > 0 else { return nil }
            received += bytes[..<count]
        }
    }

    /// Whether the server closed, and nothing more was said.
    public var isAtEnd: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 10_000) > 0 && line() == nil && received.isEmpty
    }
}

/// A request's line, with its newline.
public func request(_ id: Int, _ method: String, _ parameters: String = "{}") -> String {
    #"{"id":\#(id),"method":"\#(method)","params":\#(parameters)}"# + "\n"
}

public func response(_ id: Int, _ result: String) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#
}

/// The code in a line that refuses something.
public func refusal(in line: String?) -> String? {
    line?.firstMatch(of: /"data":{"code":"([a-z_]+)"/).map { String($0.1) }
}

/// The sockets bound in `folder`, and those accepted there, that a process has open: descriptors,
/// not counting those of clients.
public func socketCount(in folder: String) -> Int {
    // Foundation takes the first short read for the end, and this table comes in many.
    guard let file = fopen("/proc/net/unix", "r") else { return 0 }
    defer { fclose(file) }
    var (table, line) = ("", [CChar](repeating: 0, count: 1_024))
    while fgets(&line, Int32(line.count), file) != nil {
        table += String(
            decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    let own = table.split(separator: "\n").compactMap { line -> String? in
        let fields = line.split(separator: " ", omittingEmptySubsequences: true)
        guard fields.count > 7, fields[7].hasPrefix(folder) else { return nil }
        return "socket:[\(fields[6])]"
    }
    let inodes = Set(own)
    let descriptors = "/proc/self/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: descriptors)) ?? []
    return names.count { name in
        let target = try? FileManager.default.destinationOfSymbolicLink(
            atPath: "\(descriptors)/\(name)")
        return target.map(inodes.contains) ?? false
    }
}
