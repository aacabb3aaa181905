public import HearthCatalog
import HearthCrypto

/// An admin token at the moment when it is made: the record for the database, and the token itself.
public struct NewAdminToken: Sendable, Redacted {
    public let record: AdminToken
    /// `hearth_{id}_{secret}`: 256 random bits behind the id under which the record is found.
    public let token: String

    /// - Parameter projectID: nil for one that acts in all projects.
    public init(
        projectID: String?, name: String, role: Role, createdBy: String, nowMicroseconds: Int64,
        endsMicroseconds: Int64?
    ) {
        let id = Hex.encode(SecureRandom.bytes(8))
        token = "\(Self.prefix)\(id)_\(Base64URL.encode(SecureRandom.bytes(32)))"
        record = AdminToken(
            id: id, projectID: projectID, name: name, role: role, secretHash: SecretHash.hex(of: token),
            createdMicroseconds: nowMicroseconds, createdBy: createdBy, endsMicroseconds: endsMicroseconds)
    }

    public var publicName: String { record.id }

    /// What every admin token, and no access token, begins with.
    public static let prefix = "hearth_"

    /// The id in a token; nil for what has not the form of one. It proves nothing yet.
    public static func id(in token: String) -> String? {
        guard token.utf8.count <= 128, token.hasPrefix(prefix) else { return nil }
        let parts = token.dropFirst(prefix.count).split(separator: "_", maxSplits: 1)
        return parts.count == 2 ? String(parts[0]) : nil
    }
}
