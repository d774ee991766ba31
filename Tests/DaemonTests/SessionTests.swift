import Foundation
import JSONText
import TestSupport
import Testing

extension DaemonSuite {
    /// `contract/rpc-session.txt`, with what its ellipses stand for put in.
    @Suite("The session of the contract")
    struct SessionTests {
        /// As it stands there. Numbers in it are invented; names and shapes are binding.
        static let session = #"""
            > {"jsonrpc":"2.0","id":1,"method":"daemon.status"}
            < {"jsonrpc":"2.0","id":1,"result":{"version":"0.1.0","fleets":0,"uptime_seconds":12.4}}
            > {"id":2,"method":"blob.put","params":{"sha256":"6f1c…","offset":0,"base64":"…","last":true}}
            < {"jsonrpc":"2.0","id":2,"result":{"have":true}}
            > {"id":3,"method":"fleet.create","params":{"name":"demo","bundle":"6f1c…","rate":"60x"}}
            < {"jsonrpc":"2.0","id":3,"result":{"fleet":"demo","state":"running","digest":null}}
            > {"id":4,"method":"fleet.create","params":{"nmae":"demo"}}
            < {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"unknown parameter \"nmae\"; did you mean \"name\"?","data":{"code":"unknown_parameter","parameter":"nmae"}}}
            > {"id":5,"method":"funnel.subscribe","params":{"fleet":"demo","every_seconds":1}}
            < {"jsonrpc":"2.0","id":5,"result":{"subscription":"s1"}}
            < {"jsonrpc":"2.0","method":"funnel","params":{"subscription":"s1","lost":0,"at_seconds":3600,"funnel":[]}}
            > {"id":6,"method":"intervene","params":{"fleet":"demo","where":"persona = depends","share":0.5,"do":"settings","value":"never"}}
            < {"jsonrpc":"2.0","id":6,"result":{"at_seconds":3660,"devices":16012,"journal":1}}
            """#

        /// Lines that are the contract's to the byte.
        static let exact: Set<Int> = [2, 3, 4, 5]
        /// What a reply may say beyond the contract.
        static let extras: [String: Set<String>] = [
            "1": [
                "running", "devices", "workers", "resident_bytes", "allocated_bytes", "blob_bytes",
                "subscriptions",
                "connections", "connections_accepted_total", "connections_refused_total",
                "connections_cut_total", "lines_refused_total", "notifications_lost_total",
            ],
            // Of these many it could not be done.
            "6": ["ignored"],
            // Whoever follows a fleet has to know when it is over.
            "funnel": ["state", "outside", "funnels"],
        ]

        @Test("is answered line by line in the contract's shapes")
        func session() throws {
            let bundle = try bundle(devices: 2_000)
            let daemon = try Hosted()
            let client = try RawClient(daemon.folder.socket)
            // The files that the contract's session has sent before.
            let sender = try daemon.connect()
            for blob in bundle.blobs { try sender.put(blob.sha256, blob.bytes) }
            let manifest = Data(bundle.manifest.utf8).base64EncodedString()
            let script = Self.session.replacingOccurrences(of: "6f1c…", with: bundle.sha256)
                .replacingOccurrences(of: "…", with: manifest)
            for line in script.split(separator: "\n") {
                let text = String(line.dropFirst(2))
                if line.hasPrefix(">") {
                    client.send(text + "\n")
                } else {
                    try compare(try nextLine(client, like: text), text)
                }
            }
        }

        /// Funnels come once a second: those beyond the contract's one are passed over.
        private func nextLine(_ client: RawClient, like expected: String) throws -> String {
            let isNews = expected.contains("\"method\"")
            while true {
                let line = try #require(client.line(), "due: \(expected)")
                if isNews || !line.contains("\"method\"") { return line }
            }
        }

        private func compare(_ line: String, _ expected: String) throws {
            let (mine, theirs) = (try node(line), try node(expected))
            #expect(mine.keys == theirs.keys, "\(line)")
            let id = theirs["id"]?.number
            #expect(mine["id"]?.number == id)
            if let id, Self.exact.contains(try #require(Int(id))) {
                #expect(line == expected)
                return
            }
            let part = id == nil ? "params" : "result"
            let (got, due) = (try #require(mine[part]), try #require(theirs[part]))
            let extra = Self.extras[id ?? "funnel"] ?? []
            #expect(got.keys.filter { !extra.contains($0) } == due.keys, "\(line)")
            for key in due.keys {
                #expect(kind(got[key]) == kind(due[key]), "\(key) in \(line)")
            }
        }

        private func node(_ line: String) throws -> JSONNode {
            try JSONReader.read(Array(line.utf8), as: .json)
        }

        private func kind(_ node: JSONNode?) -> String {
            switch node?.value {
            case .null?: "null"
            case .bool?: "bool"
            case .number?: "number"
            case .string?: "string"
            case .array?: "array"
            case .object?: "object"
            case nil: "nothing"
            }
        }

        @Test("goes by nc and jq too, without a word of JSON-RPC's own")
        func netcat() throws {
            let daemon = try Hosted()
            let client = try daemon.connect()
            try client.create("demo", try bundle(devices: 20), #","paused":true"#)
            let line = #"""
                echo '{"id":1,"method":"fleet.list"}' | nc -UN "$SOCKET" | jq -c '.result[].fleet'
                """#
            let shell = try Program.started(
                ["-c", line], environment: ["SOCKET": daemon.folder.socket],
                executable: URL(filePath: "/bin/sh")
            ).wait()
            #expect(shell.out == "\"demo\"\n", "\(shell.error)")
            #expect(shell.status == 0)
            let whole = try Program.started(
                ["-c", #"echo '{"id":1,"method":"fleet.list"}' | nc -UN "$SOCKET" | jq"#],
                environment: ["SOCKET": daemon.folder.socket],
                executable: URL(filePath: "/bin/sh")
            ).wait()
            #expect(whole.status == 0)
            let node = try node(whole.out)
            #expect(node.keys == ["jsonrpc", "id", "result"])
            #expect(node["result"]?.array?.first?["state"]?.string == "ready")
        }
    }
}
