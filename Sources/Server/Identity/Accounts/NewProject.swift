package import HearthCatalog
import HearthCrypto
import HearthWire

/// A new project with its first account and API key, and the secrets for its credentials files. The secrets exist in
/// clear only here and in those files; the database stores hashes and the public key.
package struct NewProject: Sendable, Redacted {
    package let project: Project
    package let account: ServiceAccount
    package let bundleID: String
    package let newAccountKey: NewAccountKey
    private let newAPIKey: NewAPIKey

    /// - Parameter isOperator: whether the account may create further projects and act in them. The account of a
    ///   server's first project may.
    package init(projectID: String, isOperator: Bool = true, nowMicroseconds: Int64) throws {
        guard Names.isProjectID(projectID) else {
            throw CatalogError(
                .invalidArgument, "A project id must have 6 to 30 lower-case letters, digits or hyphens: '\(projectID)'"
            )
        }
        let number = Self.randomNumber()
        project = Project(id: projectID, number: number, createdMicroseconds: nowMicroseconds)
        account = ServiceAccount(
            email: ServiceAccountName.email("admin", project: projectID), projectID: projectID, role: .owner,
            isOperator: isOperator, createdMicroseconds: nowMicroseconds)
        bundleID = "app.hearth.\(projectID)"
        newAccountKey = try NewAccountKey(email: account.email, nowMicroseconds: nowMicroseconds)
        newAPIKey = NewAPIKey(
            projectID: projectID, name: "first", appID: NewAPIKey.newAppID(projectNumber: number, platform: "ios"),
            nowMicroseconds: nowMicroseconds)
    }

    package var accountKey: AccountKey { newAccountKey.record }
    package var privateKeyPEM: String { newAccountKey.privateKeyPEM }
    package var clientSecret: String { newAccountKey.clientSecret }
    package var apiKeyRecord: APIKey { newAPIKey.record }
    package var apiKey: String { newAPIKey.key }

    package var publicName: String { "of the project \(project.id)" }

    /// Twelve digits.
    private static func randomNumber() -> Int64 {
        let value = SecureRandom.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int64(value % 900_000_000_000) + 100_000_000_000
    }
}
