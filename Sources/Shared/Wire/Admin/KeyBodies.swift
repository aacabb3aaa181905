/// Bodies of the calls that make, list, change and end keys and tokens of a project.
///
/// `serviceAccounts`, `apiKeys` and `adminTokens` below `/hearth/v1/projects/{project}`; tokens for the whole server at
/// `/hearth/v1/adminTokens`. `DELETE …/{id}` ends one (of an account: `…/{email}/keys/{id}`, or `…/{email}` for all of its
/// keys; with `?endTokens=true` also the admin tokens that it made) and answers with it as it is then. Secrets are in the answer that makes them and in no other. Times are RFC 3339.
public enum KeyBodies {
    /// An account of admin tools.
    public struct ServiceAccount: Codable, Sendable, Equatable {
        /// The account's address; nothing can be sent to it.
        public var email: String
        /// `owner`, `publisher` or `viewer`.
        public var role: String
        /// May also make projects and act in all of them; left out when false.
        public var `operator`: Bool?
        /// When it was made.
        public var createTime: String
        /// Oldest first; ended ones too.
        public var keys: [AccountKey]?
        /// In the answer to a revocation: the admin tokens that the account made and that were active before. They go on,
        /// unless the call had `endTokens=true`.
        public var adminTokens: [AdminToken]?

        package init(email: String, role: String, operator: Bool?, createTime: String, keys: [AccountKey]?) {
            self.email = email
            self.role = role
            self.operator = `operator`
            self.createTime = createTime
            self.keys = keys
        }
    }

    /// A key of a service account.
    public struct AccountKey: Codable, Sendable, Equatable {
        /// The key's id, which is no secret.
        public var id: String
        /// When it was made.
        public var createTime: String
        /// From then on it is refused.
        public var endTime: String?
        /// As in `ServiceAccount`.
        public var adminTokens: [AdminToken]?

        package init(id: String, createTime: String, endTime: String?) {
            self.id = id
            self.createTime = createTime
            self.endTime = endTime
        }
    }

    package struct ServiceAccountList: Codable, Sendable {
        package var serviceAccounts: [ServiceAccount]?

        package init(serviceAccounts: [ServiceAccount]?) { self.serviceAccounts = serviceAccounts }
    }

    /// Makes the account and its first key; the answer is the key file, a `ServiceAccountKey`. So is that of
    /// `POST …/serviceAccounts/{email}/keys`, which has no body.
    public struct CreateServiceAccountRequest: Codable, Sendable, KeyedBody {
        /// The part of the email before the `@`: `[a-z][a-z0-9-]{0,29}`.
        public var name: String
        /// `owner`, `publisher` or `viewer`.
        public var role: String
        /// May also make projects and act in all of them. Operators may ask for that; the role must be `owner`.
        public var `operator`: Bool?

        package enum CodingKeys: String, CodingKey, CaseIterable { case name, role, `operator` }

        /// One with these values.
        public init(name: String, role: String, operator: Bool? = nil) {
            self.name = name
            self.role = role
            self.operator = `operator`
        }
    }

    /// `PATCH …/serviceAccounts/{email}`.
    public struct UpdateServiceAccountRequest: Codable, Sendable, KeyedBody {
        /// `owner`, `publisher` or `viewer`.
        public var role: String

        package enum CodingKeys: String, CodingKey, CaseIterable { case role }

        /// One with these values.
        public init(role: String) { self.role = role }
    }

    /// A key that apps are built with.
    public struct APIKey: Codable, Sendable, Equatable {
        /// The key's id, which is no secret.
        public var id: String
        /// The key's name, for people.
        public var name: String
        /// The app that the key is for.
        public var appId: String
        /// Bundle ids or package names that may use it; left out for any.
        public var bundleIds: [String]?
        /// When it was made.
        public var createTime: String
        /// From then on the server refuses it; nil for a key without end.
        public var endTime: String?
        /// True for one that has ended, also where a clock that was wrong gave it a later `endTime`; else absent.
        public var ended: Bool?
        /// The key itself, in the answer that makes it only.
        public var key: String?
        /// In the answer to the end of a key that had ended already: true.
        public var unchanged: Bool?

