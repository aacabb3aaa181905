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
