import JSONText

/// How much a line of the daemon's log matters. In the order of importance.
public enum LogLevel: String, CaseIterable, Comparable, Sendable {
    /// The exit status will not be 0, or something that was acknowledged is at risk.
    case error
    /// Check before you trust results.
    case warning
    /// The life of the daemon and its fleets, and what people did to them.
    case notice
    /// Who connects.
    case info
    /// Every call.
    case debug

    /// As syslog(3) and journald number them.
    public var priority: Int {
        switch self {
        case .error: 3
        case .warning: 4
        case .notice: 5
        case .info: 6
        case .debug: 7
        }
    }

    public static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.priority < right.priority
    }
}

/// What a line tells of. Lines of one kind that come too fast are counted instead of written.
public enum LogEvent: String, CaseIterable, Sendable {
    case daemonStarted = "daemon_started"
    case daemonReloaded = "daemon_reloaded"
    case daemonNotReloaded = "daemon_not_reloaded"
    case daemonStopping = "daemon_stopping"
    case daemonStopped = "daemon_stopped"
    case fleetCreated = "fleet_created"
    case fleetChanged = "fleet_changed"
    case fleetEnded = "fleet_ended"
    case fleetFailed = "fleet_failed"
    case fleetTakenUp = "fleet_taken_up"
    case fleetRefused = "fleet_refused"
    case stateStranger = "state_stranger"
    case intervention
    case scriptsFail = "scripts_fail"
    case connected, disconnected, refused
    case cut
    case call
    case callRefused = "call_refused"
    case internalError = "internal_error"
    case suppressed, dropped
}

/// One line of the daemon's log, as text or JSON.
public struct LogLine: Sendable {
    public enum Format: String, CaseIterable, Sendable { case text, json }

    public enum Value: Sendable, ExpressibleByStringLiteral {
        case text(String)
        case number(Int64)

        public init(stringLiteral text: String) { self = .text(text) }
        public init(_ number: some BinaryInteger) { self = .number(Int64(clamping: number)) }
    }

    /// Bytes of one text within a line: clients write some of them.
    public static let textBytesMax = 512

    public var level: LogLevel
    public var event: LogEvent
    public var fields: [(name: String, value: Value)]
    public var message: String

    public init(
        _ level: LogLevel, _ event: LogEvent, _ message: String,
        _ fields: [(name: String, value: Value)] = []
    ) {
        (self.level, self.event, self.message, self.fields) = (level, event, message, fields)
    }

    /// The line without its newline.
    ///
    /// - Parameters:
    ///   - microseconds: since 1970, of wall time.
    ///   - hasPriority: journald reads the level from the line's beginning, and knows the time.
    public func text(
        _ format: Format, atUnixMicroseconds microseconds: Int64, hasPriority: Bool = false
    ) -> String {
        let time = Self.timeText(microseconds)
        let head = hasPriority ? "<\(level.priority)>" : ""
        switch format {
        case .text:
            let start = hasPriority ? head : "\(time) \(level.rawValue) "
            let words = fields.map { "\($0.name)=\(Self.plain($0.value)) " }.joined()
            return start + words + Self.short(printable(message))
        case .json:
            return head
                + JSONLine.object { members in
                    members.member("time", time)
                    members.member("level", level.rawValue)
                    members.member("event", event.rawValue)
                    for field in fields {
                        switch field.value {
                        case .text(let text):
                            members.member(field.name, Self.short(printable(text)))
                        case .number(let number): members.member(field.name, number)
                        }
                    }
                    members.member("message", Self.short(printable(message)))
                }
        }
    }

    /// Quoted where it would not read as one word.
    private static func plain(_ value: Value) -> String {
        switch value {
        case .number(let number): return String(number)
        case .text(let text):
            let short = short(printable(text))
            let isWord =
                !short.isEmpty
                && short.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != 0x3D }
            return isWord ? short : quoted(short)
        }
    }

    private static func short(_ text: String) -> String {
        guard text.utf8.count > textBytesMax else { return text }
        var (short, bytes) = ("", 0)
        for character in text {
            bytes += character.utf8.count
            if bytes > textBytesMax { break }
            short.append(character)
        }
        return short + "…"
    }

    /// `2026-11-30T20:40:00.123Z`.
    static func timeText(_ microseconds: Int64) -> String {
        let days = LocalTime.floorDivided(microseconds, by: LocalTime.dayMicroseconds)
        let date = LocalTime.civil(fromDaysSince1970: days)
        let rest = microseconds - days * LocalTime.dayMicroseconds
        let two = { (number: Int64) in LocalTime.digits(number, 2) }
        let day =
            "\(LocalTime.digits(date.year, 4))-\(two(Int64(date.month)))-\(two(Int64(date.day)))"
        let (hour, minute) = (two(rest / 3_600_000_000), two(rest / 60_000_000 % 60))
        let thousandths = LocalTime.digits(rest / 1_000 % 1_000, 3)
        return "\(day)T\(hour):\(minute):\(two(rest / 1_000_000 % 60)).\(thousandths)Z"
    }
}
