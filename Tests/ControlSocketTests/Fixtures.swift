import ControlProtocol
import DaemonRuntime
import Foundation
import Synchronization
import TestSupport
import Testing

/// All tests over real sockets, one after the other: some fill the process's table of descriptors.
@Suite("Over a real socket", .serialized)
enum ControlSocketSuite {}

/// Answers by the fleet's name, or holds its answers back.
final class FakeHandler: ControlHandler {
    private struct State {
        var requests: [ControlRequest] = []
        var held: [@Sendable (Result<String, ControlError>) -> Void] = []
        var watchers: [ControlConnection] = []
        var closed: [UInt64] = []
        var abandoned: [UInt64] = []
    }

    private let state = Mutex(State())

    var requests: [ControlRequest] { state.withLock(\.requests) }
    var watchers: [ControlConnection] { state.withLock(\.watchers) }
    var closed: [UInt64] { state.withLock(\.closed) }
    var abandoned: [UInt64] { state.withLock(\.abandoned) }
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
        case .why(_, let device, _, _, _):
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

    func abandoned(_ connection: ControlConnection) {
        state.withLock { $0.abandoned.append(connection.id) }
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
