import Dispatch
import Glibc
import Synchronization
import Telemetry

/// The daemon's log: lines on a descriptor, written by a queue of its own.
///
/// Whoever logs never waits: lines that find the queue full are dropped and counted, as where
/// nobody reads what standard error leads to. A kind of line that comes too often is counted and
/// told in one. Both are said in the log as soon as it can be.
public final class DaemonLog: Sendable {
    public struct Options: Sendable {
        public var level = LogLevel.notice
        public var format = LogLine.Format.text
        /// Begin lines with `<4>`, for journald.
        public var hasPriority = false
        /// Lines of one kind in a window, above the level `debug`.
        public var linesPerWindow = 100
        public var windowSeconds = 10.0
        /// Lines that wait to be written.
        public var queuedLines = 1_024

        public init() {}
    }

    public struct Counters: Equatable, Sendable {
        /// Lines that were written or wait to be.
        public var lines: UInt64 = 0
        /// Lines counted instead of written, because their kind came too fast.
        public var suppressed: UInt64 = 0
        /// Lines that found the queue full.
        public var dropped: UInt64 = 0
    }

    private struct Window {
        var began: UInt64
        var lines = 0
        var suppressed: UInt64 = 0
    }

    private struct State {
        var waiting: [String] = []
        var isWriting = false
        var windows: [LogEvent: Window] = [:]
        var untoldDrops: UInt64 = 0
        var counters = Counters()
    }

    private let options: Options
    /// Of `LogLevel`: those beyond it are not written.
    private let priority: Atomic<Int>
    private let isJSON: Atomic<Bool>
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "locfleet.log")
    private let state = Mutex(State())

    /// - Parameter descriptor: stays the caller's.
    public init(_ options: Options = Options(), descriptor: Int32 = STDERR_FILENO) {
        (self.options, self.descriptor) = (options, descriptor)
        priority = Atomic(options.level.priority)
        isJSON = Atomic(options.format == .json)
    }

    public var counters: Counters { state.withLock(\.counters) }

    /// What later lines are like, from any thread.
    public func change(to level: LogLevel, _ format: LogLine.Format) {
        priority.store(level.priority, ordering: .relaxed)
        isJSON.store(format == .json, ordering: .relaxed)
    }

    /// Whether lines of that level are written at all: a look at one number.
    public func has(_ level: LogLevel) -> Bool {
        level.priority <= priority.load(ordering: .relaxed)
    }

    /// Adds a line, from any thread. Its fields are not made where the level is not wanted.
    public func log(
        _ level: LogLevel, _ event: LogEvent, _ message: @autoclosure () -> String,
        _ fields: @autoclosure () -> [(name: String, value: LogLine.Value)] = []
    ) {
        guard has(level) else { return }
        let line = LogLine(level, event, message(), fields())
        let now = DispatchTime.now().uptimeNanoseconds
        let (isFirst, isToWrite) = state.withLock { state -> (Bool, Bool) in
            guard level == .debug || level == .error || admit(event, at: now, &state) else {
                return (state.windows[event]?.suppressed == 1, false)
            }
            return (false, append(text(of: line), &state))
        }
        if isFirst {
            queue.asyncAfter(deadline: .now() + options.windowSeconds) { self.tellSuppressed() }
        }
        if isToWrite { queue.async { self.write() } }
    }

    /// Writes what waits, and gives up after so many seconds: who has stopped reading is not waited
    /// for.
    public func flush(within seconds: Double) {
        let done = DispatchSemaphore(value: 0)
        queue.async {
            self.tellSuppressed()
            self.write()
            done.signal()
        }
        _ = done.wait(timeout: .now() + seconds)
    }

    // MARK: - Too many

    /// Whether one more line of that kind is written now.
    private func admit(_ event: LogEvent, at now: UInt64, _ state: inout State) -> Bool {
        var window = state.windows[event] ?? Window(began: now)
        if Double(now - window.began) / 1e9 >= options.windowSeconds {
            tell(event, window, &state)
            window = Window(began: now)
        }
        let isAdmitted = window.lines < options.linesPerWindow
        if isAdmitted {
            window.lines += 1
        } else {
            window.suppressed += 1
            state.counters.suppressed += 1
        }
        state.windows[event] = window
        return isAdmitted
    }

    private func tellSuppressed() {
        state.withLock { state in
            for event in LogEvent.allCases {
                guard let window = state.windows[event], window.suppressed > 0 else { continue }
                tell(event, window, &state)
                state.windows[event] = nil
            }
        }
        write()
    }

    private func tell(_ event: LogEvent, _ window: Window, _ state: inout State) {
        guard window.suppressed > 0 else { return }
        let line = LogLine(
            .warning, .suppressed, "more lines of this kind came too fast and were left out",
            [("of", .text(event.rawValue)), ("count", .init(window.suppressed))])
        _ = append(text(of: line), &state)
    }

    // MARK: - Lines

    private func text(of line: LogLine) -> String {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let microseconds = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
        return line.text(
            isJSON.load(ordering: .relaxed) ? .json : .text, atUnixMicroseconds: microseconds,
            hasPriority: options.hasPriority)
    }

    /// - Returns: whether somebody has to begin to write.
    private func append(_ line: String, _ state: inout State) -> Bool {
        guard state.waiting.count < options.queuedLines else {
            state.untoldDrops += 1
            state.counters.dropped += 1
            return false
        }
        if state.untoldDrops > 0 {
            let told = LogLine(
                .warning, .dropped, "lines were dropped: nobody took them in time",
                [("count", .init(state.untoldDrops))])
            state.untoldDrops = 0
            state.waiting.append(text(of: told))
        }
        state.waiting.append(line)
        state.counters.lines += 1
        defer { state.isWriting = true }
        return !state.isWriting
    }

    /// On the queue.
    private func write() {
        while true {
            let lines = state.withLock { state -> [String] in
                defer { state.waiting = [] }
                if state.waiting.isEmpty { state.isWriting = false }
                return state.waiting
            }
            guard !lines.isEmpty else { return }
            put(Array((lines.joined(separator: "\n") + "\n").utf8))
        }
    }

    /// Nothing can be done if that fails. A terminal that somebody else has made non-blocking is
    /// waited for.
    private func put(_ bytes: [UInt8]) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count > 0 {
                written += count
            } else if count < 0 && errno == EAGAIN {
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&entry, 1, 1_000)
            } else if count == 0 || errno != EINTR {
                return
            }
        }
    }
}
