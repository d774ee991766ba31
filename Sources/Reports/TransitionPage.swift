import AuthorizationCore

/// The permission rules as a page to be read: what the reducer answers in every state that can be
/// reached, to every event.
///
/// Made by asking `Authorization.reduce` and never typed. States that answer alike share a row; a
/// row says under which condition it holds where they do not (`TransitionRows`).
public struct TransitionPage {
    /// The page as Markdown, ending with a newline.
    public static func markdown() -> String {
        var text = opening
        let spans = spans()
        text += events(of: spans)
        text += spans.map { "- [\($0.heading)](#\($0.anchor))\n" }.joined() + "\n"
        for span in spans {
            text += "## \(span.heading)\n\n\(span.table.text)"
        }
        return text
    }

    /// Versions with equal tables.
    private struct Span {
        var first: IOSVersion
        var last: IOSVersion
        var table: TransitionTable

        var heading: String {
            let isOpen = last.major == IOSVersion.released.last?.major
            return "iOS \(first) to \(isOpen ? "\(last.major)" : "\(last)")"
        }
        /// As GitHub makes it of a heading.
        var anchor: String {
            String(heading.lowercased().compactMap { $0 == "." ? nil : $0 == " " ? "-" : $0 })
        }
    }

    /// A major version whose first and last minor have equal tables has one table.
    private static func spans() -> [Span] {
        var spans: [Span] = []
        func add(_ table: TransitionTable) {
            if let last = spans.last, last.table.isEqual(table) {
                spans[spans.count - 1].last = table.ios
            } else {
                spans.append(Span(first: table.ios, last: table.ios, table: table))
            }
        }
        for (major, minorMax) in IOSVersion.released {
            let minors = (0...minorMax).compactMap { IOSVersion(major, $0) }
            guard let first = minors.first, let last = minors.last else { continue }
            let (start, end) = (TransitionTable(first), TransitionTable(last))
            for table in start.isEqual(end) ? [start, end] : minors.map(TransitionTable.init) {
                add(table)
            }
        }
        return spans
    }

    /// Every event that the tables ask about, each once, with the versions that have it.
    private static func events(of spans: [Span]) -> String {
        var seen: [(event: PageEvent, spans: [Int])] = []
        for (place, span) in spans.enumerated() {
            for event in span.table.everyEvent {
                if let known = seen.firstIndex(where: { $0.event.name == event.name }) {
                    if seen[known].spans.last != place { seen[known].spans.append(place) }
                } else {
                    seen.append((event, [place]))
                }
            }
        }
        var groups: [(range: String, events: [PageEvent])] = []
        for (event, places) in seen {
            guard let first = places.first, let last = places.last else { continue }
            let begin = first == 0 ? nil : "from iOS \(spans[first].first)"
            let end = last == spans.count - 1 ? nil : "to \(spans[last].last)"
            let words = [begin, end].compactMap { $0 }
            let range = words.isEmpty ? "on every version" : words.joined(separator: " ")
            if let place = groups.firstIndex(where: { $0.range == range }) {
                groups[place].events.append(event)
            } else {
                groups.append((range, [event]))
            }
        }
        let lines = groups.map { group in
            "- \(group.range): \(TransitionTable.names(of: group.events))\n"
        }
        return "The events that the tables ask about; words alone are buttons of prompts:\n\n"
            + lines.joined() + "\n"
    }

    private static let opening = """
        # The permission rules, state by state

        Printed by `locfleet rules --markdown` from the rules themselves: every state that an app
        with all its texts can reach, every event in it, by the defaults of `rules`. A test holds
        that this page is what the code does. `locfleet rules A8` explains a rule.

        - **Becomes** is the new status, and what is remembered beside it; a dash: nothing changes.
          *Ignored*: why nothing does. Events that change nothing in any state of a table, and
          need no reason, are named below it; where an event has rows, it changes nothing in the
          states that none of them means.
        - **Callback**: the app hears of it, as soon as it executes (C2, C3). It does when the
          status or the accuracy that it reads has changed (ST1); while Location Services are off,
          it reads denied.
        - **When** is a condition that the answer depends on; rows of one event exclude each other.
        - *In use*: in the foreground, a few seconds after, or under the indicator (section U).
          *Spent*: Always has been asked for (A9). *Row*: the app's line in Settings (S7). What
          stands between slashes is another event with the same answer.


        """
}

/// The table of one version.
struct TransitionTable {
    let ios: IOSVersion
    private let states: [Authorization]
    private let transitions: [Authorization.Transition]
    private let events: PageEvents

    init(_ ios: IOSVersion) {
        self.ios = ios
        events = PageEvents(ios)
        (states, transitions) = events.explore()
    }

    /// Whether the same events do the same in the same states.
    func isEqual(_ other: TransitionTable) -> Bool {
        transitions == other.transitions
    }

