import Foundation

/// Where `--log` and a run's other files go: a file, which appears under its name only once it is
/// whole, or a stream.
///
/// A regular file is written beside its place as `NAME.part` and renamed by `finish`; `discard`
/// leaves nothing behind. A pipe, a terminal or a device is written as it comes.
public final class RecordLog {
    private let descriptor: Int32
    private let path: String
    /// As complaints name it, such as `--log FILE`.
    private let place: String
    private let partPath: String?

    /// - Parameters:
    ///   - path: "-" for standard output.
    ///   - option: which named it.
    /// - Throws: `LogError` when the place cannot be written.
    public init(path: String, option: String = "--log") throws(LogError) {
        self.path = path
        let place = "\(option) \(path)"
        self.place = place
        if path == "-" {
            (descriptor, partPath) = (STDOUT_FILENO, nil)
            return
        }
        var status = stat()
        let exists = stat(path, &status) == 0
        if exists && status.st_mode & S_IFMT == S_IFDIR {
            throw LogError("\(place): this is a folder; a file is due")
        }
        let isRegular = !exists || status.st_mode & S_IFMT == S_IFREG
        partPath = isRegular ? path + ".part" : nil
        if let partPath {
            descriptor = try Self.openPart(partPath, of: place)
        } else {
            descriptor = try Self.openStream(path, place)
        }
    }

    /// Opens the unfinished file and locks it: two runs into one log would mix their lines.
    private static func openPart(_ part: String, of place: String) throws(LogError) -> Int32 {
        while true {
            let descriptor = open(part, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { throw failure(place) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                close(descriptor)
                throw LogError("\(place): another run is writing this file")
            }
            // The other run may have put the file in its place just before it was locked here.
            var (mine, named) = (stat(), stat())
            if fstat(descriptor, &mine) == 0, stat(part, &named) == 0, mine.st_ino == named.st_ino {
                guard ftruncate(descriptor, 0) == 0 else { throw failure(place) }
                return descriptor
            }
            close(descriptor)
        }
    }

    /// Opens a pipe, a terminal or a device. It does not wait for somebody to read a pipe.
    private static func openStream(_ path: String, _ place: String) throws(LogError) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENXIO { throw LogError("\(place): nobody reads this pipe") }
            throw failure(place)
        }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        return descriptor
    }

    private static func failure(_ place: String) -> LogError {
        LogError("\(place): \(String(cString: strerror(errno)))")
    }

    public func write(_ bytes: [UInt8]) throws(LogError) {
        guard writeFully(bytes, to: descriptor) else {
            throw LogError("\(place): \(String(cString: strerror(errno)))")
        }
    }

    /// Puts the file in its place: it is whole.
    public func finish() throws(LogError) {
        guard let partPath else { return }
        guard rename(partPath, path) == 0, close(descriptor) == 0 else {
            throw LogError("\(place): \(String(cString: strerror(errno)))")
        }
    }

    /// Leaves nothing behind.
    public func discard() {
        guard let partPath else { return }
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
