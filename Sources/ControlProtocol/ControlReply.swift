import JSONText

/// One line from the daemon, as the client reads it.
public enum ControlReply: Sendable {
    /// The answer to the call with this id, which is JSON text: "7", "\"a\"" or "null".
    case response(id: String, Result<ControlResult, ControlRefusal>)
    case notification(method: String, parameters: JSONNode)

    /// Bytes of a line that a client takes: lists and stories are long.
    public static let lineBytesMax = 64 << 20

    /// - Throws: `parse_error` or `invalid_request` when the line is no reply.
    public init(line: [UInt8]) throws(ControlError) {
        let node: JSONNode
        do throws(JSONError) {
            node = try JSONReader.read(line, as: .json, bytesMax: Self.lineBytesMax)
        } catch {
            throw ControlError(.parseError, "\(error.position): \(error.message)")
        }
        guard case .object(let members) = node.value else { throw Self.noReply }
        var left = JSONMembers(members)
        if let result = left.take("result") {
            let text = Self.text(of: result, in: line, members)
            self = .response(
                id: try Self.id(&left), .success(ControlResult(node: result, text: text)))
        } else if let error = left.take("error") {
            self = .response(id: try Self.id(&left), .failure(try ControlRefusal(error)))
        } else if case .string(let method)? = left.take("method")?.value {
            let none = JSONNode(value: .object([]), offset: node.offset)
            self = .notification(method: method, parameters: left.take("params") ?? none)
        } else {
            throw Self.noReply
        }
    }

    private static func id(_ members: inout JSONMembers) throws(ControlError) -> String {
        switch members.take("id")?.value {
        case .null?: return "null"
        case .number(let text)?: return text
        case .string(let text)?: return quoted(text)
        default: throw noReply
        }
    }

    /// A value's own text: up to the next member or the closing bracket, without what parts them.
    private static func text(
        of node: JSONNode, in line: [UInt8], _ members: [JSONMember]
    ) -> String {
        let after = members.lazy.map(\.offset).filter { $0 > node.offset }.min()
        let isSpace = { (byte: UInt8) in " \t\r\n".utf8.contains(byte) }
        var text = line[node.offset..<(after ?? line.count)]
        while let last = text.last, isSpace(last) { text.removeLast() }
        text.removeLast()  // The comma or the bracket.
        while let last = text.last, isSpace(last) { text.removeLast() }
        return String(decoding: text, as: UTF8.self)
    }

    static let noReply = ControlError(
        .invalidRequest, "this is no reply of JSON-RPC 2.0: the peer is no daemon of locfleet")
}

/// What a call gave.
public struct ControlResult: Sendable {
    public let node: JSONNode
    /// The result as it came, to be handed on.
    public let text: String
}

/// Why a call was refused, in the daemon's words. It may be newer than this client, so codes are
/// not taken for known.
public struct ControlRefusal: Error, Equatable, Sendable {
    /// JSON-RPC's.
    public let number: Int
    public let message: String
    /// `error.data.code`: nil when the daemon gave none.
    public let code: String?
    /// The parameter to blame, if one is.
    public let parameter: String?

    init(_ node: JSONNode) throws(ControlError) {
        guard case .object(let members) = node.value else { throw ControlReply.noReply }
        var error = JSONMembers(members)
        guard case .number(let text)? = error.take("code")?.value, let number = Int(text),
            case .string(let message)? = error.take("message")?.value
        else { throw ControlReply.noReply }
        (self.number, self.message) = (number, message)
        guard case .object(let members)? = error.take("data")?.value else {
            (code, parameter) = (nil, nil)
            return
        }
        var data = JSONMembers(members)
        code = if case .string(let code)? = data.take("code")?.value { code } else { nil }
        parameter =
            if case .string(let name)? = data.take("parameter")?.value { name } else { nil }
    }

    /// How the client ends: 1 when the code is not known here.
    public var exitStatus: Int32 {
        code.flatMap { ControlError.Code(rawValue: $0) }?.exitStatus ?? 1
    }
}
