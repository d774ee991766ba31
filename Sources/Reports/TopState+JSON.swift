import JSONText

/// What the daemon's answers say. They may come from another version, so what is missing is shown
/// as nothing.
extension TopState {
    /// Takes what `daemon.status` gives.
    public mutating func take(status node: JSONNode) {
        daemon = Daemon(
            version: node["version"]?.string ?? "", uptimeSeconds: node["uptime_seconds"].double,
            workers: node["workers"].count, residentBytes: node["resident_bytes"].count,
            connections: node["connections"].count)
    }

    /// Takes what `fleet.list` gives.
    ///
    /// - Parameter seconds: of wall time since the list before; nil for the first.
    public mutating func take(fleets node: JSONNode, after seconds: Double?) {
        let before = Dictionary(fleets.map { ($0.name, $0) }) { first, _ in first }
        fleets = (node.array ?? []).map { node in
            var fleet = Fleet(node)
            if let seconds, let known = before[fleet.name] { fleet.follow(known, after: seconds) }
            return fleet
        }.filter { wanted.isEmpty || wanted.contains($0.name) }
        if selectedFleet == nil { (selected, scroll) = (fleets.first?.name, 0) }
    }

    /// Takes what `metrics` gives for one fleet.
    public mutating func take(metrics node: JSONNode) {
        let devices = node["devices"].count
        detail = Detail(
            fleet: node["fleet"]?.string ?? "",
            arms: (node["arms"]?.array ?? []).map { Arm($0, devices: devices) })
    }

    /// Of those that were asked for, the ones that are not there.
    public var missing: [String] {
        wanted.filter { name in !fleets.contains { $0.name == name } }
    }
}

extension TopState.Fleet {
    /// Longer than an epoch: a fleet that runs tells of events within so many seconds.
    private static let stillSecondsMax = 5.0

    /// Works out the rate of events. They are told at borders, so a look between two finds none:
    /// the rate before holds meanwhile.
    mutating func follow(_ known: TopState.Fleet, after seconds: Double) {
        let span = known.stillSeconds + seconds
        if events > known.events, span > 0 {
            eventsPerSecond = Double(events - known.events) / span
        } else if state == "running", events == known.events, span < Self.stillSecondsMax {
            (eventsPerSecond, stillSeconds) = (known.eventsPerSecond, span)
        } else {
            eventsPerSecond = 0
        }
    }

    init(_ node: JSONNode) {
        name = node["fleet"]?.string ?? ""
        state = node["state"]?.string ?? ""
        (atSeconds, durationSeconds) = (node["at_seconds"].double, node["duration_seconds"].double)
        localTime = node["at"]?.string ?? ""
        rate = node["rate"]?.string ?? ""
        lagSeconds = node["lag_seconds"].double
        (events, devices) = (node["events"].count, node["devices"].count)
        arms = UInt64(node["arms"]?.array?.count ?? 0)
        error = node["error"]?.string
    }
}

extension TopState.Arm {
    init(_ node: JSONNode, devices: UInt64) {
        name = node["name"]?.string ?? ""
        self.devices = devices
        var previous: UInt64?
        for step in node["funnel"]?.array ?? [] {
            let range = (step["of_previous_95"]?.array ?? []).map { Optional($0).double }
            steps.append(
                TopState.Step(
                    name: step["step"]?.string ?? "", reached: step["reached"].count,
                    previous: previous, interval: range.count == 2 ? (range[0], range[1]) : nil))
            previous = step["reached"].count
        }
        visible = Self.counts(node["status"]?["visible"])
        trueStatus = Self.counts(node["status"]?["true"])
        let failed = node["script_failures"]
        failures = failed?["count"].count ?? 0
        first = failed?["first"].flatMap { TopState.Failure($0) }
        kinds = (failed?["kinds"]?.array ?? []).compactMap { TopState.Failure($0) }
    }

    private static func counts(_ node: JSONNode?) -> [(name: String, count: UInt64)] {
        guard case .object(let members)? = node?.value else { return [] }
        return members.map { ($0.name, Optional($0.node).count) }
    }
}

extension TopState.Failure {
    init?(_ node: JSONNode) {
        guard let script = node["script"]?.string else { return nil }
        place = script + (node["line"]?.number.map { ":\($0)" } ?? "")
        (count, hook) = (node["count"].count, node["hook"]?.string ?? "")
        // It may begin with the place.
        let text = node["message"]?.string ?? ""
        message =
            [place, script].map { $0 + ": " }.first(where: text.hasPrefix)
            .map { String(text.dropFirst($0.count)) } ?? text
    }
}

extension JSONNode? {
    /// Whatever a reply says: no sum and no ratio of such numbers leaves its type.
    fileprivate var double: Double {
        let number = self?.number.flatMap { Double($0) } ?? 0
        return min(max(number.isFinite ? number : 0, -1e15), 1e15)
    }
    fileprivate var count: UInt64 {
        min(self?.number.flatMap { UInt64($0) } ?? 0, 1_000_000_000_000_000)
    }
}
