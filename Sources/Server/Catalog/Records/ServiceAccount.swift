/// A program or person that makes admin calls for a project, with keys of its own.
package struct ServiceAccount: Sendable, Hashable {
    package var email: String
    package var projectID: String
    package var role: Role
    /// May also make projects and act in all of them, as an owner.
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

/// One key of a service account: an RSA key for signed assertions, and a client id and secret for tools that sign none.
package struct AccountKey: Sendable, Hashable {
    /// Lower-case hex; the `kid` of its assertions.
    package var id: String
    package var email: String
    package var clientID: String
    /// SPKI PEM; the private half never reaches the server's database.
    package var publicKeyPEM: String
    /// Lower-case hex SHA-256 of the client secret.
    package var clientSecretHash: String
    package var createdMicroseconds: Int64
    /// From then on it is refused; nil for one without end.
    package var endsMicroseconds: Int64?
    /// It is refused for good, whatever a clock says.
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

/// A bearer token for admin calls, made once and kept by whoever uses it.
package struct AdminToken: Sendable, Hashable {
    /// Public part of the token.
    package var id: String
    /// Nil for one that acts in all projects and may make new ones.
    package var projectID: String?
    package var name: String
    package var role: Role
    /// Lower-case hex SHA-256 of the whole token.
    package var secretHash: String
    package var createdMicroseconds: Int64
    package var createdBy: String
    /// From then on it is refused; nil for one without end.
    package var endsMicroseconds: Int64?
    /// It is refused for good, whatever a clock says.
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

/// What somebody may do in a project. Each role may do all that the ones before it may.
package enum Role: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// Look at models, versions and releases.
    case viewer
    /// Upload, publish, roll out, roll back, delete models.
    case publisher
    /// Look at, make and end accounts, keys and tokens, and read the audit log.
    case owner

    package static func < (left: Role, right: Role) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .viewer: 0
        case .publisher: 1
        case .owner: 2
        }
    }
}
