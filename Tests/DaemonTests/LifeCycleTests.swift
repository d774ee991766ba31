import Bundles
import DaemonRuntime
import Foundation
import JSONText
import TestSupport
import Testing

@testable import ControlService

extension DaemonSuite {
    @Suite("In the life of a fleet")
    struct LifeCycleTests {
        /// What each verb leads to in each state; nil: it is refused.
        static let table: [(verb: String, next: [FleetState: FleetState])] = [
            ("fleet.start", [.ready: .running]),
            ("fleet.pause", [.running: .paused]),
            ("fleet.resume", [.paused: .running]),
            ("fleet.rate", [.ready: .ready, .running: .running, .paused: .paused]),
            ("fleet.stop", [.ready: .stopped, .running: .stopped, .paused: .stopped]),
            ("intervene", [.ready: .ready, .running: .running, .paused: .paused]),
            ("watch", [.ready: .ready, .running: .running, .paused: .paused]),
        ]

        /// What a refusal says would be accepted.
        static let accepted: [String: String] = [
            "fleet.start": "'ready' ones do", "fleet.pause": "running ones can",
            "fleet.resume": "paused ones can",
            "fleet.rate": "ready, running and paused ones have",
            "fleet.stop": "ready, running and paused ones can",
            "intervene": "ready, running and paused ones do",
            "watch": "ready, running and paused ones have",
        ]

        /// A fleet that stays in that state, or has come to it.
        private func make(_ state: FleetState, _ client: Caller) throws {
            // So slow that it is running for as long as the test looks.
            let slow = #","rate":"0.001x""#
            switch state {
            case .ready:
                try client.create("a", try bundle(devices: 20), slow + #","paused":true"#)
            case .running: try client.create("a", try bundle(devices: 20), slow)
            case .paused:
                try client.create("a", try bundle(devices: 20), slow)
                try client.call("fleet.pause", named("a"))
            case .stopped:
                try client.create("a", try bundle(devices: 20), slow)
                try client.call("fleet.stop", named("a"))
            case .finished: try client.create("a", try bundle(devices: 20, days: 0.1))
            case .failed: try client.create("a", try failing())
            }
            if state.isFinal { _ = try client.end(of: "a") }
            #expect(try client.show("a")["state"]?.string == state.rawValue)
        }

        private func parameters(of verb: String) -> String {
            switch verb {
            case "fleet.rate": #"{"fleet":"a","rate":"0.002x"}"#
            case "intervene": #"{"fleet":"a","do":"reboot"}"#
            default: named("a")
            }
        }

        @Test("every verb in every state leads where the contract says", arguments: Self.table)
        func verbs(_ verb: String, _ next: [FleetState: FleetState]) throws {
            let daemon = try Hosted()
            let client = try daemon.connect()
            for state in FleetState.allCases {
                try make(state, client)
                if let next = next[state] {
                    let result = try client.call(verb, parameters(of: verb))
                    if let told = result["state"]?.string { #expect(told == next.rawValue) }
                    #expect(
                        try client.show("a")["state"]?.string == next.rawValue, "\(verb), \(state)")
                } else {
                    let refusal = try client.refusal(verb, parameters(of: verb))
                    #expect(refusal.code == "wrong_state", "\(verb), \(state)")
                    #expect(
                        refusal.message.hasPrefix("fleet \"a\" is \(state.rawValue) and "),
                        "\(refusal.message)")
                    #expect(
                        refusal.message.hasSuffix(try #require(Self.accepted[verb])),
                        "\(refusal.message)")
                    #expect(try client.show("a")["state"]?.string == state.rawValue)
                }
                let gone = try client.call("fleet.delete", named("a"))
                #expect(gone.text == #"{"fleet":"a","deleted":true}"#)
            }
        }

