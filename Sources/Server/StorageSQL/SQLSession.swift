import Foundation
import HearthCatalog
import HearthStorage

/// The look-ups and changes of one transaction, as SQL. The extensions contain them by topic.
final class SQLSession: MetadataWriter {
    let connection: any SQLConnection
    /// Whether a change concerns serving snapshots.
    var changesServing = false
    /// How many installations each project has got or lost.
    var installationChanges: [String: Int] = [:]

    init(_ connection: any SQLConnection) { self.connection = connection }
}

extension SQLSession {
    func value(of mark: DataMark) throws -> String? {
        try connection.text("SELECT value FROM data_mark WHERE name = ?", [.text(mark.rawValue)])
    }

    func set(_ mark: DataMark, _ value: String?) throws(StorageError) {
        try connection.run("DELETE FROM data_mark WHERE name = ?", [.text(mark.rawValue)])
        guard let value else { return }
        try insert(into: "data_mark", "name, value", [.text(mark.rawValue), .text(value)])
    }

    /// Adds a row with these columns.
    func insert(into table: String, _ columns: String, _ values: [SQLValue]) throws(StorageError) {
        try connection.run("INSERT INTO \(table) (\(columns)) VALUES (\(Self.marks(values.count)))", values)
    }

    /// Replaces the row with the same key, which is some of the columns.
    func replace(in table: String, key: String, _ columns: String, _ values: [SQLValue]) throws(StorageError) {
        let changes = Self.changes(columns, without: key) { "\($0) = excluded.\($0)" }
        try connection.run(
            """
            INSERT INTO \(table) (\(columns)) VALUES (\(Self.marks(values.count)))
            ON CONFLICT (\(key)) DO UPDATE SET \(changes)
            """, values)
    }

    /// Changes every column of the one row that `condition` selects with the last parameters.
    func update(
        _ table: String, _ columns: String, _ values: [SQLValue], where condition: String, _ key: [SQLValue]
    ) throws(StorageError) {
        let changes = Self.changes(columns) { "\($0) = ?" }
        let changed = try connection.run("UPDATE \(table) SET \(changes) WHERE \(condition)", values + key)
        guard changed == 1 else { throw StorageError(.notFound, "There is no such \(table)") }
    }

    func delete(from table: String, where condition: String, _ key: [SQLValue]) throws(StorageError) {
        guard try connection.run("DELETE FROM \(table) WHERE \(condition)", key) == 1 else {
            throw StorageError(.notFound, "There is no such \(table)")
        }
    }

    private static func marks(_ count: Int) -> String { Array(repeating: "?", count: count).joined(separator: ", ") }

    private static func changes(
        _ columns: String, without key: String = "", _ change: (String) -> String
    ) -> String {
        let keys = names(key)
        return names(columns).filter { !keys.contains($0) }.map(change).joined(separator: ", ")
    }

    /// Bytes, because this runs for each change, and letters take longer.
    private static func names(_ columns: String) -> [String] {
        columns.utf8.split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
            .map { String(Substring($0)) }
    }

    func count(_ sql: String, _ parameters: [SQLValue]) throws(StorageError) -> Int64 {
        try connection.integer(sql, parameters) ?? 0
    }
}

/// The columns of each record, and how a row becomes one. The extensions contain them by topic.
enum Columns {
    static let audit = "id, project, actor, action, subject, detail, at_us"

    static func audit(_ row: any SQLRow) throws(StorageError) -> AuditEntry {
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

    static func json(_ value: some Encodable) throws(StorageError) -> SQLValue {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return .text(String(decoding: try encoder.encode(value), as: UTF8.self))
        } catch {
            throw StorageError(.io, "Cannot write a value as JSON: \(error)", cause: error)
        }
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws(StorageError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(text.utf8))
        } catch {
            throw StorageError(.corrupt, "The database holds damaged JSON", cause: error)
        }
    }

    static func bytes(_ row: any SQLRow, _ column: Int32) throws(StorageError) -> UInt64 {
        guard let size = UInt64(exactly: row.integer(column)) else {
            throw StorageError(.corrupt, "The database holds a negative size")
        }
        return size
    }

    static func checksum(_ row: any SQLRow, _ column: Int32) throws(StorageError) -> UInt32? {
        guard let stored = row.optionalInteger(column) else { return nil }
        guard let checksum = UInt32(exactly: stored) else {
            throw StorageError(.corrupt, "The database holds a checksum out of range")
        }
        return checksum
    }
}

extension SQLSession {
    func audit(
        project: String?, matching filter: AuditFilter, before: Int64?, limit: Int
    ) throws -> [AuditEntry] {
        var conditions = ["id < ?"]
        var values: [SQLValue] = [.integer(before ?? .max)]
        func require(_ condition: String, _ parameters: [SQLValue]) {
            conditions.append(condition)
            values += parameters
        }
        func require(_ column: String, in texts: Set<String>) {
            guard !texts.isEmpty else { return }
            let marks = Array(repeating: "?", count: texts.count).joined(separator: ", ")
            require("\(column) IN (\(marks))", texts.sorted().map { .text($0) })
        }
        if let project { require("project = ?", [.text(project)]) }
        require("actor", in: filter.actors)
        require("subject", in: filter.subjects)
        if let action = filter.action {
            require(
                "(action = ? OR substr(action, 1, length(?) + 1) = ? || '.')",
                [.text(action), .text(action), .text(action)])
        }
        if let detail = filter.detail { require("detail = ?", [.text(detail)]) }
        if let from = filter.fromMicroseconds { require("at_us >= ?", [.integer(from)]) }
        if let until = filter.untilMicroseconds { require("at_us < ?", [.integer(until)]) }
        return try connection.rows(
            "SELECT \(Columns.audit) FROM audit WHERE \(conditions.joined(separator: " AND ")) ORDER BY id DESC LIMIT ?",
            values + [.integer(Int64(limit))], Columns.audit)
    }

    func append(_ entry: AuditEntry) throws {
        try insert(
            into: "audit", "project, actor, action, subject, detail, at_us",
            [
                .text(entry.projectID), .text(entry.actor), .text(entry.action), .text(entry.subject),
                .text(entry.detail), .integer(entry.atMicroseconds),
            ])
    }
}
