import Testing

@testable import Telemetry

@Suite("A line of the daemon's log")
struct LogLineTests {
    /// 2026-11-30T20:40:00.123Z.
    private static let time: Int64 = 1_796_071_200_123_456
    private static let line = LogLine(
        .warning, .scriptsFail, "scripts failed",
        [("fleet", "demo"), ("failures", .init(3)), ("what", "a \"b\" = c")])

    @Test("is text that people read and tools cut, or JSON")
    func forms() {
        #expect(
            Self.line.text(.text, atUnixMicroseconds: Self.time)
                == #"2026-11-30T20:40:00.123Z warning fleet=demo failures=3 "#
                + #"what="a \"b\" = c" scripts failed"#)
        #expect(
            Self.line.text(.json, atUnixMicroseconds: Self.time)
                == #"{"time":"2026-11-30T20:40:00.123Z","level":"warning","event":"scripts_fail","#
                + #""fleet":"demo","failures":3,"what":"a \"b\" = c","message":"scripts failed"}"#)
    }

    @Test("begins with its priority where journald reads it, which knows the time itself")
    func priority() {
        #expect(
            Self.line.text(.text, atUnixMicroseconds: Self.time, hasPriority: true)
                .hasPrefix("<4>fleet=demo "))
        #expect(
            Self.line.text(.json, atUnixMicroseconds: Self.time, hasPriority: true)
                .hasPrefix(#"<4>{"time":"#))
        #expect(LogLevel.allCases.map(\.priority) == [3, 4, 5, 6, 7])
        #expect(LogLevel.allCases.sorted() == LogLevel.allCases)
    }

    @Test(
        "has no control characters and no text without end, whoever wrote it",
        arguments: LogLine.Format.allCases)
    func hostile(_ format: LogLine.Format) {
        let text = "\u{1B}[31m\r\n\u{7F}\u{9B}2J\u{0}" + String(repeating: "é", count: 5_000)
        let line = LogLine(.info, .call, text, [("method", .text(text))])
            .text(format, atUnixMicroseconds: 0)
        #expect(line.utf8.count < 4 * LogLine.textBytesMax)
        #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
        #expect(line.contains("1970-01-01T00:00:00.000Z") && line.contains("…"))
    }

    @Test(
        "knows the time before 1970 and after 9999",
        arguments: [
            (-1, "1969-12-31T23:59:59.999Z"), (0, "1970-01-01T00:00:00.000Z"),
            (253_402_300_800_000_000, "10000-01-01T00:00:00.000Z"),
        ] as [(Int64, String)])
    func time(_ microseconds: Int64, _ text: String) {
        #expect(LogLine.timeText(microseconds) == text)
    }
}
