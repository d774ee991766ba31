import ControlProtocol
import ControlService
import DaemonRuntime
import JSONText
import TestSupport
import Testing

extension DaemonSuite {
    @Suite("The list of limits")
    struct LimitsTests {
        private func rows(_ caller: Caller) throws -> [JSONNode] {
            try #require(try caller.call("limits")["limits"]?.array)
        }

        private func reached(_ name: String, _ caller: Caller) throws -> Int? {
            let row = try rows(caller).first { $0["limit"]?.string == name }
            return try #require(row, "\(name) is not there")["reached"]?.number.flatMap { Int($0) }
        }

        @Test("names each limit once, with every one that a refusal can name")
        func names() throws {
            let all = NamedLimit.all()
            let names = all.map(\.name)
            #expect(Set(names).count == names.count)
            // How many files may be open is not the daemon's to say.
            let counted = LimitName.allCases.filter { $0 != .descriptors }
            #expect(Set(counted.map(\.rawValue)).isSubset(of: names))
            #expect(all.allSatisfy { $0.value > 0 && !$0.unit.isEmpty && !$0.then.isEmpty })
            #expect(Set(all.map(\.part)) == Set(NamedLimit.Part.allCases))
            let daemon = try Hosted()
            #expect(try rows(try daemon.connect()).map { $0["limit"]?.string } == names)
        }

        @Test("counts the batches, lines, uploads, subscriptions and watchers that were too many")
        func counts() throws {
            let daemon = try Hosted()
            let (asker, client) = (try daemon.connect(), try daemon.connect())
            for name in ["batch_calls", "line_bytes", "connection_uploads", "fleet_watchers"] {
                #expect(try reached(name, asker) == 0, "\(name)")
            }
            #expect(try reached("json_depth", asker) == nil)
            let batch = Array(repeating: #"{"id":1,"method":"fleet.list"}"#, count: 65)
            client.raw.send("[" + batch.joined(separator: ",") + "]\n")
            let refusal = try #require(client.raw.line())
            #expect(refusal.contains(#""limit":"batch_calls""#), "\(refusal)")
            #expect(try reached("batch_calls", asker) == 1)
            for number in 0..<65 {
                let hash =
                    String(repeating: "0", count: 62) + (number < 10 ? "0" : "") + "\(number)"
                let reply = try client.ask(
                    "blob.put", #"{"sha256":"\#(hash)","offset":0,"base64":"aGk="}"#)
                #expect((reply["error"] != nil) == (number == 64))
            }
            #expect(try reached("connection_uploads", asker) == 1)
            try client.create("demo", try bundle(devices: 20), #","paused":true"#)
            for _ in 0..<64 { try client.call("watch", named("demo")) }
            let reply = try client.ask("watch", named("demo"))
            let data = reply["error"]?["data"]
            #expect(data?["limit"]?.string == "connection_subscriptions", "\(reply.text)")
            #expect(try asker.refusal("watch", named("demo")).code == "limit_reached")
            #expect(try reached("connection_subscriptions", asker) == 1)
            #expect(try reached("fleet_watchers", asker) == 1)
            let long = try RawClient(daemon.folder.socket)
            long.send(String(repeating: "a", count: 1 << 20 + 1))
            #expect(long.line()?.contains("line_too_long") == true)
            #expect(try reached("line_bytes", asker) == 1)
        }

        @Test("counts the budgets that scripts have used up, of the fleets that there are")
        func scripts() throws {
            let daemon = try Hosted()
            let client = try daemon.connect()
            let endless = """
                return { answer_prompt = function() end,
                  next_open = function() while true do end end }
                """
            try client.create(
                "demo",
                try ownBundle(behavior: endless, "script_failures: { end_run_after: 1000000 }"))
            _ = try client.end(of: "demo")
            #expect(try #require(try reached("call_instructions", client)) > 0)
            try client.call("fleet.delete", named("demo"))
            #expect(try reached("call_instructions", client) == 0)
        }
    }
}
