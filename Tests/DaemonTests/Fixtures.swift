import Bundles
import ControlProtocol
import ControlService
import DaemonRuntime
import Foundation
import JSONText
import SimPrimitives
import Simulation
import Synchronization
import TestSupport
import Testing

/// Everything about the daemon, one test after the other: they compare what fleets get done.
@Suite("The daemon", .serialized)
enum DaemonSuite {}

/// The demo's scenario for a small population, with a few of its keys set.
func bundle(
    devices: UInt64 = 600, days: Double = 4, _ sets: [String: String] = [:], arms: [String] = []
) throws -> Bundles.Bundle {
    try reader.read(
        scenarioPath: projectRoot.appending(path: "config/scenarios/progressive.json5")
            .path(percentEncoded: false),
        overrides: Overrides(
            devices: devices, days: days,
            sets: sets.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) },
            arms: arms))
}

private let reader = BundleReader.withLua(library: [projectRoot])

extension Bundles.Bundle {
    /// What happens to it in this process, without a daemon.
    func played(
        workers: Int = 1, journal: [Intervention] = []
    ) throws -> (end: FleetRunner.End, figures: FleetFigures) {
        let runner = try FleetRunner(
            arms, options: FleetRunner.Options(workers: workers), journal: journal)
        return (runner.run(), runner.figures())
    }

    /// A fleet of it, not started.
    func fleet(
        _ name: String = "a", _ rate: FleetRate = .max, on pool: WorkerPool
    ) throws -> Fleet {
        try Fleet(name: name, arms: arms, groups: .one, rate: rate, pool: pool)
    }

    /// All files by hash, with the manifest.
    var files: [String: [UInt8]] {
        var files = Dictionary(blobs.map { ($0.sha256, $0.bytes) }) { first, _ in first }
        files[sha256] = Array(manifest.utf8)
        return files
    }
}

/// Keeps what is told once, from any thread.
final class Slot<Value: Sendable>: Sendable {
    private let content = Mutex<Value?>(nil)
    var value: Value? { content.withLock { $0 } }
    func fill(_ value: Value) { content.withLock { $0 = value } }
}

/// Asks, and waits for the answer.
@discardableResult
func answer<Value: Sendable>(
    _ ask: (@escaping @Sendable (Result<Value, ControlError>) -> Void) -> Void
) throws -> Value {
    let slot = Slot<Result<Value, ControlError>>()
    ask { slot.fill($0) }
    try #require(eventually(within: 60) { slot.value != nil }, "no answer came")
    return try #require(slot.value).get()
}

extension Fleet {
    /// Waits for the end of its life.
    func end() throws -> FleetStatus {
        try #require(eventually(within: 60) { self.status.state.isFinal }, "\(name) does not end")
        return status
    }

    /// Runs it from its start to its end.
    func lived() throws -> FleetStatus {
        try answer(start)
        return try end()
    }
}

/// A daemon in this process, on a socket of its own.
final class Hosted {
    let folder = SocketFolder()
    let service: FleetService
    let server: ControlServer
    let isAskedToStop = Flag()

    init(workers: Int = 2) throws {
        let flag = isAskedToStop
        service = FleetService(reader: .withLua(library: []), workers: workers) { flag.raise() }
        server = try ControlServer(
            ControlServer.Options(path: folder.socket), handler: service)
        service.attach(to: server)
        server.start()
    }

    deinit {
        service.stopFleets()
        let isDone = Flag()
        server.stop(within: 0) { isDone.raise() }
        _ = eventually { isDone.isRaised }
    }

    func connect() throws -> Caller { try Caller(folder.socket) }
}

/// A client that asks one thing after the other, and keeps what it is told meanwhile.
final class Caller {
    let raw: RawClient
    private var lastID = 0
    private var told: [JSONNode] = []

    init(_ path: String) throws { raw = try RawClient(path) }

    /// The whole reply.
    func ask(_ method: String, _ parameters: String = "{}") throws -> JSONNode {
        lastID += 1
        raw.send(request(lastID, method, parameters))
        while true {
            let line = try #require(raw.line(), "\(method): no answer")
            let node = try JSONReader.read(Array(line.utf8), as: .json)
            if node["id"]?.number == "\(lastID)" {
                check(node, of: method)
                return node
            }
            told.append(node)
        }
    }

