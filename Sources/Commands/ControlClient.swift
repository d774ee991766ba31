import ControlProtocol
import DaemonRuntime
import Foundation
import JSONText
import Reports

/// A connection to the daemon that waits for its answers. For one thread.
final class ControlClient {
    /// What the daemon tells without being asked: what a subscription gives.
    struct Notification {
        let method: String
        let parameters: JSONNode
        /// The whole line, as it came.
        let line: String
    }

    /// To wait for: something to read means that `arrived` has something to do.
    let descriptor: Int32
    private let path: String
    /// What `init` was given.
    let timeoutSeconds: Double?
    /// Ends waiting where it comes; nil: nothing does.
    var interrupt: Interrupt?
    /// When waiting ends, in seconds of `CLOCK_MONOTONIC`; nil: never.
    private let deadline: Double?
    /// For the answer of the call in hand, beyond the deadline.
    private var graceSeconds = 0.0
    private var framer = LineFramer(bytesMax: ControlReply.lineBytesMax)
    private var lastID = 0
    /// Came while an answer was awaited.
    private var notifications: [Notification] = []

    /// Connects to the socket at `path`.
    ///
    /// - Parameters:
    ///   - seconds: of wall time for all that is done with this client; nil: no limit.
    ///   - connectSeconds: of wall time for connecting; nil: as for all.
    /// - Throws: status `noDaemon` when nobody serves the path.
    init(
        path: String, timeoutSeconds seconds: Double? = nil, connectSeconds: Double? = nil
    ) throws(CommandError) {
        guard 1...ControlSocketPath.bytesMax ~= path.utf8.count, !path.utf8.contains(0) else {
            throw CommandError(
                "\(path): the path of a socket has 1 to \(ControlSocketPath.bytesMax) bytes, this "
                    + "one has \(path.utf8.count)")
        }
        self.path = path
        timeoutSeconds = seconds
        deadline = seconds.map { Self.now + $0 }
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { throw Self.noDaemon(path) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        if let seconds = connectSeconds ?? seconds {
            // A daemon with too many newcomers lets `connect` wait.
            var limit = timeval()
            limit.tv_sec = Int(max(seconds, 0))
            limit.tv_usec = max(Int(seconds.truncatingRemainder(dividingBy: 1) * 1e6), 1)
            let size = socklen_t(MemoryLayout<timeval>.size)
            setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        }
        let descriptor = descriptor
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                while connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) != 0 {
                    if errno != EINTR { return false }
                }
                return true
            }
        }
        // Thrown when the whole is made: `deinit` closes it.
        if !connected, errno == EAGAIN {
            throw CommandError("\(path): no answer in time", status: .timedOut)
        }
        guard connected else { throw Self.noDaemon(path) }
    }

    deinit { close(descriptor) }

    private static func noDaemon(_ path: String) -> CommandError {
        let hint = errno == ENOENT || errno == ECONNREFUSED ? "; start it with 'locfleetd'" : ""
        return CommandError(
            "no daemon at \(path): \(String(cString: strerror(errno)))\(hint)", status: .noDaemon)
    }

    // MARK: - Calls

    /// Until the deadline; nil: there is none.
    var secondsLeft: Double? { deadline.map { $0 - Self.now } }

    /// Asks the daemon for something and waits for the answer.
    ///
    /// - Parameters:
    ///   - parameters: a JSON object.
    ///   - grace: of wall time beyond the deadline.
    /// - Throws: with the exit status of the daemon's refusal, `timedOut`, `interrupted`, or
    ///   `noDaemon` when it is gone.
    func call(
        _ method: ControlMethod, _ parameters: String = "{}", graceSeconds grace: Double = 0
    ) throws(CommandError) -> ControlResult {
        graceSeconds = grace
        defer { graceSeconds = 0 }
        return try call(named: method.name, parameters)
    }

    /// The same for a method that this client need not know.
    func call(
        named method: String, _ parameters: String
    ) throws(CommandError) -> ControlResult {
        lastID += 1
        let line = ControlMessage.request(id: lastID, method, parameters)
        // A newline can only be space in JSON, and would end the line.
        try send(line.replacingOccurrences(of: "\n", with: " ") + "\n")
        while true {
            let line = try nextLine()
            switch try reply(line) {
            case .notification(let method, let parameters):
                notifications.append(
                    Notification(method: method, parameters: parameters, line: line.text))
            case .response(let id, let result) where id == "\(lastID)" || id == "null":
                // Without an id: about the line or the connection, and only one call is open.
                do throws(ControlRefusal) { return try result.get() } catch {
                    throw CommandError(
                        printable(error.message),
                        status: ExitStatus(rawValue: error.exitStatus) ?? .failed)
                }
            case .response: continue  // Of a call that nobody waits for any more.
            }
        }
    }

    /// The next thing the daemon tells without being asked, in order.
    ///
    /// - Throws: `timedOut`, or `noDaemon` when it is gone.
    func nextNotification() throws(CommandError) -> Notification {
        if !notifications.isEmpty { return notifications.removeFirst() }
        while true {
            let line = try nextLine()
            switch try reply(line) {
            case .notification(let method, let parameters):
                return Notification(method: method, parameters: parameters, line: line.text)
            case .response(_, .failure(let refusal)):
                throw CommandError(
                    printable(refusal.message),
                    status: ExitStatus(rawValue: refusal.exitStatus) ?? .failed)
            case .response: continue
            }
        }
    }

    /// Waits until the daemon closes the connection.
    func waitForEnd() {
        while (try? nextLine()) != nil {}
    }

    /// The same of a fleet that is watched.
    ///
    /// - Throws: `timedOut` with words of its own.
    func nextNotification(of fleet: String) throws(CommandError) -> Notification {
        do throws(CommandError) { return try nextNotification() } catch {
            guard error.status == .timedOut, let timeoutSeconds else { throw error }
            throw CommandError(
                "stopped watching \(fleet) after \(plainText(timeoutSeconds)) s", status: .timedOut)
        }
    }

    private func reply(_ line: [UInt8]) throws(CommandError) -> ControlReply {
        do throws(ControlError) { return try ControlReply(line: line) } catch {
            throw CommandError("\(path): \(error.message)", status: .failed)
        }
    }

    // MARK: - Calls that wait for nothing

    /// Asks the daemon for something; `arrived` has the answer when it comes.
    ///
    /// - Returns: the id of the call.
    func post(_ method: ControlMethod, _ parameters: String = "{}") throws(CommandError) -> Int {
        lastID += 1
        try send(ControlMessage.request(id: lastID, method.name, parameters) + "\n")
        return lastID
    }

    /// The answers that are here, by the id of their call: what a person is to read of a refusal.
    ///
    /// - Throws: `noDaemon` when it is gone.
    func arrived() throws(CommandError) -> [(id: Int?, Result<ControlResult, CommandError>)] {
        var answers: [(id: Int?, Result<ControlResult, CommandError>)] = []
        while let line = try lineAtHand() {
            guard case .response(let id, let result) = try reply(line) else { continue }
            answers.append(
                (Int(id), result.mapError { CommandError(printable($0.message), status: .failed) }))
        }
        return answers
    }

    // MARK: - Bytes

    private func send(_ text: String) throws(CommandError) {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            try wait(for: POLLOUT)
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(
                    descriptor, $0.baseAddress, $0.count,
                    Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count >= 0 {
                sent += count
            } else if errno == EPIPE || errno == ECONNRESET {
                return  // What the daemon said before it closed is still there to be read.
            } else if errno != EINTR && errno != EAGAIN {
                throw Self.noDaemon(path)
            }
        }
    }

    private func nextLine() throws(CommandError) -> [UInt8] {
        while true {
            if let line = try lineAtHand() { return line }
            try wait(for: POLLIN)
        }
    }

    /// A line that is here; nil where the next is not.
    private func lineAtHand() throws(CommandError) -> [UInt8]? {
        while true {
            do throws(ControlError) {
                if let line = try framer.next() { return line }
            } catch {
                throw CommandError("\(path): \(error.message)", status: .failed)
            }
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, used in
                count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                used = max(count, 0)
            }
            if count > 0 {
                framer.receive(bytes)
            } else if count == 0 || errno == ECONNRESET {
                throw CommandError(
                    "\(path): the daemon closed the connection", status: .noDaemon)
            } else if errno == EAGAIN {
                return nil
            } else if errno != EINTR {
                throw Self.noDaemon(path)
            }
        }
    }

    /// Waits until the socket is ready for `events`, or the deadline.
    private func wait(for events: Int32) throws(CommandError) {
        while true {
            var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            if interrupt?.isRequested == true {
                throw CommandError("interrupted", status: .interrupted)
            }
            let left = secondsLeft.map { $0 + graceSeconds }
            if let left, left <= 0 {
                throw CommandError("\(path): no answer in time", status: .timedOut)
            }
            // An hour at a time, so that the milliseconds fit.
            let most = interrupt == nil ? 3_600 : 0.1
            let count = poll(&entry, 1, Int32((min(left ?? most, most) * 1_000).rounded(.up)))
            if count > 0 { return }
            if count < 0 && errno != EINTR { throw Self.noDaemon(path) }
        }
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension [UInt8] {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
