import ControlProtocol
import DaemonRuntime
import JSONText
import Reports
import SimPrimitives

/// Waits for the end of something in the daemon, with a bar where somebody looks on.
struct JobWait {
    /// In which the daemon says how things stand when the time is up, in seconds of wall time.
    private static let graceSeconds = 5.0

    let client: ControlClient
    let terminal: Terminal

    /// - Parameter fleet: whose job it is, where that is known.
    func end(job: String, of fleet: String? = nil) throws(CommandError) -> ControlResult {
        client.interrupt = Interrupt()
        defer { client.interrupt = nil }
        let goesOn = "job \(job) goes on: 'locfleet wait --job \(shellWord(job))'"
        do throws(CommandError) {
            return try end({ $0.member("job", job) }) { result throws(CommandError) in
                let name = result.node["job"]?["fleet"]?.string ?? ""
                return "\(try standing(of: name)); \(goesOn)"
            }
        } catch {
            guard error.status == .interrupted else { throw error }
            let name = fleet.map { "\($0): " } ?? ""
            throw CommandError("\(name)interrupted; \(goesOn)", status: .interrupted)
        }
    }

    func end(fleet: String) throws(CommandError) -> ControlResult {
        try end({ $0.member("fleet", fleet) }) { result throws(CommandError) in
            Self.standing(of: fleet, result.node["fleet"])
        }
    }

    /// Says what a fleet waits for that does not run.
    func tellIfHalted(_ fleet: String) throws(CommandError) {
        let shown = try client.call(.fleetShow, DaemonArguments.parameters(of: fleet)).node
        guard ["ready", "paused"].contains(shown["state"]?.string) else { return }
        terminal.complain("locfleet: \(Self.standing(of: fleet, shown))")
    }

    /// - Parameter late: what is true when the time is up.
    private func end(
        _ what: (inout JSONLine.Members) -> Void,
        late: (ControlResult) throws(CommandError) -> String
    ) throws(CommandError) -> ControlResult {
        // Whoever looks on wants to see it move.
        let seconds: Double = terminal.showsProgress ? 0.25 : 30
        var hasDrawn = false
        defer { if hasDrawn { terminal.draw("\r\u{1B}[K") } }
        while true {
            let within = client.secondsLeft.map { min(seconds, max($0, 0)) } ?? seconds
            let result = try client.call(
                .wait,
                JSONLine.object {
                    what(&$0)
                    $0.member("within_seconds", within)
                }, graceSeconds: Self.graceSeconds)
            if result.node["ended"]?.bool == true { return result }
            if let left = client.secondsLeft, left <= 0 {
                throw CommandError(try late(result), status: .timedOut)
            }
            guard terminal.showsProgress else { continue }
            let name =
                result.node["job"]?["fleet"]?.string ?? result.node["fleet"]?["fleet"]?.string
            guard let name else { continue }
            let shown = try client.call(.fleetShow, DaemonArguments.parameters(of: name))
            terminal.draw("\r\u{1B}[K" + Self.line(shown.node, width: terminal.width))
            hasDrawn = true
        }
    }

    private func standing(of fleet: String) throws(CommandError) -> String {
        Self.standing(
            of: fleet,
            try client.call(
                .fleetShow, DaemonArguments.parameters(of: fleet), graceSeconds: Self.graceSeconds
            ).node)
    }

    /// Where a fleet is that has not ended, and what it waits for.
    static func standing(of name: String, _ fleet: JSONNode?) -> String {
        let at = human(fleet?.span("at_seconds") ?? .zero)
        let word = shellWord(name)
        return switch fleet?["state"]?.string {
        case "ready"?: "\(name) has not started, and waits for 'locfleet fleet start \(word)'"
        case "paused"?:
            "\(name) is paused, \(at) after the start, and waits for "
                + "'locfleet fleet resume \(word)'"
        case let state?: "\(name) is still \(state), \(at) after the start"
        case nil: "\(name) goes on"
        }
    }

    private static func line(_ fleet: JSONNode, width: Int) -> String {
        let day = { (name: String) in TopPage.tenths(fleet.span(name).seconds / 86_400) }
        let text =
            "\(fleet["fleet"]?.string ?? ""): day \(day("at_seconds")) of "
            + "\(day("duration_seconds")), \(fleet["at"]?.string ?? ""), "
            + (fleet["rate"]?.string ?? "")
        return String(printable(text).prefix(max(width - 1, 0)))
    }
}

/// Numbers of replies, which may come from anything that listens at the socket: none is too large,
/// too small or missing.
extension JSONNode {
    /// Of simulated time in seconds; none where that is no such time.
    func span(_ name: String) -> SimDuration {
        self[name]?.number.flatMap { Double($0) }.flatMap { SimDuration(seconds: $0) } ?? .zero
    }

    func count(_ name: String) -> UInt64 { self[name]?.number.flatMap { UInt64($0) } ?? 0 }
}
