import JSONText
import TestSupport
import Testing

@testable import Reports

@Suite("The screen of top")
struct TopPageTests {
    private static func node(_ text: String) -> JSONNode {
        guard let node = try? JSONReader.read(Array(text.utf8), as: .json) else {
            preconditionFailure("\(text) is JSON")
        }
        return node
    }

    private static func fleet(
        _ name: String, _ state: String, at days: Double, events: Int, rate: String = "max",
        lag: Double = 0, error: String? = nil
    ) -> String {
        """
        {"fleet":\(quoted(name)),"state":"\(state)","devices":60000,"arms":["base","on-launch"],
        "at_seconds":\(days * 86_400),"duration_seconds":2592000,"rate":"\(rate)","lag_seconds":\(lag),
        "at":"2026-01-08T14:05:00+01:00","events":\(events),
        "error":\(error.map { quoted($0) } ?? "null")}
        """
    }

    /// Three fleets, and the first of them more closely: what a daemon would answer.
    private static func state(_ names: [String] = ["demo", "slow", "broken"]) -> TopState {
        var state = TopState()
        state.take(
            status: node(
                """
                {"version":"0.1.0","uptime_seconds":4000,"workers":2,"resident_bytes":61000000,
                "connections":3}
                """))
        for events in [0, 1_234_567] {
            state.take(
                fleets: node(
                    "["
                        + [
                            fleet(names[0], "running", at: 12.345, events: events),
                            fleet(
                                names[1], "paused", at: 0.5, events: 10, rate: "60x", lag: 1.25),
                            fleet(
                                names[2], "failed", at: 30, events: 9,
                                error: "device 7: out_of_memory"),
                        ].joined(separator: ",") + "]"), after: events == 0 ? nil : 0.5)
        }
        var report = twoArmsReport()
        for index in report.arms.indices {
            report.arms[index].total = figures(of: report.scenario, devices: 60_000)
        }
        state.take(metrics: node(report.line(of: names[0], state: "running")))
        return state
    }

    static let sizes: [TopPage.Size] = [
        TopPage.Size(columns: 80, rows: 24), TopPage.Size(columns: 40, rows: 12),
        TopPage.Size(columns: 200, rows: 60),
    ]

    @Test(
        "shows fleets and one of them closely, as large as it is", arguments: sizes,
        TopState.View.allCases)
    func whole(_ size: TopPage.Size, _ view: TopState.View) throws {
        var state = Self.state()
        while state.view != view { _ = state.press(.nextView) }
        let style = TopPage.Style(isColored: false, isUnicode: true)
        let text = TopPage.lines(state, size, style).joined(separator: "\n") + "\n"
        let name = "top-\(view.rawValue)-\(size.columns)x\(size.rows).txt"
        #expect(try text == golden(name, rewrittenFrom: text))
    }

