public import HearthWire

/// Bodies of `/hearth/v1/projects`. Times are RFC 3339; int64 values are decimal strings.
public enum ProjectBodies {
    /// A project.
    public struct Resource: Codable, Sendable, Equatable {
        /// The project's id.
        public var projectId: String
        /// The project's number, decimal digits.
        public var projectNumber: String
        /// When it was created.
        public var createTime: String
        /// How many installations have registered; absent in lists.
        public var installations: String?
        /// The server's public address, for the files with which apps are built; absent when the server has none.
        public var hearthUrl: String?

        package init(
            projectId: String, projectNumber: String, createTime: String, installations: String? = nil,
            hearthUrl: String? = nil
        ) {
            self.projectId = projectId
            self.projectNumber = projectNumber
            self.createTime = createTime
            self.installations = installations
            self.hearthUrl = hearthUrl
        }
    }

    package struct List: Codable, Sendable {
        /// Omitted when empty.
        package var projects: [Resource]?

        package init(projects: [Resource]?) { self.projects = projects }
    }

    package struct CreateRequest: Codable, Sendable, KeyedBody {
        package var projectId: String

        package enum CodingKeys: String, CodingKey, CaseIterable { case projectId }

        package init(projectId: String) { self.projectId = projectId }
    }

    /// The answer that creates a project. Its secrets are in no other answer.
    public struct CreateResponse: Codable, Sendable {
        /// The project.
        public var project: Resource
        /// The key of the project's first owner.
        public var serviceAccountKey: ServiceAccountKey
        /// The API key of the project's first app.
        public var apiKey: KeyBodies.APIKey

        package init(project: Resource, serviceAccountKey: ServiceAccountKey, apiKey: KeyBodies.APIKey) {
            self.project = project
            self.serviceAccountKey = serviceAccountKey
            self.apiKey = apiKey
        }
    }
}
