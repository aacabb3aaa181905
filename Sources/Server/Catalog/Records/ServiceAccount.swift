/// A program or person that makes admin calls for a project, with keys of its own.
public struct ServiceAccount: Sendable, Hashable {
    public var email: String
    public var projectID: String
    public var role: Role
    /// May also make projects and act in all of them, as an owner.
    public var isOperator: Bool
    public var createdMicroseconds: Int64

    public init(email: String, projectID: String, role: Role, isOperator: Bool, createdMicroseconds: Int64) {
        self.email = email
        self.projectID = projectID
        self.role = role
        self.isOperator = isOperator
        self.createdMicroseconds = createdMicroseconds
    }
}

/// One key of a service account: an RSA key for signed assertions, and a client id and secret for tools that sign none.
public struct AccountKey: Sendable, Hashable {
    /// Lower-case hex; the `kid` of its assertions.
    public var id: String
    public var email: String
    public var clientID: String
    /// SPKI PEM; the private half never reaches the server's database.
    public var publicKeyPEM: String
    /// Lower-case hex SHA-256 of the client secret.
    public var clientSecretHash: String
    public var createdMicroseconds: Int64
    /// From then on it is refused; nil for one without end.
    public var endsMicroseconds: Int64?
    /// It is refused for good, whatever a clock says.
    public var hasEnded: Bool

    public init(
        id: String, email: String, clientID: String, publicKeyPEM: String, clientSecretHash: String,
        createdMicroseconds: Int64, endsMicroseconds: Int64? = nil, hasEnded: Bool = false
    ) {
        self.id = id
        self.email = email
        self.clientID = clientID
        self.publicKeyPEM = publicKeyPEM
        self.clientSecretHash = clientSecretHash
        self.createdMicroseconds = createdMicroseconds
        self.endsMicroseconds = endsMicroseconds
        self.hasEnded = hasEnded
    }
}

/// A bearer token for admin calls, made once and kept by whoever uses it.
public struct AdminToken: Sendable, Hashable {
    /// Public part of the token.
    public var id: String
    /// Nil for one that acts in all projects and may make new ones.
    public var projectID: String?
    public var name: String
    public var role: Role
    /// Lower-case hex SHA-256 of the whole token.
    public var secretHash: String
    public var createdMicroseconds: Int64
    public var createdBy: String
    /// From then on it is refused; nil for one without end.
    public var endsMicroseconds: Int64?
    /// It is refused for good, whatever a clock says.
    public var hasEnded: Bool

    public init(
        id: String, projectID: String?, name: String, role: Role, secretHash: String, createdMicroseconds: Int64,
        createdBy: String, endsMicroseconds: Int64? = nil, hasEnded: Bool = false
    ) {
        self.id = id
        self.projectID = projectID
        self.name = name
        self.role = role
        self.secretHash = secretHash
        self.createdMicroseconds = createdMicroseconds
        self.createdBy = createdBy
        self.endsMicroseconds = endsMicroseconds
        self.hasEnded = hasEnded
    }
}

/// What somebody may do in a project. Each role may do all that the ones before it may.
public enum Role: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// Look at models, versions and releases.
    case viewer
    /// Upload, publish, roll out, roll back, delete models.
    case publisher
    /// Look at, make and end accounts, keys and tokens, and read the audit log.
    case owner

    public static func < (left: Role, right: Role) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .viewer: 0
        case .publisher: 1
        case .owner: 2
        }
    }
}
