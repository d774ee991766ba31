import CSQLite

/// The library that keeps fleets, as `3.40.1`.
public let sqliteVersion = String(cString: sqlite3_libversion())
