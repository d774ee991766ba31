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
    /// Of each run of a pair.
    let days: String
    let pairs: [(quiet: ControlPairs.Run, watched: ControlPairs.Run)]

    /// What was asked while watchers were there, over all runs.
    static func rows(of pairs: [(quiet: ControlPairs.Run, watched: ControlPairs.Run)]) -> [Row] {
        guard let first = pairs.first?.watched else { return [] }
        var (status, funnel) = (first.status, first.funnel)
        status.seconds = pairs.flatMap(\.watched.status.seconds)
        funnel.seconds = pairs.flatMap(\.watched.funnel.seconds)
        return [status, funnel]
    }

    /// Of the pairs; 1 without any.
    private func median(_ figure: (ControlPairs.Run) -> Double) -> Double {
        let ratios = pairs.map { figure($0.watched) / max(figure($0.quiet), 1e-9) }.sorted()
        return ratios.isEmpty ? 1 : ratios[ratios.count / 2]
    }

    var wallRatio: Double { median(\.seconds) }
    var processorRatio: Double { median(\.processorSeconds) }
    var isSlowed: Bool { wallRatio > ControlPairs.ratioDue }

    /// With two places.
    static func fixed(_ number: Double) -> String {
        let hundredths = Int((number * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10)"
    }

    private func number(_ name: String) -> Double { Double(fleet[name]?.number ?? "") ?? 0 }

    private var eventsPerSecond: Int {
        Int(number("events") / max(number("busy_seconds"), 0.001))
    }

    var text: String {
        func cell(_ text: String) -> String {
            String(repeating: " ", count: max(0, 9 - text.count)) + text
        }
        func milliseconds(_ seconds: Double) -> String { Self.fixed(seconds * 1_000) }
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
        return text + pairsText
    }

    private var pairsText: String {
        guard !pairs.isEmpty else { return "" }
        var text = "\n\(days) days of them, with nobody watching and with 10 watchers (5 of types, "
        text += "2 of devices, 1 of both, 2 of all) and 2 who ask:\n"
        for (quiet, watched) in pairs {
            text += "\(Self.fixed(quiet.seconds)) s and \(Self.fixed(watched.seconds)) s of wall, "
            text += "\(Self.fixed(quiet.processorSeconds)) s and "
            text += "\(Self.fixed(watched.processorSeconds)) s of the daemon's CPU, "
            text += "\(watched.notifiedBytes >> 20) MiB told\n"
        }
        text += "medians: \(Self.fixed(wallRatio)) times the wall time"
        text += " (at most \(Self.fixed(ControlPairs.ratioDue)) is due"
        text += isSlowed ? ": slower), " : "), "
        return text + "\(Self.fixed(processorRatio)) times the CPU\n"
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
            writer.key("pairs")
            writer.array { writer in
                for (quiet, watched) in pairs {
                    writer.object { writer in
                        writer.member("seconds", quiet.seconds)
                        writer.member("watched_seconds", watched.seconds)
                        writer.member("cpu_seconds", quiet.processorSeconds)
                        writer.member("watched_cpu_seconds", watched.processorSeconds)
                        writer.member("events", quiet.events)
                        writer.member("told_bytes", watched.notifiedBytes)
                    }
                }
            }
            writer.member("wall_ratio", wallRatio)
            writer.member("wall_ratio_due", ControlPairs.ratioDue)
            writer.member("cpu_ratio", processorRatio)
        }
        return writer.text + "\n"
    }
}
