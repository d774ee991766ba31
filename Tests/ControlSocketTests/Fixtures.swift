import ControlProtocol
import DaemonRuntime
import Foundation
import Synchronization
import Testing

/// All tests over real sockets, one after the other: some count the process's descriptors.
@Suite("Over a real socket", .serialized)
enum ControlSocketSuite {}

/// Looks at `condition` until it holds; false when it does not within ten seconds.
func eventually(_ condition: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(10)
    while !condition() {
        guard ContinuousClock.now < deadline else { return false }
        poll(nil, 0, 1)
    }
    return true
}

/// A folder for one test's socket, as short as a socket's path has to be.
final class SocketFolder {
    let path: String

    init() {
        var name = Array(("/tmp/lfs-" + String(repeating: "X", count: 6)).utf8CString)
        path = String(cString: mkdtemp(&name))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var socket: String { path + "/s" }

    /// Type and permissions of the socket's file; nil when there is none.
    var mode: mode_t? {
        var status = stat()
        return lstat(socket, &status) == 0 ? status.st_mode : nil
    }
}

/// Answers by the fleet's name, or holds its answers back.
final class FakeHandler: ControlHandler {
    private struct State {
        var requests: [ControlRequest] = []
        var held: [@Sendable (Result<String, ControlError>) -> Void] = []
        var watchers: [ControlConnection] = []
        var closed: [UInt64] = []
    }

    private let state = Mutex(State())

    var requests: [ControlRequest] { state.withLock(\.requests) }
    var watchers: [ControlConnection] { state.withLock(\.watchers) }
    var closed: [UInt64] { state.withLock(\.closed) }
    var heldCount: Int { state.withLock(\.held.count) }

    /// - `fleet.show NAME`: the name. - `why`: as many letters as the device's number says.
    /// - `fleet.pause`: nothing until `release`. - `fleet.delete`: refused. - `fleet.stop`: no answer.
    /// - `watch`: subscribes, and is told "now" at once. - Others: true.
    func handle(
        _ request: ControlRequest, from connection: ControlConnection,
        reply: @escaping @Sendable (Result<String, ControlError>) -> Void
    ) {
        state.withLock { $0.requests.append(request) }
        switch request {
        case .fleetShow(let fleet): reply(.success("{\n\"fleet\":\"\(fleet)\"\n}"))
        case .why(_, let device, _, _):
            reply(.success("\"\(String(repeating: "w", count: Int(device)))\""))
        case .fleetPause: state.withLock { $0.held.append(reply) }
        case .fleetDelete(let fleet):
            reply(.failure(ControlError(.noSuchFleet, "no fleet '\(fleet)'", parameter: "fleet")))
        case .fleetStop: break
        case .watch:
            state.withLock { $0.watchers.append(connection) }
            connection.setHasSubscriptions(true)
            reply(.success(#"{"subscription":"s1"}"#))
            _ = connection.notify(ControlMessage.notification("record", #"{"n":"now"}"#))
        default: reply(.success("true"))
        }
    }

    func closed(_ connection: ControlConnection) {
        state.withLock { $0.closed.append(connection.id) }
    }

    func release() {
        let held = state.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        for reply in held { reply(.success(#""released""#)) }
    }
}

/// A server, what answers it and where it is, for one test.
final class Served {
    let folder = SocketFolder()
    let handler = FakeHandler()
    let server: ControlServer
    private var isStopped = false

    init(mode: UInt16 = 0o600, _ change: (inout ControlLimits) -> Void = { _ in }) throws {
        var limits = ControlLimits()
        change(&limits)
        let options = ControlServer.Options(path: folder.socket, mode: mode, limits: limits)
        server = try ControlServer(options, handler: handler)
        server.start()
    }

    deinit { if !isStopped { stop() } }

    func connect() throws -> RawClient { try RawClient(folder.socket) }

    /// Stops the server and waits for that.
    @discardableResult
    func stop(within seconds: Double = 0) -> Bool {
        isStopped = true
        let isDone = Flag()
        server.stop(within: seconds) { isDone.raise() }
        return eventually { isDone.isRaised }
    }
}

final class Flag: Sendable {
    private let value = Atomic(false)
    var isRaised: Bool { value.load(ordering: .acquiring) }
    func raise() { value.store(true, ordering: .releasing) }
}

/// A peer that does what the test says.
final class RawClient {
    struct Failure: Error { let number: Int32 }

    private(set) var descriptor: Int32
    private var received: [UInt8] = []

    init(_ path: String) throws {
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

    func close() {
        if descriptor >= 0 { Foundation.close(descriptor) }
        descriptor = -1
    }

    /// Waits until the kernel has taken all, or the peer is gone.
    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
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
    func sendSome(_ bytes: [UInt8]) -> Int {
        Foundation.send(
            descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }

    func shutDownWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// The next line, or nil at the end, or when none comes within ten seconds.
    func line() -> String? {
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
    var isAtEnd: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 10_000) > 0 && line() == nil && received.isEmpty
    }
}

/// A request's line, with its newline.
func request(_ id: Int, _ method: String, _ parameters: String = "{}") -> String {
    #"{"id":\#(id),"method":"\#(method)","params":\#(parameters)}"# + "\n"
}

func response(_ id: Int, _ result: String) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#
}

/// The code in a line that refuses something.
func refusal(in line: String?) -> String? {
    line?.firstMatch(of: /"data":{"code":"([a-z_]+)"/).map { String($0.1) }
}

/// The sockets that this process has open. Other tests of the process open files, but no sockets.
var socketCount: Int {
    let folder = "/proc/self/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.count { name in
        let target = try? FileManager.default.destinationOfSymbolicLink(
            atPath: "\(folder)/\(name)")
        return target?.hasPrefix("socket:") ?? false
    }
}
