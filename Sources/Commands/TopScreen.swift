import ControlProtocol
import Foundation
import JSONText
import Reports

/// `locfleet top` on a terminal: one loop that waits for keys, signals and the daemon, and never
/// for one of them alone.
struct TopScreen {
    /// Seconds without an answer after which the daemon counts as away.
    private static let patienceSeconds = 3.0
    /// Seconds that the rest of a key's bytes may take.
    private static let keySeconds = 0.05

    private enum Question { case status, fleets, metrics, command }

    private let path: String
    private let everySeconds: Double
    private let count: UInt64?
    private let style: TopPage.Style
    private var state: TopState
    private var client: ControlClient?
    /// What has been asked and not answered, by the id of the call.
    private var open: [Int: Question] = [:]
    private var askedAt = 0.0
    private var fleetsAt: Double?
    private var nextLook = 0.0
    private var looks: UInt64 = 0
    private var keys = TopKeyReader()

    init(
        path: String, fleets: [String], everySeconds: Double, count: UInt64?, isColored: Bool
    ) {
        (self.path, self.everySeconds, self.count) = (path, everySeconds, count)
        style = TopPage.Style(
            isColored: isColored, isUnicode: Self.isUnicode(ProcessInfo.processInfo.environment))
        state = TopState(fleets: fleets)
    }

    /// Whether the locale says so; the Linux console has too few characters.
    static func isUnicode(_ environment: [String: String]) -> Bool {
        let name = ["LC_ALL", "LC_CTYPE", "LANG"].lazy
            .compactMap { environment[$0] }.first { !$0.isEmpty }
        let locale = (name ?? "").uppercased()
        return environment["TERM"] != "linux"
            && (locale.contains("UTF-8") || locale.contains("UTF8"))
    }

    mutating func run() throws(CommandError) -> ExitStatus {
        let screen = try RawTerminal()
        defer { screen.leave() }
        while true {
            let now = Self.now
            if now >= nextLook { look(at: now) }
            guard show(on: screen) else { return .failed }
            if let count, looks > count { return .done }
            wait(for: screen)
            for wake in screen.wakes() {
                switch wake {
                case .quit: return .done
                case .terminated: return .interrupted
                case .resized: screen.redrawAll()
                case .continued: nextLook = 0
                }
            }
            takeAnswers()
            for key in readKeys(of: screen) where press(key) { return .done }
        }
    }

    private func show(on screen: RawTerminal) -> Bool {
        let size = screen.size
        // The last column stays free: a full line would leave the cursor in doubt.
        return screen.draw(
            TopPage.lines(state, TopPage.Size(columns: size.columns - 1, rows: size.rows), style))
    }

    /// Waits for whatever comes first, until the next look.
    private func wait(for screen: RawTerminal) {
        var entries = [
            pollfd(fd: screen.wakeDescriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: screen.input, events: Int16(POLLIN), revents: 0),
            pollfd(fd: client?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        var seconds = max(nextLook - Self.now, 0)
        if keys.isWaiting { seconds = min(seconds, Self.keySeconds) }
        poll(&entries, nfds_t(entries.count), Int32((min(seconds, 3_600) * 1_000).rounded(.up)))
    }

    // MARK: - Keys

    private mutating func readKeys(of screen: RawTerminal) -> [TopKey] {
        var entry = pollfd(fd: screen.input, events: Int16(POLLIN), revents: 0)
        guard screen.input >= 0, poll(&entry, 1, 0) > 0 else {
            return keys.isWaiting ? keys.flush() : []
        }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(screen.input, &bytes, bytes.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        return count > 0 ? keys.take(bytes[..<count]) : [.quit]  // The terminal is gone.
    }

    /// - Returns: whether that was all.
    private mutating func press(_ key: TopKey) -> Bool {
        switch state.press(key) {
        case nil: break
        case .quit?: return true
        case .look?: ask(.metrics, .metrics, of: state.selected)
        case .start(let name)?: ask(.command, .fleetStart, of: name)
        case .pause(let name)?: ask(.command, .fleetPause, of: name)
        case .resume(let name)?: ask(.command, .fleetResume, of: name)
        case .rate(let name, let rate)?:
            ask(.command, .fleetRate, of: name) { $0.member("rate", rate) }
        }
        return false
    }

    // MARK: - The daemon

    private mutating func look(at now: Double) {
        looks += 1
        nextLook = now + everySeconds
        guard open.isEmpty else {
            if now - askedAt > Self.patienceSeconds { state.away = "\(path): no answer" }
            return
        }
        do throws(CommandError) {
            if client == nil { client = try ControlClient(path: path, connectSeconds: 1) }
            askedAt = now
            guard let client else { return }
            open[try client.post(.daemonStatus)] = .status
            open[try client.post(.fleetList)] = .fleets
        } catch { lose(error) }
        ask(.metrics, .metrics, of: state.selected)
    }

    private mutating func ask(
        _ question: Question, _ method: ControlMethod, of fleet: String?,
        _ more: (inout JSONLine.Members) -> Void = { _ in }
    ) {
        guard let client, let fleet else { return }
        do throws(CommandError) {
            let id = try client.post(method, DaemonArguments.parameters(of: fleet, more))
            open[id] = question
        } catch { lose(error) }
    }

    private mutating func lose(_ error: CommandError) {
        (client, open, fleetsAt) = (nil, [:], nil)
        state.away = error.message
    }

    private mutating func takeAnswers() {
        guard let client else { return }
        do throws(CommandError) {
            for (id, result) in try client.arrived() {
                guard let question = id.flatMap({ open.removeValue(forKey: $0) }) else {
                    // About the connection, as where there are too many.
                    if case .failure(let error) = result { throw error }
                    continue
                }
                take(result, of: question)
            }
        } catch { lose(error) }
    }

    private mutating func take(
        _ result: Result<ControlResult, CommandError>, of question: Question
    ) {
        switch (question, result) {
        case (.status, .success(let answer)):
            state.away = nil
            state.take(status: answer.node)
        case (.fleets, .success(let answer)):
            let (now, before) = (Self.now, state.selected)
            state.take(fleets: answer.node, after: fleetsAt.map { now - $0 })
            fleetsAt = now
            if state.selected != before { ask(.metrics, .metrics, of: state.selected) }
        case (.metrics, .success(let answer)): state.take(metrics: answer.node)
        case (.command, .success(let answer)):
            let name = answer.node["fleet"]?.string ?? ""
            state.message = "\(name): \(answer.node["state"]?.string ?? "done")"
            nextLook = 0
        case (.command, .failure(let error)): state.message = error.message
        case (.metrics, .failure): break  // It was deleted: the next list says so.
        case (_, .failure(let error)): state.message = error.message
        }
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
