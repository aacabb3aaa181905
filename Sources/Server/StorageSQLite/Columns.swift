import HearthCatalog
import HearthStorage

/// Which columns a record is made of, and how a row becomes one. Tags are joined by commas: no tag contains one.
enum Columns {
    static let project = "id, number, api_key_hash, app_id, created_us"
    static let account = "email, project, client_id, key_id, public_key_pem, client_secret_hash"
    static let model = """
        id, project, display_name, tags, newest_version, released_version, revision, created_us, updated_us
        """
    static let version = """
        model, number, sha256, size_bytes, source_uri, verdict, verdict_message, contract, created_us, created_by
        """
    static let object = """
        project, bucket, name, sha256, size_bytes, verdict, verdict_message, contract, created_us
        """
    static let audit = "project, actor, action, subject, detail, at_us"

    static func project(_ row: SQLiteRow) throws(StorageError) -> Project {
        Project(
            id: row.text(0), number: row.integer(1), apiKeyHash: row.text(2), appID: row.text(3),
            createdMicroseconds: row.integer(4))
    }

    static func account(_ row: SQLiteRow) throws(StorageError) -> ServiceAccount {
        ServiceAccount(
            email: row.text(0), projectID: row.text(1), clientID: row.text(2), keyID: row.text(3),
            publicKeyPEM: row.text(4), clientSecretHash: row.text(5))
    }

    static func model(_ row: SQLiteRow) throws(StorageError) -> Model {
        Model(
            id: row.integer(0), projectID: row.text(1), displayName: row.text(2),
            tags: row.text(3).split(separator: ",").map(String.init),
            newestVersion: row.optionalInteger(4).map(Int.init),
            releasedVersion: row.optionalInteger(5).map(Int.init), revision: row.integer(6),
            createdMicroseconds: row.integer(7), updatedMicroseconds: row.integer(8))
    }

    static func values(of model: Model) -> [SQLiteValue] {
        [
            .integer(model.id), .text(model.projectID), .text(model.displayName),
            .text(model.tags.joined(separator: ",")), .optional(model.newestVersion),
            .optional(model.releasedVersion), .integer(model.revision), .integer(model.createdMicroseconds),
            .integer(model.updatedMicroseconds),
        ]
    }

    static func version(_ row: SQLiteRow) throws(StorageError) -> ModelVersion {
        ModelVersion(
            modelID: row.integer(0), number: Int(row.integer(1)), sha256: row.text(2), sizeBytes: try bytes(row, 3),
            sourceURI: row.text(4), verdict: try verdict(row.text(5), row.text(6)), contractJSON: row.optionalText(7),
            createdMicroseconds: row.integer(8), createdBy: row.text(9))
    }

    static func object(_ row: SQLiteRow) throws(StorageError) -> UploadedObject {
        UploadedObject(
            projectID: row.text(0), bucket: row.text(1), name: row.text(2), sha256: row.text(3),
            sizeBytes: try bytes(row, 4), verdict: try verdict(row.text(5), row.text(6)),
            contractJSON: row.optionalText(7), createdMicroseconds: row.integer(8))
    }

    static func audit(_ row: SQLiteRow) throws(StorageError) -> AuditEntry {
        AuditEntry(
            projectID: row.text(0), actor: row.text(1), action: row.text(2), subject: row.text(3),
            detail: row.text(4), atMicroseconds: row.integer(5))
    }

    static func name(of verdict: Verdict) -> String {
        switch verdict {
        case .ok: "ok"
        case .unsupported: "unsupported"
        case .malformed: "malformed"
        }
    }

    static func message(of verdict: Verdict) -> String {
        switch verdict {
        case .ok: ""
        case .unsupported(let message), .malformed(let message): message
        }
    }

    private static func verdict(_ name: String, _ message: String) throws(StorageError) -> Verdict {
        switch name {
        case "ok": return .ok
        case "unsupported": return .unsupported(message)
        case "malformed": return .malformed(message)
        default: throw StorageError(.corrupt, "The database holds an unknown verdict '\(name)'")
        }
    }

    private static func bytes(_ row: SQLiteRow, _ column: Int32) throws(StorageError) -> UInt64 {
        guard let size = UInt64(exactly: row.integer(column)) else {
            throw StorageError(.corrupt, "The database holds a negative size")
        }
        return size
    }
}
