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
