import Foundation
import JSONText
import TestSupport
import Testing

extension DaemonSuite {
    @Suite("With more fleets than descriptors the daemon")
    struct ManyFleetsTests {
        /// Makes so many fleets in a state folder.
        private func make(_ count: Int, _ more: String, in folder: SocketFolder) throws {
            let daemon = try Daemon(in: folder)
            let caller = try daemon.connect()
            let bundle = try bundle(devices: 2, days: 1)
            try caller.send(bundle)
            for number in 0..<count {
                try caller.call(
                    "fleet.create", #"{"name":"n\#(number)","bundle":"\#(bundle.sha256)"\#(more)}"#)
            }
            if more.isEmpty { for number in 0..<count { _ = try caller.end(of: "n\(number)") } }
            #expect(daemon.descriptorCount < 40 + (more.isEmpty ? 0 : 3 * count))
            daemon.end(SIGTERM)
        }

        @Test("has all that have ended, with what each has come to")
        func ended() throws {
            let folder = SocketFolder()
            try make(256, "", in: folder)
            let daemon = try Daemon(in: folder, descriptorsMax: 100)
            let caller = try daemon.connect()
            let fleets = try caller.call("fleet.list").array ?? []
            #expect(fleets.count == 256)
            #expect(Set(fleets.map { $0["digest"]?.string }).count == 1)
            #expect(daemon.descriptorCount < 40)
            try caller.call("fleet.export", named("n200"))
            try caller.call("fleet.delete", named("n0"))
            let job = try caller.call("fleet.fork", #"{"fleet":"n1","name":"fork"}"#)
            try caller.call("wait", #"{"job":"\#(job["job"]?.string ?? "")"}"#)
            #expect(try caller.end(of: "fork")["digest"]?.text == fleets.first?["digest"]?.text)
        }

        @Test("has as many that live as leave room for clients, and says what of the others")
        func living() throws {
            let folder = SocketFolder()
            try make(60, #","paused":true"#, in: folder)
            let daemon = try Daemon(in: folder, descriptorsMax: 100)
            let caller = try daemon.connect()
            let there =
                try caller.call("fleet.list").array?.compactMap { $0["fleet"]?.string } ?? []
            #expect((10..<40).contains(there.count), "\(there)")
            let lines = try caller.call("daemon.status")["not_taken_up"]?.array ?? []
            #expect(there.count + lines.count == 60)
            for line in lines.compactMap(\.string) {
                #expect(line.contains("a fleet that lives takes three files, and of the 100 that"))
                #expect(line.hasSuffix("; see to that, and start the daemon again"), "\(line)")
            }
            try caller.call("fleet.start", named(there[0]))
            _ = try caller.end(of: there[0])
            daemon.end(SIGTERM)
            let next = try Daemon(in: folder)
            #expect(try next.connect().call("fleet.list").array?.count == 60)
        }
    }
}
