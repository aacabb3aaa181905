import HearthCatalog
import HearthStorage

extension SQLSession {
    func mirrorRecords() throws -> MirrorRecords {
        var records = MirrorRecords()
        for table in MirrorTable.all { records[table] = try mirrorRows(table) }
        return records
    }

    private func mirrorRows(_ table: MirrorTable) throws(StorageError) -> [MirrorRecords.Row] {
        let condition = table.condition.map { " WHERE \($0)" } ?? ""
        return try connection.rows(
            "SELECT \(Self.stored(table).list) FROM \(table.name)\(condition) ORDER BY \(table.order)"
        ) { row in
            table.columns.enumerated().map { index, column in
                column.isInteger
                    ? row.values.optionalInteger(at: Int32(index)).map(MirrorValue.integer) ?? .null
                    : row.values.optionalText(at: Int32(index)).map(MirrorValue.text) ?? .null
            }
        }
    }

    private static func stored(_ table: MirrorTable) -> SQLTable {
        SQLTable(table.name, columns: table.columns.map(\.name), key: table.key)
    }

    func installations(after cursor: InstallationCursor, limit: Int) throws -> [Installation] {
        try records(
            """
            WHERE created_us >= ?1 AND (created_us > ?1 OR project > ?2 OR (project = ?2 AND fid > ?3))
            ORDER BY created_us, project, fid LIMIT ?4
            """,
            [.integer(cursor.createdMicroseconds), .text(cursor.projectID), .text(cursor.fid), .int(limit)])
    }

    func unsentInstallations(limit: Int) throws -> [Installation] {
        try connection.rows(
            """
            SELECT \(Installation.table.list) FROM unsent_installation JOIN installation USING (project, fid)
            ORDER BY created_us, project, fid LIMIT ?
            """, [.int(limit)], Installation.init)
    }

    func noteUnsent(_ installation: Installation) throws {
        try connection.run(Self.unsent.insertion, [.text(installation.projectID), .text(installation.fid)])
    }

    func noteSent(_ installations: [Installation]) throws {
        for installation in installations {
            try connection.run(Self.unsent.deletion, [.text(installation.projectID), .text(installation.fid)])
        }
    }

    private static let unsent = SQLTable("unsent_installation", [.project, .fid], key: [.project, .fid])

    func insertIfAbsent(_ installations: [Installation]) throws -> Int {
        let projects = Set(try projects().map(\.id))
        var count = 0
        for installation in installations where projects.contains(installation.projectID) {
            let inserted = try connection.run(
                "\(Installation.table.insertion) ON CONFLICT (project, fid) DO NOTHING", installation.values())
            installationChanges[installation.projectID, default: 0] += inserted
            count += inserted
        }
        return count
    }
}

/// What a follower writes. Only SQLite, because a follower has its data alone.
extension SQLSession {
    func replaceMirrored(_ records: MirrorRecords, anew: Bool) throws {
        // Rows may refer to rows that come later. All references must be right at the end.
        try connection.run("PRAGMA defer_foreign_keys = ON")
        var changes: [(table: MirrorTable, rows: [MirrorRecords.Row])] = []
        for table in MirrorTable.all.reversed() {
            changes.append((table, try removeMirrored(table, keeping: records[table], anew: anew)))
        }
        for (table, rows) in changes.reversed() {
            let stored = Self.stored(table)
            let statement = table.key.isEmpty ? stored.insertion : stored.replacement
            for row in rows { try connection.run(statement, row.map(Self.value)) }
        }
        // A row that was removed takes those with it that refer to it, also wanted ones.
        for table in MirrorTable.all where try mirrorRows(table) != records[table] {
            throw StorageError(.corrupt, "The rows of the table \(table.name) do not fit those of the others")
        }
        changesServing = true
    }

    /// Removes the rows that are not among `wanted`.
    ///
    /// - Parameter anew: also removes those that only differ, so that no unique value is in the way of another row.
    /// - Returns: the rows to write.
    private func removeMirrored(
        _ table: MirrorTable, keeping wanted: [MirrorRecords.Row], anew: Bool
    ) throws -> [MirrorRecords.Row] {
        let present = try mirrorRows(table)
        guard present != wanted || anew else { return [] }
        guard !table.key.isEmpty else {
            try connection.run("DELETE FROM \(table.name)")
            return wanted
        }
        let indices = table.key.map(table.index)
        func key(_ row: MirrorRecords.Row) -> [MirrorValue] { indices.map { row[$0] } }
        // Installations, which are not mirrored with the rest, refer to projects.
        let isReplaced = anew && table != .project
        let known = isReplaced ? [:] : Dictionary(wanted.map { (key($0), $0) }, uniquingKeysWith: { $1 })
        let deletion = Self.stored(table).deletion
        var unchanged: Set<[MirrorValue]> = []
        for row in present {
            let rowKey = key(row)
            if known[rowKey] == row { unchanged.insert(rowKey) }
            guard known[rowKey] == nil else { continue }
            if table == .project, let id = row[0].text, let project = try project(id: id) {
                // Its models are gone already, because their table comes later.
                try delete(project)
            } else {
                try connection.run(deletion, rowKey.map(Self.value))
            }
        }
        return wanted.filter { !unchanged.contains(key($0)) }
    }

    private static func value(_ value: MirrorValue) -> SQLValue {
        switch value {
        case .null: .null
        case .integer(let number): .integer(number)
        case .text(let text): .text(text)
        }
    }
}