    /// Every answer is as the table of methods says, whatever a test asks for.
    private func check(_ reply: JSONNode, of name: String) {
        guard let method = ControlMethod(name: name) else { return }
        if let result = reply["result"] {
            #expect(method.result.accepts(result.value), "\(name): \(result.text)")
        }
        if let code = reply["error"]?["data"]?["code"]?.string {
            #expect(method.errors.map(\.rawValue).contains(code), "\(name) refuses with \(code)")
        }
    }

    private func check(_ notification: JSONNode) {
        let name = notification["method"]?.string
        let known = ControlMethod.allCases.compactMap(\.notification).first { $0.name == name }
        guard let parameters = notification["params"] else { return }
        #expect(known?.form.accepts(parameters.value) == true, "\(parameters.text)")
    }

    /// The result, which must be there.
    @discardableResult
    func call(_ method: String, _ parameters: String = "{}") throws -> JSONNode {
        let reply = try ask(method, parameters)
        return try #require(reply["result"], "\(method): \(reply.text)")
    }

    /// The code and the message of the refusal, which must be one.
    func refusal(
        _ method: String, _ parameters: String = "{}"
    ) throws -> (code: String, message: String) {
        let reply = try ask(method, parameters)
        let error = try #require(reply["error"], "\(method): \(reply.text)")
        return (
            try #require(error["data"]?["code"]?.string), try #require(error["message"]?.string)
        )
    }

    /// The next notification's parameters; nil when none comes.
    func next() throws -> JSONNode? {
        if !told.isEmpty { return told.removeFirst()["params"] }
        guard let line = raw.line() else { return nil }
        let node = try JSONReader.read(Array(line.utf8), as: .json)
        check(node)
        return node["params"]
    }

    /// Sends all files of a bundle.
    func send(_ bundle: Bundles.Bundle) throws {
        for (hash, bytes) in bundle.files { try put(hash, bytes) }
    }

    func put(_ hash: String, _ bytes: [UInt8]) throws {
        try call(
            "blob.put",
            #"{"sha256":"\#(hash)","offset":0,"base64":"\#(Base64.encode(bytes))","last":true}"#)
    }

    /// Sends a bundle and makes a fleet of it.
    @discardableResult
    func create(_ name: String, _ bundle: Bundles.Bundle, _ more: String = "") throws -> JSONNode {
        try send(bundle)
        return try call(
            "fleet.create", #"{"name":"\#(name)","bundle":"\#(bundle.sha256)"\#(more)}"#)
    }

    func show(_ name: String) throws -> JSONNode { try call("fleet.show", named(name)) }

    /// Waits for the end of a fleet's life, and shows it.
    func end(of name: String) throws -> JSONNode {
        let final: Set<String?> = ["finished", "stopped", "failed"]
        let isOver = try eventually(within: 60) { final.contains(try show(name)["state"]?.string) }
        try #require(isOver, "\(name) does not end")
        return try show(name)
    }
}

/// The parameters of a call about one fleet.
func named(_ fleet: String) -> String { #"{"fleet":"\#(fleet)"}"# }

extension JSONNode {
    /// The names of its members, in their order.
    var keys: [String] {
        if case .object(let members) = value { members.map(\.name) } else { [] }
    }
}

/// The least scenario, with scripts of the test's own.
func ownBundle(
    behavior: String = "return { answer_prompt = function() return 'dont_allow' end }",
    strategy: String = "progressive.lua", _ more: String = ""
) throws -> Bundles.Bundle {
    let folder = try ScratchFolder()
    try folder.write(behavior, to: "own.lua")
    let path = try folder.write(
        """
        { name: "own", devices: 50, duration: "10d",
          personas: [{ name: "all", behavior: "own.lua" }],
          app: { info_plist: "apps/store-finder/Info.plist", strategy: "\(strategy)",
                 features: ["store_finder"] }, \(more) }
        """, to: "own.json5")
    return try reader.read(scenarioPath: path)
}
