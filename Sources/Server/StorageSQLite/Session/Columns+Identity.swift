import HearthCatalog
import HearthStorage

extension Columns {
    static let project = "id, number, created_us"
    static let account = "email, project, role, is_operator, created_us"
    static let accountKey = "id, email, client_id, public_key_pem, client_secret_hash, created_us, ends_us, has_ended"
    static let apiKey = "id, project, name, app_id, bundle_ids, secret_hash, created_us, ends_us, has_ended"
    static let adminToken = "id, project, name, role, secret_hash, created_us, created_by, ends_us, has_ended"
    static let installation = "project, fid, app_id, created_us"

    static func project(_ row: SQLiteRow) throws(StorageError) -> Project {
        Project(id: row.text(0), number: row.integer(1), createdMicroseconds: row.integer(2))
    }

    static func values(of project: Project) -> [SQLiteValue] {
        [.text(project.id), .integer(project.number), .integer(project.createdMicroseconds)]
    }

    static func account(_ row: SQLiteRow) throws(StorageError) -> ServiceAccount {
        ServiceAccount(
            email: row.text(0), projectID: row.text(1), role: try known(row.text(2), Role.self),
            isOperator: row.integer(3) != 0, createdMicroseconds: row.integer(4))
    }

    static func values(of account: ServiceAccount) -> [SQLiteValue] {
        [
            .text(account.email), .text(account.projectID), .text(account.role.rawValue),
            .integer(account.isOperator ? 1 : 0), .integer(account.createdMicroseconds),
        ]
    }

    static func accountKey(_ row: SQLiteRow) throws(StorageError) -> AccountKey {
        AccountKey(
            id: row.text(0), email: row.text(1), clientID: row.text(2), publicKeyPEM: row.text(3),
            clientSecretHash: row.text(4), createdMicroseconds: row.integer(5),
            endsMicroseconds: row.optionalInteger(6),
            hasEnded: row.integer(7) != 0)
    }

    static func values(of key: AccountKey) -> [SQLiteValue] {
        [
            .text(key.id), .text(key.email), .text(key.clientID), .text(key.publicKeyPEM), .text(key.clientSecretHash),
            .integer(key.createdMicroseconds), .optional(key.endsMicroseconds), .integer(key.hasEnded ? 1 : 0),
        ]
    }

    static func apiKey(_ row: SQLiteRow) throws(StorageError) -> APIKey {
        APIKey(
            id: row.text(0), projectID: row.text(1), name: row.text(2), appID: row.text(3),
            bundleIDs: try decode([String].self, row.text(4)), secretHash: row.text(5),
            createdMicroseconds: row.integer(6), endsMicroseconds: row.optionalInteger(7), hasEnded: row.integer(8) != 0
        )
    }

    static func values(of key: APIKey) throws(StorageError) -> [SQLiteValue] {
        [
            .text(key.id), .text(key.projectID), .text(key.name), .text(key.appID), try json(key.bundleIDs),
            .text(key.secretHash), .integer(key.createdMicroseconds), .optional(key.endsMicroseconds),
            .integer(key.hasEnded ? 1 : 0),
        ]
    }

    static func adminToken(_ row: SQLiteRow) throws(StorageError) -> AdminToken {
        AdminToken(
            id: row.text(0), projectID: row.optionalText(1), name: row.text(2), role: try known(row.text(3), Role.self),
            secretHash: row.text(4), createdMicroseconds: row.integer(5), createdBy: row.text(6),
            endsMicroseconds: row.optionalInteger(7), hasEnded: row.integer(8) != 0)
    }

    static func values(of token: AdminToken) -> [SQLiteValue] {
        [
            .text(token.id), .optional(token.projectID), .text(token.name), .text(token.role.rawValue),
            .text(token.secretHash), .integer(token.createdMicroseconds), .text(token.createdBy),
            .optional(token.endsMicroseconds), .integer(token.hasEnded ? 1 : 0),
        ]
    }

    static func installation(_ row: SQLiteRow) throws(StorageError) -> Installation {
        Installation(
            projectID: row.text(0), fid: row.text(1), appID: row.text(2), createdMicroseconds: row.integer(3))
    }

    static func values(of installation: Installation) -> [SQLiteValue] {
        [
            .text(installation.projectID), .text(installation.fid), .text(installation.appID),
            .integer(installation.createdMicroseconds),
        ]
    }
}