    @Test("names the script of the first failure once")
    func firstFailure() {
        var state = Self.state()
        let failure =
            #"{"script":"own.lua","line":31,"hook":"next_open","message":"own.lua:31: no"}"#
        state.take(
            metrics: Self.node(
                #"{"fleet":"demo","arms":[{"name":"base","script_failures":{"count":2,"first":"#
                    + failure + "}}]}"))
        let lines = TopPage.lines(state, TopPage.Size(columns: 120, rows: 30), TopPage.Style())
        #expect(
            lines.contains { $0.contains("2 script failures, first own.lua:31: no") }, "\(lines)")
    }

    @Test("shows whatever numbers a reply has")
    func rubbish() {
        for number in ["1e300", "-1e300", "1e999", "-1", "18446744073709551615", "1e-300"] {
            var state = Self.state()
            let fleet =
                #"[{"fleet":"demo","state":"running","devices":N,"at_seconds":N,"arms":[],"#
                + #""duration_seconds":N,"lag_seconds":N,"events":N}]"#
            let metrics =
                #"{"fleet":"demo","devices":N,"arms":[{"name":"base","funnel":[{"step":"a","reached":N},"#
                + #"{"step":"b","reached":N,"of_previous_95":[N,N]}],"status":{"visible":{"x":N,"y":N},"#
                + #""true":{"x":N}},"script_failures":{"count":N}},{"name":"b","#
                + #""script_failures":{"count":N}}]}"#
            for seconds in [nil, 0.000_001] as [Double?] {
                state.take(
                    fleets: Self.node(fleet.replacing("N", with: number)), after: seconds)
            }
            state.take(metrics: Self.node(metrics.replacing("N", with: number)))
            state.take(
                status: Self.node(
                    #"{"uptime_seconds":N,"workers":N,"resident_bytes":N}"#
                        .replacing("N", with: number)))
            for view in TopState.View.allCases {
                while state.view != view { _ = state.press(.nextView) }
                for isUnicode in [true, false] {
                    let style = TopPage.Style(isUnicode: isUnicode)
                    let lines = TopPage.lines(state, TopPage.Size(columns: 120, rows: 30), style)
                    #expect(lines.count == 30, "\(number)")
                }
            }
            #expect(!state.plainLines.isEmpty)
        }
    }

    @Test("differs in color alone where there is color")
    func color() throws {
        for size in Self.sizes {
            let plain = TopPage.lines(Self.state(), size, TopPage.Style(isUnicode: true))
            let colored = TopPage.lines(
                Self.state(), size, TopPage.Style(isColored: true, isUnicode: true))
            #expect(colored.contains { $0.contains("\u{1B}[7m") })
            let stripped = colored.map { $0.replacing(/\u{1B}\[[0-9]*m/, with: "") }
            for (line, other) in zip(plain, stripped) {
                #expect(line == String(other.reversed().drop { $0 == " " }.reversed()))
            }
        }
        let size = TopPage.Size(columns: 80, rows: 24)
        let text =
            TopPage.lines(Self.state(), size, TopPage.Style(isColored: true, isUnicode: true))
            .joined(separator: "\n")
            .replacing("\u{1B}", with: "ESC") + "\n"
        #expect(try text == golden("top-color.txt", rewrittenFrom: text))
    }

    @Test("fits every size, whatever it shows")
    func everySize() {
        for columns in [1, 2, 7, 20, 33, 64, 66, 79, 120, 300] {
            for rows in [1, 2, 3, 4, 5, 7, 11, 12, 13, 30, 90] {
                var state = Self.state()
                for key in [.nextView, .nextView, .help, .escape, .down, .pageDown] as [TopKey] {
                    for style in [TopPage.Style(), TopPage.Style(isUnicode: true)] {
                        let lines = TopPage.lines(
                            state, TopPage.Size(columns: columns, rows: rows), style)
                        #expect(lines.count <= rows)
                        for line in lines {
                            #expect(ScreenLine.columns(of: line) <= columns, "\(line)")
                        }
                        if !style.isUnicode {
                            #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
                        }
                    }
                    _ = state.press(key)
                }
            }
        }
    }

    @Test("names and messages cannot move the cursor, whoever wrote them")
    func hostile() {
        let evil = "\u{1B}[2J\u{9B}31m\r\n\u{7}\u{202E}x\u{200D}"
        var state = Self.state([evil, evil + "2", "日本語の名前がとても長い場合"])
        state.message = evil
        state.away = evil
        for size in Self.sizes {
            for _ in TopState.View.allCases {
                let lines = TopPage.lines(state, size, TopPage.Style(isUnicode: true))
                for line in lines {
                    #expect(ScreenLine.columns(of: line) <= size.columns)
                    for scalar in line.unicodeScalars {
                        let kind = scalar.properties.generalCategory
                        #expect(kind != .control && kind != .format, "\(line)")
                    }
                }
                _ = state.press(.nextView)
            }
        }
    }

    @Test(
        "cuts what is wide by what it takes on a screen",
        arguments: [
            ("abc", 3, "abc"), ("abcd", 3, "ab~"), ("日本語", 6, "日本語"), ("日本語", 5, "日本~"),
            ("日本語", 4, "日~"), ("e\u{301}e\u{301}", 2, "e\u{301}e\u{301}"), ("ab", 1, "~"),
            ("ab", 0, ""),
        ])
    func cutting(_ text: String, _ columns: Int, _ cut: String) {
        #expect(ScreenLine.cut(text, to: columns) == cut)
    }

    @Test("a rate of events holds between two borders, and ends with the fleet")
    func eventRate() {
        var state = TopState()
        func take(
            _ events: Int, _ state: inout TopState, _ word: String = "running", after: Double?
        ) {
            state.take(
                fleets: Self.node("[\(Self.fleet("a", word, at: 1, events: events))]"), after: after
            )
        }
        take(100, &state, after: nil)
        #expect(state.fleets[0].eventsPerSecond == nil)
        take(200, &state, after: 1)
        #expect(state.fleets[0].eventsPerSecond == 100)
        take(200, &state, after: 1)
        #expect(state.fleets[0].eventsPerSecond == 100)
        take(400, &state, after: 1)
        #expect(state.fleets[0].eventsPerSecond == 100)
        for _ in 0..<6 { take(400, &state, after: 1) }
        #expect(state.fleets[0].eventsPerSecond == 0)
        take(900, &state, "running", after: 1)
        take(900, &state, "paused", after: 1)
        #expect(state.fleets[0].eventsPerSecond == 0)
    }

    @Test("keeps its fleet when others come and go, and has none without any")
    func selection() {
        var state = Self.state()
        #expect(state.press(.down) == .look && state.selected == "slow")
        let two = ["aaa", "slow"].map { Self.fleet($0, "running", at: 1, events: 1) }
        state.take(fleets: Self.node("[\(two.joined(separator: ","))]"), after: 1)
        #expect(state.selected == "slow")
        state.take(fleets: Self.node("[]"), after: 1)
        #expect(state.selected == nil && state.press(.down) == nil && state.press(.pause) == nil)
        #expect(state.press(.faster) == nil)
        let size = TopPage.Size(columns: 80, rows: 24)
        #expect(TopPage.lines(state, size, TopPage.Style()).contains("  no fleets"))
    }

    @Test("what comes from another version, or is no answer, is shown as nothing")
    func strange() {
        for text in ["null", "[]", "{}", "7", #"[{"fleet":7},{"events":-1,"at_seconds":1e999}]"#] {
            var state = Self.state()
            state.take(status: Self.node(text))
            state.take(fleets: Self.node(text), after: 1)
            state.take(metrics: Self.node(text))
            _ = TopPage.lines(state, TopPage.Size(columns: 80, rows: 24), TopPage.Style())
        }
    }
}
