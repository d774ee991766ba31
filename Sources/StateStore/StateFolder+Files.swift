import Glibc

/// A file, whatever it is called.
struct FileIdentity: Equatable, Sendable {
    let device: dev_t
    let inode: ino_t
}

/// How the folder looks at files: by descriptors, and never through a link.
extension StateFolder {
    static let folderFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW

    enum Kind: String { case folder, file, link, device }

    /// Of what stands there itself; nil: nothing does.
    static func kind(of name: String, at place: Int32) -> Kind? {
        var status = stat()
        guard fstatat(place, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            return errno == ENOENT || errno == ENOTDIR ? nil : .device
        }
        return switch status.st_mode & S_IFMT {
        case S_IFDIR: .folder
        case S_IFREG: .file
        case S_IFLNK: .link
        default: .device
        }
    }

    static func identity(_ name: String, at place: Int32) -> FileIdentity? {
        var status = stat()
        guard fstatat(place, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return FileIdentity(device: status.st_dev, inode: status.st_ino)
    }

    static func identity(of descriptor: Int32) -> FileIdentity? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        return FileIdentity(device: status.st_dev, inode: status.st_ino)
    }

    /// - Parameter path: for the complaint.
    static func expect(
        _ due: Kind, _ name: String, at place: Int32, _ path: String
    ) throws(StateError) {
        switch kind(of: name, at: place) {
        case due?: return
        case nil: throw StateError(.damaged, "\(path): there is no such \(due.rawValue)")
        case .link?:
            throw StateError(
                .system,
                "\(path): this is a symbolic link, and none is followed in the state folder; put "
                    + "the \(due.rawValue) itself here")
        default: throw StateError(.damaged, "\(path): this is no \(due.rawValue)")
        }
    }

    static func stranger(_ path: String) -> String {
        "\(path): this is not, or not only, what a daemon puts here; it is left alone: take it away"
    }

    // MARK: - Taking away

    /// Removes what is on its way; what else begins with a dot is told.
    static func swept(_ place: Int32, _ path: String) throws(StateError) -> [String] {
        try entries(of: place, path).sorted().filter { name in
            guard name.hasPrefix(".") else { return false }
            let isOurs = [".new-", ".deleted-"].contains { name.hasPrefix($0) }
            return !isOurs || !clear(name, at: place)
        }.map { stranger("\(path)/\($0)") }
    }

    /// Removes the folder of a fleet with the files that a fleet has, and nothing else.
    ///
    /// - Returns: whether nothing is there any more.
    @discardableResult
    static func clear(_ name: String, at place: Int32) -> Bool {
        guard let kind = kind(of: name, at: place) else { return true }
        guard kind == .folder else { return false }
        let folder = openat(place, name, folderFlags)
        for ending in FleetFile.endings {
            let file = FleetFile.fileName + ending
            if folder >= 0 {
                unlinkat(folder, file, 0)
            } else if errno == EMFILE || errno == ENFILE {
                // By name where no descriptor is left: it was a folder a moment ago.
                unlinkat(place, "\(name)/\(file)", 0)
            }
        }
        if folder >= 0 { close(folder) }
        return unlinkat(place, name, AT_REMOVEDIR) == 0
    }

    // MARK: - Folders

    static func makeFolder(_ path: String) throws(StateError) {
        if mkdir(path, 0o700) == 0 { return }
        switch errno {
        case EEXIST:
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                throw StateError(.system, "\(path): this is no folder")
            }
        case ENOENT:
            guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
                throw failure(path)
            }
            try makeFolder(String(path[..<slash]))
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure(path) }
        default: throw failure(path)
        }
    }

    /// That something can be made in a folder, and not only looked at.
    static func expectWritable(_ name: String, at place: Int32, _ path: String) throws(StateError) {
        guard faccessat(place, name, W_OK | X_OK, 0) == 0 else { throw failure(path) }
    }

    /// The same folder, by a path without links.
    static func resolved(_ path: String) throws(StateError) -> String {
        guard let resolved = realpath(path, nil) else { throw failure(path) }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    static func opened(_ folder: String) throws(StateError) -> Int32 {
        let descriptor = open(folder, folderFlags)
        guard descriptor >= 0 else { throw failure(folder) }
        return descriptor
    }

    /// - Parameter path: for the complaint.
    static func entries(of folder: Int32, _ path: String) throws(StateError) -> [String] {
        let own = openat(folder, ".", folderFlags)
        guard own >= 0 else { throw failure(path) }
        guard let stream = fdopendir(own) else {
            let error = failure(path)
            close(own)
            throw error
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }

    static func failure(_ path: String) -> StateError {
        let number = errno
        return StateError(
            number == ENOSPC || number == EDQUOT ? .full : .system,
            "\(path): \(String(cString: strerror(number)))")
    }
}
