/// The last call of an installation for a model, where several servers answer devices.
package struct RecentCall: Sendable, Hashable {
    package var projectID: String
    /// The model's display name.
    package var model: String
    package var installation: String
    /// What the device said, as JSON.
    package var facts: String
    package var atMicroseconds: Int64

    package init(projectID: String, model: String, installation: String, facts: String, atMicroseconds: Int64) {
        self.projectID = projectID
        self.model = model
        self.installation = installation
        self.facts = facts
        self.atMicroseconds = atMicroseconds
    }
}
