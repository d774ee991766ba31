import CLuaShim
import SimPrimitives
import Simulation

/// A file of tests, loaded into a Lua state of its own. See scripts/README.md.
///
/// What the tests do to devices goes to `ask`, and so does what the file declares. Each test is
/// meant to run in a state of its own, so that none learns of another.
public final class LuaTests {
    /// What a file of tests may use at most.
    public static let limits: ScriptLimits = {
        var limits = ScriptLimits()
        limits.instructionsMax = 10_000_000  // Of one test, and of loading the file.
        return limits
    }()

    private let source: ScriptSource
    private let state: LuaState
    private let desk: TestDesk
    private var tests: OpaquePointer?

    /// - Parameters:
    ///   - ask: does what a test wants, a name and its arguments, or throws why it cannot be.
    /// - Throws: `ScriptError` when the file does not load, or declares what a file does not have.
    public init(
        _ source: ScriptSource, onPrint: @escaping (String) -> Void = { _ in },
        ask: @escaping (String, [TestValue]) throws(TestRefusal) -> TestValue
    ) throws(ScriptError) {
        self.source = source
        state = try LuaState(
            deviceCount: 0, zone: .utc, names: NameTable(), limits: Self.limits,
            onPrint: { text, _ in onPrint(text) }, for: source.name)
        desk = TestDesk(ask)
        guard source.text.utf8.count <= Self.limits.sourceBytesMax else {
            throw ScriptError(
                .sourceTooLong, script: source.name,
                reason: "a file of tests has at most \(Self.limits.sourceBytesMax) bytes")
        }
        var status = CLUA_OK
        let prelude = PackageResources.tests_lua
        tests = clua_tests_open(
            state.pointer, desk.callbacks, prelude, prelude.count, &status)
        guard tests != nil else {
            throw ScriptError(.outOfMemory, script: source.name, reason: "no room for tests")
        }
        try check(status)
        let text = source.text
        try check(
            drawing(seed: 0) { _ in
                clua_tests_load(tests, text, text.utf8.count, "=" + Place.chunk(source.name))
            })
    }

    deinit { clua_tests_close(tests) }

    /// - Parameter seed: of what the test itself draws.
    /// - Throws: `ScriptError`, with the line of the file where the test ended.
    public func run(_ name: String, seed: UInt64) throws(ScriptError) {
        try check(drawing(seed: seed) { _ in clua_tests_run(tests, name, name.utf8.count) })
    }

    /// With a stream of chance for `rng`.
    private func drawing(seed: UInt64, _ call: (Void) -> clua_status) -> clua_status {
        // A device number that no person of a test has.
        var random = RandomStream(
            seed: seed, device: DeviceID(.max), purpose: .app, occasion: 0)
        return withUnsafeMutablePointer(to: &random) { stream in
            state.frame.pointee.random = UnsafeMutableRawPointer(stream)
            defer { state.frame.pointee.random = nil }
            return call(())
        }
    }

    private func check(_ status: clua_status) throws(ScriptError) {
        guard status != CLUA_OK else { return }
        let place = Place(of: state.message, in: source.name)
        if let slip = desk.slip {
            throw ScriptError(
                .invalid, script: source.name, line: source.line(of: slip.path),
                reason: slip.message)
        }
        throw ScriptError(
            ScriptError.Code(status), script: source.name, line: place.line, reason: place.reason)
    }
}

/// Why a test cannot have what it asks for: what is true and what would be accepted.
public struct TestRefusal: Error, Equatable, Sendable {
    public let message: String

    public init(_ message: String) { self.message = message }
}

/// What the C side asks. It outlives the state, which keeps a pointer to it.
private final class TestDesk {
    /// A key of the file that is wrong, and why.
    private(set) var slip: (path: [String], message: String)?
    private let ask: (String, [TestValue]) throws(TestRefusal) -> TestValue
    /// The answer that C reads last: as it is until the next one.
    private var reply: [UInt8] = []
    private var held: UnsafeMutableBufferPointer<UInt8>?

    init(_ ask: @escaping (String, [TestValue]) throws(TestRefusal) -> TestValue) {
        self.ask = ask
    }

    deinit { held?.deallocate() }

    /// - Precondition: this object outlives every use of them.
    var callbacks: clua_test_host {
        clua_test_host(
            context: Unmanaged.passUnretained(self).toOpaque(),
            ask: { context, bytes, count, reply, replyCount in
                // Never nil: C hands on what is given above, and its own variables.
                let desk = Unmanaged<TestDesk>.fromOpaque(context!).takeUnretainedValue()
                let request = UnsafeRawBufferPointer(start: bytes, count: count)
                let (isDone, answer) = desk.answer(request)
                reply!.pointee = UnsafePointer(answer.baseAddress)
                replyCount!.pointee = answer.count
                return isDone
            })
    }

    private func answer(
        _ request: UnsafeRawBufferPointer
    ) -> (isDone: Bool, UnsafeMutableBufferPointer<UInt8>) {
        var values = TestValue.read(request)[...]
        var answer: TestValue
        var isDone = true
        guard case .text(let name)? = values.popFirst() else {
            preconditionFailure("the prelude of tests begins with a name")
        }
        do throws(TestRefusal) {
            if name == "wrong" { throw noted(Array(values)) }
            answer = try ask(name, Array(values))
        } catch {
            (isDone, answer) = (false, .text(error.message))
        }
        var bytes: [UInt8] = []
        answer.append(to: &bytes)
        held?.deallocate()
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = copy.initialize(from: bytes)
        held = copy
        return (isDone, copy)
    }

    private func noted(_ values: [TestValue]) -> TestRefusal {
        let path = values.first?.list.compactMap(\.text) ?? []
        let message = values.last?.text ?? ""
        if slip == nil { slip = (path, message) }
        return TestRefusal(message)
    }
}
