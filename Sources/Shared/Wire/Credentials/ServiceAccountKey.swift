/// `credentials/admin-service-account.json`: the key with which admin tools sign in.
///
/// It has the fields of a Google service-account key, so that existing SDKs accept it unchanged, and two fields of
/// Hearth.
public struct ServiceAccountKey: Codable, Sendable {
    /// Always `service_account`.
    public var type: String
    /// The account's project.
    public var projectID: String
    /// The key's id, which is not secret.
    public var privateKeyID: String
    /// The private key as PKCS#8 PEM.
    public var privateKey: String
    /// The account's address.
    public var clientEmail: String
    /// For `curl`: the user name for `clientSecret`.
    public var clientID: String
    /// The address on the Hearth server that issues an access token for a signed assertion.
    public private(set) var tokenURI: String
    /// For `curl`: `grant_type=client_credentials` with HTTP basic authentication, instead of a signed assertion.
    public var clientSecret: String
    /// The base address of the Hearth server.
    public private(set) var hearthURL: String

    package init(
        projectID: String, privateKeyID: String, privateKey: String, clientEmail: String, clientID: String,
        clientSecret: String, hearthURL: String
    ) {
        type = "service_account"
        self.projectID = projectID
        self.privateKeyID = privateKeyID
        self.privateKey = privateKey
        self.clientEmail = clientEmail
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.hearthURL = hearthURL
        tokenURI = Self.tokenURI(hearthURL)
    }

    /// Changes the server's address in the key.
    package mutating func setHearthURL(_ url: String) {
        hearthURL = url
        tokenURI = Self.tokenURI(url)
    }

    private static func tokenURI(_ url: String) -> String {
        (url.hasSuffix("/") ? String(url.dropLast()) : url) + "/token"
    }

    enum CodingKeys: String, CodingKey {
        case type
        case projectID = "project_id"
        case privateKeyID = "private_key_id"
        case privateKey = "private_key"
        case clientEmail = "client_email"
        case clientID = "client_id"
        case tokenURI = "token_uri"
        case clientSecret = "client_secret"
        case hearthURL = "hearth_url"
    }
}
