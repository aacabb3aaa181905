import Foundation
import HearthCatalog
import HearthStorage

/// Which columns a record is made of, and how a row becomes one; the records are in the extensions, by topic.
enum Columns {
    static let audit = "id, project, actor, action, subject, detail, at_us"

    static func audit(_ row: SQLiteRow) throws(StorageError) -> AuditEntry {
        AuditEntry(
            id: row.integer(0), projectID: row.text(1), actor: row.text(2), action: row.text(3), subject: row.text(4),
            detail: row.text(5), atMicroseconds: row.integer(6))
    }

    /// A value of a closed set, stored as its name.
    static func known<Value: RawRepresentable<String>>(_ name: String, _ type: Value.Type) throws(StorageError) -> Value
    {
        guard let value = Value(rawValue: name) else {
            throw StorageError(.corrupt, "The database holds an unknown \(type) '\(name)'")
        }
        return value
    }

    static func json(_ value: some Encodable) throws(StorageError) -> SQLiteValue {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return .text(String(decoding: try encoder.encode(value), as: UTF8.self))
        } catch {
            throw StorageError(.io, "Cannot write a value as JSON: \(error)")
        }
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws(StorageError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(text.utf8))
        } catch {
            throw StorageError(.corrupt, "The database holds damaged JSON")
        }
    }

    static func bytes(_ row: SQLiteRow, _ column: Int32) throws(StorageError) -> UInt64 {
        guard let size = UInt64(exactly: row.integer(column)) else {
            throw StorageError(.corrupt, "The database holds a negative size")
        }
        return size
    }

    static func checksum(_ row: SQLiteRow, _ column: Int32) throws(StorageError) -> UInt32? {
        guard let stored = row.optionalInteger(column) else { return nil }
        guard let checksum = UInt32(exactly: stored) else {
            throw StorageError(.corrupt, "The database holds a checksum out of range")
        }
        return checksum
    }
}
