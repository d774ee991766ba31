import Foundation

/// Where `--log`, `-o` and `--junit` go: a file, which appears under its name once it is whole, or
/// a stream.
///
/// A regular file is written beside its place as `NAME.part` and renamed by `finish`; `discard`
/// leaves nothing behind. A pipe, a terminal or a device is written as it comes.
public final class RecordLog {
    private let descriptor: Int32
    private var isOver = false
    /// The option and the path, for messages.
    private let name: String
    private let path: String
    private let partPath: String?

    /// - Parameters:
    ///   - path: "-" for standard output.
    ///   - option: that names the place, for messages.
    /// - Throws: `LogError` when the place cannot be written.
    public init(path: String, option: String = "--log") throws(LogError) {
        self.path = path
        name = "\(option) \(path)"
        guard !path.isEmpty else { throw LogError("\(option): a file is due, not \"\"") }
        if path == "-" {
            (descriptor, partPath) = (STDOUT_FILENO, nil)
            return
        }
        var status = stat()
        let exists = stat(path, &status) == 0
        if exists && status.st_mode & S_IFMT == S_IFDIR {
            throw LogError("\(name): this is a folder; a file is due")
        }
        let isRegular = !exists || status.st_mode & S_IFMT == S_IFREG
        partPath = isRegular ? path + ".part" : nil
        if let partPath {
            descriptor = try Self.openPart(partPath, of: name)
        } else {
            descriptor = try Self.openStream(path, of: name)
        }
    }

    /// Opens the unfinished file and locks it: two runs into one log would mix their lines.
    private static func openPart(_ part: String, of name: String) throws(LogError) -> Int32 {
        while true {
            let descriptor = open(part, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { throw failure(name) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                close(descriptor)
                throw LogError("\(name): another run is writing this file")
            }
            // The other run may have put the file in its place just before it was locked here.
            var (mine, named) = (stat(), stat())
            if fstat(descriptor, &mine) == 0, stat(part, &named) == 0, mine.st_ino == named.st_ino {
                guard ftruncate(descriptor, 0) == 0 else { throw failure(name) }
                return descriptor
            }
            close(descriptor)
        }
    }

    /// Opens a pipe, a terminal or a device. It does not wait for somebody to read a pipe.
    private static func openStream(_ path: String, of name: String) throws(LogError) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENXIO { throw LogError("\(name): nobody reads this pipe") }
            throw failure(name)
        }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        return descriptor
    }

    private static func failure(_ name: String) -> LogError {
        LogError("\(name): \(String(cString: strerror(errno)))")
    }

    public func write(_ bytes: [UInt8]) throws(LogError) {
        guard writeFully(bytes, to: descriptor) else {
            throw Self.failure(name)
        }
    }

    /// Puts the file in its place: it is whole.
    public func finish() throws(LogError) {
        guard let partPath else { return }
        isOver = true
        guard rename(partPath, path) == 0 else {
            let failure = Self.failure(name)
            unlink(partPath)
            close(descriptor)
            throw failure
        }
        guard close(descriptor) == 0 else { throw Self.failure(name) }
    }

    /// Leaves nothing behind, unless the file is in its place.
    public func discard() {
        guard let partPath, !isOver else { return }
        isOver = true
        unlink(partPath)
        close(descriptor)
    }
}

/// Writes all of `bytes`; false, with `errno` set, where the descriptor takes no more.
public func writeFully(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var written = 0
    while written < bytes.count {
        let count = bytes.withUnsafeBytes {
            write(descriptor, $0.baseAddress.map { $0 + written }, bytes.count - written)
        }
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return false }
        written += count
    }
    return true
}
