/// The lower part of the screen: the selected fleet more closely.
extension TopPage {
    func below(rows: Int) -> [ScreenLine] {
        if state.isHelpShown { return Array(Self.help.map { ScreenLine("  " + $0) }.prefix(rows)) }
        guard let fleet = state.selectedFleet else { return [] }
        var lines: [ScreenLine] = []
        if rows > 6 { lines.append(ScreenLine()) }
        if rows > 2 { lines.append(about(fleet)) }
        let detail = state.detail.flatMap { $0.fleet == fleet.name ? $0 : nil }
        if rows > 3, let detail, let failures = failureLine(detail) { lines.append(failures) }
        if rows > 1 { lines.append(tabs) }
        guard let detail else { return lines }
        let content =
            switch state.view {
            case .funnel: funnel(detail)
            case .statuses: statuses(detail)
            case .failures: failures(detail)
            }
        return lines + window(content, rows: rows - lines.count)
    }

    /// As much as fits, from where it was scrolled to; the last line says how much more there is.
    private func window(_ lines: [ScreenLine], rows: Int) -> [ScreenLine] {
        guard rows > 0 else { return [] }
        let first = min(state.scroll, max(0, lines.count - rows))
        let rest = lines.dropFirst(first)
        guard rest.count > rows else { return Array(rest) }
        guard rows > 1 else { return Array(rest.prefix(1)) }
        let shown = rest.prefix(rows - 1)
        return shown + [ScreenLine("  … \(rest.count - shown.count) more: space", .dim)]
    }

    private func about(_ fleet: TopState.Fleet) -> ScreenLine {
        var line = ScreenLine(fleet.name, .bold)
        let clock = fleet.localTime.replacing("T", with: " ")
        line.add("  \(clock) · day \(Self.day(fleet)) · \(grouped(fleet.devices)) devices")
        if let error = fleet.error { line.add(" · " + error, .alarming) }
        return line
    }

    private func failureLine(_ detail: TopState.Detail) -> ScreenLine? {
        let count = detail.arms.reduce(0) { $0 + $1.failures }
        guard count > 0, let first = detail.arms.compactMap(\.first).first else { return nil }
        return ScreenLine(
            "\(grouped(count)) script failures, first \(first.place): \(first.message)", .alarming)
    }

    private var tabs: ScreenLine {
        var line = ScreenLine()
        for view in TopState.View.allCases {
            let isShown = view == state.view
            line.add(isShown ? "[\(view.rawValue)]" : " \(view.rawValue) ", isShown ? .bold : .dim)
            line.add(" ")
        }
        return line
    }

    // MARK: - The funnel

    /// Columns of figures that stand where there is room for them.
    private struct Room {
        var name: Int
        var arm: Int
        var bar: Int
        var hasReached: Bool
        var hasPrevious: Bool
        var hasInterval: Bool
    }

    private func room(names: [String], arms: [String]) -> Room {
        let longest = { (texts: [String]) in texts.map(ScreenLine.columns).max() ?? 0 }
        let name = min(max(longest(names), 4), 20)
        let arm = arms.count > 1 ? min(longest(arms), 14) + 1 : 0
        // Two before, the name, a space, the bar, a space, and the share of all.
        var left = size.columns - 2 - name - 1 - arm - 1 - 6
        let barLeast = 8
        func takes(_ columns: Int) -> Bool {
            guard left - columns >= barLeast else { return false }
            left -= columns
            return true
        }
        let hasReached = takes(12)
        let hasPrevious = takes(8)
        let hasInterval = hasPrevious && takes(14)
        return Room(
            name: name, arm: arm, bar: max(min(left, 60), 0), hasReached: hasReached,
            hasPrevious: hasPrevious, hasInterval: hasInterval)
    }