        @Test("it may be looked at in every state, and never before or after")
        func views() throws {
            let daemon = try Hosted()
            let client = try daemon.connect()
            let views = ["fleet.show", "funnel", "metrics", "device.list", "funnel.subscribe"]
            for state in FleetState.allCases {
                try make(state, client)
                for view in views {
                    let result = try client.call(view, named("a"))
                    if let told = result["state"]?.string { #expect(told == state.rawValue) }
                }
                let why = try client.call("why", #"{"fleet":"a","device":3}"#)
                #expect(why.keys == ["fleet", "device", "records", "next"])
                try client.call("fleet.delete", named("a"))
            }
            for method in views + Self.table.map(\.verb) + ["fleet.delete"] {
                let refusal = try client.refusal(method, parameters(of: method))
                #expect(refusal.code == "no_such_fleet", "\(method)")
            }
            let page = try client.refusal("why", #"{"fleet":"a","device":3}"#)
            #expect(page.code == "no_such_fleet")
        }

        @Test("its end says what ended it")
        func ends() throws {
            let daemon = try Hosted()
            let client = try daemon.connect()
            let fleets = [
                ("duration", try bundle(devices: 20, days: 0.5)),
                ("end_when", try bundle(devices: 20, ["end_when": "day >= 1"])),
                ("script_failures", try failing()),
            ]
            for (name, bundle) in fleets { try client.create(name, bundle) }
            for (name, bundle) in fleets {
                let shown = try client.end(of: name)
                let isFailed = name == "script_failures"
                #expect(shown["ended_by"]?.string == name)
                #expect(shown["state"]?.string == (isFailed ? "failed" : "finished"))
                #expect((shown["error"]?.string != nil) == isFailed, "\(shown.text)")
                #expect(
                    shown["digest"]?.string == (try bundle.played().figures.digest.description))
                #expect(try client.call("metrics", named(name))["ended_by"]?.string == name)
            }
            try client.create("stopped", try bundle(devices: 20), #","rate":"0.001x""#)
            try client.call("fleet.stop", named("stopped"))
            #expect(try client.show("stopped")["ended_by"]?.string == "stopped")
        }

        @Test("it fails with that reason when a script fills its memory")
        func memory() throws {
            let daemon = try Hosted()
            let client = try daemon.connect()
            let bundle = try ownBundle(
                behavior: """
                    return { answer_prompt = function() return "dont_allow" end,
                      each_day = function(self)
                        for i = 1, 60 do self[#self + 1] = (#self .. "x"):rep(2500) end
                      end }
                    """)
            try client.create("full", bundle)
            let shown = try client.end(of: "full")
            #expect(shown["state"]?.string == "failed")
            let error = shown["error"]?.string ?? ""
            #expect(error.contains("script_memory_exhausted: scripts have used up their memory"))
        }

        /// People who fail at every prompt, and a limit for that.
        private func failing() throws -> Bundles.Bundle {
            try ownBundle(
                behavior: "return { answer_prompt = function() error('no idea') end }",
                strategy: "ask_on_launch.lua",
                "script_failures: { end_run_after: 3 }")
        }

        @Test("its name is taken until it is deleted, and then it is gone from memory too")
        func names() throws {
            let daemon = try Hosted()
            let client = try daemon.connect()
            let bundle = try bundle(devices: 20)
            try client.create("a", bundle, #","paused":true"#)
            weak let fleet = try daemon.service.hosted("a").fleet
            let refusal = try client.refusal(
                "fleet.create", #"{"name":"a","bundle":"\#(bundle.sha256)"}"#)
            #expect(refusal.code == "fleet_exists")
            #expect(refusal.message.contains("delete it or take another name"))
            let subscriber = try daemon.connect()
            try subscriber.call("funnel.subscribe", #"{"fleet":"a","every_seconds":86400}"#)
            try subscriber.call("watch", named("a"))
            #expect(fleet != nil)
            try client.call("fleet.delete", named("a"))
            #expect(eventually { fleet == nil }, "something holds the fleet")
            #expect(try client.call("daemon.status")["subscriptions"]?.number == "0")
            var last: JSONNode?
            var isEnded = false
            while last?["state"]?.string != "stopped" || !isEnded {
                let news = try #require(try subscriber.next(), "nobody said that it is over")
                if news["ended"]?.bool == true { isEnded = true } else { last = news }
            }
            try client.create("a", bundle)
            #expect(try client.end(of: "a")["state"]?.string == "finished")
        }

        @Test("a reader that is slow learns of the end all the same")
        func slowReader() throws {
            let daemon = try Hosted()
            let client = try daemon.connect()
            try client.create("a", try bundle(devices: 1_000, days: 6), #","paused":true"#)
            let watcher = try daemon.connect()
            try watcher.call("watch", named("a"))
            // Short lines, which fill the queue to its brim.
            for device in 0..<16 {
                try watcher.call("watch", #"{"fleet":"a","where":"device = \#(device)"}"#)
            }
            try watcher.call("funnel.subscribe", #"{"fleet":"a","every_seconds":86400}"#)
            try client.call("fleet.start", named("a"))
            _ = try client.end(of: "a")
            var (lost, ended, state) = (0, 0, "")
            while ended < 17 || state != "finished" {
                let news = try #require(try watcher.next(), "\(ended) ended, funnel \(state)")
                lost = max(lost, try #require(Int(news["lost"]?.number ?? "")))
                if news["ended"]?.bool == true { ended += 1 }
                state = news["state"]?.string ?? state
            }
            #expect(lost > 0, "it was told everything")
            #expect(try watcher.call("fleet.list").array?.count == 1)
        }

        @Test("pages of devices have every device once, in all arms")
        func pages() throws {
            let daemon = try Hosted()
            let client = try daemon.connect()
            try client.create("a", try bundle(devices: 7, arms: ["ask_on_launch.lua"]))
            _ = try client.end(of: "a")
            for limit in [1, 2, 3, 5, 14, 20] {
                var (rows, after, pages): ([String], String?, Int) = ([], nil, 0)
                repeat {
                    let from = after.map { ",\"after\":\($0)" } ?? ""
                    let page = try client.call(
                        "device.list", #"{"fleet":"a","limit":\#(limit)\#(from)}"#)
                    let devices = try #require(page["devices"]?.array)
                    rows += devices.map {
                        "\($0["device"]?.number ?? "") \($0["arm"]?.string ?? "")"
                    }
                    after = page["next"]?.number
                    pages += 1
                } while after != nil && pages < 20
                let due = (0..<7).flatMap { ["\($0) base", "\($0) ask_on_launch"] }
                #expect(rows == due, "limit \(limit)")
            }
        }
    }
}
