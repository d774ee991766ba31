import Glibc

/// The folder in which a daemon keeps its fleets: one daemon at a time, a folder a fleet.
///
///     STATE/                          locked while a daemon runs
///     STATE/jobs                      up to where numbers of jobs are given away
///     STATE/fleets/NAME/fleet.sqlite  bundle, journal and results of a fleet
///
/// A fleet's folder comes and goes by renaming, so that none is ever half there: `.new-NAME` and
/// `.deleted-NAME` are on their way, and swept away at the next start. No link is followed below
/// the folder, and nothing is removed but what a daemon makes.
public final class StateFolder: Sendable {
    /// Without links.
    public let path: String
    /// What stands where only a daemon puts things, and is none of its: a line each.
    public let strangers: [String]
    let root: Int32
    private let fleets: Int32

    /// Makes the folder, of mode 0700, and locks it.
    public init(_ given: String) throws(StateError) {
        try Self.makeFolder(given)
        path = try Self.resolved(given)
        root = try Self.opened(path)
        var place: Int32 = -1
        do throws(StateError) {
            // The folder itself: a file in it could be taken away, and the next daemon come in.
            guard flock(root, LOCK_EX | LOCK_NB) == 0 else {
                guard errno == EWOULDBLOCK else { throw Self.failure(path) }
                throw StateError(
                    .locked,
                    "\(given): another daemon keeps its state here; stop it, or name another "
                        + "folder with --state")
            }
            try Self.expectWritable(".", at: root, path)
            if mkdirat(root, "fleets", 0o700) != 0, errno != EEXIST {
                throw Self.failure(path + "/fleets")
            }
            try Self.expect(.folder, "fleets", at: root, path + "/fleets")
            try Self.expectWritable("fleets", at: root, path + "/fleets")
            place = openat(root, "fleets", Self.folderFlags)
            guard place >= 0 else { throw Self.failure(path + "/fleets") }
            strangers = try Self.swept(place, path + "/fleets")
        } catch {
            if place >= 0 { close(place) }
            close(root)
            throw error
        }
        fleets = place
    }

    deinit {
        close(fleets)
        close(root)
    }

    func folder(of fleet: String) -> String { "\(path)/fleets/\(fleet)" }

    /// Names of the fleets that are kept, in order.
    public func names() throws(StateError) -> [String] {
        try Self.entries(of: fleets, path + "/fleets").filter { !$0.hasPrefix(".") }.sorted()
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
        // SQLite goes by paths, and all else by what is open.
        guard Self.identity(path + "/fleets", at: AT_FDCWD) == Self.identity(of: fleets) else {
            throw StateError(
                .gone,
                "\(path)/fleets: this is not the folder with which the daemon began; put that "
                    + "back, or start the daemon again")
        }
        let new = ".new-" + fleet
        try clearTheWay(new)
        do throws(StateError) {
            guard mkdirat(fleets, new, 0o700) == 0 else { throw Self.failure(folder(of: new)) }
            try fill(folder(of: new))
            try synchronize(new)
            guard renameat(fleets, new, fleets, fleet) == 0 else {
                throw Self.failure(folder(of: fleet))
            }
            guard fsync(fleets) == 0 else {
                let error = Self.failure(path + "/fleets")
                discard(fleet)
                throw error
            }
        } catch {
            Self.clear(new, at: fleets)
            throw error
        }
    }

    /// Takes a fleet away, whatever state its file is in. From here on it is not there any more,
    /// whatever happens.
    public func remove(_ fleet: String) throws(StateError) {
        guard Self.kind(of: fleet, at: fleets) != nil else { return }
        try Self.expect(.folder, fleet, at: fleets, folder(of: fleet))
        let old = ".deleted-" + fleet
        try clearTheWay(old)
        guard renameat(fleets, fleet, fleets, old) == 0 else {
            throw Self.failure(folder(of: fleet))
        }
        guard fsync(fleets) == 0 else { throw Self.failure(path + "/fleets") }
        Self.clear(old, at: fleets)
    }

    /// Takes away what was made in vain, also where no descriptor is left.
    func discard(_ fleet: String) {
        let old = ".deleted-" + fleet
        Self.clear(old, at: fleets)
        renameat(fleets, fleet, fleets, old)
        Self.clear(old, at: fleets)
    }

    /// That the folder of a fleet and the files in it are what they seem to be.
    func check(_ fleet: String) throws(StateError) {
        try Self.expect(.folder, fleet, at: fleets, folder(of: fleet))
        for ending in FleetFile.endings {
            let file = "\(fleet)/\(FleetFile.fileName)\(ending)"
            let isThere = Self.kind(of: file, at: fleets) != nil
            guard isThere || ending.isEmpty else { continue }
            try Self.expect(.file, file, at: fleets, "\(path)/fleets/\(file)")
        }
    }

    /// Which files a fleet is written to, as its folder has them now.
    func identities(of fleet: String) -> [FileIdentity?] {
        ["", "-wal"].map { ending in
            Self.identity("\(fleet)/\(FleetFile.fileName)\(ending)", at: fleets)
        }
    }

    /// What was made in a folder outlives the machine.
    private func synchronize(_ name: String) throws(StateError) {
        let descriptor = openat(fleets, name, Self.folderFlags)
        guard descriptor >= 0 else { throw Self.failure(folder(of: name)) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Self.failure(folder(of: name)) }
    }

    private func clearTheWay(_ name: String) throws(StateError) {
        guard !Self.clear(name, at: fleets) else { return }
        throw StateError(.system, Self.stranger(folder(of: name)))
    }
}
