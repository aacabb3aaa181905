import HearthCatalog
import HearthStorage

/// Notes and aliases of versions. Devices never see them, so serving snapshots do not contain them.
extension SQLSession {
    func setNote(_ note: String?, version: Int, model: Int64) throws {
        try changeOne(
            ModelVersion.table, "UPDATE version SET note = ? WHERE model = ? AND number = ?",
            [.optional(note), .integer(model), .int(version)])
    }

    func aliases(model: Int64) throws -> [VersionAlias] {
        try records("WHERE model = ? ORDER BY name", [.integer(model)])
    }

    func aliases(project: String) throws -> [VersionAlias] {
        try records("WHERE model IN (SELECT id FROM model WHERE project = ?) ORDER BY model, name", [.text(project)])
    }

    func put(_ alias: VersionAlias) throws { try putRow(alias) }

    func delete(_ alias: VersionAlias) throws {
        try deleteRow(of: VersionAlias.table, key: [.integer(alias.modelID), .text(alias.name)])
    }
}

extension VersionAlias: SQLRecord {
    static let table = SQLTable(
        "version_alias", [.model, .name, .version, .moved_us, .moved_by], key: [.model, .name])

    init(_ row: SQLRow) {
        self.init(
            modelID: row.integer(.model), name: row.text(.name), version: row.int(.version),
            movedMicroseconds: row.integer(.moved_us), movedBy: row.text(.moved_by))
    }

    func values() -> [SQLValue] {
        [.integer(modelID), .text(name), .int(version), .integer(movedMicroseconds), .text(movedBy)]
    }
}