    /// Those of all sections.
    var everyEvent: [PageEvent] {
        let answers = PromptKind.allCases.flatMap { kind in
            states.contains { $0.prompt?.kind == kind } ? events.answers(to: kind) : []
        }
        return events.ofApp(under: .allowOnce) + events.ofAccuracy + answers
            + events.duringPrompts + events.besideTheApp + events.ofDevice
    }

    var text: String {
        var text = ""
        let open = states.filter { $0.prompt == nil && $0.isPlain }
        for decision in TrueStatus.allCases {
            let alike = open.filter { $0.decision == decision }
            guard let first = alike.first else { continue }
            let title = "\(decision.pageName): the app reads `\(first.visibleStatus.rawValue)`"
            text += section(title, nil, alike, events.ofApp(under: decision))
        }
        text += section(
            "Accuracy, without a prompt on screen", "Whichever access was granted.", open,
            events.ofAccuracy)
        let prompted = states.filter { $0.prompt != nil }
        for kind in PromptKind.allCases {
            let alike = prompted.filter { $0.prompt?.kind == kind }
            guard !alike.isEmpty else { continue }
            text += section("On screen: \(kind.pageName)", nil, alike, events.answers(to: kind))
        }
        text += section(
            "Any prompt on screen", "What closes it, and what waits or is dropped.", prompted,
            events.duringPrompts)
        if !events.besideTheApp.isEmpty {
            text += section(
                "The location button, widgets and App Clips", nil, states, events.besideTheApp)
        }
        text += overlays
        return text
            + section("In any state", nil, states, events.ofDevice)
    }

    private var overlays: String {
        let off = states.filter { !$0.isLocationServicesOn && !$0.isRestricted && $0.prompt == nil }
        let restricted = states.filter { $0.isRestricted && $0.prompt == nil }
        return section(
            "Location Services off: the app reads `denied`",
            "What goes otherwise than with them on. The decision lies below and changes as above, "
                + "unheard (ST1).", off, differing(off, lifted: .locationServicesSwitched(true)))
            + section(
                "Under a restriction: an undecided app reads `restricted`",
                "What goes otherwise than without it.", restricted,
                differing(restricted, lifted: .restrictionSwitched(false)))
    }

    /// The events that go otherwise in one of `states` than once what lies over it is lifted.
    private func differing(
        _ states: [Authorization], lifted event: AuthorizationEvent
    ) -> [PageEvent] {
        (events.ofApp + events.ofAccuracy + events.besideTheApp).filter { page in
            states.contains { state in
                let twin = events.play(event, in: state).state
                let (here, there) = (page.play(state), page.play(twin))
                return here.rule != there.rule || here.effect != there.effect
            }
        }
    }

    private func section(
        _ title: String, _ remark: String?, _ states: [Authorization], _ events: [PageEvent]
    ) -> String {
        var lines: [(events: [PageEvent], cells: [String])] = []
        var silent: [PageEvent] = []
        for event in events {
            let rows = TransitionRows(event, states).rows
            if rows.allSatisfy(\.isSilent) { silent.append(event) }
            for row in rows where !row.isSilent {
                if let place = lines.firstIndex(where: {
                    $0.cells == row.cells && $0.events[0].family == event.family
                }) {
                    lines[place].events.append(event)
                } else {
                    lines.append(([event], row.cells))
                }
            }
        }
        guard !lines.isEmpty else { return "" }
        let head =
            "| event | when | becomes | prompt | callback | rule |\n|---|---|---|---|---|---|\n"
        let count = states.count == 1 ? "1 state" : "\(states.count) states"
        let rest =
            silent.isEmpty ? "" : ". Nothing comes of: " + Self.names(of: silent)
        return "### \(title)\n\n" + (remark.map { "\($0)\n\n" } ?? "") + head
            + lines.map { Self.line($0.events, $0.cells) }.joined()
            + "\nCovers \(count)\(rest).\n\n"
    }
}

extension TransitionTable {
    /// Events with the same answer share a line, those of a subject without repeating it.
    private static func line(_ events: [PageEvent], _ cells: [String]) -> String {
        "| " + ([names(of: events)] + cells).joined(separator: " | ") + " |\n"
    }

    fileprivate static func names(of events: [PageEvent]) -> String {
        var names: [(subject: String, details: [String])] = []
        for event in events {
            if let place = names.firstIndex(where: { $0.subject == event.subject }) {
                names[place].details.append(event.detail)
            } else {
                names.append((event.subject, [event.detail]))
            }
        }
        return names.flatMap { name -> [String] in
            let details = name.details.filter { !$0.isEmpty }.joined(separator: " / ")
            let detailed = details.isEmpty ? [] : ["\(name.subject) \(details)"]
            return (name.details.contains("") ? [name.subject] : []) + detailed
        }.joined(separator: "; ")
    }
}

extension Authorization {
    /// No switch and no restriction lies over the decision.
    fileprivate var isPlain: Bool { isLocationServicesOn && !isRestricted }
}
