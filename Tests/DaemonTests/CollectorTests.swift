import Foundation
import TestSupport
import Testing

extension DaemonSuite {
    @Suite("What a collector of metrics gets")
    struct CollectorTests {
        private static let scenario = "config/scenarios/progressive.json5"

        /// A port that was free a moment ago.
        private static func port() -> UInt16 {
            let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(probe) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(probe, $0, size)
                    getsockname(probe, $0, &size)
                }
            }
            return UInt16(bigEndian: address.sin_port)
        }

        private static func fetch(_ words: [String]) throws -> String {
            let curl = try Program.started(
                ["-sS", "--max-time", "20"] + words, executable: URL(filePath: "/usr/bin/curl")
            ).wait()
            #expect(curl.status == 0, "\(words): \(curl.error)")
            return curl.out
        }

        /// What prometheus_client makes of it: names of families, or its complaint.
        private static func parsed(_ text: String, module: String) throws -> Program {
            try Program.started(
                [
                    "-c",
                    "import sys; from prometheus_client.\(module) import "
                        + "text_string_to_metric_families as read; "
                        + "print(*[f.name for f in read(sys.stdin.read())])",
                ], executable: URL(filePath: "/usr/bin/python3")
            ).ended(input: text)
        }

        @Test("is strict OpenMetrics: of the daemon, of every fleet, of one, by socket and by HTTP")
        func everywhere() throws {
            let port = Self.port()
            let daemon = try Daemon(["--metrics-port", "\(port)"])
            for (name, words) in [
                ("one", ["--days", "3"]),
                ("two", ["--days", "3", "--arm", "ask_on_launch.lua", "--by", "persona,ios"]),
                ("three", ["--rate", "0.5x"]),
            ] {
                let made = try daemon.locfleet(
                    ["fleet", "create", Self.scenario, "--name", name, "--devices", "300"] + words)
                #expect(made.status == 0, "\(made.error)")
            }
            for fleet in ["one", "two"] {
                #expect(
                    try eventually(within: 60) {
                        try daemon.locfleet(["fleet", "show", fleet]).out.contains("finished")
                    })
            }
            let url = "http://127.0.0.1:\(port)"
            let texts = [
                try daemon.locfleet(["metrics", "--format", "openmetrics"]).out,
                try daemon.locfleet(["metrics", "two", "--format", "openmetrics"]).out,
                try Self.fetch([url + "/metrics"]),
            ]
            for text in texts {
                let read = OpenMetricsText(text)
                #expect(read.complaints.isEmpty, "\(read.complaints.prefix(3))")
                let python = try Self.parsed(text, module: "openmetrics.parser")
                #expect(python.status == 0, "\(python.error)")
                let names = Set(python.out.split(whereSeparator: \.isWhitespace).map(String.init))
                #expect(names == Set(read.families.map(\.name)))
            }
            let whole = OpenMetricsText(texts[0])
            #expect(whole.family("locfleet_build")?.samples.count == 1)
            let fleets = whole.family("locfleet_devices")?.samples.compactMap { $0.label("fleet") }
            #expect(Set(fleets ?? []) == ["one", "two", "three"])
            #expect(whole.family("locfleet_fleet_rate_ratio")?.samples.map(\.value) == ["0.5"])
            #expect(
                whole.family("locfleet_fleet_state")?.samples
                    .filter { $0.value == "1" }.compactMap { $0.label("locfleet_fleet_state") }
                    == ["finished", "running", "finished"])
            #expect(OpenMetricsText(texts[1]).family("locfleet_build") == nil)
            let old = try Self.fetch(["-H", "Accept: text/plain;version=0.0.4", url + "/metrics"])
            #expect(try Self.parsed(old, module: "parser").status == 0)
        }

        @Test("is refused for a fleet that is not there, and without one in another format")
        func refusals() throws {
            let daemon = try Daemon()
            let none = try daemon.locfleet(["metrics", "none", "--format", "openmetrics"])
            #expect(none.status == 1 && none.error.contains("no fleet"), "\(none.error)")
            let bare = try daemon.locfleet(["metrics"])
            #expect(bare.status == 2 && bare.error.contains("fleet is missing"), "\(bare.error)")
            let odd = try daemon.locfleet(["metrics", "--format", "xml"])
            #expect(odd.status == 2 && odd.error.contains("openmetrics"), "\(odd.error)")
            let client = try RawClient(daemon.folder.socket)
            client.send(request(1, "metrics"))
            #expect(refusal(in: client.line()) == "missing_parameter")
        }

        @Test("comes from a port that is this machine's, and taken by one daemon")
        func port() throws {
            let port = Self.port()
            let daemon = try Daemon(["--metrics-port", "\(port)"])
            let url = "http://localhost:\(port)"
            #expect(try Self.fetch([url + "/healthz"]) == "ok\n")
            let other = SocketFolder()
            let second = try Daemon.start(["--socket", other.socket, "--metrics-port", "\(port)"])
                .wait()
            #expect(second.status == 2)
            #expect(second.error.contains("127.0.0.1:\(port): another program has this port"))
            #expect(other.mode == nil, "nothing is left of it")
            #expect(daemon.end(SIGTERM).status == 0)
            let next = try Daemon(["--metrics-port", "\(port)"])
            #expect(try Self.fetch([url + "/healthz"]) == "ok\n")
            next.end(SIGTERM)
            for port in ["0", "65536", "http"] {
                let refused = try Daemon.start(["--metrics-port", port]).wait()
                #expect(refused.status == 2, "\(port)")
            }
        }
    }
}
