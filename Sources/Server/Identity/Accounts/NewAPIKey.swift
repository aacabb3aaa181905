public import HearthCatalog
import HearthCrypto

/// An API key at the moment when it is made: the record for the database, and the key itself.
public struct NewAPIKey: Sendable, Redacted {
    public let record: APIKey
    public let key: String

    public init(projectID: String, name: String, appID: String, bundleIDs: [String] = [], nowMicroseconds: Int64) {
        key = Self.randomKey()
        record = APIKey(
            id: Hex.encode(SecureRandom.bytes(8)), projectID: projectID, name: name, appID: appID,
            bundleIDs: bundleIDs, secretHash: SecretHash.hex(of: key), createdMicroseconds: nowMicroseconds)
    }

    /// A key for the app of `old`, with its restrictions.
    public init(replacing old: APIKey, nowMicroseconds: Int64) {
        self.init(
            projectID: old.projectID, name: old.name, appID: old.appID, bundleIDs: old.bundleIDs,
            nowMicroseconds: nowMicroseconds)
    }

    public var publicName: String { record.id }

    /// An app id that no app has: `1:{project number}:{platform}:{hex}`.
    public static func newAppID(projectNumber: Int64, platform: String) -> String {
        "1:\(projectNumber):\(platform):\(Hex.encode(SecureRandom.bytes(11)))"
    }

    /// 39 URL-safe characters, the first an `A`: what the client libraries accept as an API key.
    private static func randomKey() -> String {
        "A" + String(Base64URL.encode(SecureRandom.bytes(30)).prefix(38))
    }
}
