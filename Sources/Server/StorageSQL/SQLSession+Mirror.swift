import HearthCatalog
import HearthStorage

extension SQLSession {
    func mirrorRecords() throws -> MirrorRecords {
        var records = MirrorRecords()
        for table in MirrorTable.all { records[table] = try mirrorRows(table) }
        return records
    }

    private func mirrorRows(_ table: MirrorTable) throws(StorageError) -> [MirrorRecords.Row] {
        let columns = table.columns.map(\.name).joined(separator: ", ")
        let condition = table.condition.map { " WHERE \($0)" } ?? ""
        return try connection.rows("SELECT \(columns) FROM \(table.name)\(condition) ORDER BY \(table.order)") {
            (row) throws(StorageError) in
            table.columns.enumerated().map { index, column in
                column.isInteger
                    ? row.optionalInteger(Int32(index)).map(MirrorValue.integer) ?? .null
                    : row.optionalText(Int32(index)).map(MirrorValue.text) ?? .null
            }
        }
    }

    func installations(after cursor: InstallationCursor, limit: Int) throws -> [Installation] {
        try connection.rows(
            """
            SELECT \(Columns.installation) FROM installation WHERE created_us >= ?1 AND
            (created_us > ?1 OR project > ?2 OR (project = ?2 AND fid > ?3)) ORDER BY created_us, project, fid LIMIT ?4
            """,
            [
                .integer(cursor.createdMicroseconds), .text(cursor.projectID), .text(cursor.fid),
                .integer(Int64(limit)),
            ], Columns.installation)
    }

    func unsentInstallations(limit: Int) throws -> [Installation] {
        try connection.rows(
            """
            SELECT \(Columns.installation) FROM unsent_installation JOIN installation USING (project, fid)
            ORDER BY created_us, project, fid LIMIT ?
            """, [.integer(Int64(limit))], Columns.installation)
    }

    func noteUnsent(_ installation: Installation) throws {
        try insert(
            into: "unsent_installation", "project, fid", [.text(installation.projectID), .text(installation.fid)])
    }

    func noteSent(_ installations: [Installation]) throws {
        for installation in installations {
            try connection.run(
                "DELETE FROM unsent_installation WHERE project = ? AND fid = ?",
                [.text(installation.projectID), .text(installation.fid)])
        }
    }

    func insertIfAbsent(_ installations: [Installation]) throws -> Int {
        let projects = Set(try projects().map(\.id))
        var count = 0
        for installation in installations where projects.contains(installation.projectID) {
            let inserted = try connection.run(
                """
                INSERT INTO installation (\(Columns.installation)) VALUES (?, ?, ?, ?)
                ON CONFLICT (project, fid) DO NOTHING
                """, Columns.values(of: installation))
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
            let columns = table.columns.map(\.name).joined(separator: ", ")
            for row in rows {
                let values = row.map(Self.value)
                if table.key.isEmpty {
                    try insert(into: table.name, columns, values)
                } else {
                    try replace(in: table.name, key: table.key.joined(separator: ", "), columns, values)
                }
            }
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
        let condition = table.key.map { "\($0) = ?" }.joined(separator: " AND ")
        var unchanged: Set<[MirrorValue]> = []
        for row in present {
            let rowKey = key(row)
            if known[rowKey] == row { unchanged.insert(rowKey) }
            guard known[rowKey] == nil else { continue }
            if table == .project, let id = row[0].text, let project = try project(id: id) {
                // Its models are gone already, because their table comes later.
                try delete(project)
            } else {
                try connection.run("DELETE FROM \(table.name) WHERE \(condition)", rowKey.map(Self.value))
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
