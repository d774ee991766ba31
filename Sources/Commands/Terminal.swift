import DaemonRuntime
import Foundation

/// Standard output and standard error, as a person or a pipe has them.
public struct Terminal: Sendable {
    /// Whether a person watches standard error: a progress bar makes sense.
    public var showsProgress: Bool
    /// Whether standard output may be coloured: a terminal, and no `NO_COLOR`.
    public var hasColor: Bool
    /// Columns of standard error.
    public var width: Int
    /// Columns of standard output; 80 where it is no terminal.
    public var outWidth: Int
    /// Rows of standard output; 24 where it is no terminal.
    public var outHeight: Int
    public var isOutATerminal: Bool
    /// Whether standard output is a terminal that can be drawn on.
    public var isScreen: Bool
    private let out: Int32
    private let error: Int32
    /// Standard output was closed when the program began: what is open under its number now is
    /// something else.
    private let isOutClosed: Bool

    public init(out: Int32 = STDOUT_FILENO, error: Int32 = STDERR_FILENO) {
        (self.out, self.error) = (out, error)
        isOutClosed = fcntl(out, F_GETFD) < 0
        let environment = ProcessInfo.processInfo.environment
        let isDumb = (environment["TERM"] ?? "dumb") == "dumb"
        showsProgress = isatty(error) == 1 && !isDumb
        hasColor =
            isatty(out) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && !isDumb
        var size = winsize()
        let known = ioctl(error, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        width = known ? Int(size.ws_col) : 80
        var outSize = winsize()
        isOutATerminal = isatty(out) == 1
        let isKnown = ioctl(out, UInt(TIOCGWINSZ), &outSize) == 0 && outSize.ws_col > 0
        outWidth = isKnown ? Int(outSize.ws_col) : 80
        outHeight = isKnown && outSize.ws_row > 0 ? Int(outSize.ws_row) : 24
        isScreen = isOutATerminal && !isDumb
    }

    /// Writes to standard output.
    ///
    /// - Throws: `CommandError` when it takes no more, as on a full disk.
    func print(_ text: String) throws(CommandError) { try print(Array(text.utf8)) }

    func print(_ bytes: [UInt8]) throws(CommandError) {
        let isWritten = !isOutClosed && writeFully(bytes, to: out)
        if isWritten { return }
        let number = isOutClosed ? EBADF : errno
        if number == EPIPE {
            // Nobody reads on, as after `| head -1`, and whoever started this ignores the signal
            // that ends other programs quietly.
            signal(SIGPIPE, SIG_DFL)
            raise(SIGPIPE)
        }
        throw CommandError(
            "standard output: \(String(cString: strerror(number)))", status: .failed)
    }

    /// Writes a line to standard error. Nothing can be done if that fails.
    func complain(_ text: String) {
        _ = writeFully(Array((text.hasSuffix("\n") ? text : text + "\n").utf8), to: error)
    }

    /// Writes to standard error as it stands: for the progress bar.
    func draw(_ text: String) { _ = writeFully(Array(text.utf8), to: error) }
}
