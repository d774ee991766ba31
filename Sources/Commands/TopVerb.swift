import ControlProtocol
import DaemonRuntime
import Foundation
import JSONText
import Reports

extension Verb {
    static let top = Verb(
        name: "top", usage: "[FLEET…] [options]",
        summary: "watch the daemon's fleets live: progress, rate, funnel, statuses, failures",
        options: [
            .value("--every", "SECONDS", "between two looks (1)"),
            .value("--count", "N", "end after so many looks"),
            .flag("--json", "a line of JSON for each fleet and look, as where there is no screen"),
            DaemonArguments.socket,
        ],
        examples: [
            "locfleet top", "locfleet top demo --every 0.5",
            "locfleet top --json --count 10 | jq '{fleet, at_seconds, events_per_second}'",
        ],
        run: { arguments, terminal throws(CommandError) in
            let seconds =
                try arguments.decimal("--every", in: ControlRequest.everySeconds, " of seconds")
                ?? 1
            let count = try arguments.number("--count", in: 1...UInt64.max)
            let path = ControlSocketPath.chosen(arguments).path
            guard terminal.isScreen, !arguments.has("--json") else {
                let lines = TopLines(
                    client: try DaemonArguments.client(arguments), fleets: arguments.operands,
                    everySeconds: seconds, count: count, isJSON: arguments.has("--json"))
                return try lines.run(terminal)
            }
            var screen = TopScreen(
                path: path, fleets: arguments.operands, everySeconds: seconds, count: count,
                isColored: terminal.hasColor)
            return try screen.run()
        })
}

/// `locfleet top` where there is no screen to draw on: a line for each fleet, again and again.
struct TopLines {
    let client: ControlClient
    let fleets: [String]
    let everySeconds: Double
    let count: UInt64?
    let isJSON: Bool

    func run(_ terminal: Terminal) throws(CommandError) -> ExitStatus {
        var state = TopState(fleets: fleets)
        var (looks, before) = (0 as UInt64, nil as ContinuousClock.Instant?)
        while true {
            let node = try client.call(.fleetList).node
            let now = ContinuousClock.now
            state.take(fleets: node, after: before.map { (now - $0) / .seconds(1) })
            before = now
            // Asked for by name: what is not there is refused, with the nearest name.
            for name in state.missing {
                _ = try client.call(.fleetShow, DaemonArguments.parameters(of: name))
            }
            let lines = isJSON ? state.jsonLines(of: node) : state.plainLines
            try terminal.print(lines.map { $0 + "\n" }.joined())
            looks += 1
            if looks == count { return .done }
            usleep(UInt32(min(everySeconds, 4_000) * 1e6))
        }
    }
}