        package init(
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

    package struct APIKeyList: Codable, Sendable {
        package var apiKeys: [APIKey]?

        package init(apiKeys: [APIKey]?) { self.apiKeys = apiKeys }
    }

    /// What a new API key is to be.
    public struct CreateAPIKeyRequest: Codable, Sendable, KeyedBody {
        /// The key's name, for people.
        public var name: String
        /// `ios`, `android` or `web`; it becomes part of the app id. Default: `ios`.
        public var platform: String?
        /// An app that has a key already; nil makes a new app id.
        public var appId: String?
        /// Bundle ids or package names that may use it; nil for any.
        public var bundleIds: [String]?

        package enum CodingKeys: String, CodingKey, CaseIterable { case name, platform, appId, bundleIds }

        /// One with these values.
        public init(name: String, platform: String? = nil, appId: String? = nil, bundleIds: [String]? = nil) {
            self.name = name
            self.platform = platform
            self.appId = appId
            self.bundleIds = bundleIds
        }
    }

    /// `PATCH …/apiKeys/{id}`; what is nil stays, an empty list lifts the restriction.
    public struct UpdateAPIKeyRequest: Codable, Sendable, KeyedBody {
        /// The key's name, for people.
        public var name: String?
        /// Bundle ids or package names that may use it.
        public var bundleIds: [String]?

        package enum CodingKeys: String, CodingKey, CaseIterable { case name, bundleIds }

        /// One with these values.
        public init(name: String? = nil, bundleIds: [String]? = nil) {
            self.name = name
            self.bundleIds = bundleIds
        }
    }

    /// `POST …/apiKeys/{id}:rotate`: makes a new key for the same app; the old one is refused after the grace time.
    public struct RotateRequest: Codable, Sendable, KeyedBody {
        /// Default: 30 days, in which installed apps can be updated.
        public var graceSeconds: Int64?

        package enum CodingKeys: String, CodingKey, CaseIterable { case graceSeconds }

        /// One with these values.
        public init(graceSeconds: Int64? = nil) { self.graceSeconds = graceSeconds }
    }

    /// `POST …/apiKeys:lookup`: which key this is. The answer does not repeat it.
    package struct LookUpAPIKeyRequest: Codable, Sendable, KeyedBody {
        package var key: String

        package enum CodingKeys: String, CodingKey, CaseIterable { case key }

        package init(key: String) { self.key = key }
    }

    /// A token that scripts sign in with.
    public struct AdminToken: Codable, Sendable, Equatable {
        /// The token's id, which is no secret.
        public var id: String
        /// The token's name, for people.
        public var name: String
        /// `owner`, `publisher` or `viewer`.
        public var role: String
        /// Absent for one that acts in all projects.
        public var projectId: String?
        /// When it was made.
        public var createTime: String
        /// Who made it: a service account's email, or `token:{id}`.
        public var createdBy: String
        /// From then on the server refuses it; nil for a token without end.
        public var endTime: String?
        /// True for one that has ended, also where a clock that was wrong gave it a later `endTime`; else absent.
        public var ended: Bool?
        /// The token itself, in the answer that makes it only.
        public var token: String?
        /// In the answer to the end of a token that had ended already: true.
        public var unchanged: Bool?

        package init(
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

    package struct AdminTokenList: Codable, Sendable {
        package var adminTokens: [AdminToken]?

        package init(adminTokens: [AdminToken]?) { self.adminTokens = adminTokens }
    }

    /// What a new admin token is to be.
    public struct CreateAdminTokenRequest: Codable, Sendable, KeyedBody {
        /// The token's name, for people.
        public var name: String
        /// `owner`, `publisher` or `viewer`.
        public var role: String
        /// Nil for one without end.
        public var lifetimeSeconds: Int64?

        package enum CodingKeys: String, CodingKey, CaseIterable { case name, role, lifetimeSeconds }

        /// One with these values.
        public init(name: String, role: String, lifetimeSeconds: Int64? = nil) {
            self.name = name
            self.role = role
            self.lifetimeSeconds = lifetimeSeconds
        }
    }
}
