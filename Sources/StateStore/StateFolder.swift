import Glibc

/// The folder in which a daemon keeps its fleets: one daemon at a time, a folder a fleet.
///
///     STATE/lock                      held while a daemon runs
///     STATE/fleets/NAME/fleet.sqlite  bundle, journal and results of a fleet
///
/// A fleet's folder comes and goes by renaming, so that none is ever half there: names that begin
/// with a dot are on their way, and swept away at the next start.
public final class StateFolder: Sendable {
    public let path: String
    private let lock: Int32

    /// Makes the folder, of mode 0700, and locks it.
    public init(_ path: String) throws(StateError) {
        self.path = path
        try Self.makeFolder(path)
        lock = open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw Self.failure(path + "/lock") }
        do throws(StateError) {
            guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
                guard errno == EWOULDBLOCK else { throw Self.failure(path + "/lock") }
                throw StateError(
                    .locked,
                    "\(path): another daemon keeps its state here; stop it, or name another folder "
                        + "with --state")
            }
            try Self.makeFolder(fleets)
            try sweep()
        } catch {
            close(lock)
            throw error
        }
    }

    deinit { close(lock) }

    private var fleets: String { path + "/fleets" }

    func folder(of fleet: String) -> String { "\(fleets)/\(fleet)" }

    /// Names of the fleets that are kept, in order.
    public func names() throws(StateError) -> [String] {
        try Self.entries(of: fleets).filter { !$0.hasPrefix(".") }.sorted()
    }

    /// `$XDG_STATE_HOME/locfleet`; under systemd its `$STATE_DIRECTORY`; for root without either
    /// `/var/lib/locfleet`, else `~/.local/state/locfleet`. Nil without a home.
    ///
    /// Source: XDG Base Directory Specification 0.8 (relative paths count as none);
    /// systemd.exec(5).
    public static func standard(environment: [String: String], uid: UInt32) -> String? {
        func absolute(_ name: String) -> String? {
            environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        // systemd may name several, parted by colons.
        if let folder = absolute("STATE_DIRECTORY") {
            return String(folder.prefix { $0 != ":" })
        }
        if let home = absolute("XDG_STATE_HOME") { return home + "/locfleet" }
        if uid == 0 { return "/var/lib/locfleet" }
        return absolute("HOME").map { $0 + "/.local/state/locfleet" }
    }

    // MARK: - Coming and going

    /// Puts a fleet's folder in its place once `fill` has made what is in it.
    func add(_ fleet: String, _ fill: (String) throws(StateError) -> Void) throws(StateError) {
        let new = folder(of: ".new-" + fleet)
        Self.removeAll(new)
        // First: where no descriptor is left nothing is begun that could not be ended.
        let place = try Self.opened(fleets)
        defer { close(place) }
        do throws(StateError) {
            try Self.makeFolder(new)
            try fill(new)
            try Self.synchronize(new)
            guard rename(new, folder(of: fleet)) == 0 else { throw Self.failure(new) }
            guard fsync(place) == 0 else {
                let error = Self.failure(fleets)
                discard(fleet)
                throw error
            }
        } catch {
            Self.removeAll(new)
            throw error
        }
    }

    /// From here on the fleet is not there any more, whatever happens.
    func remove(_ fleet: String) throws(StateError) {
        let place = try Self.opened(fleets)
        defer { close(place) }
        let old = folder(of: ".deleted-" + fleet)
        Self.removeAll(old)
        guard rename(folder(of: fleet), old) == 0 else {
            if errno == ENOENT { return }
            throw Self.failure(folder(of: fleet))
        }
        guard fsync(place) == 0 else { throw Self.failure(fleets) }
        Self.removeAll(old)
    }

    /// Takes away what was made in vain, also where no descriptor is left.
    func discard(_ fleet: String) {
        let old = folder(of: ".deleted-" + fleet)
        Self.removeAll(old)
        rename(folder(of: fleet), old)
        Self.removeAll(old)
    }

    private func sweep() throws(StateError) {
        for name in try Self.entries(of: fleets) where name.hasPrefix(".") {
            Self.removeAll(folder(of: name))
        }
    }

    // MARK: - Files

    private static func makeFolder(_ path: String) throws(StateError) {
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

    static func entries(of folder: String) throws(StateError) -> [String] {
        guard let stream = opendir(folder) else { throw failure(folder) }
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

    /// A folder of files: there are no folders in a fleet's.
    private static func removeAll(_ folder: String) {
        // By name first: to read a folder takes a descriptor.
        for ending in ["", "-wal", "-shm", "-journal"] {
            unlink("\(folder)/\(FleetFile.fileName)\(ending)")
        }
        if rmdir(folder) == 0 || errno == ENOENT { return }
        for name in (try? entries(of: folder)) ?? [] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    /// What was made or renamed in a folder outlives the machine.
    private static func synchronize(_ folder: String) throws(StateError) {
        let descriptor = try opened(folder)
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(folder) }
    }

    private static func opened(_ folder: String) throws(StateError) -> Int32 {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(folder) }
        return descriptor
    }

    private static func failure(_ path: String) -> StateError {
        let number = errno
        return StateError(
            number == ENOSPC || number == EDQUOT ? .full : .system,
            "\(path): \(String(cString: strerror(number)))")
    }
}
