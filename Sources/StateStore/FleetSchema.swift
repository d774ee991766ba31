import Bundles
import JSONText

/// The tables of a fleet's file, and what keeps a damaged one from passing for a whole one: SQLite
/// checks its pages, files are checked by their hashes, and whatever decides a replay by a sum.
enum FleetSchema {
    /// "LocF": what tells our files from others (`PRAGMA application_id`).
    private static let application: Int64 = 0x4C6F_6346
    /// Raised when the tables change: `migrations` has the way from each before.
    static let version: Int64 = 2

    private static let tables = """
        CREATE TABLE head (name TEXT PRIMARY KEY, value TEXT NOT NULL, sum TEXT NOT NULL);
        CREATE TABLE mark (id INTEGER PRIMARY KEY CHECK (id = 1), state TEXT NOT NULL,
          rate TEXT NOT NULL, at_us INTEGER NOT NULL, digest TEXT, sum TEXT NOT NULL, goal TEXT);
        CREATE TABLE journal (n INTEGER PRIMARY KEY, at_us INTEGER NOT NULL,
          request TEXT NOT NULL, sum TEXT NOT NULL);
        CREATE TABLE blob (sha256 TEXT PRIMARY KEY, bytes BLOB NOT NULL);
        CREATE TABLE result (id INTEGER PRIMARY KEY CHECK (id = 1), ended_by TEXT, error TEXT,
          figures BLOB NOT NULL, standings BLOB NOT NULL, sum TEXT NOT NULL)
        """

    /// What makes the version after `from` of it.
    private static let migrations = [Int64(1): "ALTER TABLE mark ADD COLUMN goal TEXT"]

    /// Makes the tables in a new file.
    static func make(_ database: borrowing Database) throws(StateError) {
        try database.run("PRAGMA application_id=\(application)")
        try database.run("PRAGMA user_version=\(version)")
        try run(tables, database)
    }

    /// Sets up a connection; brings a file of an earlier version up to this one.
    static func prepare(_ database: borrowing Database) throws(StateError) {
        let (id, found) = (
            try integer("PRAGMA application_id", database),
            try integer("PRAGMA user_version", database)
        )
        guard id == application else {
            throw StateError(
                .damaged, "\(database.path): this is no file of a fleet, or its head is damaged")
        }
        guard found <= version else {
            throw StateError(
                .newer,
                "\(database.path): has format \(found), and this version of locfleet reads formats "
                    + "up to \(version): start the version that wrote it")
        }
        try database.run("PRAGMA journal_mode=WAL")
        try database.run("PRAGMA synchronous=FULL")
        // Opens all files now: when an intervention comes there may be no descriptor left.
        _ = try integer("SELECT count(*) FROM sqlite_schema", database)
        for old in found..<version {
            guard let step = migrations[old] else {
                throw StateError(.damaged, "\(database.path): there never was a format \(old)")
            }
            try database.transaction { () throws(StateError) in
                try run(step, database)
                try database.run("PRAGMA user_version=\(old + 1)")
            }
        }
    }

    private static func run(
        _ statements: String, _ database: borrowing Database
    ) throws(StateError) {
        for statement in statements.split(separator: ";") { try database.run(String(statement)) }
    }

    private static func integer(
        _ sql: String, _ database: borrowing Database
    ) throws(StateError) -> Int64 {
        var number: Int64 = 0
        try database.run(sql) { number = $0.first?.integer ?? 0 }
        return number
    }

    static func check(_ database: borrowing Database) throws(StateError) {
        var complaints: [String] = []
        try database.run("PRAGMA quick_check(1)") { complaints += $0.compactMap(\.text) }
        guard complaints == ["ok"] else {
            throw damaged(database, complaints.joined(separator: "; "))
        }
    }

    private static func damaged(_ database: borrowing Database, _ what: String) -> StateError {
        StateError(.damaged, "\(database.path): \(what)")
    }

    /// Of what stands in one row.
    private static func sum(_ parts: String...) -> String { sum(parts) }

    private static func sum(_ parts: [String]) -> String {
        sha256(Array(parts.map(quoted).joined(separator: ",").utf8))
    }

    // MARK: - Rows

    static func write(_ head: FleetFile.Head, to database: borrowing Database) throws(StateError) {
        let by = head.by.joined(separator: ",")
        for (name, value) in [
            ("name", head.name), ("bundle", head.bundle), ("by", by), ("locfleet", head.locfleet),
        ] {
            try database.run(
                "INSERT INTO head VALUES (?, ?, ?)",
                [.text(name), .text(value), .text(sum(name, value))])
        }
    }

