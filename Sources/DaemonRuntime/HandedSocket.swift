import CGlibc
import Glibc

/// A listening socket that was open when the daemon began: systemd's socket activation.
///
/// Whoever made it says who may connect, by the mode of its file, and removes it.
///
/// Source: sd_listen_fds(3), systemd 252, "Notes": the interface is stable, and meant to be
/// written anew in a few lines.
public struct HandedSocket: Sendable {
    /// The one of several sockets that is the daemon's: names come from `FileDescriptorName=`,
    /// which is the unit's name where a unit does not say.
    public static let name = "locfleet.socket"
    /// `SD_LISTEN_FDS_START`.
    public static let first: Int32 = 3
    /// Sockets of one hand-over. More are somebody's mistake.
    private static let countMax: Int32 = 64

    let descriptor: Int32
    /// Of its file; an abstract name begins with `@`.
    public let path: String

    /// The socket of `LISTEN_FDS`, if these are this process's: nil where nothing was handed over.
    ///
    /// Descriptors are closed on exec from here on. The variables are the caller's to unset.
    ///
    /// - Throws: `ControlServerError` when something else was handed over than one listening
    ///   stream socket of the family AF_UNIX.
    public static func taken(
        _ environment: [String: String], pid: Int32 = getpid(), first: Int32 = first
    ) throws(ControlServerError) -> HandedSocket? {
        guard environment["LISTEN_PID"].flatMap(Int32.init) == pid else { return nil }
        guard let text = environment["LISTEN_FDS"] else { return nil }
        guard let count = Int32(text), 0...countMax ~= count else {
            throw ControlServerError(
                .badHandOver, "LISTEN_FDS is a number in 0...\(countMax), not '\(printed(text))'")
        }
        let all = (0..<count).map { first + $0 }
        for descriptor in all where fcntl(descriptor, F_SETFD, FD_CLOEXEC) != 0 {
            throw ControlServerError(
                .badHandOver,
                "LISTEN_FDS names descriptor \(descriptor), which is not open: \(systemMessage())")
        }
        guard let descriptor = try chosen(all, environment["LISTEN_FDNAMES"]) else { return nil }
        return HandedSocket(descriptor: descriptor, path: try checked(descriptor))
    }

    /// The only one, or the only one of the name; the others are closed.
    private static func chosen(
        _ all: [Int32], _ names: String?
    ) throws(ControlServerError) -> Int32? {
        guard all.count > 1 else { return all.first }
        let names = (names ?? "").split(separator: ":", omittingEmptySubsequences: false)
        let ours = zip(all, names).filter { $0.1 == name }.map(\.0)
        guard ours.count == 1, let own = ours.first else {
            throw ControlServerError(
                .badHandOver,
                "\(all.count) sockets were handed over, and \(ours.count) of them are named "
                    + "'\(name)' in LISTEN_FDNAMES; one is due")
        }
        for descriptor in all where descriptor != own { close(descriptor) }
        return own
    }

    /// - Returns: the path of a socket that can be served.
    private static func checked(_ descriptor: Int32) throws(ControlServerError) -> String {
        let what = "descriptor \(descriptor), which was handed over (LISTEN_FDS),"
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
            throw ControlServerError(.badHandOver, "\(what) is no socket")
        }
        guard option(SO_DOMAIN, of: descriptor) == AF_UNIX else {
            throw ControlServerError(
                .badHandOver,
                "\(what) is no Unix socket; the socket unit is due to name a path: "
                    + "ListenStream=/run/locfleet/locfleet.sock")
        }
        guard option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue) else {
            throw ControlServerError(
                .badHandOver, "\(what) is no stream socket; the unit is due to say ListenStream=")
        }
        guard option(SO_ACCEPTCONN, of: descriptor) == 1 else {
            throw ControlServerError(
                .badHandOver,
                "\(what) does not listen; the unit is due to say Accept=no, which is the default")
        }
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0 else {
            throw ControlServerError(.system, "\(what) cannot be set up: \(systemMessage())")
        }
        return ControlDescriptor.path(of: descriptor) ?? "descriptor \(descriptor)"
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }

    private static func printed(_ text: String) -> String { String(text.prefix(32)) }
}
