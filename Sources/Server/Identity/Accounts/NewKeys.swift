package import HearthCatalog
import HearthCrypto

/// A new API key: the record for the database, and the key itself.
package struct NewAPIKey: Sendable, Redacted {
    package let record: APIKey
    package let key: String

    package init(projectID: String, name: String, appID: String, bundleIDs: [String] = [], nowMicroseconds: Int64) {
        key = Self.randomKey()
        record = APIKey(
            id: Hex.encode(SecureRandom.bytes(8)), projectID: projectID, name: name, appID: appID,
            bundleIDs: bundleIDs, secretHash: SecretHash.hex(of: key), createdMicroseconds: nowMicroseconds)
    }

    /// A key for the app of `old`, with the same restrictions.
    package init(replacing old: APIKey, nowMicroseconds: Int64) {
        self.init(
            projectID: old.projectID, name: old.name, appID: old.appID, bundleIDs: old.bundleIDs,
            nowMicroseconds: nowMicroseconds)
    }

    package var publicName: String { record.id }

    /// An app id that no other app has: `1:{project number}:{platform}:{hex}`.
    package static func newAppID(projectNumber: Int64, platform: String) -> String {
        "1:\(projectNumber):\(platform):\(Hex.encode(SecureRandom.bytes(11)))"
    }

    /// 39 URL-safe characters, the first an `A`: the form that the client libraries accept as an API key.
    private static func randomKey() -> String {
        "A" + String(Base64URL.encode(SecureRandom.bytes(30)).prefix(38))
    }
}

/// A new key of a service account: the record for the database, and the secrets for its key file.
package struct NewAccountKey: Sendable, Redacted {
    package let record: AccountKey
    /// PKCS#8 PEM.
    package let privateKeyPEM: String
    package let clientSecret: String

    /// Takes a fraction of a second, because it searches for an RSA key.
    package init(email: String, nowMicroseconds: Int64) throws {
        let key = try RSAPrivateKey.generate(bits: 2048)
        privateKeyPEM = key.pem
        clientSecret = Base64URL.encode(SecureRandom.bytes(32))
        record = AccountKey(
            id: Hex.encode(SecureRandom.bytes(20)), email: email, clientID: Self.randomClientID(),
            publicKeyPEM: key.publicKey.pem, clientSecretHash: SecretHash.hex(of: clientSecret),
            createdMicroseconds: nowMicroseconds)
    }

    package var publicName: String { record.id }

    /// 21 decimal digits, like the ids of Google's clients.
    private static func randomClientID() -> String {
        "1" + SecureRandom.bytes(20).map { String($0 % 10) }.joined()
    }
}

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

/// Contains secrets in clear. Printing a value, by mistake or in a debugger, shows none of them.
package protocol Redacted: CustomStringConvertible, CustomReflectable {
    /// What may be printed.
    var publicName: String { get }
}

extension Redacted {
    package var description: String { "\(Self.self) \(publicName)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
