package import HearthCatalog
import HearthCrypto

/// A new admin token: the record for the database, and the token itself.
package struct NewAdminToken: Sendable, Redacted {
    package let record: AdminToken
    /// `hearth_{id}_{secret}`: the id of the record, then 256 random bits.
    package let token: String

    /// - Parameter projectID: nil for a token that acts in all projects.
    package init(
        projectID: String?, name: String, role: Role, createdBy: String, nowMicroseconds: Int64,
        endsMicroseconds: Int64?
    ) {
        let id = Hex.encode(SecureRandom.bytes(8))
        token = "\(Self.prefix)\(id)_\(Base64URL.encode(SecureRandom.bytes(32)))"
        record = AdminToken(
            id: id, projectID: projectID, name: name, role: role, secretHash: SecretHash.hex(of: token),
            createdMicroseconds: nowMicroseconds, createdBy: createdBy, endsMicroseconds: endsMicroseconds)
    }

    package var publicName: String { record.id }

    /// Every admin token, and no access token, begins with this.
    package static let prefix = "hearth_"

    /// The id in a token; nil for a text of another form. It proves nothing yet.
    package static func id(in token: String) -> String? {
        guard token.utf8.count <= 128, token.hasPrefix(prefix) else { return nil }
        let parts = token.dropFirst(prefix.count).split(separator: "_", maxSplits: 1)
        return parts.count == 2 ? String(parts[0]) : nil
    }
}
