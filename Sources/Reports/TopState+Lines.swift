import JSONText

/// Fleets as lines, one each, where there is no screen.
extension TopState {
    public var plainLines: [String] {
        fleets.map { fleet in
            let share = fleet.durationSeconds > 0 ? fleet.atSeconds / fleet.durationSeconds : 0
            var facts = [
                fleet.name, fleet.state, fleet.localTime, "day \(TopPage.day(fleet))",
                "\(Int(min(max(share, 0), 1) * 100))%", "rate \(fleet.rate)",
            ]
            if fleet.lagSeconds >= 0.05 { facts.append("\(TopPage.lag(fleet)) behind") }
            if fleet.eventsPerSecond != nil {
                facts.append("\(TopPage.eventRate(fleet)) events/s")
            }
            facts.append("\(grouped(fleet.devices)) devices")
            if let error = fleet.error { facts.append(error) }
            return facts.map(ScreenLine.safe).joined(separator: "  ")
        }
    }

    /// What `fleet.list` gives, a fleet a line, and the rate of events.
    public func jsonLines(of node: JSONNode) -> [String] {
        (node.array ?? []).compactMap { node in
            guard let fleet = fleets.first(where: { $0.name == node["fleet"]?.string }) else {
                return nil
            }
            let rate =
                fleet.eventsPerSecond.map { String(UInt64(min($0, 1e18).rounded())) } ?? "null"
            return node.text.dropLast() + ",\"events_per_second\":\(rate)}"
        }
    }
}
