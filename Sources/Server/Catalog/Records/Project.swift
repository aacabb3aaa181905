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
