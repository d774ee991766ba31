import Foundation
import TestSupport
import Testing

@Suite("Why, asked of one device")
struct WhyTests {
    @Test("shows exactly the records that the fleet's log has of it", arguments: [0, 17, 999])
    func records(_ device: Int) throws {
        let scenario = ["config/scenarios/progressive.json5", "--devices", "1000", "--days", "5"]
        let log = try Program.locfleet(["run"] + scenario + ["--log", "-"])
        #expect(log.status == 0, "\(log.error)")
        let mine = log.out.split(separator: "\n").filter { $0.contains("\"device\":\(device),") }
        let why = try Program.locfleet(["why"] + scenario + ["--device", "\(device)", "--json"])
        #expect(why.status == 0, "\(why.error)")
        #expect(why.out.split(separator: "\n") == mine)
        #expect(!mine.isEmpty)
    }

    @Test("makes the same person of a device at every fleet size")
    func sizes() throws {
        func story(_ devices: String) throws -> String {
            try Program.locfleet([
                "why", "config/scenarios/progressive.json5", "--devices", devices, "--days", "5",
                "--device", "17", "--json",
            ]).out
        }
        let small = try story("18")
        #expect(small == (try story("100000")))
        #expect(!small.isEmpty)
    }
}
