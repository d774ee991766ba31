import ControlProtocol
import Foundation
import JSONText
import TestSupport
import Testing

extension DaemonSuite {
    @Suite("What is told of a fleet is so")
    struct WordsTests {
        private static func text(_ client: Caller, _ method: String, _ fleet: String) throws
            -> String
        {
            try client.call(method, #"{"fleet":"\#(fleet)","format":"text","width":100}"#)["text"]?
                .string ?? ""
        }

        @Test("it has as many devices as it has, begun or not, and says where it stands")
        func size() throws {
            let daemon = try Hosted()
            let client = try daemon.connect()
            try client.create("a", try bundle(devices: 300, days: 3), #","paused":true"#)
            let ready = try client.call("metrics", named("a"))
            #expect(ready["devices"]?.number == "300")
            let first = try #require(ready["arms"]?.array?[0]["funnel"]?.array?.first)
            #expect(first["reached"]?.number == "0", "nobody has installed the app so far")
            #expect(first["not_yet"]?.number == "300")
            let text = try Self.text(client, "metrics", "a")
            #expect(text.contains("300 devices"))
            #expect(text.contains("Not started yet"))
            #expect(!text.contains("deleted"))
            try client.call("fleet.until", #"{"fleet":"a","until":"1d"}"#)
            #expect(try eventually { try client.show("a")["state"]?.string == "paused" })
            for method in ["funnel", "metrics"] {
                let text = try Self.text(client, method, "a")
                #expect(text.contains("Paused: these are the figures up to there."), "\(text)")
                #expect(!text.contains("at the end"))
                #expect(!text.contains("Still running"))
            }
            let why = try client.call("why", #"{"fleet":"a","device":3,"format":"text"}"#)
            #expect(why["story"]?.string?.contains("So far, up to day 1 at 00:00:00: ") == true)
            try client.create("b", try bundle(devices: 300, days: 3), #","paused":true"#)
            try client.call("fleet.stop", named("b"))
            #expect(try client.call("metrics", named("b"))["devices"]?.number == "300")
        }

        @Test("an instant that is its end is reached, and one after it is refused at once")
        func end() throws {
            let daemon = try Hosted()
            let client = try daemon.connect()
            let bundle = try bundle(devices: 20, days: 2)
            for name in ["a", "b", "c"] { try client.create(name, bundle, #","paused":true"#) }
            let late = try client.refusal("fleet.until", #"{"fleet":"a","until":"40d"}"#)
            #expect(late.code == "wrong_state")
            #expect(late.message.contains("ends at 2026-01-07T00:00:00"), "\(late.message)")
            func outcome(_ method: String, _ parameters: String) throws -> JSONNode? {
                let job = try client.call(method, parameters)["job"]?.string ?? ""
                return try client.call("wait", #"{"job":"\#(job)","within_seconds":60}"#)["job"]
            }
            let there = try outcome("fleet.until", #"{"fleet":"a","until":"2d"}"#)
            #expect(there?["state"]?.string == "done", "\(there?.text ?? "")")
            let shown = try client.show("a")
            #expect(shown["state"]?.string == "finished")
            #expect(shown["goal"] == nil, "a fleet at its end goes nowhere")
            let step = try outcome("fleet.step", #"{"fleet":"b","span":"5d"}"#)
            #expect(step?["state"]?.string == "missed", "five days are more than it has")
            let held = try outcome("fleet.until", #"{"fleet":"c","until":"day >= 2"}"#)
            #expect(held?["state"]?.string == "done", "it holds at the very end")
        }

        @Test("two instants in one second are told apart")
        func apart() throws {
            let daemon = try Hosted()
            let client = try daemon.connect()
            try client.create("a", try bundle(devices: 5, days: 1))
            _ = try client.end(of: "a")
            let refusal = try client.refusal(
                "fleet.fork", #"{"fleet":"a","name":"b","at":"1d1ms"}"#)
            #expect(refusal.message.contains("00:00:00.000000"), "\(refusal.message)")
            #expect(refusal.message.contains("00:00:00.001000"), "\(refusal.message)")
        }

        @Test("an intervention reached the sum of what it reached in the arms")
        func arms() throws {
            let daemon = try Hosted()
            let client = try daemon.connect()
            try client.create(
                "a", try bundle(devices: 50, days: 2, arms: ["ask_on_launch.lua"]),
                #","paused":true"#)
            let done = try client.call("intervene", #"{"fleet":"a","do":"reboot"}"#)
            #expect(done["devices"]?.number == "100")
            #expect(done["arms"]?.text == #"{"base":50,"ask_on_launch":50}"#)
            let said = try Program.locfleet(
                ["intervene", "a", "--do", "reboot"],
                environment: ["LOCFLEET_SOCKET": daemon.folder.socket])
            #expect(
                said.out == "100 devices, 0 s after the start: base 50, ask_on_launch 50\n",
                "\(said.error)")
            let no = try client.refusal(
                "intervene", #"{"fleet":"a","do":"update_app","value":"Info.plist"}"#)
            #expect(no.message.contains("a client cannot send an Info.plist"), "\(no.message)")
            let near = try client.refusal("intervene", #"{"fleet":"a","do":"update"}"#)
            #expect(!near.message.contains("update_app"), "\(near.message)")
        }

        @Test("a milestone that never came is blamed where it was due, and not before")
        func milestones() throws {
            let daemon = try Hosted()
            let client = try daemon.connect()
            let bundle = try bundle(
                devices: 50, days: 30,
                ["funnels": #"[{ name: "own", steps: ["opened", "milestone:never_so"] }]"#])
            try client.create("a", bundle, #","paused":true"#)
            let complaint = "never came from the app"
            #expect(try !Self.text(client, "metrics", "a").contains(complaint))
            try client.call("fleet.step", #"{"fleet":"a","span":"1m"}"#)
            #expect(try eventually { try client.show("a")["state"]?.string == "paused" })
            #expect(try !Self.text(client, "metrics", "a").contains(complaint))
            try client.call("fleet.step", #"{"fleet":"a","span":"20d"}"#)
            #expect(try eventually { try client.show("a")["state"]?.string == "paused" })
            #expect(try Self.text(client, "metrics", "a").contains(complaint))
        }

        @Test("a bundle has one name everywhere, and may be created by it")
        func bundles() throws {
            let daemon = try Hosted()
            let client = try daemon.connect()
            let bundle = try bundle(devices: 5, days: 1)
            try client.create("a", bundle)
            _ = try client.end(of: "a")
            let name = "sha256:\(bundle.sha256)"
            for method in ["fleet.show", "fleet.export", "metrics"] {
                #expect(try client.call(method, named("a"))["bundle"]?.string == name)
            }
            try client.call("fleet.create", #"{"name":"b","bundle":"\#(name)"}"#)
        }

        @Test("a device's sessions are those of its story")
        func sessions() throws {
            let daemon = try Hosted()
            let client = try daemon.connect()
            try client.create("a", try bundle(devices: 40, days: 20))
            _ = try client.end(of: "a")
            for device in 0..<40 {
                let one = #"{"fleet":"a","device":\#(device)"#
                let shown = try client.call("device.show", one + "}")
                let count = try #require(shown["sessions"]?.number)
                let story = try client.call("why", one + #","format":"text","width":200}"#)
                let word = count == "1" ? "session" : "sessions"
                #expect(
                    story["story"]?.string?.contains(" and \(count) \(word).") == true, "\(device)")
            }
        }
    }
}
