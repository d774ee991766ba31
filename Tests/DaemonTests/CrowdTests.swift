import Bundles
import DaemonRuntime
import Foundation
import JSONText
import TestSupport
import Testing

extension DaemonSuite {
    @Suite("Twenty clients at once")
    struct CrowdTests {
        /// Bytes that are the same in every run.
        private struct Noise {
            var state: UInt64

            mutating func next() -> UInt8 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 33)
            }
        }

        private static func asking(
            _ daemon: Daemon, _ method: String, _ fleet: String
        ) throws -> RawClient {
            let client = try RawClient(daemon.folder.socket)
            client.send(request(1, method, named(fleet)))
            return client
        }

        /// Reads a line now and then, and never all.
        private static func slow(_ daemon: Daemon, _ fleet: String) throws -> RawClient {
            let client = try asking(daemon, "watch", fleet)
            #expect(client.line() != nil)
            return client
        }

        /// Says no more, and is told all the same.
        private static func halfClosed(_ daemon: Daemon, _ fleet: String) throws -> RawClient {
            let client = try asking(daemon, "funnel.subscribe", fleet)
            client.shutDownWriting()
            #expect(client.line() != nil)
            return client
        }

        /// Lines of rubbish, then one that does not end.
        private static func garbage(_ daemon: Daemon, _ noise: inout Noise) throws -> RawClient {
            let client = try RawClient(daemon.folder.socket)
            client.send((0..<20_000).map { _ in noise.next() })
            client.send([UInt8](repeating: UInt8(ascii: "["), count: 2 << 20))
            return client
        }

        private static func vanishing(_ daemon: Daemon, _ fleet: String) throws {
            for method in ["watch", "metrics", "why"] {
                try asking(daemon, method, fleet).close()
            }
            try RawClient(daemon.folder.socket).close()
        }

        /// Twenty of them, each as it is.
        private func crowd(
            _ daemon: Daemon, _ fleet: String, _ noise: inout Noise
        ) throws -> [RawClient] {
            var crowd: [RawClient] = []
            for _ in 0..<4 {
                crowd.append(try Self.asking(daemon, "funnel.subscribe", fleet))
                crowd.append(try Self.asking(daemon, "watch", fleet))  // Never reads.
            }
            for _ in 0..<3 {
                crowd.append(try Self.slow(daemon, fleet))
                crowd.append(try Self.halfClosed(daemon, fleet))
            }
            for method in ["watch", "funnel.subscribe"] {
                crowd.append(try Self.asking(daemon, method, "idle"))
            }
            for _ in 0..<3 { crowd.append(try Self.garbage(daemon, &noise)) }
            try Self.vanishing(daemon, fleet)
            return crowd
        }

        @Test("of the worst sort change nothing, and leave nothing behind")
        func rounds() throws {
            let bundle = try bundle(devices: 400, days: 6)
            let due = try bundle.played().figures.digest.description
            let daemon = try Daemon()
            let client = try daemon.connect()
            try client.create("idle", bundle, #","paused":true"#)  // Outlives its subscribers.
            var before = 0
            var resident: [Int] = []
            for round in 1...10 {
                var noise = Noise(state: UInt64(round))
                let name = "round\(round)"
                try client.create(name, bundle, #","paused":true"#)
                let crowd = try crowd(daemon, name, &noise)
                try client.call("fleet.start", named(name))
                let shown = try client.end(of: name)
                #expect(shown["digest"]?.string == due, "round \(round)")
                for client in crowd { client.close() }
                try client.call("fleet.delete", named(name))
                let isQuiet = try eventually {
                    let status = try client.call("daemon.status")
                    return status["connections"]?.number == "1"
                        && status["subscriptions"]?.number == "0"
                        && (round == 1 || daemon.descriptorCount == before)
                }
                let status = try client.call("daemon.status")
                #expect(isQuiet, "\(daemon.descriptorCount) of \(before): \(status.text)")
                if round == 1 { before = daemon.descriptorCount }  // Dispatch has its timer now.
                resident.append(try #require(Int(status["resident_bytes"]?.number ?? "")))
            }
            // The first rounds fill what the allocator and Dispatch keep.
            let (early, late) = (resident[2...4].min() ?? 0, resident[7...9].min() ?? 0)
            #expect(late - early < 24 << 20, "\(resident.map { $0 >> 10 }) KiB")
            let refused = try client.call("daemon.status")["lines_refused_total"]?.number
            #expect(try #require(Int(refused ?? "")) >= 24, "the rubbish was read")
        }
    }
}
