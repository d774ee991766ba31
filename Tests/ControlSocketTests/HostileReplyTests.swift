import Foundation
import TestSupport
import Testing

/// Answers every call of one client after the other with the same result, whatever it asks.
private final class Impostor {
    let folder = SocketFolder()
    private let listener: LocalSocket

    init(result: String) {
        listener = LocalSocket(folder.socket, listens: true)
        let descriptor = listener.descriptor
        Thread {
            while true {
                let client = accept(descriptor, nil, nil)
                guard client >= 0 else { return }
                var id = 0
                var buffer = [UInt8](repeating: 0, count: 65_536)
                while recv(client, &buffer, buffer.count, 0) > 0 {
                    id += 1
                    let line = #"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"# + "\n"
                    _ = line.withCString { send(client, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
                }
                close(client)
            }
        }.start()
    }

    deinit { shutdown(listener.descriptor, Int32(SHUT_RDWR)) }
}

extension ControlSocketSuite {
    @Suite("A reply of what is no daemon")
    struct HostileReplyTests {
        private static let verbs = [
            "fleet list", "fleet show a", "fleet create config/scenarios/progressive.json5",
            "fleet step a 1h", "fleet fork a b", "wait a", "wait --job j1", "jobs", "funnel a",
            "metrics a", "device list a", "device show a 1", "intervene a --do reboot", "limits",
            "daemon status", "top --count 2 --every 0.1", "top --json --count 2 --every 0.1",
            "fleet export a -o /dev/null/x",
        ]

        @Test(
            "does not end a verb by a trap, whatever its numbers",
            arguments: ["1e300", "-1e300", "1e999", "-1", "18446744073709551615", "1e-300", "0.5"])
        func numbers(_ number: String) throws {
            let fleet =
                #"{"fleet":"a","state":"running","scenario":"x","at_seconds":N,"duration_seconds":N,"#
                + #""rate":"max","devices":N,"events":N,"lag_seconds":N,"arms":["base"],"text":"x"}"#
            let job = #"{"job":"j1","fleet":"a","state":"done","at_seconds":N}"#
            let object =
                #"{"fleet":"a","job":J,"ended":true,"state":"running","at_seconds":N,"devices":N,"#
                + #""ignored":N,"arms":{"base":N},"uptime_seconds":N,"resident_bytes":N,"#
                + #""workers":N,"next":null,"limits":[{"value":N,"reached":N}],"missing":[]}"#
            for result in ["[\(fleet),\(job)]", object] {
                let text = result.replacing("J", with: job).replacing("N", with: number)
                let impostor = Impostor(result: text)
                for verb in Self.verbs {
                    let words = verb.split(separator: " ").map(String.init)
                    let program = try Program.locfleet(
                        words + (words[0] == "top" ? [] : ["--timeout", "2"]),
                        environment: ["LOCFLEET_SOCKET": impostor.folder.socket])
                    #expect(program.status < 128, "\(verb) with \(number): \(program.error)")
                }
            }
        }
    }
}
