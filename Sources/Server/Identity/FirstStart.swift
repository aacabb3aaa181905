public import HearthCatalog
import HearthCrypto

/// The default project of a new server, and the secrets that go into its credentials files. They exist in clear only
/// here and in those files; the database keeps hashes and the public key.
public struct FirstStart: Sendable {
    public let project: Project
    public let account: ServiceAccount
    public let accountKey: AccountKey
    public let apiKeyRecord: APIKey
    public let apiKey: String
    public let clientSecret: String
    public let privateKeyPEM: String
    public let bundleID: String

    public init(projectID: String, nowMicroseconds: Int64) throws {
        guard Names.isProjectID(projectID) else {
            throw CatalogError(
                .invalidArgument, "A project id has 6 to 30 lower-case letters, digits or hyphens: '\(projectID)'")
        }
        let number = Self.randomNumber(below: 900_000_000_000) + 100_000_000_000
        let appSuffix = Hex.encode(SecureRandom.bytes(11))
        apiKey = Self.makeAPIKey()
        clientSecret = Base64URL.encode(SecureRandom.bytes(32))
        bundleID = "app.hearth.\(projectID)"
        let key = try RSAPrivateKey.generate(bits: 2048)
        privateKeyPEM = key.pem
        project = Project(id: projectID, number: number, createdMicroseconds: nowMicroseconds)
        apiKeyRecord = APIKey(
            id: "first-\(number)", projectID: projectID, name: "first", appID: "1:\(number):ios:\(appSuffix)",
            bundleIDs: [], secretHash: SecretHash.hex(of: apiKey), createdMicroseconds: nowMicroseconds)
        account = ServiceAccount(
            email: "admin@\(projectID).iam.hearth.invalid", projectID: projectID, role: .owner, isOperator: true,
            createdMicroseconds: nowMicroseconds)
        accountKey = AccountKey(
            id: Hex.encode(SecureRandom.bytes(20)), email: account.email,
            clientID: "\(number)\(Self.randomNumber(below: 1_000_000_000))", publicKeyPEM: key.publicKey.pem,
            clientSecretHash: SecretHash.hex(of: clientSecret), createdMicroseconds: nowMicroseconds)
    }

    /// 39 URL-safe characters, the first an `A`: what the client libraries accept as an API key.
    static func makeAPIKey() -> String {
        "A" + String(Base64URL.encode(SecureRandom.bytes(30)).prefix(38))
    }

    private static func randomNumber(below limit: Int64) -> Int64 {
        let value = SecureRandom.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int64(value % UInt64(limit))
    }
}

/// Printing one, by mistake or in a debugger's log, shows no secret.
extension FirstStart: CustomStringConvertible, CustomReflectable {
    public var description: String { "FirstStart of the project \(project.id)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
