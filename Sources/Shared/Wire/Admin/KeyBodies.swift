/// Bodies of the calls that make, list, change and end keys and tokens of a project.
///
/// `serviceAccounts`, `apiKeys` and `adminTokens` below `/hearth/v1/projects/{project}`; tokens for the whole server at
/// `/hearth/v1/adminTokens`. `DELETE …/{id}` ends one (of an account: `…/{email}/keys/{id}`, or `…/{email}` for all of its
/// keys; with `?endTokens=true` also the admin tokens that it made) and answers with it as it is then. Secrets are in the answer that makes them and in no other. Times are RFC 3339.
public enum KeyBodies {
    public struct ServiceAccount: Codable, Sendable, Equatable {
        public var email: String
        /// `owner`, `publisher` or `viewer`.
        public var role: String
        /// May also make projects and act in all of them; left out when false.
        public var `operator`: Bool?
        public var createTime: String
        /// Oldest first; ended ones too.
        public var keys: [AccountKey]?
        /// In the answer to a revocation: the admin tokens that the account made and that were active before. They go on,
        /// unless the call had `endTokens=true`.
        public var adminTokens: [AdminToken]?

        public init(email: String, role: String, operator: Bool?, createTime: String, keys: [AccountKey]?) {
            self.email = email
            self.role = role
            self.operator = `operator`
            self.createTime = createTime
            self.keys = keys
        }
    }

    public struct AccountKey: Codable, Sendable, Equatable {
        public var id: String
        public var createTime: String
        /// From then on it is refused.
        public var endTime: String?
        /// As in `ServiceAccount`.
        public var adminTokens: [AdminToken]?

        public init(id: String, createTime: String, endTime: String?) {
            self.id = id
            self.createTime = createTime
            self.endTime = endTime
        }
    }

    public struct ServiceAccountList: Codable, Sendable {
        public var serviceAccounts: [ServiceAccount]?

        public init(serviceAccounts: [ServiceAccount]?) { self.serviceAccounts = serviceAccounts }
    }

    /// Makes the account and its first key; the answer is the key file, a `ServiceAccountKey`. So is that of
    /// `POST …/serviceAccounts/{email}/keys`, which has no body.
    public struct CreateServiceAccountRequest: Codable, Sendable, KeyedBody {
        /// The part of the email before the `@`: `[a-z][a-z0-9-]{0,29}`.
        public var name: String
        public var role: String
        /// May also make projects and act in all of them. Operators may ask for that; the role must be `owner`.
        public var `operator`: Bool?

        public enum CodingKeys: String, CodingKey, CaseIterable { case name, role, `operator` }

        public init(name: String, role: String, operator: Bool? = nil) {
            self.name = name
            self.role = role
            self.operator = `operator`
        }
    }

    /// `PATCH …/serviceAccounts/{email}`.
    public struct UpdateServiceAccountRequest: Codable, Sendable, KeyedBody {
        public var role: String

        public enum CodingKeys: String, CodingKey, CaseIterable { case role }

        public init(role: String) { self.role = role }
    }

    public struct APIKey: Codable, Sendable, Equatable {
        public var id: String
        public var name: String
        public var appId: String
        /// Bundle ids or package names that may use it; left out for any.
        public var bundleIds: [String]?
        public var createTime: String
        public var endTime: String?
        /// True for one that has ended, also where a clock that was wrong gave it a later `endTime`; else absent.
        public var ended: Bool?
        /// The key itself, in the answer that makes it only.
        public var key: String?
        /// In the answer to the end of a key that had ended already: true.
        public var unchanged: Bool?

        public init(
            id: String, name: String, appId: String, bundleIds: [String]?, createTime: String, endTime: String?,
            key: String?
        ) {
            self.id = id
            self.name = name
            self.appId = appId
            self.bundleIds = bundleIds
            self.createTime = createTime
            self.endTime = endTime
            self.key = key
        }
    }

    public struct APIKeyList: Codable, Sendable {
        public var apiKeys: [APIKey]?

        public init(apiKeys: [APIKey]?) { self.apiKeys = apiKeys }
    }

    public struct CreateAPIKeyRequest: Codable, Sendable, KeyedBody {
        public var name: String
        /// `ios`, `android` or `web`; it becomes part of the app id. Default: `ios`.
        public var platform: String?
        /// An app that has a key already; nil makes a new app id.
        public var appId: String?
        public var bundleIds: [String]?

        public enum CodingKeys: String, CodingKey, CaseIterable { case name, platform, appId, bundleIds }

        public init(name: String, platform: String? = nil, appId: String? = nil, bundleIds: [String]? = nil) {
            self.name = name
            self.platform = platform
            self.appId = appId
            self.bundleIds = bundleIds
        }
    }

    /// `PATCH …/apiKeys/{id}`; what is nil stays, an empty list lifts the restriction.
    public struct UpdateAPIKeyRequest: Codable, Sendable, KeyedBody {
        public var name: String?
        public var bundleIds: [String]?

        public enum CodingKeys: String, CodingKey, CaseIterable { case name, bundleIds }

        public init(name: String? = nil, bundleIds: [String]? = nil) {
            self.name = name
            self.bundleIds = bundleIds
        }
    }

    /// `POST …/apiKeys/{id}:rotate`: makes a new key for the same app; the old one is refused after the grace time.
    public struct RotateRequest: Codable, Sendable, KeyedBody {
        /// Default: 30 days, in which installed apps can be updated.
        public var graceSeconds: Int64?

        public enum CodingKeys: String, CodingKey, CaseIterable { case graceSeconds }

        public init(graceSeconds: Int64? = nil) { self.graceSeconds = graceSeconds }
    }

    /// `POST …/apiKeys:lookup`: which key this is. The answer does not repeat it.
    public struct LookUpAPIKeyRequest: Codable, Sendable, KeyedBody {
        public var key: String

        public enum CodingKeys: String, CodingKey, CaseIterable { case key }

        public init(key: String) { self.key = key }
    }

    public struct AdminToken: Codable, Sendable, Equatable {
        public var id: String
        public var name: String
        public var role: String
        /// Absent for one that acts in all projects.
        public var projectId: String?
        public var createTime: String
        public var createdBy: String
        public var endTime: String?
        /// True for one that has ended, also where a clock that was wrong gave it a later `endTime`; else absent.
        public var ended: Bool?
        /// The token itself, in the answer that makes it only.
        public var token: String?
        /// In the answer to the end of a token that had ended already: true.
        public var unchanged: Bool?

        public init(
            id: String, name: String, role: String, projectId: String?, createTime: String, createdBy: String,
            endTime: String?, token: String?
        ) {
            self.id = id
            self.name = name
            self.role = role
            self.projectId = projectId
            self.createTime = createTime
            self.createdBy = createdBy
            self.endTime = endTime
            self.token = token
        }
    }

    public struct AdminTokenList: Codable, Sendable {
        public var adminTokens: [AdminToken]?

        public init(adminTokens: [AdminToken]?) { self.adminTokens = adminTokens }
    }

    public struct CreateAdminTokenRequest: Codable, Sendable, KeyedBody {
        public var name: String
        public var role: String
        /// Nil for one without end.
        public var lifetimeSeconds: Int64?

        public enum CodingKeys: String, CodingKey, CaseIterable { case name, role, lifetimeSeconds }

        public init(name: String, role: String, lifetimeSeconds: Int64? = nil) {
            self.name = name
            self.role = role
            self.lifetimeSeconds = lifetimeSeconds
        }
    }
}
