import HearthStorageSQL

/// Which tables and columns a copy contains, derived from what both databases say of themselves. So a table that a later
/// schema adds is copied, or the copy refuses; it is never left out unnoticed.
struct CopyPlan {
    /// In an order in which rows never refer to rows that come later.
    let tables: [CopiedTable]

    /// The tables that are not copied, and why.
    static let leftTables: [String: String] = [
        "data_mark": "says what the copy itself does",
        "folder": "is copied as the id of the data",
        "hearth_schema": "belongs to the engine",
        "installation_count": "is counted again",
        "serving": "counts the changes of one database",
        "serving_mark": "names the changes of one database",
        "signing_key": "is copied as signing keys, which are files in a folder",
        "unsent_installation": "is what a follower has to send",
        "upload_session": "names bytes that are not model files yet: uploaders begin again",
        "validation_claim": "belongs to running servers",
    ]

    /// Columns that only one engine has, because it counts in another way.
    static let leftColumns: [String: Set<String>] = ["project": ["installations"]]

    /// - Throws: `.incompatible` if one has a table or a column that the other lacks.
    init(from source: [StoredTable], to target: [StoredTable]) throws(BackupError) {
        let others = Dictionary(target.map { ($0.name, $0) }) { first, _ in first }
        var tables: [CopiedTable] = []
        for table in source where Self.leftTables[table.name] == nil {
            guard let other = others[table.name] else { throw Self.unknown("the table \(table.name)") }
            tables.append(try CopiedTable(table, other))
        }
        let known = Set(source.map(\.name))
        for table in target where Self.leftTables[table.name] == nil && !known.contains(table.name) {
            throw Self.unknown("the table \(table.name)")
        }
        self.tables = try Self.sorted(tables, source + target)
    }

    fileprivate static func unknown(_ what: String) -> BackupError {
        BackupError(
            .incompatible,
            """
            Only one of the two databases has \(what). Start a server of this version on each once, which brings it up to \
            date; or report this.
            """)
    }

    private static func sorted(
        _ tables: [CopiedTable], _ stored: [StoredTable]
    ) throws(BackupError) -> [CopiedTable] {
        var references: [String: Set<String>] = [:]
        for table in stored { references[table.name, default: []].formUnion(table.references) }
        var (left, done, names) = (tables, [CopiedTable](), Set<String>())
        let copied = Set(tables.map(\.name))
        while !left.isEmpty {
            let next = left.firstIndex { table in
                (references[table.name] ?? []).intersection(copied).subtracting([table.name]).isSubset(of: names)
            }
            guard let next else { throw unknown("tables that refer to each other in a circle") }
            let table = left.remove(at: next)
            names.insert(table.name)
            done.append(table)
        }
        return done
    }
}

/// A table of a copy.
struct CopiedTable {
    let name: String
    let columns: [String]
    let kinds: [StoredTable.Kind]
    /// The places of the key's columns.
    let key: [Int]

    init(_ source: StoredTable, _ target: StoredTable) throws(BackupError) {
        name = source.name
        let left = CopyPlan.leftColumns[name] ?? []
        func kinds(_ table: StoredTable) throws(BackupError) -> [String: StoredTable.Kind] {
            var kinds: [String: StoredTable.Kind] = [:]
            for column in table.columns where !left.contains(column.name) && column.name != "rowid" {
                guard let kind = column.kind else {
                    throw CopyPlan.unknown("a known type for the column \(column.name) of \(table.name)")
                }
                kinds[column.name] = kind
            }
            return kinds
        }
        let (own, other) = (try kinds(source), try kinds(target))
        guard own == other else {
            let names = Set(own.keys).symmetricDifference(other.keys).sorted().joined(separator: ", ")
            throw CopyPlan.unknown("the columns \(names) of the table \(name)")
        }
        guard source.key == target.key else { throw CopyPlan.unknown("this key of the table \(name)") }
        var names = source.columns.map(\.name).filter { own[$0] != nil }
        // SQLite has it in each table without saying so. Where PostgreSQL has it too, it says which row is older.
        if (source.key + source.columns.map(\.name) + target.columns.map(\.name)).contains("rowid") {
            names.append("rowid")
        }
        // The databases have them in different orders, and the hash of a table depends on the order.
        let sorted = names.sorted()
        columns = sorted
        self.kinds = sorted.map { own[$0] ?? .integer }
        key = source.key.compactMap { sorted.firstIndex(of: $0) }
    }
}

extension CopiedTable {
    private var list: String { columns.map { "\"\($0)\"" }.joined(separator: ", ") }
    private var keyList: String { key.map { "\"\(columns[$0])\"" }.joined(separator: ", ") }

    /// All rows in the order of the key, or those after a key.
    func selection(after isContinued: Bool) -> String {
        let marks = Array(repeating: "?", count: key.count).joined(separator: ", ")
        let condition = isContinued ? " WHERE (\(keyList)) > (\(marks))" : ""
        return "SELECT \(list) FROM \"\(name)\"\(condition) ORDER BY \(keyList)"
    }

    func insertion(rows: Int) -> String {
        let row = "(" + Array(repeating: "?", count: columns.count).joined(separator: ", ") + ")"
        return "INSERT INTO \"\(name)\" (\(list)) VALUES " + Array(repeating: row, count: rows).joined(separator: ", ")
    }

    func values(_ row: SQLRow) -> [SQLValue] {
        kinds.indices.map { index in
            let place = Int32(index)
            switch kinds[index] {
            case .text: return .optional(row.values.optionalText(at: place))
            case .integer: return .optional(row.values.optionalInteger(at: place))
            case .real: return row.values.optionalInteger(at: place) == nil ? .null : .real(row.values.real(at: place))
            case .bytes:
                return row.values.optionalInteger(at: place) == nil ? .null : .bytes(row.values.bytes(at: place))
            }
        }
    }
}