    /// Arms stand one below the other, step by step: that is what is to be compared.
    private func funnel(_ detail: TopState.Detail) -> [ScreenLine] {
        guard let base = detail.arms.first else { return [] }
        let room = room(names: base.steps.map(\.name), arms: detail.arms.map(\.name))
        var lines = [funnelTitles(room)]
        for index in base.steps.indices {
            for (place, arm) in detail.arms.enumerated() where index < arm.steps.count {
                let step = arm.steps[index]
                var line = ScreenLine("  ")
                line.add(place == 0 ? step.name : "", columns: room.name)
                line.add(" ")
                if room.arm > 0 { line.add(arm.name, columns: room.arm, .dim) }
                let all = Ratio(step.reached, of: arm.devices)
                line.add(bar(all, room.bar))
                if room.hasReached { line.add(grouped(step.reached), columns: 12, isNumber: true) }
                line.add(percent(all), columns: 7, isNumber: true)
                let previous = step.previous.flatMap { Ratio(step.reached, of: $0) }
                let share = step.previous == nil ? "" : percent(previous)
                if room.hasPrevious { line.add(share, columns: 8, isNumber: true) }
                if room.hasInterval, let interval = step.interval {
                    line.add(
                        "\(Self.share(interval.low))–\(Self.share(interval.high))%", columns: 14,
                        isNumber: true, .dim)
                }
                lines.append(line)
            }
        }
        return lines
    }

    private func funnelTitles(_ room: Room) -> ScreenLine {
        var line = ScreenLine("  ")
        line.add("step", columns: room.name, .dim)
        line.add(" ")
        if room.arm > 0 { line.add("arm", columns: room.arm, .dim) }
        line.add("", columns: room.bar)
        if room.hasReached { line.add("reached", columns: 12, isNumber: true, .dim) }
        line.add("of all", columns: 7, isNumber: true, .dim)
        if room.hasPrevious { line.add("of prev", columns: 8, isNumber: true, .dim) }
        if room.hasInterval { line.add("95 %", columns: 14, isNumber: true, .dim) }
        return line
    }

    private static func share(_ share: Double) -> String {
        guard (0...1).contains(share) else { return "–" }
        let tenths = Int((share * 1_000).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    // MARK: - Statuses

    private func statuses(_ detail: TopState.Detail) -> [ScreenLine] {
        guard let base = detail.arms.first else { return [] }
        let names = (base.visible + base.trueStatus).map(\.name)
        let room = room(names: names, arms: detail.arms.map(\.name))
        var lines: [ScreenLine] = []
        for (title, counts) in [
            ("as the app reads it", detail.arms.map(\.visible)),
            ("in truth", detail.arms.map(\.trueStatus)),
        ] {
            lines.append(ScreenLine("  " + title, .dim))
            for (index, status) in (counts.first ?? []).enumerated() {
                for (place, arm) in detail.arms.enumerated() where index < counts[place].count {
                    let installed = counts[place].reduce(0) { $0 + $1.count }
                    let count = counts[place][index].count
                    var line = ScreenLine("  ")
                    line.add(place == 0 ? status.name : "", columns: room.name)
                    line.add(" ")
                    if room.arm > 0 { line.add(arm.name, columns: room.arm, .dim) }
                    let ratio = Ratio(count, of: installed)
                    line.add(bar(ratio, room.bar))
                    if room.hasReached { line.add(grouped(count), columns: 12, isNumber: true) }
                    line.add(percent(ratio), columns: 7, isNumber: true)
                    lines.append(line)
                }
            }
        }
        return lines
    }

    // MARK: - Failures

    private func failures(_ detail: TopState.Detail) -> [ScreenLine] {
        var lines: [ScreenLine] = []
        for arm in detail.arms {
            for kind in arm.kinds {
                var line = ScreenLine("  ")
                line.add(grouped(kind.count), columns: 9, isNumber: true, .alarming)
                if detail.arms.count > 1 { line.add("  \(arm.name)", .dim) }
                line.add("  \(kind.place) \(kind.hook)")
                lines += [line, ScreenLine("             " + kind.message, .dim)]
            }
        }
        return lines.isEmpty ? [ScreenLine("  no script has failed", .dim)] : lines
    }

    private static let help = [
        "", "q, Ctrl-C        quit", "j, k, up, down   select a fleet",
        "tab, enter       next view: funnel, statuses, failures",
        "space, b         scroll the view", "p                pause, resume or start the fleet",
        "+, -             let its time run faster or slower",
        "?                this help; any key goes back", "",
        "Bars are shares of all devices; 95 % is the interval of the share of the step before.",
    ]
}
