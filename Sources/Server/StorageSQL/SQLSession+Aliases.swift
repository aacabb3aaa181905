import HearthCatalog
import HearthStorage

/// Notes and aliases of versions. Devices never see them, so serving snapshots do not contain them.
extension SQLSession {
    func setNote(_ note: String?, version: Int, model: Int64) throws {
        try update(
            "version", "note", [.optional(note)], where: "model = ? AND number = ?",
            [.integer(model), .integer(Int64(version))])
    }

    func aliases(model: Int64) throws -> [VersionAlias] {
        try connection.rows(
            "SELECT \(Columns.alias) FROM version_alias WHERE model = ? ORDER BY name", [.integer(model)], Columns.alias
        )
    }

    func aliases(project: String) throws -> [VersionAlias] {
        try connection.rows(
            """
            SELECT \(Columns.alias) FROM version_alias
            WHERE model IN (SELECT id FROM model WHERE project = ?) ORDER BY model, name
            """, [.text(project)], Columns.alias)
    }

    func put(_ alias: VersionAlias) throws {
        try replace(
            in: "version_alias", key: "model, name", Columns.alias,
            [
                .integer(alias.modelID), .text(alias.name), .integer(Int64(alias.version)),
                .integer(alias.movedMicroseconds), .text(alias.movedBy),
            ])
    }

    func delete(_ alias: VersionAlias) throws {
        try delete(
            from: "version_alias", where: "model = ? AND name = ?", [.integer(alias.modelID), .text(alias.name)])
    }
}

extension Columns {
    static let alias = "model, name, version, moved_us, moved_by"

    static func alias(_ row: any SQLRow) throws(StorageError) -> VersionAlias {
        VersionAlias(
            modelID: row.integer(0), name: row.text(1), version: Int(row.integer(2)),
            movedMicroseconds: row.integer(3), movedBy: row.text(4))
    }
}
