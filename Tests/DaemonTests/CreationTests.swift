import Bundles
import ControlProtocol
import Foundation
import JSONText
import TestSupport
import Testing

extension DaemonSuite {
    /// What is refused leaves nothing behind: the name is free, and a good bundle is taken.
    @Suite("A fleet is not made")
    struct CreationTests {
        private func refusal(
            _ client: Caller, _ hash: String
        ) throws -> (code: String, message: String) {
            let refusal = try client.refusal(
                "fleet.create", #"{"name":"a","bundle":"\#(hash)"}"#)
            #expect(try client.call("fleet.list").array?.isEmpty == true)
            return refusal
        }

        /// Sends a manifest, and asks for a fleet of it.
        private func refusal(
            _ client: Caller, manifest: String
        ) throws -> (code: String, message: String) {
            let hash = sha256(Array(manifest.utf8))
            try client.put(hash, Array(manifest.utf8))
            return try refusal(client, hash)
        }

        @Test("of a bundle or of files that were not sent")
        func missing() throws {
            let daemon = try Hosted()
            let client = try daemon.connect()
            let bundle = try bundle(devices: 20, arms: ["ask_on_launch.lua"])
            #expect(try refusal(client, bundle.sha256).code == "no_such_blob")
            try client.put(bundle.sha256, Array(bundle.manifest.utf8))
            for blob in bundle.blobs {
                let refused = try refusal(client, bundle.sha256)
                #expect(refused.code == "no_such_blob", "\(refused.message)")
                try client.put(blob.sha256, blob.bytes)
            }
            #expect(try client.create("a", bundle)["state"]?.string == "running")
        }

        @Test("of what is no manifest, or one that another version wrote")
        func foreign() throws {
            let daemon = try Hosted()
            let client = try daemon.connect()
            let bundle = try bundle(devices: 20)
            for blob in bundle.blobs { try client.put(blob.sha256, blob.bytes) }
            let manifest = bundle.manifest
            let spaced = manifest.replacingOccurrences(of: ",", with: ", ")
            let other = manifest.replacingOccurrences(
                of: "\"manifest\":3", with: "\"manifest\":2")
            #expect(other != manifest)
            let others = ["", "no JSON", "[]", "{}", "null", spaced, other, manifest + "\n", "{"]
            for text in others {
                let refused = try refusal(client, manifest: text)
                #expect(refused.code == "invalid_bundle", "\(text.prefix(20)): \(refused)")
                #expect(!refused.message.isEmpty)
            }
            #expect(try client.create("a", bundle)["state"]?.string == "running")
        }

        @Test("of Lua that is broken, and its line is told")
        func brokenLua() throws {
            let daemon = try Hosted()
            let client = try daemon.connect()
            let bundle = try ownBundle()
            for blob in bundle.blobs { try client.put(blob.sha256, blob.bytes) }
            let own = try #require(bundle.blobs.first { $0.name == "own.lua" })
            let texts = [
                "return {\n  answer_prompt = function( end }", "return 7",
                "return { answer_promt = function() end }", "error('at load')",
                "while true do end",
            ]
            for text in texts {
                let bytes = Array(text.utf8)
                try client.put(sha256(bytes), bytes)
                let refused = try refusal(
                    client,
                    manifest: bundle.manifest.replacingOccurrences(
                        of: own.sha256, with: sha256(bytes)))
                #expect(["invalid_bundle", "script_error"].contains(refused.code), "\(text)")
                #expect(refused.message.contains("own.lua"), "\(refused.message)")
            }
            #expect(try client.create("a", bundle)["state"]?.string == "running")
        }

        @Test("of a file whose bytes are not those of its hash, or came out of turn")
        func blobs() throws {
            let daemon = try Hosted()
            let client = try daemon.connect()
            let bytes = Array("all of it".utf8)
            let hash = sha256(bytes)
            func put(_ offset: Int, _ text: String, last: Bool) -> String {
                let base64 = Base64.encode(Array(text.utf8))
                return #"{"sha256":"\#(hash)","offset":\#(offset),"#
                    + #""base64":"\#(base64)","last":\#(last)}"#
            }
            #expect(
                try client.refusal("blob.put", put(0, "none of it", last: true)).code
                    == "blob_mismatch")
            let early = try client.refusal("blob.put", put(3, " of it", last: true))
            #expect(early.code == "blob_mismatch")
            #expect(early.message == "0 bytes have come; the next piece begins there")
            #expect(
                try client.call("blob.put", put(0, "all", last: false)).text == #"{"have":false}"#)
            let late = try client.refusal("blob.put", put(5, "f it", last: true))
            #expect(late.message == "3 bytes have come; the next piece begins there")
            #expect(
                try client.call("blob.put", put(3, " of it", last: true)).text == #"{"have":true}"#,
                "what was said of the next piece holds")
            #expect(
                try client.call("blob.have", #"{"sha256":["\#(hash)"]}"#).text == #"{"missing":[]}"#
            )
        }

        @Test("and files that are never finished are few, and go with their sender")
        func unfinished() throws {
            let daemon = try Hosted()
            let client = try daemon.connect()
            let sender = try daemon.connect()
            func begin(_ number: Int) -> String {
                let hash = sha256(Array("\(number)".utf8))
                return #"{"sha256":"\#(hash)","offset":0,"base64":"YWJj","last":false}"#
            }
            for number in 0..<64 { try sender.call("blob.put", begin(number)) }
            #expect(try sender.refusal("blob.put", begin(64)).code == "limit_reached")
            try sender.call("blob.put", begin(63))
            #expect(try client.call("daemon.status")["blob_bytes"]?.number == "192")
            sender.raw.close()
            let isGone = try eventually {
                try client.call("daemon.status")["blob_bytes"]?.number == "0"
            }
            #expect(isGone)
        }
    }
}
