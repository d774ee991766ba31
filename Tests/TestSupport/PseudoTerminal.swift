import Foundation
import Synchronization

/// A terminal of the kernel's, of which a test is the person before it.
public final class PseudoTerminal: Sendable {
    public let descriptor: Int32
    private let slave: Int32
    private let seen = Mutex("")

    public init(columns: UInt16 = 80, rows: UInt16 = 24) {
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // TIOCSPTLCK and TIOCGPTN of asm-generic/ioctls.h: what unlockpt and ptsname do.
        var (isLocked, number): (Int32, UInt32) = (0, 0)
        _ = ioctl(descriptor, 0x4004_5431, &isLocked)
        _ = ioctl(descriptor, 0x8004_5430, &number)
        slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        resize(columns: columns, rows: rows)
    }

    deinit {
        close(descriptor)
        close(slave)
    }

    public func resize(columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
    }

    /// Starts `locfleet` on it.
    public func start(_ arguments: [String], environment: [String: String]) throws -> Process {
        let process = Process()
        process.executableURL = Program.url("locfleet")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
            .merging(["TERM": "xterm", "LC_ALL": "C.UTF-8"]) { $1 }.merging(environment) { $1 }
        let end = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
        (process.standardInput, process.standardOutput) = (end, end)
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    public func type(_ keys: String) { _ = write(descriptor, keys, keys.utf8.count) }

    /// All that was written to it so far.
    public var text: String {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 0) > 0, entry.revents & Int16(POLLIN) != 0 else { break }
            let count = read(descriptor, &bytes, bytes.count)
            guard count > 0 else { break }
            let new = String(decoding: bytes[..<count], as: UTF8.self)
            seen.withLock { $0 += new }
        }
        return seen.withLock { $0 }
    }

    /// Reads on until the program has ended.
    ///
    /// - Returns: its status, or the signal that ended it; nil where it does not end.
    public func end(of process: Process) -> Int32? {
        let isOver = eventually(within: 20) {
            _ = text
            return !process.isRunning
        }
        if !isOver { kill(process.processIdentifier, SIGKILL) }
        return isOver ? process.terminationStatus : nil
    }

    /// Forgets what was written so far.
    public func clear() {
        _ = text
        seen.withLock { $0 = "" }
    }

    /// Whether keys come one by one and without echo.
    public var isRaw: Bool {
        var settings = termios()
        tcgetattr(slave, &settings)
        return settings.c_lflag & tcflag_t(ICANON | ECHO) == 0
    }
}
