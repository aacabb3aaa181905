import CSQLite
import HearthStorage

/// A prepared statement; finalised with the object. Belongs to one connection and its thread.
final class SQLiteStatement {
    private let handle: OpaquePointer
    private let failure: (Int32, String) -> StorageError

    init(takingOwnershipOf handle: OpaquePointer, failure: @escaping (Int32, String) -> StorageError) {
        self.handle = handle
        self.failure = failure
    }

    deinit { sqlite3_finalize(handle) }

    func bind(_ value: SQLiteValue, at index: Int32) throws(StorageError) {
        let status: Int32
        switch value {
        case .integer(let number): status = sqlite3_bind_int64(handle, index, number)
        case .real(let number): status = sqlite3_bind_double(handle, index, number)
        case .null: status = sqlite3_bind_null(handle, index)
        case .text(let text):
            var text = text
            status = text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    // An empty buffer may have no address, and SQLite reads that as NULL.
                    $0.baseAddress.map { hearth_sqlite_bind_text(handle, index, $0, Int32(bytes.count)) }
                        ?? hearth_sqlite_bind_text(handle, index, "", 0)
                }
            }
        }
        guard status == SQLITE_OK else { throw failure(status, "bind a parameter") }
    }

    /// Whether there is a row.
    func step() throws(StorageError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let status: throw failure(status, "run a statement")
        }
    }

    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    var row: SQLiteRow { SQLiteRow(handle: handle) }
}

/// The current row of a statement; valid until the next step.
struct SQLiteRow {
    fileprivate let handle: OpaquePointer

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    func optionalInteger(_ column: Int32) -> Int64? {
        sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : integer(column)
    }

    func text(_ column: Int32) -> String { optionalText(column) ?? "" }

    func optionalText(_ column: Int32) -> String? {
        guard let bytes = sqlite3_column_text(handle, column) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}
