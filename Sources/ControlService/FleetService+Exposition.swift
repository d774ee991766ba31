import ControlProtocol
import DaemonRuntime
import Reports
import SimPrimitives
import Telemetry

/// Everything that is counted, for a collector of metrics.
extension FleetService {
    /// - Parameter name: nil: the daemon itself and all its fleets.
    public func exposition(
        of name: String?, as format: Exposition.Format
    ) throws(ControlError) -> String {
        var text = Exposition()
        if let name {
            Self.add(name, try hosted(name), to: &text)
        } else {
            addDaemon(to: &text)
            for (name, hosted) in all { Self.add(name, hosted, to: &text) }
        }
        return text.text(format)
    }

    private static func add(
        _ name: String, _ hosted: HostedFleet, to text: inout Exposition
    ) {
        let status = hosted.fleet.status
        addLife(of: name, hosted, status, to: &text)
        hosted.report(of: status).add(to: &text, fleet: name)
    }

    // MARK: - One fleet

    private static func addLife(
        of name: String, _ hosted: HostedFleet, _ status: FleetStatus, to text: inout Exposition
    ) {
        let labels = [("fleet", name)]
        text.family("locfleet_fleet_state", .stateset, "Where a fleet stands in its life.") {
            $0.states(FleetState.allCases.map(\.rawValue), now: status.state.rawValue, labels)
        }
        let seconds: [(String, Double, String)] = [
            (
                "simulated", (status.figures.at - .start).seconds,
                "Simulated time that a fleet has come to."
            ),
            ("duration", hosted.bundle.scenario.duration.seconds, "Simulated time in all."),
            ("lag", status.lagSeconds, "Wall time that a paced fleet is behind its schedule."),
            ("epoch_max", status.epochSecondsMax, "Wall time of the longest epoch."),
        ]
        for (word, value, help) in seconds {
            text.family("locfleet_fleet_\(word)_seconds", .gauge, unit: "seconds", help) {
                $0.sample(value, labels)
            }
        }
        text.family(
            "locfleet_fleet_busy_seconds", .counter, unit: "seconds",
            "Wall time in which workers ran epochs of a fleet."
        ) { $0.sample(status.busySeconds, labels) }
        text.family(
            "locfleet_fleet_rate_ratio", .gauge, unit: "ratio",
            "Simulated time over wall time of a paced fleet; none for one that runs flat out."
        ) { family in
            if case .ratio(let ratio) = status.rate { family.sample(ratio, labels) }
        }
        text.family(
            "locfleet_fleet_interventions", .counter, "What clients did to a fleet."
        ) { $0.sample(UInt64(status.journal.count), labels) }
        text.family(
            "locfleet_fleet_state_bytes", .gauge, unit: "bytes",
            "What the engine keeps of a fleet's devices, without what scripts keep."
        ) { $0.sample(status.figures.stateBytes, labels) }
        text.family(
            "locfleet_fleet_thresholds_met", .gauge, "Whether a fleet's thresholds are met so far."
        ) { family in
            if let isMet = status.thresholdsMet { family.sample(isMet ? 1 as UInt64 : 0, labels) }
        }
    }

    // MARK: - The daemon

    private func addDaemon(to text: inout Exposition) {
        text.family("locfleet_build", .info, "The program that answers.") {
            $0.sample(1 as UInt64, [("version", Report.productVersion)])
        }
        text.family(
            "locfleet_uptime_seconds", .gauge, unit: "seconds", "Wall time since the daemon began."
        ) { $0.sample((ContinuousClock.now - began) / .seconds(1), []) }
        text.family("locfleet_fleets", .gauge, "Fleets, by where they stand in their life.") {
            let states = all.map(\.hosted.fleet.status.state)
            for state in FleetState.allCases {
                $0.sample(UInt64(states.count { $0 == state }), [("state", state.rawValue)])
            }
        }
        let gauges: [(String, Int, String)] = [
            ("workers", pool.workers, "Threads that run fleets."),
            ("subscriptions", subscriptions.count, "Subscriptions that are open."),
        ]
        for (name, count, help) in gauges {
            text.family("locfleet_\(name)", .gauge, help) { $0.sample(UInt64(count), []) }
        }
        text.family(
            "locfleet_resident_bytes", .gauge, unit: "bytes", "Memory of the daemon."
        ) { $0.sample(Machine.residentBytes, []) }
        text.family(
            "locfleet_blob_bytes", .gauge, unit: "bytes", "Files that clients have sent."
        ) { $0.sample(UInt64(blobs.byteCount), []) }
        addSocket(to: &text)
        addLog(to: &text)
    }

    private func addSocket(to text: inout Exposition) {
        guard let server = server.withLock({ $0 }) else { return }
        text.family("locfleet_connections", .gauge, "Connections that are open.") {
            $0.sample(UInt64(server.connectionCount), [])
        }
        let counters = server.counters
        let counts: [(String, UInt64, String)] = [
            ("connections_accepted", counters.accepted, "Connections that were served."),
            ("connections_refused", counters.refused, "Newcomers that were turned away."),
            ("connections_cut", counters.cut, "Connections whose peer read nothing."),
            ("lines_refused", counters.linesRefused, "Lines in which no call was understood."),
            ("notifications_lost", counters.notificationsLost, "Notifications that had no room."),
        ]
        for (name, count, help) in counts {
            text.family("locfleet_\(name)", .counter, help) { $0.sample(count, []) }
        }
    }

    private func addLog(to text: inout Exposition) {
        guard let counters = log?.counters else { return }
        let counts: [(String, UInt64, String)] = [
            ("log_lines", counters.lines, "Lines of the daemon's log."),
            ("log_lines_suppressed", counters.suppressed, "Lines whose kind came too fast."),
            ("log_lines_dropped", counters.dropped, "Lines that nobody took in time."),
        ]
        for (name, count, help) in counts {
            text.family("locfleet_\(name)", .counter, help) { $0.sample(count, []) }
        }
    }
}
