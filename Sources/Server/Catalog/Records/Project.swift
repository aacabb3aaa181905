/// A project: the owner of models, service accounts and API keys.
package struct Project: Sendable, Hashable {
    /// `[a-z0-9-]{6,30}`.
    package var id: String
    /// The decimal number in app ids and resource names of the Installations API.
    package var number: Int64
    package var createdMicroseconds: Int64

    package init(id: String, number: Int64, createdMicroseconds: Int64) {
        self.id = id
        self.number = number
        self.createdMicroseconds = createdMicroseconds
    }
}

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

/// An app on one device.
package struct Installation: Sendable, Hashable {
    package var projectID: String
    /// 22 characters, chosen by the device.
    package var fid: String
    package var appID: String
    package var createdMicroseconds: Int64

    package init(projectID: String, fid: String, appID: String, createdMicroseconds: Int64) {
        self.projectID = projectID
        self.fid = fid
        self.appID = appID
        self.createdMicroseconds = createdMicroseconds
    }
}
