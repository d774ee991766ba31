import SimPrimitives

/// The screen of `locfleet top`: what there is to see as lines of a size.
public struct TopPage {
    public struct Size: Equatable, Sendable {
        public var columns: Int
        public var rows: Int

        public init(columns: Int, rows: Int) {
            (self.columns, self.rows) = (max(columns, 1), max(rows, 1))
        }
    }

    /// What the terminal can show.
    public struct Style: Sendable {
        public var isColored: Bool
        /// Whether more than ASCII can be shown: else bars are of `#`.
        public var isUnicode: Bool

        public init(isColored: Bool = false, isUnicode: Bool = false) {
            (self.isColored, self.isUnicode) = (isColored, isUnicode)
        }
    }

    let state: TopState
    let size: Size
    let style: Style

    /// As many lines as the screen has rows at most, none wider than it: equal states give equal
    /// lines.
    public static func lines(_ state: TopState, _ size: Size, _ style: Style) -> [String] {
        TopPage(state: state, size: size, style: style).lines.map {
            let line = $0.text(columns: size.columns, isColored: style.isColored)
            return style.isUnicode ? line : ascii(line)
        }
    }

    private static func ascii(_ line: String) -> String {
        guard line.utf8.contains(where: { $0 >= 0x80 }) else { return line }
        let nearest: [Character: Character] = ["·": "-", "–": "-", "…": "."]
        return String(line.map { $0.isASCII ? $0 : nearest[$0] ?? "?" })
    }

    private var lines: [ScreenLine] {
        // On a very low screen the fleets are all there is room for.
        guard size.rows > 3 else { return Array(fleetLines(most: size.rows).prefix(size.rows)) }
        var lines = [header]
        let hasRoom = size.rows >= 12
        let fleetRows = max(1, min(state.fleets.count, (size.rows - 4) / (hasRoom ? 3 : 2)))
        if hasRoom { lines.append(titles) }
        lines += fleetLines(most: fleetRows)
        let left = size.rows - lines.count - 1
        if left > 0 { lines += below(rows: left) }
        while lines.count < size.rows - 1 { lines.append(ScreenLine()) }
        return lines + [footer]
    }

    // MARK: - Above

    private var header: ScreenLine {
        var line = ScreenLine("locfleet top", .bold)
        if let away = state.away {
            line.add("  " + away, .alarming)
            return line
        }
        guard let daemon = state.daemon else {
            line.add("  asking the daemon …", .dim)
            return line
        }
        let facts = [
            "locfleetd \(daemon.version)", humanBytes(daemon.residentBytes),
            Self.count(daemon.workers, "worker"), Self.count(daemon.connections, "connection"),
            "up " + human(SimDuration(seconds: daemon.uptimeSeconds) ?? .zero),
        ]
        line.add("  " + facts.joined(separator: " · "))
        return line
    }

    private var footer: ScreenLine {
        if let message = state.message { return ScreenLine(message, .bold) }
        let hints =
            size.columns >= 66
            ? "q quit  j/k fleet  tab view  space more  p pause  +/- rate  ? help"
            : "q quit  ? help"
        return ScreenLine(hints, .dim)
    }

    // MARK: - The fleets

    private struct Column {
        let title: String
        let width: Int
        var isNumber = false
        let cell: (TopState.Fleet) -> String
    }

    /// Those that fit, the most important ones first to stay.
    private var columns: [Column] {
        let longest = state.fleets.map { ScreenLine.columns(of: $0.name) }.max() ?? 0
        let name = Column(title: "fleet", width: min(max(longest, 5), 20)) { $0.name }
        let all: [(rank: Int, Column)] = [
            (0, name),
            (1, Column(title: "state", width: 8) { $0.state }),
            (2, Column(title: "day", width: 13) { Self.day($0) }),
            (3, Column(title: "", width: 12) { self.progress($0) }),
            (5, Column(title: "rate", width: 7, isNumber: true) { $0.rate }),
            (6, Column(title: "behind", width: 8, isNumber: true) { Self.lag($0) }),
            (4, Column(title: "events/s", width: 9, isNumber: true) { Self.eventRate($0) }),
            (7, Column(title: "devices", width: 11, isNumber: true) { grouped($0.devices) }),
            (8, Column(title: "arms", width: 4, isNumber: true) { String($0.arms) }),
            (9, Column(title: "clock", width: 25) { $0.localTime }),
        ]
        var (left, chosen) = (size.columns - 2, Set<Int>())
        let isLate = state.fleets.contains { !Self.lag($0).isEmpty }
        for entry in all.sorted(by: { $0.rank < $1.rank }) where entry.rank != 6 || isLate {
            guard entry.1.width <= left || chosen.isEmpty else { break }
            chosen.insert(entry.rank)
            left -= entry.1.width + 2
        }
        return all.filter { chosen.contains($0.rank) }.map(\.1)
    }