    static func head(of database: borrowing Database) throws(StateError) -> FleetFile.Head {
        var values: [String: String] = [:]
        var isWhole = true
        try database.run("SELECT name, value, sum FROM head") { row in
            guard let name = row[0].text, let value = row[1].text else { return isWhole = false }
            isWhole = isWhole && row[2].text == sum(name, value)
            values[name] = value
        }
        guard isWhole, let name = values["name"], let bundle = values["bundle"],
            let by = values["by"], let locfleet = values["locfleet"]
        else { throw damaged(database, "what the fleet is, is damaged") }
        return FleetFile.Head(
            name: name, bundle: bundle, by: by.split(separator: ",").map(String.init),
            locfleet: locfleet)
    }

    private static func text(_ text: String?) -> Database.Value { text.map { .text($0) } ?? .null }

    private static func sum(_ mark: FleetFile.Mark) -> String {
        // Without a goal as version 1 had it.
        let parts = [mark.state, mark.rate, "\(mark.at)", mark.digest ?? ""]
        return sum(parts + (mark.goal.map { [$0] } ?? []))
    }

    static func write(_ mark: FleetFile.Mark, to database: borrowing Database) throws(StateError) {
        try database.run(
            "INSERT OR REPLACE INTO mark VALUES (1, ?, ?, ?, ?, ?, ?)",
            [
                .text(mark.state), .text(mark.rate), .integer(mark.at),
                text(mark.digest), .text(sum(mark)), text(mark.goal),
            ])
    }

    static func mark(of database: borrowing Database) throws(StateError) -> FleetFile.Mark {
        var mark: FleetFile.Mark?
        var due: String?
        try database.run("SELECT state, rate, at_us, digest, goal, sum FROM mark") { row in
            guard let state = row[0].text, let rate = row[1].text, let at = row[2].integer else {
                return
            }
            mark = FleetFile.Mark(
                state: state, rate: rate, at: at, digest: row[3].text, goal: row[4].text)
            due = row[5].text
        }
        guard let mark, due == sum(mark) else {
            throw damaged(database, "where the fleet stood, is damaged")
        }
        return mark
    }

    static func write(
        _ entry: FleetFile.Entry, number: Int, to database: borrowing Database
    ) throws(StateError) {
        try database.run(
            "INSERT INTO journal VALUES (?, ?, ?, ?)",
            [
                .integer(Int64(number)), .integer(entry.at), .text(entry.request),
                .text(sum("\(number)", "\(entry.at)", entry.request)),
            ])
    }

    static func journal(of database: borrowing Database) throws(StateError) -> [FleetFile.Entry] {
        var entries: [FleetFile.Entry] = []
        var isWhole = true
        try database.run("SELECT n, at_us, request, sum FROM journal ORDER BY n") { row in
            guard let number = row[0].integer, let at = row[1].integer, let request = row[2].text,
                number == entries.count + 1, at >= entries.last?.at ?? 0,
                row[3].text == sum("\(number)", "\(at)", request)
            else { return isWhole = false }
            entries.append(FleetFile.Entry(at: at, request: request))
        }
        guard isWhole else {
            throw damaged(database, "entry \(entries.count + 1) of the journal is damaged")
        }
        return entries
    }

    static func write(
        blob bytes: [UInt8], as hash: String, to database: borrowing Database
    ) throws(StateError) {
        try database.run(
            "INSERT OR IGNORE INTO blob VALUES (?, ?)", [.text(hash), .blob(bytes)])
    }

    static func blobs(of database: borrowing Database) throws(StateError) -> [String: [UInt8]] {
        var blobs: [String: [UInt8]] = [:]
        var broken: String?
        try database.run("SELECT sha256, bytes FROM blob") { row in
            let hash = row[0].text ?? ""
            let bytes = row[1].blob ?? []
            if sha256(bytes) != hash { broken = hash }
            blobs[hash] = bytes
        }
        if let broken { throw damaged(database, "file \(broken) of the bundle is damaged") }
        return blobs
    }

    private static func sum(_ result: FleetFile.Result) -> String {
        sum(
            result.endedBy ?? "", result.error ?? "", sha256(result.figures),
            sha256(result.standings))
    }

    static func write(
        _ result: FleetFile.Result, to database: borrowing Database
    ) throws(StateError) {
        try database.run(
            "INSERT OR REPLACE INTO result VALUES (1, ?, ?, ?, ?, ?)",
            [
                text(result.endedBy), text(result.error), .blob(result.figures),
                .blob(result.standings), .text(sum(result)),
            ])
    }

    static func result(of database: borrowing Database) throws(StateError) -> FleetFile.Result? {
        var result: FleetFile.Result?
        var due: String?
        try database.run("SELECT ended_by, error, figures, standings, sum FROM result") { row in
            result = FleetFile.Result(
                endedBy: row[0].text, error: row[1].text, figures: row[2].blob ?? [],
                standings: row[3].blob ?? [])
            due = row[4].text
        }
        guard let result else { return nil }
        guard due == sum(result) else { throw damaged(database, "the results are damaged") }
        return result
    }
}
