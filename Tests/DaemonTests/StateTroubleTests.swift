import Bundles
import ControlProtocol
import Foundation
import JSONText
import TestSupport
import Testing

@testable import ControlService
@testable import StateStore

extension DaemonSuite {
    /// What is acknowledged is kept, or refused: never half.
    @Suite("Where the state cannot be kept, or is damaged")
    struct StateTroubleTests {
        /// Files of the daemon may not grow any more, as on a full disk; root has no other limit.
        private func fill(_ daemon: Daemon, bytes: String = "1") throws {
            let limit = try Program.started(
                ["prlimit", "--pid", "\(daemon.pid)", "--fsize=\(bytes):unlimited"],
                executable: URL(filePath: "/usr/bin/env"))
            #expect(limit.wait().status == 0)
        }

        @Test("every verb that changes something is refused, and has changed nothing")
        func full() throws {
            let folder = SocketFolder()
            let daemon = try Daemon(in: folder)
            let caller = try daemon.connect()
            // Long: it runs flat out for a moment.
            let bundle = try bundle(devices: 100, days: 300)
            try caller.create("ready", bundle, #","paused":true"#)
            try caller.create("running", bundle, #","rate":"60x""#)
            try caller.create("paused", bundle, #","rate":"60x""#)
            try caller.call("fleet.pause", named("paused"))
            try fill(daemon)
            let calls = [
                ("fleet.create", #"{"name":"new","bundle":"\#(bundle.sha256)"}"#),
                ("fleet.start", named("ready")), ("fleet.pause", named("running")),
                ("fleet.resume", named("paused")), ("fleet.stop", named("paused")),
                ("fleet.rate", #"{"fleet":"ready","rate":"2x"}"#),
                ("fleet.step", #"{"fleet":"paused","span":"1h"}"#),
                ("fleet.until", #"{"fleet":"paused","until":"1d"}"#),
                ("fleet.fork", #"{"fleet":"paused","name":"fork"}"#),
                ("intervene", #"{"fleet":"ready","do":"upgrade_os","value":"26.0"}"#),
                ("intervene", #"{"fleet":"running","do":"upgrade_os","value":"26.0"}"#),
            ]
            for (method, parameters) in calls {
                let (code, message) = try caller.refusal(method, parameters)
                #expect(code == "state_error", "\(method): \(message)")
                #expect(message.contains(folder.state), "\(method): \(message)")
            }
            let fleets = try caller.call("fleet.list").array ?? []
            #expect(fleets.map { $0["fleet"]?.string } == ["paused", "ready", "running"])
            #expect(fleets.map { $0["state"]?.string } == ["paused", "ready", "running"])
            #expect(fleets.map { $0["rate"]?.string } == ["60x", "max", "60x"])
            #expect(fleets.allSatisfy { $0["journal"]?.number == "0" })
            #expect(try caller.call("jobs").array?.isEmpty == true)
            try fill(daemon, bytes: "unlimited")
            for (method, parameters) in calls where method != "fleet.stop" {
                try caller.call(method, parameters)
            }
            daemon.end(SIGKILL)
            let second = try Daemon(in: folder)
            #expect(
                try second.connect().call("fleet.list").array?.map { $0["journal"]?.number }
                    == ["0", "0", "0", "1", "1"])
        }

        @Test("a fleet that ends says so, and the next daemon computes it again")
        func fullAtTheEnd() throws {
            let folder = SocketFolder()
            let daemon = try Daemon(in: folder)
            let caller = try daemon.connect()
            let bundle = try bundle(devices: 100)
            try caller.create("a", bundle, #","rate":"20000x""#)
            try fill(daemon)
            let ended = try caller.end(of: "a")
            #expect(ended["state_error"]?.string?.contains("computed again") == true)
            daemon.end(SIGKILL)
            let second = try Daemon(in: folder)
            try second.connect().call("fleet.rate", #"{"fleet":"a","rate":"max"}"#)
            #expect(try second.connect().end(of: "a")["digest"]?.text == ended["digest"]?.text)
        }

        @Test("two daemons cannot have one folder, and the second leaves it alone")
        func locked() throws {
            let folder = SocketFolder()
            let daemon = try Daemon(in: folder)
            let second = try Daemon.start(
                ["--socket", folder.path + "/t", "--state", folder.state]
            ).wait()
            #expect(second.status == 1)
            #expect(
                second.error.contains(
                    "locfleetd: \(folder.state): another daemon keeps its state here; stop it, or "
                        + "name another folder with --state"), "\(second.error)")
            try daemon.connect().create("a", try bundle(devices: 5))
        }

        @Test("a damaged file is refused by name with what to do, and the other fleets go on")
        func damaged() throws {
            let folder = SocketFolder()
            var daemon = try Daemon(in: folder)
            for name in ["bad", "good"] {
                try daemon.connect().create(name, try bundle(devices: 20), #","paused":true"#)
            }
            daemon.end(SIGTERM)
            let path = folder.state + "/fleets/bad/fleet.sqlite"
            let whole = try Data(contentsOf: URL(filePath: path))
            let damages: [(name: String, data: Data)] = [
                ("empty", Data()), ("text", Data("hello\n".utf8)),
                ("cut", whole.prefix(whole.count / 2)),
                ("zeros", Data(count: whole.count)),
                ("head", Data(whole.prefix(16) + Data(count: 84)) + whole.dropFirst(100)),
            ]
            for (name, data) in damages {
                try data.write(to: URL(filePath: path))
                daemon = try Daemon(in: folder)
                let caller = try daemon.connect()
                let fleets = try caller.call("fleet.list").array?.map { $0["fleet"]?.string }
                #expect(fleets == ["good"], "\(name)")
                let (code, message) = try caller.refusal("fleet.show", named("bad"))
                #expect(code == "state_error", "\(name)")
                #expect(
                    message.contains(path) && message.contains("fleet delete bad"), "\(message)")
                let refused = try caller.call("daemon.status")["not_taken_up"]?.array
                #expect(refused?.map(\.string) == [message], "\(name)")
                let listing = try daemon.locfleet(["fleet", "list"])
                #expect(listing.error == "locfleet: \(message)\n" && listing.status == 0)
                let hash = try bundle(devices: 20).sha256
                try caller.send(try bundle(devices: 20))
                let taken = try caller.refusal(
                    "fleet.create", #"{"name":"bad","bundle":"\#(hash)"}"#)
                #expect(taken.code == "fleet_exists", "\(name)")
                try caller.call("fleet.step", #"{"fleet":"good","span":"1h"}"#)
                let ended = daemon.end(SIGTERM)
                #expect(ended.error.contains("fleet \"bad\" is not taken up"), "\(ended.error)")
                #expect(try Data(contentsOf: URL(filePath: path)) == data, "\(name): touched")
            }
            try whole.write(to: URL(filePath: path))
            daemon = try Daemon(in: folder)
            #expect(try daemon.connect().call("fleet.list").array?.count == 2)
        }

        @Test("a fleet that is not taken up can be deleted, and its name taken again")
        func deleteDamaged() throws {
            let folder = SocketFolder()
            var daemon = try Daemon(in: folder)
            let bundle = try bundle(devices: 20)
            for name in ["bad", "newer"] { try daemon.connect().create(name, bundle) }
            daemon.end(SIGTERM)
            let fleets = folder.state + "/fleets/"
            try Data("x".utf8).write(to: URL(filePath: fleets + "bad/fleet.sqlite"))
            try sqlite(fleets + "newer/fleet.sqlite", ["PRAGMA user_version = 3"])
            daemon = try Daemon(in: folder)
            let caller = try daemon.connect()
            let newer = try caller.refusal("fleet.show", named("newer")).message
            #expect(
                newer.hasSuffix(
                    "has format 3, and this version of locfleet reads formats up to 2: start the "
                        + "version that wrote it, or delete the fleet: locfleet fleet delete newer"
                ), "\(newer)")
            for name in ["bad", "newer"] {
                let deleted = try daemon.locfleet(["fleet", "delete", name])
                #expect(deleted.status == 0 && deleted.out == "\(name): deleted\n")
                #expect(try caller.refusal("fleet.show", named(name)).code == "no_such_fleet")
                #expect(try caller.refusal("fleet.delete", named(name)).code == "no_such_fleet")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: fleets).isEmpty)
            #expect(try caller.call("daemon.status")["not_taken_up"] == nil)
            try caller.create("bad", bundle)
        }

        @Test("what comes to a fleet that has just ended or gone is refused for that, as state")
        func closed() throws {
            let folder = SocketFolder()
            let state = try StateFolder(folder.state)
            let mark = FleetFile.Mark(state: "paused", rate: "60x", at: 77)
            let file = try FleetFile(
                in: state, FleetFile.Head(name: "a", bundle: "b", by: [], locfleet: "0.1.0"), mark,
                blobs: [:])
            file.close()
            let error = #expect(throws: StateError.self) { try file.keep(mark) }
            #expect(error.map { ControlError($0).code } == .wrongState)
            #expect(error?.message.hasPrefix("fleet \"a\" has come to its end") == true)
        }

        @Test("no bit can turn in a file without its being noticed or of no consequence")
        func bits() throws {
            let folder = SocketFolder()
            let state = try StateFolder(folder.state)
            let head = FleetFile.Head(
                name: "a", bundle: "b", by: ["persona"], locfleet: "0.1.0")
            let mark = FleetFile.Mark(state: "paused", rate: "60x", at: 77, digest: "d", goal: "g")
            let entries = (0..<20).map {
                FleetFile.Entry(at: Int64($0), request: "{\"do\":\"settings\",\"n\":\($0)}")
            }
            let bytes = [UInt8](repeating: 7, count: 5_000)
            let result = FleetFile.Result(
                endedBy: "stopped", error: nil, figures: [1, 2, 3], standings: [4, 5])
            do {
                let file = try FleetFile(
                    in: state, head, mark, blobs: [sha256(bytes): bytes], journal: entries)
                try file.keep(mark, result)
            }
            let path = FleetFile.path(of: "a", in: state)
            let whole = try Data(contentsOf: URL(filePath: path))
            var noticed = 0
            for place in stride(from: 0, to: whole.count, by: 37) {
                var data = whole
                data[place] ^= 1 << UInt8(place % 8)
                try data.write(to: URL(filePath: path))
                do {
                    let file = try FleetFile(opening: "a", in: state)
                    let isSame =
                        try file.head == head && file.mark() == mark && file.journal() == entries
                        && file.blobs() == [sha256(bytes): bytes] && file.result() == result
                    #expect(isSame, "byte \(place) turned, and nobody noticed")
                } catch { noticed += 1 }
                for ending in ["-wal", "-shm"] {
                    try? FileManager.default.removeItem(atPath: path + ending)
                }
            }
            #expect(noticed > 50, "\(noticed)")
        }

        @Test("a file of the version before is taken up, and one of a later version refused")
        func versions() throws {
            let folder = SocketFolder()
            let state = try StateFolder(folder.state)
            let mark = FleetFile.Mark(state: "paused", rate: "max", at: 5)
            do {
                _ = try FleetFile(
                    in: state,
                    FleetFile.Head(name: "a", bundle: "b", by: [], locfleet: "0.1.0"), mark,
                    blobs: [:])
            }
            let path = FleetFile.path(of: "a", in: state)
            // What version 1 wrote: it knew no goals.
            try sqlite(path, ["ALTER TABLE mark DROP COLUMN goal", "PRAGMA user_version = 1"])
            #expect(try FleetFile(opening: "a", in: state).mark() == mark)
            var goal = mark
            goal.goal = "us:7"
            try FleetFile(opening: "a", in: state).keep(goal)
            #expect(try FleetFile(opening: "a", in: state).mark() == goal)
            try sqlite(path, ["PRAGMA user_version = 999"])
            #expect {
                try FleetFile(opening: "a", in: state)
            } throws: { error in
                (error as? StateError)?.code == .newer
                    && (error as? StateError)?.message.contains("format 999") == true
            }
        }

        private func sqlite(_ path: String, _ sql: [String]) throws {
            let database = try Database(path)
            for statement in sql { try database.run(statement) }
        }
    }
}
