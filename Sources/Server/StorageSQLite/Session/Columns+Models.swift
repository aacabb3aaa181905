import HearthCatalog
import HearthStorage
import HearthWire

extension Columns {
    static let model = """
        id, project, display_name, tags, newest_version, is_published, released_version, publish_when_validated, \
        contract_check, revision, created_us, updated_us
        """
    static let version = "model, number, sha256, size_bytes, source_uri, created_us, created_by"
    static let release = """
        model, number, version, kind, share, stages, audience, paused_us, ended_us, created_us, created_by
        """

    /// Tags are joined by commas: no tag contains one.
    static func model(_ row: SQLiteRow) throws(StorageError) -> Model {
        Model(
            id: row.integer(0), projectID: row.text(1), displayName: row.text(2),
            tags: row.text(3).split(separator: ",").map(String.init),
            newestVersion: row.optionalInteger(4).map(Int.init), isPublished: row.integer(5) != 0,
            releasedVersion: row.optionalInteger(6).map(Int.init),
            publishWhenValidated: row.optionalInteger(7).map(Int.init),
            contractCheck: try known(row.text(8), Model.ContractCheck.self), revision: row.integer(9),
            createdMicroseconds: row.integer(10), updatedMicroseconds: row.integer(11))
    }

    static func values(of model: Model) -> [SQLiteValue] {
        [
            .integer(model.id), .text(model.projectID), .text(model.displayName),
            .text(model.tags.joined(separator: ",")), .optional(model.newestVersion),
            .integer(model.isPublished ? 1 : 0), .optional(model.releasedVersion),
            .optional(model.publishWhenValidated), .text(model.contractCheck.rawValue), .integer(model.revision),
            .integer(model.createdMicroseconds), .integer(model.updatedMicroseconds),
        ]
    }

    static func version(_ row: SQLiteRow) throws(StorageError) -> ModelVersion {
        ModelVersion(
            modelID: row.integer(0), number: Int(row.integer(1)), sha256: row.text(2), sizeBytes: try bytes(row, 3),
            sourceURI: row.text(4), createdMicroseconds: row.integer(5), createdBy: row.text(6))
    }

    static func values(of version: ModelVersion) throws(StorageError) -> [SQLiteValue] {
        [
            .integer(version.modelID), .integer(Int64(version.number)), .text(version.sha256),
            .integer(try StoredSize.integer(version.sizeBytes)), .text(version.sourceURI),
            .integer(version.createdMicroseconds), .text(version.createdBy),
        ]
    }

    static func release(_ row: SQLiteRow) throws(StorageError) -> Release {
        Release(
            modelID: row.integer(0), number: Int(row.integer(1)), version: Int(row.integer(2)),
            kind: try known(row.text(3), Release.Kind.self), shareMillionths: Int(row.integer(4)),
            stages: try decode([Release.Stage].self, row.text(5)), audience: try decode(Audience.self, row.text(6)),
            pausedMicroseconds: row.optionalInteger(7), endedMicroseconds: row.optionalInteger(8),
            createdMicroseconds: row.integer(9), createdBy: row.text(10))
    }

    static func values(of release: Release) throws(StorageError) -> [SQLiteValue] {
        [
            .integer(release.modelID), .integer(Int64(release.number)), .integer(Int64(release.version)),
            .text(release.kind.rawValue), .integer(Int64(release.shareMillionths)), try json(release.stages),
            try json(release.audience), .optional(release.pausedMicroseconds), .optional(release.endedMicroseconds),
            .integer(release.createdMicroseconds), .text(release.createdBy),
        ]
    }

    static func servedRelease(_ row: SQLiteRow) throws(StorageError) -> ServedRelease {
        ServedRelease(
            projectID: row.text(11), displayName: row.text(12), release: try release(row), sha256: row.text(13),
            sizeBytes: try bytes(row, 14))
    }
}
