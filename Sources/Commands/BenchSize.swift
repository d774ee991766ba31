/// How many devices of the reference workload, and for how many days.
struct BenchSize: Hashable, Comparable {
    let devices: UInt64
    let days: Int

    /// Those of section 9 of the yardstick, and what the last one is held against: the first days
    /// have more prompts than the rest.
    static let all =
        [BenchSize(devices: 1_000, days: 3)]
        + [1_000, 10_000, 100_000, 1_000_000].map { BenchSize(devices: $0) }
    static let quick = [1_000, 10_000].map { BenchSize(devices: $0) }
    static let devicesMax: UInt64 = 10_000_000

    init(devices: UInt64, days: Int? = nil) {
        (self.devices, self.days) = (devices, days ?? (devices < 1_000_000 ? 30 : 3))
    }

    /// As in `--sizes`: "1000", or "1000000x30".
    init?(_ text: Substring) {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let devices = UInt64(parts[0]),
            (1...Self.devicesMax).contains(devices)
        else { return nil }
        guard parts.count == 2 else {
            self.init(devices: devices)
            return
        }
        guard parts[1] == "3" || parts[1] == "30" else { return nil }
        self.init(devices: devices, days: Int(parts[1]))
    }

    var key: String { "\(devices)x\(days)" }

    static func < (left: BenchSize, right: BenchSize) -> Bool {
        (left.devices, left.days) < (right.devices, right.days)
    }
}
