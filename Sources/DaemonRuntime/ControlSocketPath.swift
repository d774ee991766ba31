import Glibc

/// Where the daemon's socket is, unless somebody says otherwise.
public struct ControlSocketPath: Equatable, Sendable {
    /// Bytes of the path of any socket.
    ///
    /// Source: unix(7): `sun_path` has 108 bytes, and the last is due to be 0.
    public static let bytesMax = 107

    public let path: String
    private let folder: Folder

    private enum Folder: Equatable {
        /// Somebody else's to make and to keep.
        case foreign
        /// Ours, in a place where only this system's owner can write.
        case own(String)
        /// Ours, in a place where everybody can write, so it is trusted only after a look.
        case ownAmongStrangers(String, uid: UInt32)
    }

    /// A path that somebody chose: its folder is theirs.
    public init(_ path: String) { (self.path, folder) = (path, .foreign) }

    private init(path: String, folder: Folder) { (self.path, self.folder) = (path, folder) }

    /// `$XDG_RUNTIME_DIR/locfleet.sock`; without that variable `/run/locfleet/locfleet.sock` for
    /// root, else `/tmp/locfleet-UID/locfleet.sock`.
    ///
    /// A value that is no absolute path counts as none: XDG Base Directory Specification 0.8.
    public static func `default`(
        environment: [String: String], uid: UInt32
    ) -> ControlSocketPath {
        if let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") {
            let parting = folder.hasSuffix("/") ? "" : "/"
            return ControlSocketPath("\(folder)\(parting)locfleet.sock")
        }
        let folder = uid == 0 ? "/run/locfleet" : "/tmp/locfleet-\(uid)"
        return ControlSocketPath(
            path: "\(folder)/locfleet.sock",
            folder: uid == 0 ? .own(folder) : .ownAmongStrangers(folder, uid: uid))
    }

    /// Makes the folder, of mode 0700, where it is ours to make, and checks it as `checkFolder`
    /// does.
    public func prepareFolder() throws(ControlServerError) {
        switch folder {
        case .foreign: return
        case .own(let folder), .ownAmongStrangers(let folder, _):
            if mkdir(folder, 0o700) == 0 {
                chmod(folder, 0o700)  // Whatever the umask takes away.
            } else if errno != EEXIST {
                throw ControlServerError(.badFolder, "\(folder): \(systemMessage())")
            }
        }
        try checkFolder()
    }

    /// Refuses a folder in which somebody else may have put the socket: in `/tmp` one that is a
    /// link, of another owner, or wider than 0700. For clients too, before they connect.
    public func checkFolder() throws(ControlServerError) {
        switch folder {
        case .foreign: return
        case .own(let folder): _ = try Self.status(of: folder)
        case .ownAmongStrangers(let folder, let uid):
            let status = try Self.status(of: folder)
            guard status.st_uid == uid else {
                throw ControlServerError(
                    .badFolder,
                    "\(folder): this folder belongs to user \(status.st_uid); it is due to be of "
                        + "user \(uid), or name another socket")
            }
            guard status.st_mode & 0o077 == 0 else {
                throw ControlServerError(
                    .badFolder,
                    "\(folder): this folder has mode 0\(String(status.st_mode & 0o777, radix: 8)); "
                        + "it is due to be 0700")
            }
        }
    }

    private static func status(of folder: String) throws(ControlServerError) -> stat {
        var status = stat()
        guard lstat(folder, &status) == 0 else {
            throw ControlServerError(.badFolder, "\(folder): \(systemMessage())")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw ControlServerError(.badFolder, "\(folder): this is no folder, or a link to one")
        }
        return status
    }
}