    private var titles: ScreenLine {
        var line = ScreenLine("  ")
        for column in columns {
            line.add(column.title, columns: column.width, isNumber: column.isNumber, .dim)
            line.add("  ")
        }
        return line
    }

    /// The selected one among them.
    private func fleetLines(most: Int) -> [ScreenLine] {
        let fleets = state.fleets
        guard !fleets.isEmpty else {
            let words = state.missing.isEmpty ? "no fleets" : "no fleet \(state.missing[0])"
            return state.daemon == nil ? [] : [ScreenLine("  " + words, .dim)]
        }
        let place = fleets.firstIndex { $0.name == state.selected } ?? 0
        let first = min(max(0, place - most / 2), max(0, fleets.count - most))
        let columns = columns
        return fleets[first..<min(first + most, fleets.count)].map { fleet in
            let isChosen = fleet.name == state.selected
            let look: ScreenLine.Look =
                isChosen
                ? .chosen
                : state.away != nil ? .dim : fleet.state == "failed" ? .alarming : .plain
            var line = ScreenLine(isChosen ? "> " : "  ", look)
            for column in columns {
                line.add(
                    column.cell(fleet), columns: column.width, isNumber: column.isNumber, look)
                line.add("  ", look)
            }
            return line
        }
    }

    static func day(_ fleet: TopState.Fleet) -> String {
        "\(tenths(fleet.atSeconds / 86_400)) of \(tenths(fleet.durationSeconds / 86_400))"
    }

    private func progress(_ fleet: TopState.Fleet) -> String {
        let share = fleet.durationSeconds > 0 ? fleet.atSeconds / fleet.durationSeconds : 0
        let ratio = Ratio(UInt64(min(max(share, 0), 1) * 1e6), of: 1_000_000)
        let percent = Self.padded("\(Int(min(max(share, 0), 1) * 100))%", 4)
        return bar(ratio, 7, isFramed: true) + percent
    }

    static func lag(_ fleet: TopState.Fleet) -> String {
        fleet.lagSeconds < 0.05 ? "" : "\(tenths(fleet.lagSeconds)) s"
    }

    static func eventRate(_ fleet: TopState.Fleet) -> String {
        guard let rate = fleet.eventsPerSecond else { return "" }
        switch rate {
        case 1e6...: return "\(tenths(rate / 1e6)) M"
        case 1e4...: return "\(Int(rate / 1e3)) k"
        default: return "\(Int(rate.rounded()))"
        }
    }

    private static func count(_ number: UInt64, _ thing: String) -> String {
        "\(number) \(thing)\(number == 1 ? "" : "s")"
    }

    package static func tenths(_ value: Double) -> String {
        guard value.isFinite, value.magnitude < 1e12 else { return "–" }
        let whole = Int((value * 10).rounded())
        return whole % 10 == 0 ? "\(whole / 10)" : "\(whole / 10).\(whole.magnitude % 10)"
    }

    static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// Of the width, with what is not filled as space or, framed, as dots.
    func bar(_ ratio: Ratio?, _ width: Int, isFramed: Bool = false) -> String {
        let full: String
        if style.isUnicode {
            full = Reports.bar(ratio, width: width)
        } else {
            let count = ratio.map { min(Int(clamping: $0.scaled(UInt64(width))), width) } ?? 0
            // What is not nothing is seen.
            let least = (ratio?.count ?? 0) > 0 ? 1 : 0
            full = String(repeating: "#", count: max(count, least))
        }
        let rest = max(0, width - ScreenLine.columns(of: full))
        return full + String(repeating: isFramed ? "." : " ", count: rest)
    }
}
