/// What the counts of a run of the reference workload have to be.
struct BenchExpectations {
    /// One row of the acceptance test.
    private struct Row {
        let name: String
        let mean: Double
        /// Standard deviation between devices.
        let deviation: Double
    }

    /// Of counts of which fewer are expected, nothing is judged.
    private static let expectedMin = 10.0
    private static let standardErrors = 4.0

    private let acceptance: [Int: [Row]]
    private let exact: [BenchSize: [(name: String, count: UInt64)]]

    init() throws(CommandError) {
        var acceptance: [Int: [Row]] = [:]
        let file = try BenchFile(BenchFile.acceptance)
        for days in try file.members(of: file.root) {
            guard let number = Int(days.name) else {
                throw file.complaint("a table is called after its days, such as 30", at: days.node)
            }
            for row in try file.members(of: days.node) {
                try file.refuseOthers(than: ["mean", "sd"], in: row.node)
                acceptance[number, default: []].append(
                    Row(
                        name: row.name, mean: try file.number("mean", of: row.node),
                        deviation: try file.number("sd", of: row.node)))
            }
        }
        self.acceptance = acceptance
        exact = try Self.exactCounts()
        for days in [3, 30] where acceptance[days] == nil {
            throw file.complaint("rows for \(days) days are due here", at: file.root)
        }
        guard !exact.isEmpty else {
            throw CommandError("\(BenchFile.exactCounts): counts of some size are due here")
        }
    }

    private static func exactCounts() throws(CommandError) -> [BenchSize:
        [(name: String, count: UInt64)]]
    {
        let file = try BenchFile(BenchFile.exactCounts)
        var tables: [BenchSize: [(name: String, count: UInt64)]] = [:]
        for table in try file.items(of: file.root) {
            try file.refuseOthers(than: ["devices", "days", "counts", "time_to_grant"], in: table)
            let size = BenchSize(
                devices: try file.count("devices", of: table),
                days: Int(clamping: try file.count("days", of: table)))
            guard let counts = table["counts"] else {
                throw file.complaint("\"counts\" is due here, an object", at: table)
            }
            for member in try file.members(of: counts) {
                let count = try file.count(member.name, of: counts)
                tables[size, default: []].append((member.name, count))
            }
            let histogram = table["time_to_grant"]?.array ?? []
            for (bucket, node) in histogram.enumerated() {
                guard let count = node.number.flatMap({ UInt64($0) }) else {
                    throw file.complaint("a count is due here", at: node)
                }
                tables[size, default: []].append(("time_to_grant \(bucket)", count))
            }
        }
        return tables
    }

    /// Every count of a run by name, the number of events and the histogram among them.
    static func all(_ run: BenchRun) -> [(name: String, count: UInt64)] {
        run.counts + [("events", run.events)]
            + run.timeToGrant.enumerated().map { ("time_to_grant \($0.offset)", $0.element) }
    }

    /// What is wrong with the counts of one run; nil where nothing is.
    ///
    /// - Parameter isNative: its random streams are those of the yardstick, with seed 1.
    func fault(in run: BenchRun, of size: BenchSize, isNative: Bool) -> String? {
        let counts = Self.all(run)
        func count(_ name: String) -> UInt64? { counts.first { $0.name == name }?.count }
        if isNative, let table = exact[size] {
            for (name, due) in table where count(name) != due {
                return "\(name) is \(told(count(name))), and exactly \(due) is due"
            }
            return nil
        }
        let devices = Double(size.devices)
        for row in acceptance[size.days] ?? [] where row.mean * devices >= Self.expectedMin {
            guard let count = count(row.name) else { return "\(row.name) is not told" }
            let found = Double(count) / devices
            let band = Self.standardErrors * row.deviation / devices.squareRoot()
            if abs(found - row.mean) > band {
                return "\(row.name) is \(found) a device, and \(row.mean) +- \(band) is due"
            }
        }
        return nil
    }

    private func told(_ count: UInt64?) -> String { count.map { "\($0)" } ?? "not told" }
}
