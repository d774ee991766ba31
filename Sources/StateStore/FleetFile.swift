import Bundles
import Synchronization

/// What must outlive the daemon of one fleet: its bundle, its journal, where it stood, its results.
///
/// Every call that returns has put what it was given on the disk, unless it says otherwise; one
/// that throws has changed nothing. From any thread, one after the other.
public final class FleetFile: Sendable {
    /// What never changes.
    public struct Head: Equatable, Sendable {
        public var name: String
        /// SHA-256 of the bundle.
        public var bundle: String
        /// How figures are kept apart.
        public var by: [String]
        /// The version of the product that made the fleet.
        public var locfleet: String

        public init(name: String, bundle: String, by: [String], locfleet: String) {
            (self.name, self.bundle, self.by, self.locfleet) = (name, bundle, by, locfleet)
        }
    }

    /// Where the fleet stood, and what it was to do.
    public struct Mark: Equatable, Sendable {
        /// The contract's word.
        public var state: String
        public var rate: String
        /// Microseconds of simulated time that are behind it: a replay comes at least so far.
        public var at: Int64
        /// Of the records up to `at`, where it is known: a replay must come to the same.
        public var digest: String?
        /// Where it is to pause, as the daemon writes it.
        public var goal: String?

        public init(
            state: String, rate: String, at: Int64, digest: String? = nil, goal: String? = nil
        ) {
            (self.state, self.rate, self.at) = (state, rate, at)
            (self.digest, self.goal) = (digest, goal)
        }
    }

    /// What a client asked for, in its own words.
    public struct Entry: Equatable, Sendable {
        /// When it takes effect, in microseconds of simulated time.
        public var at: Int64
        /// JSON.
        public var request: String

        public init(at: Int64, request: String) { (self.at, self.request) = (at, request) }
    }

    /// What an ended fleet has come to.
    public struct Result: Equatable, Sendable {
        /// The word of reports; nil where there is no result.
        public var endedBy: String?
        /// Why the fleet failed.
        public var error: String?
        public var figures: [UInt8]
        public var standings: [UInt8]

        public init(endedBy: String?, error: String?, figures: [UInt8], standings: [UInt8]) {
            (self.endedBy, self.error) = (endedBy, error)
            (self.figures, self.standings) = (figures, standings)
        }
    }

    public let head: Head
    private let folder: StateFolder
    private let database: Mutex<Database?>
    /// Of what is open.
    private let identities: [FileIdentity?]

    /// Makes the file of a new fleet.
    ///
    /// - Parameters:
    ///   - blobs: the files of the bundle by hash, with its manifest.
    ///   - journal: of a fork: what it has in common with the fleet that it comes from.
    public init(
        in folder: StateFolder, _ head: Head, _ mark: Mark, blobs: [String: [UInt8]],
        journal: [Entry] = []
    ) throws(StateError) {
        (self.folder, self.head) = (folder, head)
        try folder.add(head.name) { (place) throws(StateError) in
            let database = try Database(place + "/" + Self.fileName, isNew: true)
            try FleetSchema.make(database)
            try database.transaction { () throws(StateError) in
                try FleetSchema.write(head, to: database)
                try FleetSchema.write(mark, to: database)
                for (hash, bytes) in blobs.sorted(by: { $0.key < $1.key }) {
                    try FleetSchema.write(blob: bytes, as: hash, to: database)
                }
                for (index, entry) in journal.enumerated() {
                    try FleetSchema.write(entry, number: index + 1, to: database)
                }
            }
        }
        do throws(StateError) {
            let database = try Database(Self.path(of: head.name, in: folder))
            try FleetSchema.prepare(database)
            identities = folder.identities(of: head.name)
            self.database = Mutex(database)
        } catch {
            folder.discard(head.name)
            throw error
        }
    }

