import Bundles
import ControlProtocol
import DaemonRuntime
import Foundation
import JSONText
import Reports
import SimPrimitives
import Simulation
import TestSupport
import Testing

@testable import ControlService

extension FleetFigures {
    func page(of bundle: Bundles.Bundle) -> String {
        Report(
            bundle.arms, self, bundle: bundle.sha256, endedBy: nil, groupLabels: [], machine: nil
        ).json
    }
}

extension DaemonSuite {
    @Suite("A client that replaces scripts of a fleet")
    struct ReplacementJournalTests {
        private static let nudge = """
            return {
              options = { push = { default = 0.5, min = 0, max = 1, about = "how often" } },
              next_open = function(self, person) return 9000 / person.options.push end,
              answer_prompt = function() return rng.pick { allow_while_using = 1, dont_allow = 2 } end,
            }
            """

        private func fleet(
            _ bundle: Bundles.Bundle, _ rate: FleetRate = .max
        ) throws -> Fleet {
            try bundle.fleet("a", rate, on: WorkerPool(workers: 2))
        }

        @Test("finds it replayed by its journal: live, alone, in parts and device by device")
        func replay() throws {
            let bundle = try bundle(
                Told.files, days: 6, app: #"strategy: "progressive.lua""#,
                #"""
                interventions: [{ at: "0s", do: "behavior", value: "kind.lua", share: 0.5 },
                                { at: "3d", do: "strategy", value: "new.lua", share: 0.5 }],
                arms: [{ name: "asks", set: { "app.strategy": "ask_on_launch.lua" } }],
                """#)
            let fleet = try fleet(bundle, .ratio(100_000))
            func act(_ intervention: Intervention) throws -> InterventionEffect {
                try answer { fleet.intervene(InterventionRequest(intervention), $0) }
            }
            // Before its first epoch, where the scenario has something to do at that instant too.
            _ = try act(
                bundle.bringing("behavior", "nudge.lua", Self.nudge, share: 0.5))
            _ = try act(bundle.bringing("strategy", "late.lua", Told.app("first"), share: 0.3))
            try answer(fleet.start)
            _ = try act(bundle.bringing("strategy", "late.lua", Told.app("second"), share: 0.3))
            let settings = try bundle.intervention(
                where: "push > 0", share: 1, do: "options",
                value: .object([.init("push", .number(0.9))]), after: fleet.status.journal)
            let effect = try act(settings)
            #expect(effect.reach[0].devices == effect.reach[1].devices)
            #expect(60...140 ~= effect.reach[0].devices)
            _ = try act(
                bundle.bringing(
                    "behavior", "nudge.lua", Self.nudge, where: "push > 0.8",
                    options: .object([.init("push", .number(0.4))]), after: fleet.status.journal))
            try answer { fleet.setRate(.max, $0) }
            let status = try fleet.end()
            #expect(status.journal.count == 5)
            for workers in [1, 7] {
                let alone = try bundle.played(workers: workers, journal: status.journal)
                #expect(alone.figures.digest == status.figures.digest)
                #expect(alone.figures.page(of: bundle) == status.figures.page(of: bundle))
            }
            let whole = try FleetRunner(
                bundle.arms, options: FleetRunner.Options(workers: 2), journal: status.journal)
            _ = whole.run()
            for device: UInt32 in [0, 77, 199] {
                for arm in 0..<2 {
                    let one = try FleetRunner(
                        [bundle.arms[arm]],
                        options: FleetRunner.Options(
                            workers: 1, devices: device..<device + 1, keepsRecords: true),
                        arm: arm, journal: status.journal)
                    _ = one.run()
                    #expect(
                        one.deviceDigests()[0][0].digest
                            == whole.deviceDigests()[arm][Int(device)].digest)
                }
            }
            #expect(
                whole.arms[0].scenario.scripts.map(\.name).suffix(3) == [
                    "nudge.lua", "late.lua", "late.lua (2)",
                ])
        }

        // MARK: - Refusals

        static let hostile: [(String, String, String)] = [
            ("strategy", "return {", "unexpected symbol"),
            ("strategy", "return 1", "a script returns a table of hooks"),
            ("strategy", "while true do end", "budget"),
            ("strategy", "error('no')", "bad.lua:1: no"),
            ("strategy", "return { answer_prompt = function() end }", "answer_prompt"),
            ("strategy", "return { lanched = function() end }", "launched"),
            ("strategy", "local s = 'x' while true do s = s .. s end", "string"),
            ("behavior", "return {}", "answer_prompt"),
            ("behavior", "return { launched = function() end }", "launched"),
            ("strategy", "\u{1B}Lua", "bad.lua"),
        ]

        @Test("is refused a script that does not load, with its words, and nothing happens")
        func hostileScripts() throws {
            let daemon = try Hosted()
            let client = try daemon.connect()
            let bundle = try bundle(Told.files, days: 2)
            try client.create("a", bundle, #","paused":true"#)
            for (role, text, words) in Self.hostile {
                let bytes = Array(text.utf8)
                try client.put(sha256(bytes), bytes)
                let refusal = try client.refusal(
                    "intervene",
                    #"{"fleet":"a","do":"\#(role)","value":"bad.lua","sha256":"\#(sha256(bytes))"}"#
                )
                #expect(refusal.code == "script_error", "\(text): \(refusal)")
                #expect(refusal.message.contains(words), "\(text): \(refusal.message)")
            }
            try client.call("fleet.start", named("a"))
            let shown = try client.end(of: "a")
            #expect(shown["digest"]?.string == (try bundle.played().figures.digest.description))
        }

        @Test("is told what is wrong with a request, and what would be accepted")
        func refusals() throws {
            let daemon = try Hosted()
            let client = try daemon.connect()
            let bundle = try bundle(
                Told.files.merging(["nudge.lua": Self.nudge]) { $1 }, days: 2,
                personas:
                    #"[{ name: "a", behavior: "nudge.lua" }, { name: "b", behavior: "kind.lua" }]"#)
            try client.create("a", bundle, #","paused":true"#)
            func expect(
                _ request: String, _ code: String, _ words: String,
                sourceLocation: SourceLocation = #_sourceLocation
            ) throws {
                let refusal = try client.refusal("intervene", #"{"fleet":"a",\#(request)}"#)
                #expect(refusal.code == code, sourceLocation: sourceLocation)
                #expect(
                    refusal.message.contains(words), "\(refusal.message)",
                    sourceLocation: sourceLocation)
            }
            let zeros = String(repeating: "0", count: 64)
            try expect(#""do":"strategy","value":"x.lua""#, "invalid_parameter", "blob.put")
            try expect(
                #""do":"strategy","value":"x.lua","sha256":"\#(zeros)""#, "no_such_blob",
                "has not been sent")
            try expect(
                #""do":"reboot","sha256":"\#(zeros)""#, "invalid_parameter", "bring a file")
            try expect(#""do":"strategy""#, "invalid_parameter", "takes a value")
            try expect(#""do":"options","value":3"#, "invalid_parameter", "object of options")
            try expect(#""do":"options","value":{}"#, "invalid_parameter", "1 to 256")
            try expect(
                #""do":"options","value":{"push":null}"#, "invalid_parameter",
                "true, false or text")
            try expect(
                #""do":"reboot","options":{"push":1}"#, "invalid_parameter", "takes no options")
            try expect(
                #""do":"options","value":{"push":0.7}"#, "invalid_parameter",
                "persona \"b\" plays kind.lua")
            try expect(
                #""do":"options","value":{"psh":0.7},"where":"persona = a""#, "invalid_parameter",
                "did you mean \"push\"?")
            try expect(
                #""do":"options","value":{"push":7},"where":"persona = a""#, "invalid_parameter",
                "0 to 1")
            try expect(
                #""do":"app_options","value":{"push":1}"#, "invalid_parameter",
                "the app plays app.lua")
            try client.call(
                "intervene",
                #"{"fleet":"a","do":"options","value":{"push":0.7},"where":"persona = a"}"#)
            let bytes = Array(Self.nudge.utf8)
            try client.put(sha256(bytes), bytes)
            let same = #""do":"behavior","value":"n.lua","sha256":"\#(sha256(bytes))""#
            try expect(
                same + #","options":{"pusch":0.7}"#, "invalid_parameter",
                "did you mean \"push\"?")
            try expect(same + #","where":"psh > 1""#, "invalid_parameter", "did you mean")
            let done = try client.call(
                "intervene", #"{"fleet":"a",\#(same),"where":"persona = b"}"#)
            #expect(done["devices"]?.number.flatMap { Int($0) }.map { 60...140 ~= $0 } == true)
            // Everybody has the option now.
            try client.call("intervene", #"{"fleet":"a","do":"options","value":{"push":0.6}}"#)
            let list = try client.call(
                "device.list", #"{"fleet":"a","where":"push = 0.6 and persona = b"}"#)
            #expect(list["devices"]?.array?.isEmpty == false)
        }

        @Test("may bring 64 scripts, and no more")
        func scripts() throws {
            let bundle = try bundle(Told.files, devices: 3, days: 1)
            let fleet = try fleet(bundle)
            for number in 1...64 {
                try answer {
                    let script = "return {} -- \(number)"
                    fleet.intervene(
                        InterventionRequest(
                            try! bundle.bringing("strategy", "s.lua", script)), $0)
                }
            }
            let known = try bundle.bringing("strategy", "s.lua", "return {} -- 7")
            try answer { fleet.intervene(InterventionRequest(known), $0) }
            let other = try bundle.bringing("strategy", "s.lua", "return {} -- 65")
            #expect(throws: ControlError.self) {
                try answer { fleet.intervene(InterventionRequest(other), $0) }
            }
            #expect(try fleet.lived().journal.count == 65)
        }

        @Test("sees the new script in a device's story, and in what is watched")
        func story() throws {
            let daemon = try Hosted()
            let client = try daemon.connect()
            let bundle = try bundle(Told.files, devices: 20, days: 20)
            try client.create("a", bundle, #","paused":true,"rate":"100000x""#)
            let watcher = try daemon.connect()
            try watcher.call("watch", #"{"fleet":"a","types":["world"],"where":"device = 5"}"#)
            let bytes = Array(Told.app("late").utf8)
            try client.put(sha256(bytes), bytes)
            try client.call("fleet.start", named("a"))
            try client.call(
                "intervene",
                #"{"fleet":"a","do":"strategy","value":"late.lua","sha256":"\#(sha256(bytes))"}"#)
            try client.call("fleet.rate", #"{"fleet":"a","rate":"max"}"#)
            _ = try client.end(of: "a")
            var lines: [String] = []
            while let news = try watcher.next(), news["ended"]?.bool != true {
                lines += (news["records"]?.array ?? []).map(\.text)
            }
            let line = try #require(lines.first)
            #expect(line.hasSuffix(#""type":"world","what":"strategy","script":"late.lua"}"#))
            let story = try client.call("why", #"{"fleet":"a","device":5,"format":"text"}"#)
            let text = story["story"]?.string ?? ""
            let words = text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
            #expect(
                words.contains(
                    "a new version of the app was installed: it plays late.lua from now on"),
                "\(text)")
            let page = try client.call("metrics", #"{"fleet":"a","format":"text"}"#)
            #expect(page["text"]?.string?.contains("strategy late.lua") == true)
        }

        @Test("finds its scripts after kill -9, in a fork, and in an export that runs elsewhere")
        func killed() throws {
            let folder = try ScratchFolder()
            try folder.write(Told.app("late"), to: "scripts/late.lua")
            try folder.write(Self.nudge, to: "scripts/nudge.lua")
            let bundle = try bundle(Told.files, devices: 60, days: 30)
            var daemon = try Daemon()
            func intervene(_ words: String...) throws {
                let program = try Program.locfleet(
                    ["intervene", "a", "--socket", daemon.folder.socket] + words)
                #expect(program.status == 0, "\(program.error)")
                #expect(program.out.contains(" devices"))
            }
            try daemon.connect().create("a", bundle, #","rate":"20000x""#)
            try intervene("--do", "strategy", "--value", folder.path("scripts/late.lua"))
            try intervene(
                "--do", "behavior", "--value", folder.path("scripts/nudge.lua"), "--share", "0.5",
                "--option", "push=0.25")
            try intervene("--do", "options", "--option", "push=0.75", "--where", "push < 0.3")
            let socket = daemon.folder
            daemon.end(SIGKILL)
            daemon = try Daemon(in: socket)
            let client = try daemon.connect()
            // It is replayed first.
            try intervene("--do", "behavior", "--value", folder.path("scripts/nudge.lua"))
            try client.call("fleet.fork", #"{"fleet":"a","name":"b","rate":"max"}"#)
            try client.call("fleet.rate", #"{"fleet":"a","rate":"max"}"#)
            let digests = try ["a", "b"].map { try client.end(of: $0)["digest"]?.string }
            #expect(digests[0] != nil && digests[0] == digests[1])
            #expect(digests[0] != (try bundle.played().figures.digest.description))
            let export = folder.path("b.export")
            var program = try Program.locfleet(
                ["fleet", "export", "b", "-o", export, "--socket", socket.socket])
            #expect(program.status == 0, "\(program.error)")
            program = try Program.locfleet(["run", export, "--json", "--profile"])
            #expect(program.status == 0, "\(program.error)")
            let report = try JSONReader.read(Array(program.out.utf8), as: .json)
            #expect(report["digest"]?.string == digests[0])
            // An ended fleet that is taken up again knows what its devices have.
            daemon.end(SIGKILL)
            daemon = try Daemon(in: socket)
            let list = try daemon.connect().call(
                "device.list", #"{"fleet":"b","where":"push > 0.5","limit":100}"#)
            #expect(list["devices"]?.array.map { 15...45 ~= $0.count } == true)
        }
    }
}
