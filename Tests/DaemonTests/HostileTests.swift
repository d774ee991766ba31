import Bundles
import ControlProtocol
import DaemonRuntime
import Foundation
import JSONText
import TestSupport
import Testing

@testable import ControlService

extension DaemonSuite {
    @Suite("Clients that mean no good")
    struct HostileTests {
        private static func isQuiet(_ daemon: Daemon, _ client: Caller, _ before: Int) throws
            -> Bool
        {
            try eventually {
                let status = try client.call("daemon.status")
                return status["connections"]?.number == "1"
                    && status["subscriptions"]?.number == "0" && daemon.descriptorCount <= before
            }
        }

        /// Idle ones until the daemon has no more for them.
        private static func crowd(_ daemon: Daemon, count: Int) throws -> [RawClient] {
            try (0..<count).map { _ in try RawClient(daemon.folder.socket) }
        }

        @Test("and wait for an hour and vanish keep nobody out")
        func waits() throws {
            let daemon = try Daemon()
            let client = try daemon.connect()
            try client.create("demo", try bundle(devices: 20), #","paused":true"#)
            let job = try client.call("fleet.fork", #"{"fleet":"demo","name":"b","paused":true}"#)
            #expect(job["job"] != nil)
            try client.call("fleet.until", #"{"fleet":"demo","until":"count(denied) >= 10000"}"#)
            try client.call("fleet.pause", named("demo"))
            // Dispatch takes what it keeps with the first of them.
            for round in 1...2 {
                let before = daemon.descriptorCount
                for number in 0..<200 {
                    let raw = try RawClient(daemon.folder.socket)
                    let wait = #"{"fleet":"demo","within_seconds":3600}"#
                    raw.send(request(number, "wait", wait) + request(number, "wait", wait))
                    if number % 3 == 0 { poll(nil, 0, 1) }
                }
                let isQuiet = try Self.isQuiet(daemon, client, before + (round == 1 ? 8 : 0))
                #expect(isQuiet, "\(daemon.descriptorCount) descriptors of \(before)")
            }
            let waiting = try daemon.connect()
            waiting.raw.send(request(1, "wait", #"{"fleet":"demo","within_seconds":3600}"#))
            usleep(1_000_000)  // The connections' order is nobody's: it waits by now.
            try client.call("fleet.delete", named("demo"))
            #expect(waiting.raw.line()?.contains(#""ended":true"#) == true, "others are told")
        }

        @Test("and are idle, by the thousand and beyond the limit, change nothing for others")
        func idle() throws {
            Machine.raiseDescriptorLimit()
            let bundle = try bundle(devices: 200, days: 4)
            let due = try bundle.played().figures.digest.description
            let daemon = try Daemon(descriptorsMax: 256, isSoft: true)
            let client = try daemon.connect()
            var before = daemon.descriptorCount
            for round in 1...2 {
                var crowd = try Self.crowd(daemon, count: 1_023)
                let isFull = try eventually {
                    try client.call("daemon.status")["connections"]?.number == "1024"
                }
                #expect(isFull, "it asks for more descriptors than a shell gives")
                for _ in 0..<20 {
                    let newcomer = try RawClient(daemon.folder.socket)
                    #expect(refusal(in: newcomer.line()) == "limit_reached")
                    #expect(newcomer.isAtEnd)
                }
                try client.create("demo", bundle)
                #expect(try client.end(of: "demo")["digest"]?.string == due)
                try client.call("fleet.delete", named("demo"))
                crowd.removeAll()
                let isQuiet = try Self.isQuiet(daemon, client, before + (round == 1 ? 8 : 0))
                #expect(isQuiet, "\(daemon.descriptorCount) descriptors of \(before)")
                before = daemon.descriptorCount
            }
        }

        @Test("and take all descriptors: no fleet can be made, those that there are go on")
        func descriptors() throws {
            let bundle = try bundle(devices: 100, days: 4)
            let due = try bundle.played().figures.digest.description
            let daemon = try Daemon(descriptorsMax: 48)
            let client = try daemon.connect()
            try client.create("there", bundle, #","paused":true"#)
            var crowd = try Self.crowd(daemon, count: 60)
            #expect(eventually { daemon.descriptorCount >= 47 })
            for _ in 0..<3 {
                let refused = try client.refusal(
                    "fleet.create", #"{"name":"new","bundle":"\#(bundle.sha256)"}"#)
                #expect(refused.code == "state_error")
                #expect(refused.message.contains("Too many open files"), "\(refused.message)")
                let fork = try client.refusal("fleet.fork", #"{"fleet":"there","name":"new"}"#)
                #expect(fork.code == "state_error", "\(fork.message)")
            }
            let files = try FileManager.default.contentsOfDirectory(
                atPath: daemon.folder.state + "/fleets")
            #expect(files == ["there"], "nothing is left of what was not made")
            let act = #"{"fleet":"there","do":"precise","value":true,"where":"device >= 5000"}"#
            #expect(try client.call("intervene", act)["journal"]?.number == "1")
            try client.call("fleet.start", named("there"))
            #expect(try client.end(of: "there")["digest"]?.string == due)
            crowd.removeAll()
            let isMade = try eventually(within: 20) {
                let made = try client.ask(
                    "fleet.create", #"{"name":"new","bundle":"\#(bundle.sha256)"}"#)
                return made["result"] != nil
            }
            try #require(isMade)
            #expect(try client.end(of: "new")["digest"]?.string == due)
            #expect(daemon.end(SIGTERM).status == 0)
            let next = try Daemon(in: daemon.folder)
            let kept = try next.connect().call("fleet.list").array?.map { $0["digest"]?.string }
            #expect(kept == [due, due])
        }

        @Test("and are stopped while they watch hold nobody up, and are told what they missed")
        func stoppedWatcher() throws {
            let bundle = try bundle(devices: 500, days: 12)
            let due = try bundle.played().figures.digest.description
            let daemon = try Daemon()
            let client = try daemon.connect()
            try client.create("demo", bundle, #","paused":true"#)
            let watcher = try Program.started(
                ["watch", "demo"], environment: ["LOCFLEET_SOCKET": daemon.folder.socket])
            let isWatching = try eventually {
                try client.call("daemon.status")["subscriptions"]?.number == "1"
            }
            try #require(isWatching)
            kill(watcher.process.processIdentifier, SIGSTOP)
            try client.call("fleet.start", named("demo"))
            #expect(try client.end(of: "demo")["digest"]?.string == due)
            let lost = try client.call("daemon.status")["notifications_lost_total"]?.number
            #expect(try #require(Int(lost ?? "")) > 0)
            kill(watcher.process.processIdentifier, SIGCONT)
            let end = watcher.wait()
            #expect(end.status == 0, "\(end.error)")
            #expect(end.error.contains("missed") || end.error.contains("lost"), "\(end.error)")
            #expect(end.out.utf8.count > 100_000)
        }

        /// No clock decides: two fleets of one bundle share the workers, and one of them has all
        /// the bad company. How far it has come when the other is done is a count, in one run.
        @Test("and crowd around one fleet do not slow it: it keeps pace with one that has none")
        func ratio() throws {
            let bundle = try bundle(devices: 300, days: 40)
            let daemon = try Daemon(workers: 1)
            let client = try daemon.connect()
            try client.create("alone", bundle, #","paused":true"#)
            try client.create("crowded", bundle, #","paused":true"#)
            let idle = try Self.crowd(daemon, count: 1_000 - 20)
            let deaf = try (0..<10).map { _ in
                let raw = try RawClient(daemon.folder.socket)
                raw.send(request(1, "watch", named("crowded")))
                raw.send(request(2, "funnel.subscribe", #"{"fleet":"crowded","every_seconds":1}"#))
                return raw
            }
            let (isOver, path) = (Flag(), daemon.folder.socket)
            let flood = Thread {
                guard let raw = try? RawClient(path) else { return }
                let rubbish = Array(String(repeating: "{\"method\":\n", count: 1_000).utf8)
                var received = [UInt8](repeating: 0, count: 1 << 16)
                while !isOver.isRaised {
                    _ = raw.sendSome(rubbish)
                    while recv(raw.descriptor, &received, received.count, Int32(MSG_DONTWAIT)) > 0 {
                    }
                }
            }
            let isWatched = try eventually {
                try client.call("daemon.status")["subscriptions"]?.number == "20"
            }
            try #require(isWatched)
            flood.start()
            func events(_ fleet: String) throws -> Double {
                try #require(Double(try client.show(fleet)["events"]?.number ?? ""))
            }
            // Until nobody who watches has room any more.
            for fleet in ["alone", "crowded"] {
                let step = #"{"fleet":"\#(fleet)","span":"15d"}"#
                let job = try client.call("fleet.step", step)["job"]?.string ?? ""
                try client.call("wait", #"{"job":"\#(job)"}"#)
            }
            let before = try events("alone")
            #expect(try events("crowded") == before)
            for fleet in ["crowded", "alone"] { try client.call("fleet.resume", named(fleet)) }
            let isDone = try eventually(within: 120) {
                try client.show("alone")["state"]?.string == "finished"
            }
            let share = try (events("crowded") - before) / (events("alone") - before)
            isOver.raise()
            #expect(isDone)
            #expect(share > 0.5, "the crowded one has come to \(share) of the other")
            let due = try client.show("alone")["digest"]?.string
            #expect(try client.end(of: "crowded")["digest"]?.string == due)
            #expect(idle.count + deaf.count == 990)
        }

        @Test("and make and delete one name at once: what is listed is kept, and nothing else")
        func oneName() throws {
            let daemon = try Daemon()
            let client = try daemon.connect()
            let bundle = try bundle(devices: 5)
            try client.send(bundle)
            let create = #"{"name":"a","bundle":"\#(bundle.sha256)","paused":true}"#
            let crowd = try (0..<12).map { _ in try RawClient(daemon.folder.socket) }
            let pair = request(1, "fleet.create", create) + request(2, "fleet.delete", named("a"))
            for raw in crowd { raw.send(String(repeating: pair, count: 50)) }
            for raw in crowd {
                for _ in 0..<100 { try #require(raw.line() != nil) }
            }
            let listed = try client.call("fleet.list").array?.compactMap { $0["fleet"]?.string }
            let kept = try FileManager.default.contentsOfDirectory(
                atPath: daemon.folder.state + "/fleets")
            #expect(listed == kept)
        }

        @Test("and subscribe as often as they can, over many connections, meet a limit")
        func subscriptions() throws {
            let daemon = try Daemon()
            let client = try daemon.connect()
            try client.create("demo", try bundle(devices: 20), #","paused":true"#)
            let before = daemon.descriptorCount
            var counts: [String: Int] = [:]
            do {
                let crowd = try (0..<64).map { _ in try daemon.connect() }
                let call = #"{"fleet":"demo","every_seconds":3600}"#
                for caller in crowd {
                    for _ in 0..<64 {
                        let reply = try caller.ask("funnel.subscribe", call)
                        counts[reply["error"]?["data"]?["limit"]?.string ?? "", default: 0] += 1
                    }
                }
                #expect(counts == ["": 1_024, "subscriptions": 3_072])
                #expect(try client.call("daemon.status")["subscriptions"]?.number == "1024")
            }
            let isQuiet = try Self.isQuiet(daemon, client, before + 8)
            #expect(isQuiet, "\(daemon.descriptorCount) descriptors of \(before)")
            try client.call("funnel.subscribe", named("demo"))
        }

        @Test("and subscribed to a fleet that is deleted are told its end, and heard again")
        func deleted() throws {
            let daemon = try Daemon()
            let (client, subscriber) = (try daemon.connect(), try daemon.connect())
            try client.create("demo", try bundle(devices: 20), #","paused":true"#)
            try subscriber.call("watch", named("demo"))
            try subscriber.call("funnel.subscribe", #"{"fleet":"demo","every_seconds":3600}"#)
            #expect(try subscriber.next()?["state"]?.string == "ready")
            try client.call("fleet.delete", named("demo"))
            let last = [try subscriber.next(), try subscriber.next()].compactMap(\.self)
            #expect(last.contains { $0["ended"]?.text == "true" })
            #expect(last.contains { $0["state"]?.string == "stopped" })
            #expect(try subscriber.refusal("watch", named("demo")).code == "no_such_fleet")
            #expect(try client.call("daemon.status")["subscriptions"]?.number == "0")
        }

        @Test("and begin uploads that never end keep no room from those who do")
        func uploads() throws {
            let store = BlobStore()
            let bytes = [UInt8](repeating: 0, count: 1 << 20)
            for number in 0..<200 {
                #expect(
                    try !store.put(
                        "hash \(number)", offset: 0, bytes: bytes, isLast: false,
                        connection: UInt64(number % 4)))
            }
            #expect(store.byteCount == BlobStore.pendingBytesMax)
            #expect(store.dropped == 200 - 64)
            // The last 64 have what they have sent; the others have to begin again.
            for (number, known) in [(199, 1 << 20), (136, 1 << 20), (135, 0), (0, 0)] {
                let error = #expect(throws: ControlError.self) {
                    try store.put(
                        "hash \(number)", offset: 7, bytes: bytes, isLast: false,
                        connection: UInt64(number % 4))
                }
                #expect(error?.message.hasPrefix("\(known) bytes have come") == true, "\(number)")
            }
            let whole = sha256(bytes + bytes)
            for offset in [0, 1 << 20] {
                let isWhole = try store.put(
                    whole, offset: offset, bytes: bytes, isLast: offset > 0, connection: 9)
                #expect(isWhole == (offset > 0))
            }
            #expect(store[whole]?.count == 2 << 20)
            for connection in 0..<4 { store.forget(connection: UInt64(connection)) }
            #expect(store.byteCount == 2 << 20)
        }
    }
}