    /// Opens the file of a fleet that is kept, and looks whether it is whole.
    public init(opening name: String, in folder: StateFolder) throws(StateError) {
        self.folder = folder
        try folder.check(name)
        let database = try Database(Self.path(of: name, in: folder))
        try FleetSchema.prepare(database)
        try FleetSchema.check(database)
        head = try FleetSchema.head(of: database)
        guard head.name == name else {
            throw StateError(
                .damaged,
                "\(database.path): this is fleet \"\(head.name)\", in the folder of "
                    + "\"\(name)\"")
        }
        identities = folder.identities(of: name)
        self.database = Mutex(database)
    }

    static let fileName = "fleet.sqlite"
    /// Of the names of the files that SQLite makes of it.
    static let endings = ["", "-wal", "-shm", "-journal"]

    /// Where a fleet's file lies.
    public static func path(of name: String, in folder: StateFolder) -> String {
        folder.folder(of: name) + "/" + fileName
    }

    // MARK: - Reading

    public func mark() throws(StateError) -> Mark { try with(FleetSchema.mark) }
    public func journal() throws(StateError) -> [Entry] { try with(FleetSchema.journal) }
    public func blobs() throws(StateError) -> [String: [UInt8]] { try with(FleetSchema.blobs) }
    /// Nil while the fleet lives.
    public func result() throws(StateError) -> Result? { try with(FleetSchema.result) }

    // MARK: - Writing

    /// - Parameter isDurable: false: it may be lost with the machine, and not with the process.
    public func keep(_ mark: Mark, isDurable: Bool = true) throws(StateError) {
        try write { (database) throws(StateError) in
            if !isDurable { try database.run("PRAGMA synchronous=NORMAL") }
            defer { if !isDurable { try? database.run("PRAGMA synchronous=FULL") } }
            try database.transaction { () throws(StateError) in
                try FleetSchema.write(mark, to: database)
            }
        }
    }

    /// Adds entries to the journal, all or none, with the files that they name.
    ///
    /// - Parameter number: of the first of them, from 1: the next that there is.
    public func append(
        _ entries: [Entry], from number: Int, blobs: [String: [UInt8]] = [:]
    ) throws(StateError) {
        try write { (database) throws(StateError) in
            try database.transaction { () throws(StateError) in
                for (hash, bytes) in blobs.sorted(by: { $0.key < $1.key }) {
                    try FleetSchema.write(blob: bytes, as: hash, to: database)
                }
                for (index, entry) in entries.enumerated() {
                    try FleetSchema.write(entry, number: number + index, to: database)
                }
            }
        }
    }

    /// Gives the descriptors back, of which an open file has three: an ended fleet needs none. What
    /// is called after that, other than `remove`, throws.
    public func close() { database.withLock { $0 = nil } }

    /// The fleet has ended.
    public func keep(_ mark: Mark, _ result: Result) throws(StateError) {
        try write { (database) throws(StateError) in
            try database.transaction { () throws(StateError) in
                try FleetSchema.write(mark, to: database)
                try FleetSchema.write(result, to: database)
            }
        }
    }

    /// The fleet is there no more. What is called after that throws.
    public func remove() throws(StateError) {
        try folder.remove(head.name)
        close()
    }

    /// Whether what is written is there for the next daemon.
    public var isInPlace: Bool { folder.identities(of: head.name) == identities }

    private func write(
        _ body: (borrowing Database) throws(StateError) -> Void
    ) throws(StateError) {
        try with { (database) throws(StateError) in
            guard isInPlace else {
                throw StateError(
                    .gone,
                    "\(database.path): the file was taken away, or another put here, while the "
                        + "daemon had it open; put it back, or export the fleet: what it has come "
                        + "to ends with this daemon")
            }
            try body(database)
        }
    }

    private func with<Value>(
        _ body: (borrowing Database) throws(StateError) -> Value
    ) throws(StateError) -> Value {
        try database.withLock { (database) throws(StateError) in
            guard database != nil else {
                throw StateError(
                    .closed,
                    "fleet \"\(head.name)\" has come to its end or is being deleted; nothing of it "
                        + "changes any more")
            }
            return try body(database!)
        }
    }
}
