/// A link that shows one page of the console to whoever has it, and lets them change nothing.
package struct SharedLink: Sendable, Hashable {
    /// The public part of the link's secret.
    package var id: String
    /// Lower-case hex SHA-256 of the whole secret.
    package var secretHash: String
    package var projectID: String
    package var page: SharedPage
    /// A service account's email, or `token:{id}`. The link ends with that account or token.
    package var createdBy: String
    package var createdMicroseconds: Int64
    package var endsMicroseconds: Int64

    package init(
        id: String, secretHash: String, projectID: String, page: SharedPage, createdBy: String,
        createdMicroseconds: Int64, endsMicroseconds: Int64
    ) {
        self.id = id
        self.secretHash = secretHash
        self.projectID = projectID
        self.page = page
        self.createdBy = createdBy
        self.createdMicroseconds = createdMicroseconds
        self.endsMicroseconds = endsMicroseconds
    }
}
