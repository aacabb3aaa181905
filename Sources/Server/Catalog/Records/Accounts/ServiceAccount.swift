/// A program or person that makes admin calls for a project, with keys of its own.
package struct ServiceAccount: Sendable, Hashable {
    package var email: String
    package var projectID: String
    package var role: Role
    /// Whether the account may also create projects, and act in all of them as an owner.
    package var isOperator: Bool
    package var createdMicroseconds: Int64

    package init(email: String, projectID: String, role: Role, isOperator: Bool, createdMicroseconds: Int64) {
        self.email = email
        self.projectID = projectID
        self.role = role
        self.isOperator = isOperator
        self.createdMicroseconds = createdMicroseconds
    }
}

/// One key of a service account: an RSA key for signed assertions, and a client id and secret for tools that do not
/// sign.
package struct AccountKey: Sendable, Hashable {
    /// Lower-case hex; the `kid` of its assertions.
    package var id: String
    package var email: String
    package var clientID: String
    /// SPKI PEM; the private key is never in the server's database.
    package var publicKeyPEM: String
    /// Lower-case hex SHA-256 of the client secret.
    package var clientSecretHash: String
    package var createdMicroseconds: Int64
    /// When it ends or ended, in microseconds since 1970; nil if no end is planned.
    package var endsMicroseconds: Int64?
    /// Whether it has ended for good, whatever a clock says.
    package var hasEnded: Bool

    package init(
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

/// A bearer token for admin calls. The server shows it once, and the user keeps it.
package struct AdminToken: Sendable, Hashable {
    /// The public part of the token.
    package var id: String
    /// Nil for a token that acts in all projects and may create new ones.
    package var projectID: String?
    package var name: String
    package var role: Role
    /// Lower-case hex SHA-256 of the whole token.
    package var secretHash: String
    package var createdMicroseconds: Int64
    package var createdBy: String
    /// When it ends or ended, in microseconds since 1970; nil if no end is planned.
    package var endsMicroseconds: Int64?
    /// Whether it has ended for good, whatever a clock says.
    package var hasEnded: Bool

    package init(
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

/// What a principal may do in a project. Each role includes the rights of the roles before it.
package enum Role: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// Read the records, files and keys that a follower needs, and nothing else. Only for tokens of the whole server.
    case mirror
    /// Read models, versions and releases.
    case viewer
    /// Upload, publish, roll out, roll back, delete models.
    case publisher
    /// Read, create and revoke accounts, keys and tokens, and read the audit log.
    case owner

    package static func < (left: Role, right: Role) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .mirror: -1
        case .viewer: 0
        case .publisher: 1
        case .owner: 2
        }
    }
}
