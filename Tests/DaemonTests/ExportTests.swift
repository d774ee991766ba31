import ControlProtocol
import Foundation
import JSONText
import TestSupport
import Testing

extension DaemonSuite {
    @Suite("The export of a fleet")
    struct ExportTests {
        private let daemon: Hosted
        private let client: Caller
        private let folder: ScratchFolder

        init() throws {
            (daemon, folder) = (try Hosted(), try ScratchFolder())
            client = try daemon.connect()
        }

        private func run(_ words: String...) throws -> Program {
            try Program.locfleet(
                words, environment: ["LOCFLEET_SOCKET": daemon.folder.socket])
        }

        private func export(_ fleet: String) throws -> String {
            let path = folder.path(fleet)
            let made = try run("fleet", "export", fleet, "-o", path)
            #expect(made.status == 0, "\(made.error)")
            return path
        }

        @Test("is told by why, in the words that its report recommends, in every arm")
        func why() throws {
            let failing =
                "return { next_open = function(view) error('no such mind') end, "
                + "answer_prompt = function() return 'dont_allow' end }"
            try client.create("a", try ownBundle(behavior: failing), #","paused":true"#)
            try client.call("intervene", #"{"fleet":"a","do":"reboot"}"#)
            try client.call("fleet.until", #"{"fleet":"a","until":"4d"}"#)
            #expect(try eventually { try client.show("a")["state"]?.string == "paused" })
            let path = try export("a")
            let report = try run("run", path)
            let advice = try #require(
                report.out.split(separator: "\n").first { $0.contains("locfleet why ") })
            let words = advice.split(separator: "locfleet ")[1].split(separator: " ").map(
                String.init)
            let story = try Program.locfleet(words)
            #expect(story.status == 0, "\(story.error)")
            #expect(story.out.contains("no such mind"))
            #expect(story.out.contains("So far, up to day 4 at 00:00:00"))
            let json = try run("why", path, "--device", "3", "--json")
            let told = try client.call("why", #"{"fleet":"a","device":3}"#)
            let records = (told["records"]?.array ?? []).map { $0.text + "\n" }.joined()
            #expect(json.out == records)
            #expect(try run("why", path, "--device", "3", "--days", "2").status == 2)
            #expect(try run("doctor", path).out.contains("memory"))
        }

        @Test("gives another's arms by their names alone")
        func arms() throws {
            let bundle = try bundle(devices: 20, days: 3, arms: ["ask_on_launch.lua"])
            try client.create("a", bundle)
            _ = try client.end(of: "a")
            let path = try export("a")
            let json = try run("why", path, "--device", "3", "--json", "--arm", "ask_on_launch")
            let told = try client.call("why", #"{"fleet":"a","device":3,"arm":"ask_on_launch"}"#)
            #expect(json.out == (told["records"]?.array ?? []).map { $0.text + "\n" }.joined())
            let no = try run("why", path, "--device", "3", "--arm", "nope")
            #expect(no.error.contains("there are: base, ask_on_launch"), "\(no.error)")
        }

        @Test("says whose digest it gives, and misses a threshold only where the fleet had ended")
        func verdicts() throws {
            let bundle = try bundle(
                devices: 20, days: 3, ["thresholds": #"["count(authorized) > 1000"]"#])
            for name in ["a", "b"] { try client.create(name, bundle, #","paused":true"#) }
            try client.call("fleet.start", named("a"))
            _ = try client.end(of: "a")
            try client.call("fleet.until", #"{"fleet":"b","until":"1d"}"#)
            #expect(try eventually { try client.show("b")["state"]?.string == "paused" })
            for (name, status) in [("a", 3), ("b", 0)] as [(String, Int32)] {
                let path = try export(name)
                let text = try run("run", path)
                #expect(text.status == status, "\(name): \(text.error)")
                #expect(text.out.contains("the same as that of the fleet \(name)"), "\(text.out)")
                let json = try run("run", path, "--json")
                #expect(json.out.contains(#""digest_is_the_fleets": true"#), "\(json.out)")
                let changed = path + "/export.json"
                try Self.replace(
                    #""digest":"[0-9a-f]*""#,
                    #""digest":"\#(String(repeating: "0", count: 32))""#, in: changed)
                let other = try run("run", path, "--json")
                #expect(other.status == 3)
                #expect(other.out.contains(#""digest_is_the_fleets": false"#))
            }
        }

        @Test("that was changed is refused by file and entry")
        func changed() throws {
            try client.create("a", try bundle(devices: 20, days: 3), #","paused":true"#)
            try client.call("intervene", #"{"fleet":"a","do":"reboot"}"#)
            for share in ["0", "1.5", "-1", "1e400"] {
                let path = folder.path("share \(share)")
                _ = try run("fleet", "export", "a", "-o", path)
                try Self.replace(#""share":1"#, #""share":\#(share)"#, in: path + "/export.json")
                let program = try run("run", path)
                #expect(program.status == 2)
                #expect(
                    program.error.contains("export.json: entry 1 of the journal: share is above 0"),
                    "\(program.error)")
            }
            let path = try export("a")
            let blobs = try FileManager.default.contentsOfDirectory(atPath: path + "/blobs")
            for name in blobs {
                let file = URL(filePath: "\(path)/blobs/\(name)")
                let whole = try Data(contentsOf: file)
                try whole.dropLast(1).write(to: file)
                let program = try run("run", path)
                #expect(program.status == 2)
                #expect(program.error.contains("\(name): the file is damaged"), "\(program.error)")
                try whole.write(to: file)
            }
        }

        @Test("goes to a path that ends with a slash, and nowhere below a file")
        func paths() throws {
            try client.create("a", try bundle(devices: 20, days: 3), #","paused":true"#)
            let slash = folder.path("new") + "/"
            #expect(try run("fleet", "export", "a", "-o", slash).status == 0)
            #expect(try run("run", slash).status == 0)
            let file = try folder.write("text", to: "file")
            let below = try run("fleet", "export", "a", "-o", file + "/x")
            #expect(below.status == 2)
            #expect(below.error == "locfleet: -o \(file)/x: \(file) is no folder\n")
        }

        private static func replace(_ pattern: String, _ text: String, in path: String) throws {
            let old = try String(contentsOfFile: path, encoding: .utf8)
            let new = old.replacing(try Regex(pattern), with: text)
            #expect(new != old)
            try new.write(toFile: path, atomically: true, encoding: .utf8)
        }
    }
}
