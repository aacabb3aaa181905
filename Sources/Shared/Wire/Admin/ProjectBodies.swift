/// Bodies of `/hearth/v1/projects`. Times are RFC 3339; int64 values are decimal strings.
public enum ProjectBodies {
    public struct Resource: Codable, Sendable, Equatable {
        public var projectId: String
        public var projectNumber: String
        public var createTime: String
        /// How many installations have registered; absent in lists.
        public var installations: String?
        /// The server's public address, for the files that apps are built with; absent where it has none.
        public var hearthUrl: String?

        public init(
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

    public struct List: Codable, Sendable {
        /// Left out when empty.
        public var projects: [Resource]?

        public init(projects: [Resource]?) { self.projects = projects }
    }

    public struct CreateRequest: Codable, Sendable, KeyedBody {
        public var projectId: String

        public enum CodingKeys: String, CodingKey, CaseIterable { case projectId }

        public init(projectId: String) { self.projectId = projectId }
    }

    /// The secrets in it are shown this once.
    public struct CreateResponse: Codable, Sendable {
        public var project: Resource
        /// Of the project's first owner.
        public var serviceAccountKey: ServiceAccountKey
        public var apiKey: KeyBodies.APIKey

        public init(project: Resource, serviceAccountKey: ServiceAccountKey, apiKey: KeyBodies.APIKey) {
            self.project = project
            self.serviceAccountKey = serviceAccountKey
            self.apiKey = apiKey
        }
    }
}
