import CSQLite
import Glibc

/// One SQLite database.
///
/// Safe to hand over: SQLite is opened in its serialized mode.
///
/// In WAL mode with `synchronous=FULL` a transaction is on the disk when `COMMIT` returns
/// (https://www.sqlite.org/pragma.html#pragma_synchronous).
struct Database: ~Copyable, @unchecked Sendable {
    private let handle: OpaquePointer
    let path: String

    /// - Parameter isNew: makes the file, which must not be there.
    init(_ path: String, isNew: Bool = false) throws(StateError) {
        var handle: OpaquePointer?
        let flags =
            SQLITE_OPEN_READWRITE | (isNew ? SQLITE_OPEN_CREATE : 0) | SQLITE_OPEN_NOFOLLOW
            | SQLITE_OPEN_FULLMUTEX
        let answer = sqlite3_open_v2(path, &handle, flags, nil)
        guard answer == SQLITE_OK, let handle else {
            let error = Self.error(handle, answer, path)
            sqlite3_close_v2(handle)
            throw error
        }
        (self.handle, self.path) = (handle, path)
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, 1_000)
    }

    deinit { sqlite3_close_v2(handle) }

    /// A value of a row, or of a parameter.
    enum Value: Equatable {
        case null
        case integer(Int64)
        case text(String)
        case blob([UInt8])

        var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
        var text: String? { if case .text(let text) = self { text } else { nil } }
        var blob: [UInt8]? { if case .blob(let bytes) = self { bytes } else { nil } }
    }

    /// Runs one statement, and hands over every row of what it gives.
    func run(
        _ sql: String, _ values: [Value] = [],
        _ row: ([Value]) throws(StateError) -> Void = { _ in }
    ) throws(StateError) {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
        defer { sqlite3_finalize(statement) }
        for (index, value) in values.enumerated() {
            try check(Self.bind(statement, Int32(index + 1), value))
        }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: try row(Self.columns(of: statement))
            case SQLITE_DONE: return
            case let code: try check(code)
            }
        }
    }

    /// All or nothing, and on the disk at the end.
    func transaction(_ body: () throws(StateError) -> Void) throws(StateError) {
        try run("BEGIN IMMEDIATE")
        do throws(StateError) {
            try body()
            try run("COMMIT")
        } catch {
            if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }

    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private static func bind(_ statement: OpaquePointer?, _ index: Int32, _ value: Value) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let number): sqlite3_bind_int64(statement, index, number)
        case .text(let text): sqlite3_bind_text(statement, index, text, -1, copied)
        case .blob(let bytes):
            bytes.isEmpty
                ? sqlite3_bind_zeroblob(statement, index, 0)
                : bytes.withUnsafeBytes {
                    sqlite3_bind_blob64(
                        statement, index, $0.baseAddress, sqlite3_uint64($0.count), copied)
                }
        }
    }

    private static func columns(of statement: OpaquePointer?) -> [Value] {
        (0..<sqlite3_column_count(statement)).map { column in
            switch sqlite3_column_type(statement, column) {
            case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
            case SQLITE_TEXT: .text(String(cString: sqlite3_column_text(statement, column)))
            case SQLITE_BLOB:
                .blob(
                    Array(
                        UnsafeRawBufferPointer(
                            start: sqlite3_column_blob(statement, column),
                            count: Int(sqlite3_column_bytes(statement, column)))))
            default: .null
            }
        }
    }

    private func check(_ code: Int32) throws(StateError) {
        guard code != SQLITE_OK else { return }
        throw Self.error(handle, code, path)
    }

    private static func error(_ handle: OpaquePointer?, _ code: Int32, _ path: String) -> StateError
    {
        var message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
        if code & 0xFF == SQLITE_CANTOPEN, case let number = sqlite3_system_errno(handle),
            number != 0
        {
            message += ": \(String(cString: strerror(number)))"
        }
        switch code & 0xFF {
        case SQLITE_FULL:
            return StateError(.full, "\(path): no room is left on the disk: \(message)")
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            return StateError(.damaged, "\(path): \(message)")
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
            return StateError(.system, "\(path): cannot be written: \(message)")
        default: return StateError(.system, "\(path): \(message)")
        }
    }
}
