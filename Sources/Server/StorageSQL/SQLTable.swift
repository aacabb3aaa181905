import HearthStorage

/// A table: its columns, named once, and the statements that need all of them.
final class SQLTable: Sendable {
    let name: String
    /// The columns as SELECT lists them.
    let list: String
    /// Selects whole rows. What follows says which.
    let selection: String
    /// Selects the row with a key, which is the parameters.
    let lookUp: String
    /// Adds a row.
    let insertion: String
    /// Adds a row, or replaces the one with the same key. For a table with a key.
    let replacement: String
    /// Changes the row with a key, which follows the new values.
    let change: String
    let deletion: String
    private let columns: [String]
    private let keyPlaces: [Int]

    /// - Parameters:
    ///   - columns: in the order in which values of a row are given.
    ///   - key: those that identify a row.
    ///   - generated: one that the engine gives a new row. The values of a row are without it.
    convenience init(_ name: String, _ columns: [SQLColumn], key: [SQLColumn] = [], generated: SQLColumn? = nil) {
        self.init(
            name, columns: columns.map(\.stringValue), key: key.map(\.stringValue), generated: generated?.stringValue)
    }

    init(_ name: String, columns: [String], key: [String], generated: String? = nil) {
        let written = columns.filter { $0 != generated }
        func list(_ columns: [String], _ separator: String = ", ", _ text: (String) -> String = { $0 }) -> String {
            columns.map(text).joined(separator: separator)
        }
        let hasKey = list(key, " AND ") { "\($0) = ?" }
        let changes = list(written.filter { !key.contains($0) }) { "\($0) = excluded.\($0)" }
        self.name = name
        self.columns = columns
        self.list = list(columns)
        keyPlaces = key.compactMap { written.firstIndex(of: $0) }
        selection = "SELECT \(list(columns)) FROM \(name) "
        lookUp = "\(selection)WHERE \(hasKey)"
        insertion = "INSERT INTO \(name) (\(list(written))) VALUES (\(list(written) { _ in "?" }))"
        replacement = "\(insertion) ON CONFLICT (\(list(key))) DO UPDATE SET \(changes)"
        change = "UPDATE \(name) SET \(list(written) { "\($0) = ?" }) WHERE \(hasKey)"
        deletion = "DELETE FROM \(name) WHERE \(hasKey)"
    }

    /// The columns as SELECT lists them where several tables are joined. The names in the answer are the same.
    var joinedList: String { columns.map { "\(name).\($0)" }.joined(separator: ", ") }

    /// The columns as SELECT lists them, with an empty text instead of a long one.
    func list(without long: SQLColumn) -> String {
        columns.map { $0 == long.stringValue ? "'' AS \($0)" : $0 }.joined(separator: ", ")
    }

    /// The key of a row with these values.
    func key(of values: [SQLValue]) -> [SQLValue] { keyPlaces.map { values[$0] } }
}

/// A record that is a row of a table.
protocol SQLRecord {
    static var table: SQLTable { get }

    init(_ row: SQLRow) throws(StorageError)

    /// In the order of the table's columns.
    func values() throws(StorageError) -> [SQLValue]
}

extension SQLSession {
    /// The records that the end of a statement selects: its conditions and its order.
    func records<Record: SQLRecord>(
        _ end: String, _ parameters: [SQLValue] = []
    ) throws(StorageError) -> [Record] {
        try connection.rows(Record.table.selection + end, parameters, Record.init)
    }

    func record<Record: SQLRecord>(_ end: String, _ parameters: [SQLValue]) throws(StorageError) -> Record? {
        let found: [Record] = try records(end, parameters)
        return found.first
    }

    func record<Record: SQLRecord>(key: [SQLValue]) throws(StorageError) -> Record? {
        try connection.row(Record.table.lookUp, key, Record.init)
    }

    /// - Parameter isServed: whether the change concerns serving snapshots; also below.
    func insertRow<Record: SQLRecord>(_ record: Record, isServed: Bool = false) throws(StorageError) {
        try connection.run(Record.table.insertion, record.values())
        if isServed { changesServing = true }
    }

    /// Adds the record, or replaces the one with the same key.
    func putRow<Record: SQLRecord>(_ record: Record) throws(StorageError) {
        try connection.run(Record.table.replacement, record.values())
    }

    func updateRow<Record: SQLRecord>(_ record: Record, isServed: Bool = false) throws(StorageError) {
        let (table, values) = (Record.table, try record.values())
        try changeOne(table, table.change, values + table.key(of: values), isServed: isServed)
    }

    func deleteRow(of table: SQLTable, key: [SQLValue], isServed: Bool = false) throws(StorageError) {
        try changeOne(table, table.deletion, key, isServed: isServed)
    }

    /// Runs a statement that changes one row of the table.
    func changeOne(
        _ table: SQLTable, _ sql: String, _ parameters: [SQLValue], isServed: Bool = false
    ) throws(StorageError) {
        guard try connection.run(sql, parameters) == 1 else {
            throw StorageError(.notFound, "There is no such \(table.name)")
        }
        if isServed { changesServing = true }
    }
}
