import HearthCatalog
import HearthStorage

/// The look-ups and changes of one transaction, as SQL. What they are made of is in the extensions, by topic.
final class SQLiteSession: MetadataWriter {
    let connection: SQLiteConnection
    /// Whether a change was made that a serving snapshot shows.
    var changesServing = false

    init(_ connection: SQLiteConnection) { self.connection = connection }
}

extension SQLiteSession {
    /// Adds a row with these columns.
    func insert(into table: String, _ columns: String, _ values: [SQLiteValue]) throws(StorageError) {
        let marks = Array(repeating: "?", count: values.count).joined(separator: ", ")
        try connection.run("INSERT INTO \(table) (\(columns)) VALUES (\(marks))", values)
    }

    /// Replaces the row whose key is that of the values.
    func replace(in table: String, _ columns: String, _ values: [SQLiteValue]) throws(StorageError) {
        let marks = Array(repeating: "?", count: values.count).joined(separator: ", ")
        try connection.run("INSERT OR REPLACE INTO \(table) (\(columns)) VALUES (\(marks))", values)
    }

    /// Changes every column of the one row that `condition` names by its last parameters.
    func update(
        _ table: String, _ columns: String, _ values: [SQLiteValue], where condition: String, _ key: [SQLiteValue]
    ) throws(StorageError) {
        let marks = Array(repeating: "?", count: values.count).joined(separator: ", ")
        let changed = try connection.run(
            "UPDATE \(table) SET (\(columns)) = (\(marks)) WHERE \(condition)", values + key)
        guard changed == 1 else { throw StorageError(.notFound, "There is no such \(table)") }
    }

    func delete(from table: String, where condition: String, _ key: [SQLiteValue]) throws(StorageError) {
        guard try connection.run("DELETE FROM \(table) WHERE \(condition)", key) == 1 else {
            throw StorageError(.notFound, "There is no such \(table)")
        }
    }

    func count(_ sql: String, _ parameters: [SQLiteValue]) throws(StorageError) -> Int64 {
        try connection.row(sql, parameters) { (row) throws(StorageError) in row.integer(0) } ?? 0
    }
}
