/// One version of a Remote Config template.
package struct TemplateVersion: Sendable, Hashable {
    /// The interface through which the version was created, in Google's words.
    package enum Origin: String, Sendable, Hashable {
        case console = "CONSOLE"
        case rest = "REST_API"
        case node = "ADMIN_SDK_NODE"
    }

    /// How the version came about, in Google's words.
    package enum Kind: String, Sendable, Hashable {
        case incremental = "INCREMENTAL_UPDATE"
        /// The call did not depend on the version before.
        case forced = "FORCED_UPDATE"
        case rollback = "ROLLBACK"
    }

    package var projectID: String
    /// `firebase` or `firebase-server`.
    package var namespace: String
    /// 1, 2, 3 … within project and namespace; the highest is the active one.
    package var number: Int64
    /// The template as JSON, without its version.
    package var body: String
    package var createdMicroseconds: Int64
    /// The creator: a service account's email, or the name of a token.
    package var createdBy: String
    package var description: String
    package var origin: Origin
    package var kind: Kind
    /// The version whose content a rollback restored.
    package var rollbackSource: Int64?

    package init(
        projectID: String, namespace: String, number: Int64, body: String, createdMicroseconds: Int64,
        createdBy: String, description: String = "", origin: Origin = .rest, kind: Kind = .incremental,
        rollbackSource: Int64? = nil
    ) {
        self.projectID = projectID
        self.namespace = namespace
        self.number = number
        self.body = body
        self.createdMicroseconds = createdMicroseconds
        self.createdBy = createdBy
        self.description = description
        self.origin = origin
        self.kind = kind
        self.rollbackSource = rollbackSource
    }
}
