import JSONText

/// What `locfleet-bench --control` prints.
struct ControlPage {
    /// How long something took, each time.
    struct Row {
        let name: String
        /// Seconds that the 99th percentile may be.
        let due: Double
        var seconds: [Double] = []

        init(_ name: String, due: Double) { (self.name, self.due) = (name, due) }

        func quantile(_ share: Double) -> Double {
            let sorted = seconds.sorted()
            guard !sorted.isEmpty else { return 0 }
            return sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
        }

        var isKept: Bool { quantile(0.99) <= due }
    }

    private static let quantiles = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("most", 1)]

    let devices: UInt64
    let rows: [Row]
    /// As `fleet.show` has it, before it is stopped.
    let fleet: JSONNode

    private func number(_ name: String) -> Double { Double(fleet[name]?.number ?? "") ?? 0 }

    private var eventsPerSecond: Int {
        Int(number("events") / max(number("busy_seconds"), 0.001))
    }

    var text: String {
        func cell(_ text: String) -> String {
            String(repeating: " ", count: max(0, 9 - text.count)) + text
        }
        func milliseconds(_ seconds: Double) -> String {
            let hundredths = Int((seconds * 1e5).rounded())
            return "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10)"
        }
        let width = (rows.map(\.name.count).max() ?? 0) + 1
        var text = "\(devices) devices flat out, milliseconds\n"
        text += String(repeating: " ", count: width) + cell("times")
        text += Self.quantiles.map { cell($0.0) }.joined() + "  p99 due\n"
        for row in rows {
            text += row.name + String(repeating: " ", count: width - row.name.count)
            text += cell("\(row.seconds.count)")
            text += Self.quantiles.map { cell(milliseconds(row.quantile($0.1))) }.joined()
            text += cell("\(Int(row.due * 1_000))") + (row.isKept ? "\n" : "  late\n")
        }
        text += "the fleet ran \(eventsPerSecond) events a second, "
        text += "and its longest epoch took \(number("epoch_seconds_max")) s\n"
        return text
    }

    var json: String {
        var writer = JSONWriter(.pretty)
        writer.object { writer in
            writer.member("devices", devices)
            writer.member("events_per_second", eventsPerSecond)
            writer.member("epoch_seconds_max", number("epoch_seconds_max"))
            writer.key("latencies")
            writer.array { writer in
                for row in rows {
                    writer.object { writer in
                        writer.member("name", row.name)
                        writer.member("times", row.seconds.count)
                        for (name, share) in Self.quantiles {
                            let microseconds = (row.quantile(share) * 1e6).rounded()
                            writer.member("\(name)_seconds", microseconds / 1e6)
                        }
                        writer.member("p99_seconds_due", row.due)
                        writer.member("kept", row.isKept)
                    }
                }
            }
        }
        return writer.text + "\n"
    }
}
