/// A key that is built into an app. It names the app to the server; the app's users can read it.
package struct APIKey: Sendable, Hashable {
    /// The key's name in admin calls and logs.
    package var id: String
    package var projectID: String
    package var name: String
    /// The app that the key is for, `1:{project number}:{platform}:{hex}`.
    package var appID: String
    /// Bundle ids or package names, of which the caller must send one; empty for any.
    package var bundleIDs: [String]
    /// Lower-case hex SHA-256 of the key.
    package var secretHash: String
    package var createdMicroseconds: Int64
    /// When it ends or ended, in microseconds since 1970; nil if no end is planned.
    package var endsMicroseconds: Int64?
    /// Whether it has ended for good, whatever a clock says.
    package var hasEnded: Bool

    package init(
        id: String, projectID: String, name: String, appID: String, bundleIDs: [String], secretHash: String,
        createdMicroseconds: Int64, endsMicroseconds: Int64? = nil, hasEnded: Bool = false
    ) {
        self.id = id
        self.projectID = projectID
        self.name = name
        self.appID = appID
        self.bundleIDs = bundleIDs
        self.secretHash = secretHash
        self.createdMicroseconds = createdMicroseconds
        self.endsMicroseconds = endsMicroseconds
        self.hasEnded = hasEnded
    }
}
