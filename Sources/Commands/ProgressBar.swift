import DaemonRuntime
import SimPrimitives

/// The progress of a long run on a terminal's standard error: simulated time, events a second and
/// the time left, on one line that is drawn over.
struct ProgressBar {
    /// A run that keeps up is behind by less, now and then.
    private static let lagSecondsShown = 0.5

    private let terminal: Terminal
    private let duration: SimDuration
    private let clock = ContinuousClock()
    private let began: ContinuousClock.Instant
    private var drawn: ContinuousClock.Instant?

    init(_ terminal: Terminal, duration: SimDuration) {
        (self.terminal, self.duration) = (terminal, duration)
        began = clock.now
    }

    mutating func show(_ border: FleetRunner.Border) {
        guard terminal.showsProgress else { return }
        let instant = clock.now
        if let drawn, instant - drawn < .milliseconds(100) { return }
        drawn = instant
        let elapsed = (instant - began) / .seconds(1)
        let line = Self.line(
            border, of: duration, elapsedSeconds: elapsed, width: terminal.width)
        terminal.draw("\r\u{1B}[K" + line)
    }

    /// Takes the bar off the screen.
    func clear() {
        guard drawn != nil else { return }
        terminal.draw("\r\u{1B}[K")
    }

    static func line(
        _ border: FleetRunner.Border, of duration: SimDuration, elapsedSeconds: Double, width: Int
    ) -> String {
        let now = border.at
        let share = Double(now.microseconds) / Double(max(duration.microseconds, 1))
        let left = share > 0 ? elapsedSeconds / share - elapsedSeconds : 0
        let rate = Double(border.events) / max(elapsedSeconds, 0.001) / 1e6
        let facts =
            " \(Int(share * 100)) %  day \(tenths(Double(now.microseconds) / 86_400e6))"
            + " of \(tenths(Double(duration.microseconds) / 86_400e6))"
            + "  \(tenths(rate)) M events/s  \(Int(left.rounded(.up))) s left"
            + (border.lagSeconds < lagSecondsShown
                ? "" : "  \(tenths(border.lagSeconds)) s behind")
        let room = min(max(width - facts.count - 3, 0), 30)
        guard room >= 8 else { return String(facts.prefix(max(width - 1, 0))) }
        let full = Int(share * Double(room))
        return "[" + String(repeating: "#", count: full)
            + String(repeating: ".", count: room - full) + "]" + facts
    }

    private static func tenths(_ value: Double) -> String {
        let whole = Int((value * 10).rounded())
        return "\(whole / 10).\(whole % 10)"
    }
}
