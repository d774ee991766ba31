import DaemonRuntime
import Foundation

/// A terminal of which every key and the whole screen are ours, until `leave`.
///
/// What is in force by then is given back however the program ends, but for SIGKILL. One for the
/// process: signals are the process's own.
final class RawTerminal {
    enum Wake: Equatable {
        case resized, quit, terminated
        /// Stopped by a person and continued since, or only continued.
        case continued
    }

    /// Where keys come from; -1 where there are none.
    let input: Int32
    /// Tells that a signal came: then `wakes` has something to say.
    let wakeDescriptor: Int32
    private let out: Int32
    private let wakeEnds: (read: Int32, write: Int32)
    private let ownsInput: Bool
    private let isSynchronized: Bool
    private var drawn: [String] = []
    private var isIn = false

    /// - Throws: where there is no terminal to be had.
    init(out: Int32 = STDOUT_FILENO) throws(CommandError) {
        self.out = out
        ownsInput = isatty(STDIN_FILENO) == 0
        input = ownsInput ? open("/dev/tty", O_RDONLY | O_CLOEXEC) : STDIN_FILENO
        isSynchronized = ProcessInfo.processInfo.environment["TERM"] != "linux"
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw CommandError("no pipe: \(String(cString: strerror(errno)))", status: .failed)
        }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        wakeEnds = (ends[0], ends[1])
        wakeDescriptor = ends[0]
        Crash.input = input
        Crash.wakeEnd = ends[1]
        for number in Self.caught {
            signal(number) { number in
                let before = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = Glibc.write(Crash.wakeEnd, &byte, 1)
                errno = before
            }
        }
        for number in Self.crashes {
            signal(number) { number in
                Crash.restore()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        // Whoever started this may have had them blocked, and that is inherited.
        var meant = sigset_t()
        sigemptyset(&meant)
        for number in Self.caught + Self.crashes { sigaddset(&meant, number) }
        pthread_sigmask(SIG_UNBLOCK, &meant, nil)
        enter()
    }

    deinit {
        leave()
        if ownsInput, input >= 0 { close(input) }
        close(wakeEnds.read)
        close(wakeEnds.write)
    }

    private static let caught = [
        SIGWINCH, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT,
    ]

    private static let crashes = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE]

    /// What there is to put back, where a handler of signals can reach it.
    private enum Crash {
        nonisolated(unsafe) static var input: Int32 = -1
        nonisolated(unsafe) static var wakeEnd: Int32 = -1
        nonisolated(unsafe) static var settings = termios()
        nonisolated(unsafe) static var isIn = false
        // Look normal, show the cursor, empty the screen, and go back to the other one.
        static let leave: StaticString = "\u{1B}[0m\u{1B}[?25h\u{1B}[2J\u{1B}[H\u{1B}[?1049l"

        static func restore() {
            guard isIn else { return }
            isIn = false
            _ = Glibc.write(STDOUT_FILENO, leave.utf8Start, leave.utf8CodeUnitCount)
            // At once: who does not read what was written is not waited for.
            if input >= 0 { tcsetattr(input, TCSANOW, &settings) }
        }
    }

    // MARK: - In and out

    private func enter() {
        if !isIn, input >= 0 {
            tcgetattr(input, &Crash.settings)
            var raw = Crash.settings
            // Signals of keys stay: Ctrl-C and Ctrl-Z do what they do everywhere.
            raw.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
            raw.c_iflag &= ~tcflag_t(IXON)
            withUnsafeMutableBytes(of: &raw.c_cc) {
                ($0[Int(VMIN)], $0[Int(VTIME)]) = (1, 0)
            }
            tcsetattr(input, TCSANOW, &raw)
        }
        (isIn, Crash.isIn) = (true, true)
        drawn = []
        put("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
    }

    func leave() {
        guard isIn else { return }
        isIn = false
        Crash.restore()
    }

    /// Signals since the last look; a stop is carried out here, and returns when it is over.
    func wakes() -> [Wake] {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(wakeDescriptor, &bytes, bytes.count)
        guard count > 0 else { return [] }
        return bytes[..<count].compactMap { byte in
            switch Int32(byte) {
            case SIGWINCH: return .resized
            case SIGINT, SIGQUIT: return .quit
            case SIGTERM, SIGHUP: return .terminated
            case SIGTSTP:
                leave()
                raise(SIGSTOP)
                enter()
                return .continued
            default:
                // After a SIGSTOP of somebody else's the shell has had the terminal.
                isIn = false
                if input >= 0 { tcsetattr(input, TCSANOW, &Crash.settings) }
                enter()
                return .continued
            }
        }
    }

    // MARK: - The picture

    var size: (columns: Int, rows: Int) {
        var size = winsize()
        let isKnown = ioctl(out, UInt(TIOCGWINSZ), &size) == 0
        return (
            isKnown && size.ws_col > 0 ? Int(size.ws_col) : 80,
            isKnown && size.ws_row > 0 ? Int(size.ws_row) : 24
        )
    }

    /// Forgets what is on the screen: it is drawn whole the next time.
    func redrawAll() {
        drawn = []
        put("\u{1B}[2J")
    }

    /// Shows `lines` from the top, writing those that have changed, all at once.
    ///
    /// - Returns: false when the terminal is gone.
    func draw(_ lines: [String]) -> Bool {
        var changes = ""
        for row in 0..<max(lines.count, drawn.count) {
            let line = row < lines.count ? lines[row] : ""
            if row < drawn.count, drawn[row] == line { continue }
            changes += "\u{1B}[\(row + 1);1H\(line)\u{1B}[K"
        }
        drawn = lines
        guard !changes.isEmpty else { return true }
        return put(isSynchronized ? "\u{1B}[?2026h" + changes + "\u{1B}[?2026l" : changes)
    }

    @discardableResult
    private func put(_ text: String) -> Bool { writeFully(Array(text.utf8), to: out) }
}
