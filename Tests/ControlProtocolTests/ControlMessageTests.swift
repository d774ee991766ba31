import ControlProtocol
import Testing

@Suite("Control messages")
struct ControlMessageTests {
    /// The line that answers `line`, where every request that is understood gives `true`.
    static func reply(to line: [UInt8]) -> String? {
        let message = ControlMessage(line: line)
        return message.reply(message.calls.map { $0.response($0.request.map { _ in "true" }) })
    }

    @Test("that are well formed decode")
    func decodes() throws {
        let line = #"{"id": 7, "method": "why", "params": {"fleet": "a", "device": 42}}"#
        let call = try #require(ControlMessage(line: Array(line.utf8)).calls.first)
        #expect(
            try call.request.get()
                == .why(
                    fleet: "a", device: 42, arm: nil, from: 0, view: ControlRequest.View()))
        #expect(call.id == "7")
    }

    @Test("of the contract are answered byte for byte")
    func contract() throws {
        let line = #"{"id":4,"method":"fleet.create","params":{"nmae":"demo"}}"#
        let reply =
            #"{"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"unknown parameter "#
            + #"\"nmae\"; did you mean \"name\"?","data":{"code":"unknown_parameter","#
            + #""parameter":"nmae"}}}"#
        #expect(Self.reply(to: Array(line.utf8)) == reply)
        let notice =
            #"{"jsonrpc":"2.0","method":"funnel","params":{"subscription":"s1","lost":0}}"#
        #expect(
            ControlMessage.notification("funnel", #"{"subscription":"s1","lost":0}"#) == notice)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let line: String
        let reply: String?
        var testDescription: String { line }

        init(_ line: String, _ reply: String?) { (self.line, self.reply) = (line, reply) }
    }

    private static let parseError = #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"#
    private static let noCall =
        #"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a call is an object; 1 to 64 make a batch","data":{"code":"invalid_request"}}}"#

    /// The examples of JSON-RPC 2.0, section 7, with methods of ours.
    ///
    /// Source: JSON-RPC 2.0 Specification, jsonrpc.org, 2013-01-04.
    // swift-format-ignore
    static let specification: [Row] = [
        Row(#"{"jsonrpc": "2.0", "method": "fleet.show", "params": {"fleet": "f"}, "id": 1}"#, #"{"jsonrpc":"2.0","id":1,"result":true}"#),
        Row(#"{"jsonrpc": "2.0", "method": "fleet.rate", "params": ["f", "60x"], "id": 1}"#, #"{"jsonrpc":"2.0","id":1,"result":true}"#),
        Row(#"{"jsonrpc": "2.0", "method": "fleet.rate", "params": ["60x", 1], "id": 2}"#, #"{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"\"rate\" is \"max\", or a ratio to wall time in 0.001...1000000 such as \"60x\" or \"0.5x\"","data":{"code":"invalid_parameter","parameter":"rate"}}}"#),
        Row(#"{"jsonrpc": "2.0", "method": "device.list", "params": {"fleet": "f", "limit": 23, "where": "ios = 17"}, "id": 3}"#, #"{"jsonrpc":"2.0","id":3,"result":true}"#),
        Row(#"{"jsonrpc": "2.0", "method": "device.list", "params": {"where": "ios = 17", "limit": 23, "fleet": "f"}, "id": 4}"#, #"{"jsonrpc":"2.0","id":4,"result":true}"#),
        Row(#"{"jsonrpc": "2.0", "method": "fleet.pause", "params": [1,2,3,4,5]}"#, nil),
        Row(#"{"jsonrpc": "2.0", "method": "foobar"}"#, nil),
        Row(#"{"jsonrpc": "2.0", "method": "foobar", "id": "1"}"#, #"{"jsonrpc":"2.0","id":"1","error":{"code":-32601,"message":"unknown method \"foobar\"","data":{"code":"unknown_method"}}}"#),
        Row(#"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#, parseError + #""1:40: ',' or '}' is due here","data":{"code":"parse_error"}}}"#),
        Row(#"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#, #"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"\"method\" is a string","data":{"code":"invalid_request"}}}"#),
        Row(#"[{"jsonrpc": "2.0", "method": "fleet.list", "id": "1"},{"jsonrpc": "2.0", "method""#, parseError + #""1:83: ':' is due here","data":{"code":"parse_error"}}}"#),
        Row(#"[]"#, noCall),
        Row(#"[1]"#, "[\(noCall)]"),
        Row(#"[1,2,3]"#, "[\(noCall),\(noCall),\(noCall)]"),
        Row(#"[{"jsonrpc": "2.0", "method": "fleet.show", "params": {"fleet": "f"}, "id": "1"},{"jsonrpc": "2.0", "method": "fleet.pause", "params": {"fleet": "f"}},{"jsonrpc": "2.0", "method": "fleet.list", "id": "2"},{"foo": "boo"},{"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},{"jsonrpc": "2.0", "method": "daemon.status", "id": "9"}]"#, #"[{"jsonrpc":"2.0","id":"1","result":true},{"jsonrpc":"2.0","id":"2","result":true},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"\"method\" is a string","data":{"code":"invalid_request"}}},{"jsonrpc":"2.0","id":"5","error":{"code":-32601,"message":"unknown method \"foo.get\"","data":{"code":"unknown_method"}}},{"jsonrpc":"2.0","id":"9","result":true}]"#),
        Row(#"[{"jsonrpc": "2.0", "method": "fleet.pause", "params": {"fleet": "f"}},{"jsonrpc": "2.0", "method": "fleet.resume", "params": {"fleet": "f"}}]"#, nil),
    ]

    // swift-format-ignore
    static let ours: [Row] = [
        Row(#"{"jsonrpc":"2.0","id":1,"method":"daemon.status"}"#, #"{"jsonrpc":"2.0","id":1,"result":true}"#),
        Row(#"{"id":"a\"b","method":"fleet.list"}"#, #"{"jsonrpc":"2.0","id":"a\"b","result":true}"#),
        Row(#"{"id":null,"method":"fleet.list"}"#, #"{"jsonrpc":"2.0","id":null,"result":true}"#),
        Row(#"{"id":-1.50e3,"method":"fleet.list"}"#, #"{"jsonrpc":"2.0","id":-1.50e3,"result":true}"#),
        Row(#"{"id":[1],"method":"fleet.list"}"#, #"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"\"id\" is a string, a number or null","data":{"code":"invalid_request"}}}"#),
        Row(#"{"jsonrpc":2.0,"id":1,"method":"fleet.list"}"#, #"{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"\"jsonrpc\" is \"2.0\"","data":{"code":"invalid_request"}}}"#),
        Row(#"{"id":1,"method":"fleet.list","params":null}"#, #"{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"\"params\" is an object or a list","data":{"code":"invalid_request"}}}"#),
        Row(#"{"id":1,"method":"fleet.list","parms":{}}"#, #"{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"unknown member \"parms\"; did you mean \"params\"?","data":{"code":"invalid_request"}}}"#),
        Row(#"{"id":1,"method":"fleet.strat"}"#, #"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"unknown method \"fleet.strat\"; did you mean \"fleet.start\"?","data":{"code":"unknown_method"}}}"#),
        Row(#"{"id":1,"id":2,"method":"fleet.list"}"#, parseError + #""1:9: 'id' stands here twice","data":{"code":"parse_error"}}}"#),
        Row(#"hello"#, parseError + #""1:1: 'hello' is no value: text stands in quotes","data":{"code":"parse_error"}}}"#),
        Row("\0", parseError + #""1:1: a value is due here","data":{"code":"parse_error"}}}"#),
        Row(#"7"#, noCall),
    ]

    @Test("are answered as JSON-RPC 2.0 says", arguments: specification + ours)
    func replies(_ row: Row) {
        #expect(Self.reply(to: Array(row.line.utf8)) == row.reply)
    }

    @Test("hold up to 64 calls")
    func batches() {
        let call = #"{"id":1,"method":"fleet.list"}"#
        for count in [64, 65] {
            let line = "[\(Array(repeating: call, count: count).joined(separator: ","))]"
            let isServed = count <= ControlMessage.batchCallsMax
            #expect(ControlMessage(line: Array(line.utf8)).calls.count == (isServed ? count : 1))
        }
    }

    @Test("repeat no long name in full")
    func longNames() throws {
        let name = String(repeating: "é", count: 100_000)
        for line in [
            #"{"id":1,"method":"\#(name)"}"#, #"{"id":1,"method":"fleet.list","\#(name)":1}"#,
            #"{"id":1,"method":"fleet.list","params":{"\#(name)":1}}"#,
        ] {
            let reply = try #require(Self.reply(to: Array(line.utf8)))
            #expect(reply.utf8.count < 600)
        }
    }

    @Test("have an own number for every code of ours, and JSON-RPC's for the others")
    func numbers() {
        let ours = ControlError.Code.allCases.map(\.number).filter { (-32099 ... -32000) ~= $0 }
        #expect(ours.count == Set(ours).count)
        #expect(
            Set(ControlError.Code.allCases.map(\.number)).subtracting(ours)
                == [-32700, -32600, -32601, -32602, -32603])
        #expect(ControlError.Code.allCases.allSatisfy { [1, 2].contains($0.exitStatus) })
    }
}
