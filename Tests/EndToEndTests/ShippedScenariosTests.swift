import Foundation
import TestSupport
import Testing

@Suite("The scenarios that ship")
struct ShippedScenariosTests {
    static func scenarios() throws -> [String] {
        let folder = projectRoot.appending(path: "config/scenarios")
        return try FileManager.default.contentsOfDirectory(
            atPath: folder.path(percentEncoded: false)
        ).filter { $0.hasSuffix(".json5") }.sorted()
    }

    /// What a log says of taps and their outcomes.
    private struct Taps {
        var failures: [Substring] = []
        var count = 0
        /// By device: the features that were tapped and have no outcome yet, in order.
        var waiting: [Substring: [Substring]] = [:]
        /// Outcomes without a tap of that feature before them.
        var surplus: [Substring] = []

        init(log: String) {
            for line in log.split(separator: "\n") {
                guard let type = Self.value("type", of: line) else { continue }
                if type == "\"script_failure\"" { failures.append(line) }
                guard type == "\"tapped\"" || type == "\"feature\"",
                    let device = Self.value("device", of: line),
                    let feature = Self.value("feature", of: line)
                else { continue }
                if type == "\"tapped\"" {
                    count += 1
                    waiting[device, default: []].append(feature)
                } else if waiting[device]?.first == feature {
                    waiting[device]?.removeFirst()
                } else {
                    surplus.append(line)
                }
            }
        }

        /// The value of a field as it is written. Records are flat, and such values have no comma.
        private static func value(_ name: String, of line: Substring) -> Substring? {
            guard let key = line.range(of: "\"\(name)\":") else { return nil }
            return line[key.upperBound...].prefix { $0 != "," && $0 != "}" }
        }
    }

    @Test("run without a script failure, and every tap has one outcome", arguments: try scenarios())
    func taps(_ scenario: String) throws {
        let program = try Program.locfleet([
            "run", "config/scenarios/\(scenario)", "--devices", "1500", "--days", "10",
            "--set", "arms=[]", "--log", "-",
        ])
        #expect(program.status == 0, "\(program.error)")
        let taps = Taps(log: program.out)
        #expect(taps.failures.isEmpty, "\(taps.failures.prefix(3))")
        guard scenario != "reference-workload.json5" else { return }  // Nobody taps there.
        #expect(taps.count > 1_000, "too few taps to say anything: \(taps.count)")
        #expect(taps.surplus.isEmpty, "\(taps.surplus.prefix(3))")
        // Only who is in the app when the run ends has a tap that still waits.
        let open = taps.waiting.filter { !$0.value.isEmpty }
        #expect(open.values.allSatisfy { $0.count == 1 } && open.count < 10, "\(open)")
    }
}
