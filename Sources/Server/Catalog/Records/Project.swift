/// A project: the owner of models, service accounts and API keys.
public struct Project: Sendable, Hashable {
    /// `[a-z0-9-]{6,30}`.
    public var id: String
    /// The decimal number in app ids and resource names of the Installations API.
    public var number: Int64
    public var createdMicroseconds: Int64

    public init(id: String, number: Int64, createdMicroseconds: Int64) {
        self.id = id
        self.number = number
        self.createdMicroseconds = createdMicroseconds
    }
}

/// A key that is built into an app. It names the app to the server; it is no secret towards the app's users.
public struct APIKey: Sendable, Hashable {
    /// Names the key in admin calls and logs.
    public var id: String
    public var projectID: String
    public var name: String
    /// The app that the key is for, `1:{project number}:{platform}:{hex}`.
    public var appID: String
    /// Bundle ids or package names that a caller must show one of; empty for any.
    public var bundleIDs: [String]
    /// Lower-case hex SHA-256 of the key.
    public var secretHash: String
    public var createdMicroseconds: Int64
    /// From then on it is refused; nil for one without end.
    public var endsMicroseconds: Int64?
    /// It is refused for good, whatever a clock says.
    public var hasEnded: Bool

    public init(
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
public struct Installation: Sendable, Hashable {
    public var projectID: String
    /// 22 characters, chosen by the device.
    public var fid: String
    public var appID: String
    public var createdMicroseconds: Int64

    public init(projectID: String, fid: String, appID: String, createdMicroseconds: Int64) {
        self.projectID = projectID
        self.fid = fid
        self.appID = appID
        self.createdMicroseconds = createdMicroseconds
    }
}
