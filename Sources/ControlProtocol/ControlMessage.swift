import JSONText

/// One line from a client: JSON-RPC 2.0, where `"jsonrpc"` may be left out.
public struct ControlMessage: Sendable {
    /// A reply is longer than a malformed call, so a batch is short.
    public static let batchCallsMax = 64

    /// In their order. More than one only in a batch.
    public let calls: [ControlCall]
    private let isBatch: Bool

    /// Never fails as a whole: what cannot be understood becomes a call that is refused.
    public init(line: [UInt8]) {
        do throws(JSONError) {
            let node = try JSONReader.read(line, as: .json)
            if case .array(let items) = node.value, 1...Self.batchCallsMax ~= items.count {
                (calls, isBatch) = (items.map(ControlCall.init), true)
            } else {
                (calls, isBatch) = ([ControlCall(node)], false)
            }
        } catch {
            let refusal = ControlError(.parseError, "\(error.position): \(error.message)")
            (calls, isBatch) = ([ControlCall(id: "null", request: .failure(refusal))], false)
        }
    }

    /// The line, without its newline, that carries the responses to `calls`; nil when nobody waits
    /// for one.
    public func reply(_ responses: [String?]) -> String? {
        let due = responses.compactMap(\.self)
        return isBatch && !due.isEmpty ? "[\(due.joined(separator: ","))]" : due.first
    }

    /// The line, without its newline, that tells a subscriber something.
    ///
    /// - Parameter parameters: a JSON object.
    public static func notification(_ method: String, _ parameters: String) -> String {
        #"{"jsonrpc":"2.0","method":\#(quoted(method)),"params":\#(parameters)}"#
    }

    /// The line, without its newline, that asks the daemon for something.
    ///
    /// - Parameters:
    ///   - id: chosen by the caller, unique among its open calls.
    ///   - parameters: a JSON object, or a list.
    public static func request(id: Int, _ method: String, _ parameters: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":\#(quoted(method)),"params":\#(parameters)}"#
    }
}

/// One call of a message.
public struct ControlCall: Sendable {
    /// The caller's id, as JSON. Nil for a notification, which is never answered, not even with an
    /// error.
    public let id: String?
    public let request: Result<ControlRequest, ControlError>

    init(id: String?, request: Result<ControlRequest, ControlError>) {
        self.id = id
        self.request = request
    }

    init(_ node: JSONNode) {
        var id: String?
        do throws(ControlError) {
            guard case .object(let members) = node.value else {
                let most = ControlMessage.batchCallsMax
                let isLong = (node.array?.count ?? 0) > most
                throw ControlError(
                    .invalidRequest, "a call is an object; 1 to \(most) make a batch",
                    limit: isLong ? .batchCalls : nil)
            }
            var call = JSONMembers(members)
            id = try call.id()
            let (method, parameters) = try call.methodAndParameters()
            self.init(
                id: id,
                request: Result { () throws(ControlError) in
                    try ControlRequest(method: method, parameters)
                })
        } catch {
            // Somebody may be waiting: a malformed call is answered even if it has no id.
            self.init(id: id ?? "null", request: .failure(error))
        }
    }

    /// The response that carries `result`, which is JSON. Nil for a notification.
    public func response(_ result: Result<String, ControlError>) -> String? {
        guard let id else { return nil }
        return switch result {
        case .success(let json): #"{"jsonrpc":"2.0","id":\#(id),"result":\#(json)}"#
        case .failure(let error): #"{"jsonrpc":"2.0","id":\#(id),"error":\#(error.json)}"#
        }
    }
}

extension JSONMembers {
    fileprivate mutating func id() throws(ControlError) -> String? {
        switch take("id")?.value {
        case nil: nil
        case .null?: "null"
        case .number(let text)?: text
        case .string(let text)?: quoted(text)
        default: throw ControlError(.invalidRequest, "\"id\" is a string, a number or null")
        }
    }

    fileprivate mutating func methodAndParameters() throws(ControlError) -> (String, JSONValue?) {
        switch take("jsonrpc")?.value {
        case nil, .string("2.0")?: break
        default: throw ControlError(.invalidRequest, "\"jsonrpc\" is \"2.0\"")
        }
        guard case .string(let method)? = take("method")?.value else {
            throw ControlError(.invalidRequest, "\"method\" is a string")
        }
        let parameters = take("params")?.value
        if let (name, nearest, _) = stray {
            throw ControlError(.invalidRequest, unknown("member", name, nearest))
        }
        switch parameters {
        case nil, .object?, .array?: break
        default: throw ControlError(.invalidRequest, "\"params\" is an object or a list")
        }
        return (method, parameters)
    }
}
