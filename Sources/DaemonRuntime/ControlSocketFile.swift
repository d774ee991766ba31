import Glibc

/// The socket in the file system: locked, bound and listening from `init` on.
///
/// `PATH.lock` stays behind: removing it would let two daemons hold locks on two files of one name.
/// A socket that was handed over is neither locked nor removed.
struct ControlSocketFile: Sendable {
    let listener: Int32
    private let own: Own?

    /// A socket that was bound here: what stands at the path later may be another's.
    private struct Own {
        let path: String
        let lock: Int32
        let device: dev_t
        let inode: ino_t
    }

    init(_ handed: HandedSocket) { (listener, own) = (handed.descriptor, nil) }

    /// - Parameters:
    ///   - mode: who may connect; the file is never wider than that.
    ///   - group: the file's group; nil leaves it as it comes.
    init(path: String, mode: UInt16, group: UInt32?) throws(ControlServerError) {
        try Self.check(path: path, mode: mode)
        let lock = try Self.lock(path)
        var listener: Int32 = -1
        do throws(ControlServerError) {
            try Self.removeStale(path)
            listener = ControlDescriptor.make()
            guard listener >= 0 else { throw Self.failure(path, "socket") }
            try Self.bind(listener, path)
            var status = stat()
            guard lstat(path, &status) == 0 else { throw Self.failure(path, "stat") }
            own = Own(path: path, lock: lock, device: status.st_dev, inode: status.st_ino)
            self.listener = listener
        } catch {
            if listener >= 0 { close(listener) }
            close(lock)
            throw error
        }
        do throws(ControlServerError) {
            try Self.open(listener, path, mode: mode, group: group)
        } catch {
            closeListener()
            unlock()
            throw error
        }
    }

    /// Removes the socket, if it is still the one that was bound here, and listens no more. The
    /// path stays locked.
    func closeListener() {
        var status = stat()
        if let own, lstat(own.path, &status) == 0, status.st_dev == own.device,
            status.st_ino == own.inode
        {
            unlink(own.path)
        }
        close(listener)
    }

    /// Lets another daemon have the path.
    func unlock() { if let own { close(own.lock) } }

    // MARK: - Steps

    private static func check(path: String, mode: UInt16) throws(ControlServerError) {
        let bytesMax = ControlSocketPath.bytesMax
        guard 1...bytesMax ~= path.utf8.count, !path.utf8.contains(0) else {
            throw ControlServerError(
                .badPath,
                "\(path): the path of a socket has 1 to \(bytesMax) bytes, this one has "
                    + "\(path.utf8.count)")
        }
        guard mode <= 0o777 else {
            throw ControlServerError(
                .badPath,
                "\(path): the mode of a socket is in 0 ... 0777, not 0"
                    + String(mode, radix: 8))
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        var status = stat()
        guard stat(folder, &status) == 0 else {
            throw ControlServerError(.badFolder, "\(path): its folder: \(systemMessage())")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw ControlServerError(.badFolder, "\(path): '\(folder)' is no folder")
        }
    }

    /// Two daemons on one path would steal each other's clients.
    private static func lock(_ path: String) throws(ControlServerError) -> Int32 {
        let name = path + ".lock"
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let lock = ControlDescriptor.retrying { Glibc.open(name, flags, 0o600) }
        guard lock >= 0 else {
            let hint = errno == ELOOP ? "; it is a symbolic link, and is not followed" : ""
            throw ControlServerError(.system, "\(name): \(systemMessage())\(hint)")
        }
        guard ControlDescriptor.retrying({ flock(lock, LOCK_EX | LOCK_NB) }) == 0 else {
            let isServed = errno == EWOULDBLOCK
            let message = systemMessage()
            close(lock)
            throw isServed
                ? served(path) : ControlServerError(.system, "\(name): \(message)")
        }
        return lock
    }

    private static func served(_ path: String) -> ControlServerError {
        ControlServerError(
            .served, "\(path): another daemon serves this socket; stop it, or name another socket")
    }

    /// Removes what a daemon left that ended without `stop`. Anything else is left alone.
    private static func removeStale(_ path: String) throws(ControlServerError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw failure(path, "stat")
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw ControlServerError(
                .occupied,
                "\(path): this is \(kind(of: status)) and no socket, and is not touched; remove "
                    + "it, or name another socket")
        }
        guard status.st_uid == geteuid() else {
            throw ControlServerError(
                .occupied,
                "\(path): this socket belongs to user \(status.st_uid), and is not touched; name "
                    + "another socket")
        }
        let probe = ControlDescriptor.make()
        guard probe >= 0 else { throw failure(path, "socket") }
        defer { close(probe) }
        let answer = ControlDescriptor.withAddress(of: path) { address, size in
            ControlDescriptor.retrying { connect(probe, address, size) }
        }
        // A full queue of newcomers (EAGAIN) is a living daemon's.
        guard answer != 0, errno != EAGAIN else { throw served(path) }
        guard errno == ECONNREFUSED || errno == ENOENT else { throw failure(path, "connect") }
        guard unlink(path) == 0 || errno == ENOENT else { throw failure(path, "unlink") }
    }

    private static func kind(of status: stat) -> String {
        switch status.st_mode & S_IFMT {
        case S_IFLNK: "a symbolic link"
        case S_IFDIR: "a folder"
        case S_IFREG: "a file"
        case S_IFIFO: "a FIFO"
        default: "a device"
        }
    }

    /// Binds with nobody's rights but the owner's: the mode is widened when the group is set.
    private static func bind(_ listener: Int32, _ path: String) throws(ControlServerError) {
        let before = umask(0o177)
        let answer = ControlDescriptor.withAddress(of: path) { address, size in
            Glibc.bind(listener, address, size)
        }
        let number = errno
        umask(before)
        guard answer == 0 else {
            throw ControlServerError(.system, "\(path): bind: \(systemMessage(number))")
        }
    }

    private static func open(
        _ listener: Int32, _ path: String, mode: UInt16, group: UInt32?
    ) throws(ControlServerError) {
        if let group, lchown(path, uid_t.max, group) != 0 {
            let hint =
                errno == EPERM ? "; only root can give a socket to a group that it is not in" : ""
            throw ControlServerError(
                .system, "\(path): its group: \(systemMessage())\(hint)")
        }
        guard chmod(path, mode_t(mode)) == 0 else { throw failure(path, "chmod") }
        guard listen(listener, SOMAXCONN) == 0 else { throw failure(path, "listen") }
    }

    private static func failure(_ path: String, _ call: String) -> ControlServerError {
        ControlServerError(.system, "\(path): \(call): \(systemMessage())")
    }
}
