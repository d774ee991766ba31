import CMicrohttpd
import Dispatch
import Glibc
import Synchronization

/// What the threads of an `HTTPServer` share.
final class HTTPCore: Sendable {
    private struct Kept {
        var at: UInt64
        var answer: HTTPServer.Answer
    }

    private struct Connection {
        let number: UInt64
        let descriptor: Int32
    }

    private struct State {
        /// By path and `Accept`: a handful, for it is emptied when it grows.
        var kept: [String: Kept] = [:]
        /// By the address of the library's connection.
        var connections: [UInt: Connection] = [:]
        var lastNumber: UInt64 = 0
    }

    private static let keptMax = 16

    private let pages: [String: HTTPServer.Page]
    private let limits: HTTPServer.Limits
    private let queue = DispatchQueue(label: "locfleet.http")
    private let state = Mutex(State())

    init(pages: [String: HTTPServer.Page], limits: HTTPServer.Limits) {
        (self.pages, self.limits) = (pages, limits)
    }

    // MARK: - Requests

    /// Called with the headers, before any body is read: an answer then closes the connection.
    static let answer: MHD_AccessHandlerCallback = {
        context, connection, path, method, _, _, _, _ in
        guard let context, let connection, let path, let method else { return .NO }
        let core = Unmanaged<HTTPCore>.fromOpaque(context).takeUnretainedValue()
        return core.answer(
            connection, path: String(cString: path), method: String(cString: method))
    }

    private func answer(_ connection: OpaquePointer, path: String, method: String) -> MHD_Result {
        guard let page = pages[path] else {
            let known = pages.keys.sorted().joined(separator: " and ")
            return Self.send("there are \(known)\n", status: 404, on: connection)
        }
        guard method == "GET" || method == "HEAD" else {
            return Self.send("GET and HEAD are taken\n", status: 405, on: connection)
        }
        let accept = MHD_lookup_connection_value(connection, .HEADER_KIND, "Accept")
            .map { String(cString: $0) }
        let answer = answer(of: page, path, accept)
        return Self.send(answer.text, answer.contentType, status: 200, on: connection)
    }

    /// The page, or what it was a moment ago.
    private func answer(
        of page: HTTPServer.Page, _ path: String, _ accept: String?
    ) -> HTTPServer.Answer {
        let key = path + " " + (accept ?? "")
        let now = DispatchTime.now().uptimeNanoseconds
        let kept = state.withLock { $0.kept[key] }
        if let kept, Double(now - kept.at) / 1e9 < limits.keptSeconds { return kept.answer }
        let answer = page(accept)
        state.withLock { state in
            if state.kept.count >= Self.keptMax { state.kept = [:] }
            state.kept[key] = Kept(at: DispatchTime.now().uptimeNanoseconds, answer: answer)
        }
        return answer
    }

    private static func send(
        _ text: String, _ type: String = "text/plain; charset=utf-8", status: UInt32,
        on connection: OpaquePointer
    ) -> MHD_Result {
        var text = text
        let response = text.withUTF8 {
            MHD_create_response_from_buffer(
                $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress),
                .RESPMEM_MUST_COPY)
        }
        guard let response else { return .NO }
        defer { MHD_destroy_response(response) }
        MHD_add_response_header(response, "Content-Type", type)
        MHD_add_response_header(response, "Cache-Control", "no-store")
        // One request each: none can keep its place for ever.
        MHD_add_response_header(response, "Connection", "close")
        if status == 405 { MHD_add_response_header(response, "Allow", "GET, HEAD") }
        return MHD_queue_response(connection, status, response)
    }

    // MARK: - The time of a connection

    /// Called when a connection begins, and when it ends, before its socket is closed.
    static let notify: MHD_NotifyConnectionCallback = { context, connection, _, code in
        guard let context, let connection else { return }
        let core = Unmanaged<HTTPCore>.fromOpaque(context).takeUnretainedValue()
        let key = UInt(bitPattern: connection)
        if code == .CONNECTION_NOTIFY_STARTED {
            core.began(key, locfleet_http_socket(connection))
        } else {
            core.state.withLock { $0.connections[key] = nil }
        }
    }

    private func began(_ key: UInt, _ descriptor: Int32) {
        guard descriptor >= 0 else { return }
        let number = state.withLock { state in
            state.lastNumber += 1
            state.connections[key] = Connection(number: state.lastNumber, descriptor: descriptor)
            return state.lastNumber
        }
        queue.asyncAfter(deadline: .now() + limits.lifeSeconds) { [weak self] in
            self?.cut(key, number)
        }
    }

    /// Under the lock the descriptor is the connection's: its end is told before it is closed.
    private func cut(_ key: UInt, _ number: UInt64) {
        state.withLock { state in
            guard let connection = state.connections[key], connection.number == number else {
                return
            }
            shutdown(connection.descriptor, Int32(SHUT_RDWR))
        }
    }
}
