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
