import Foundation

/// Where `--log` goes: a file, which appears under its name only once it is whole, or a stream.
///
/// A regular file is written beside its place as `NAME.part` and renamed by `finish`; `discard`
/// leaves nothing behind. A pipe, a terminal or a device is written as it comes.
public final class RecordLog {
    private let descriptor: Int32
    private let path: String
    private let partPath: String?

    /// - Parameter path: "-" for standard output.
    /// - Throws: `LogError` when the place cannot be written.
    public init(path: String) throws(LogError) {
        self.path = path
        if path == "-" {
            (descriptor, partPath) = (STDOUT_FILENO, nil)
            return
        }
        var status = stat()
        let exists = stat(path, &status) == 0
        if exists && status.st_mode & S_IFMT == S_IFDIR {
            throw LogError("--log \(path): this is a folder; a file is due")
        }
        let isRegular = !exists || status.st_mode & S_IFMT == S_IFREG
        partPath = isRegular ? path + ".part" : nil
        let flags = O_WRONLY | O_CLOEXEC | (isRegular ? O_CREAT | O_TRUNC : 0)
        descriptor = open(partPath ?? path, flags, 0o644)
        guard descriptor >= 0 else {
            throw LogError("--log \(path): \(String(cString: strerror(errno)))")
        }
    }

    public func write(_ bytes: [UInt8]) throws(LogError) {
        guard writeFully(bytes, to: descriptor) else {
            throw LogError("--log \(path): \(String(cString: strerror(errno)))")
        }
    }

    /// Puts the file in its place: it is whole.
    public func finish() throws(LogError) {
        guard let partPath else { return }
        guard close(descriptor) == 0, rename(partPath, path) == 0 else {
            throw LogError("--log \(path): \(String(cString: strerror(errno)))")
        }
    }

    /// Leaves nothing behind.
    public func discard() {
        guard let partPath else { return }
        close(descriptor)
        unlink(partPath)
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
