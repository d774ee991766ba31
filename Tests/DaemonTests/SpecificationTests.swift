import JSONText
import TestSupport
import Testing

extension DaemonSuite {
    /// The examples of JSON-RPC 2.0, section 7, in their order and with their members, against a
    /// real socket.
    ///
    /// Their methods are mapped onto ours: `subtract` is `fleet.show`, by place and by name;
    /// `update` and `notify_hello` are `fleet.pause`; `sum` is `fleet.rate`, `get_data` is
    /// `fleet.list`; `foobar` and `foo.get` are not there, here as there.
    ///
    /// Source: JSON-RPC 2.0 Specification, jsonrpc.org/specification, of 2013-01-04.
    @Suite("JSON-RPC 2.0")
    struct SpecificationTests {
        struct Row: CustomTestStringConvertible, Sendable {
            let what: String
            let line: String
            /// What comes, with results left out; nil: nothing does.
            let reply: String?
            var testDescription: String { what }

            init(_ what: String, _ line: String, _ reply: String?) {
                (self.what, self.line, self.reply) = (what, line, reply)
            }
        }

        private static let invalid = #"{"jsonrpc":"2.0","id":null,"error":-32600}"#

        // swift-format-ignore
        static let examples: [Row] = [
            Row("positional parameters", #"{"jsonrpc": "2.0", "method": "fleet.show", "params": ["f"], "id": 1}"#, #"{"jsonrpc":"2.0","id":1,"result":"…"}"#),
            Row("positional parameters again", #"{"jsonrpc": "2.0", "method": "fleet.rate", "params": ["f", "2x"], "id": 2}"#, #"{"jsonrpc":"2.0","id":2,"result":"…"}"#),
            Row("named parameters", #"{"jsonrpc": "2.0", "method": "fleet.rate", "params": {"fleet": "f", "rate": "2x"}, "id": 3}"#, #"{"jsonrpc":"2.0","id":3,"result":"…"}"#),
            Row("named parameters, the other way round", #"{"jsonrpc": "2.0", "method": "fleet.rate", "params": {"rate": "2x", "fleet": "f"}, "id": 4}"#, #"{"jsonrpc":"2.0","id":4,"result":"…"}"#),
            Row("a notification", #"{"jsonrpc": "2.0", "method": "fleet.pause", "params": ["f"]}"#, nil),
            Row("a notification that fails", #"{"jsonrpc": "2.0", "method": "fleet.pause", "params": [1,2,3,4,5]}"#, nil),
            Row("a notification of what is not there", #"{"jsonrpc": "2.0", "method": "foobar"}"#, nil),
            Row("a method that is not there", #"{"jsonrpc": "2.0", "method": "foobar", "id": "1"}"#, #"{"jsonrpc":"2.0","id":"1","error":-32601}"#),
            Row("invalid JSON", #"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#, #"{"jsonrpc":"2.0","id":null,"error":-32700}"#),
            Row("an invalid request", #"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#, invalid),
            Row("a batch of invalid JSON", #"[{"jsonrpc": "2.0", "method": "fleet.rate", "params": ["f","2x"], "id": "1"},{"jsonrpc": "2.0", "method"]"#, #"{"jsonrpc":"2.0","id":null,"error":-32700}"#),
            Row("an empty array", "[]", invalid),
            Row("an invalid batch that is not empty", "[1]", "[\(invalid)]"),
            Row("an invalid batch", "[1,2,3]", "[\(invalid),\(invalid),\(invalid)]"),
            Row("a batch", #"[{"jsonrpc": "2.0", "method": "fleet.rate", "params": ["f","2x"], "id": "1"},{"jsonrpc": "2.0", "method": "fleet.pause", "params": ["f"]},{"jsonrpc": "2.0", "method": "fleet.show", "params": ["f"], "id": "2"},{"foo": "boo"},{"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},{"jsonrpc": "2.0", "method": "fleet.list", "id": "9"}]"#, #"[{"jsonrpc":"2.0","id":"1","result":"…"},{"jsonrpc":"2.0","id":"2","result":"…"},\#(invalid),{"jsonrpc":"2.0","id":"5","error":-32601},{"jsonrpc":"2.0","id":"9","result":"…"}]"#),
            Row("a batch of notifications", #"[{"jsonrpc": "2.0", "method": "fleet.pause", "params": ["f"]},{"jsonrpc": "2.0", "method": "fleet.pause", "params": ["f"]}]"#, nil),
        ]

        private static func listed(_ id: String, _ reply: String? = nil) -> Row {
            let reply = reply ?? id
            return Row(
                "the id \(id)", #"{"jsonrpc":"2.0","id":\#(id),"method":"fleet.list"}"#,
                #"{"jsonrpc":"2.0","id":\#(reply),"result":"…"}"#)
        }

        /// What the specification says beside its examples, and our one extension.
        // swift-format-ignore
        static let further: [Row] = [
            "0", "-0", "1.5", "1e400", "-1.50E+3", "123456789012345678901234567890", "null", "\"\"", #""a\"b\\c""#, "\"\u{1F4CD}\"",
        ].map { listed($0) } + [
            listed(#""\u0061\n""#, #""a\n""#),
            Row("an id that is a list", #"{"jsonrpc":"2.0","id":[1],"method":"fleet.list"}"#, invalid),
            Row("an id that is true", #"{"jsonrpc":"2.0","id":true,"method":"fleet.list"}"#, invalid),
            Row("no version: our extension", #"{"id":1,"method":"fleet.list"}"#, #"{"jsonrpc":"2.0","id":1,"result":"…"}"#),
            Row("another version", #"{"jsonrpc":"1.0","id":1,"method":"fleet.list"}"#, #"{"jsonrpc":"2.0","id":1,"error":-32600}"#),
            Row("a version that is a number", #"{"jsonrpc":2.0,"id":1,"method":"fleet.list"}"#, #"{"jsonrpc":"2.0","id":1,"error":-32600}"#),
            Row("a version that is null", #"{"jsonrpc":null,"id":1,"method":"fleet.list"}"#, #"{"jsonrpc":"2.0","id":1,"error":-32600}"#),
            Row("parameters that are null", #"{"jsonrpc":"2.0","id":1,"method":"fleet.list","params":null}"#, #"{"jsonrpc":"2.0","id":1,"error":-32600}"#),
            Row("parameters that are an empty list", #"{"jsonrpc":"2.0","id":1,"method":"fleet.list","params":[]}"#, #"{"jsonrpc":"2.0","id":1,"result":"…"}"#),
            Row("too many places", #"{"jsonrpc":"2.0","id":1,"method":"fleet.show","params":["f","g"]}"#, #"{"jsonrpc":"2.0","id":1,"error":-32602}"#),
            Row("too few places", #"{"jsonrpc":"2.0","id":1,"method":"fleet.rate","params":["f"]}"#, #"{"jsonrpc":"2.0","id":1,"error":-32602}"#),
            Row("a name that is reserved", #"{"jsonrpc":"2.0","id":1,"method":"rpc.other"}"#, #"{"jsonrpc":"2.0","id":1,"error":-32601}"#),
            Row("a batch in a batch", #"[[{"jsonrpc":"2.0","id":1,"method":"fleet.list"}]]"#, "[\(invalid)]"),
            Row("a batch with equal ids", #"[{"id":1,"method":"fleet.list"},{"id":1,"method":"fleet.list"}]"#, #"[{"jsonrpc":"2.0","id":1,"result":"…"},{"jsonrpc":"2.0","id":1,"result":"…"}]"#),
            Row("a batch of notifications that all fail", #"[{"method":"foobar"},{"method":"fleet.show"},{"method":"fleet.show","params":["none"]}]"#, nil),
            Row("a notification and an invalid one", #"[{"method":"fleet.list"},1]"#, "[\(invalid)]"),
        ]

        /// A reply without what it says: errors are their numbers.
        private func shape(_ node: JSONNode) -> String {
            if let items = node.array { return "[" + items.map(shape).joined(separator: ",") + "]" }
            let id = node["id"]?.text ?? "none"
            let end = node["error"].map { "\"error\":\($0["code"]?.number ?? "")" }
            return "{\"jsonrpc\":\"2.0\",\"id\":\(id),\(end ?? "\"result\":\"…\"")}"
        }

        @Test(
            "is spoken as its specification shows, line by line",
            arguments: ["one after the other", "in one write"])
        func lines(_ way: String) throws {
            let daemon = try Hosted()
            try daemon.connect().create("f", try bundle(devices: 20), #","rate":"1x""#)
            let client = try RawClient(daemon.folder.socket)
            let rows = Self.examples + Self.further
            let last = #"{"id":"last","method":"foobar"}"#
            if way == "in one write" {
                client.send(rows.map { $0.line + "\n" }.joined() + last + "\n")
            }
            for row in rows {
                if way != "in one write" { client.send(row.line + "\n") }
                guard let due = row.reply else { continue }
                let line = try #require(client.line(), "\(row.what): no answer")
                let node = try JSONReader.read(Array(line.utf8), as: .json)
                #expect(shape(node) == due, "\(row.what): \(line)")
            }
            // Nothing came for what nobody waits for.
            if way != "in one write" { client.send(last + "\n") }
            #expect(client.line()?.contains(#""id":"last""#) == true)
        }

        @Test("has one extension and its own method to say so")
        func discover() throws {
            let daemon = try Hosted()
            let document = try daemon.connect().call("rpc.discover")
            #expect(document["openrpc"]?.string == "1.3.2")
            let names = document["methods"]?.array?.compactMap { $0["name"]?.string } ?? []
            #expect(names.contains("fleet.create") && names.first == "rpc.discover")
        }
    }
}
