public import HearthWire

/// Bodies of the calls that create, list, change and revoke keys and tokens of a project.
///
/// `serviceAccounts`, `apiKeys` and `adminTokens` are below `/hearth/v1/projects/{project}`; tokens for the whole
/// server are at `/hearth/v1/adminTokens`. `DELETE …/{id}` revokes one and answers with its new state. For an account,
/// `DELETE …/{email}/keys/{id}` revokes one key, and `DELETE …/{email}` all its keys; with `?endTokens=true` also the
/// admin tokens that it created. Only the answer that creates a secret contains it. Times are RFC 3339.
public enum KeyBodies {
    /// An account of admin tools.
    public struct ServiceAccount: Codable, Sendable, Equatable {
        /// The account's address, to which no mail can be sent.
        public var email: String
        /// `owner`, `publisher` or `viewer`.
        public var role: String
        /// Whether the account may also create projects and act in all of them; left out when false.
        public var `operator`: Bool?
        /// When it was created.
        public var createTime: String
        /// The keys, oldest first, including those that have ended.
        public var keys: [AccountKey]?
        /// In the answer to a revocation: the admin tokens that the account created and that were active before. They
        /// stay active, unless the call had `endTokens=true`.
        public var adminTokens: [AdminToken]?
        /// In the answer to a revocation: how many shared links ended with it; absent for none.
        public var endedLinks: Int?

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
        /// The key's id, which is not secret.
        public var id: String
        /// When it was created.
        public var createTime: String
        /// When the server begins to refuse it; nil for a key without an end.
        public var endTime: String?
        /// True for one that has ended, even if a wrong clock gave it a later `endTime`; otherwise absent.
        public var ended: Bool?
        /// See `ServiceAccount`.
        public var adminTokens: [AdminToken]?
        /// See `ServiceAccount`.
        public var endedLinks: Int?

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

    /// Creates an account and its first key. The answer is the key file, a `ServiceAccountKey`, as is that of `POST
    /// …/serviceAccounts/{email}/keys`, which has no body.
    public struct CreateServiceAccountRequest: Codable, Sendable, KeyedBody {
        /// The part of the email before the `@`: `[a-z][a-z0-9-]{0,29}`.
        public var name: String
        /// `owner`, `publisher` or `viewer`.
        public var role: String
        /// Whether the account may also create projects and act in all of them. Only operators may set it, and the role
        /// must be `owner`.
        public var `operator`: Bool?

        package enum CodingKeys: String, CodingKey, CaseIterable { case name, role, `operator` }

        /// Makes one with these values.
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

        /// Makes one with these values.
        public init(role: String) { self.role = role }
    }

    /// An API key, with which an app is built.
    public struct APIKey: Codable, Sendable, Equatable {
        /// The key's id, which is not secret.
        public var id: String
        /// The key's name, for readers.
        public var name: String
        /// The id of the key's app.
        public var appId: String
        /// The bundle ids or package names that may use it; left out for any.
        public var bundleIds: [String]?
        /// When it was created.
        public var createTime: String
        /// When the server begins to refuse it; nil for a key without an end.
        public var endTime: String?
        /// True for one that has ended, even if a wrong clock gave it a later `endTime`; otherwise absent.
        public var ended: Bool?
        /// The key itself, only in the answer that creates it.
        public var key: String?
        /// True in the answer to a revocation when the key had ended already.
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

    /// The properties of a new API key.
    public struct CreateAPIKeyRequest: Codable, Sendable, KeyedBody {
        /// The key's name, for readers.
        public var name: String
        /// `ios`, `android` or `web`; it becomes part of the app id. Default: `ios`.
        public var platform: String?
        /// The id of an app that has a key already; nil creates a new app id.
        public var appId: String?
        /// The bundle ids or package names that may use it; nil for any.
        public var bundleIds: [String]?

        package enum CodingKeys: String, CodingKey, CaseIterable { case name, platform, appId, bundleIds }

        /// Makes one with these values.
        public init(name: String, platform: String? = nil, appId: String? = nil, bundleIds: [String]? = nil) {
            self.name = name
            self.platform = platform
            self.appId = appId
            self.bundleIds = bundleIds
        }
    }

    /// `PATCH …/apiKeys/{id}`. Fields that are nil stay unchanged; an empty list removes the restriction.
    public struct UpdateAPIKeyRequest: Codable, Sendable, KeyedBody {
        /// The key's name, for readers.
        public var name: String?
        /// The bundle ids or package names that may use it.
        public var bundleIds: [String]?

        package enum CodingKeys: String, CodingKey, CaseIterable { case name, bundleIds }

        /// Makes one with these values.
        public init(name: String? = nil, bundleIds: [String]? = nil) {
            self.name = name
            self.bundleIds = bundleIds
        }
    }

    /// `POST …/apiKeys/{id}:rotate`: creates a new key for the same app. The server refuses the old one after the grace
    /// time.
    public struct RotateRequest: Codable, Sendable, KeyedBody {
        /// The grace time in seconds, during which installed apps can be updated; default 30 days.
        public var graceSeconds: Int64?

        package enum CodingKeys: String, CodingKey, CaseIterable { case graceSeconds }

        /// Makes one with these values.
        public init(graceSeconds: Int64? = nil) { self.graceSeconds = graceSeconds }
    }

    /// `POST …/apiKeys:lookup`: finds out which key this is. The answer does not repeat it.
    package struct LookUpAPIKeyRequest: Codable, Sendable, KeyedBody {
        package var key: String

        package enum CodingKeys: String, CodingKey, CaseIterable { case key }

        package init(key: String) { self.key = key }
    }

    /// An admin token, with which scripts sign in.
    public struct AdminToken: Codable, Sendable, Equatable {
        /// The token's id, which is not secret.
        public var id: String
        /// The token's name, for readers.
        public var name: String
        /// `owner`, `publisher` or `viewer`.
        public var role: String
        /// The token's project; absent for one that may act in all projects.
        public var projectId: String?
        /// When it was created.
        public var createTime: String
        /// Who created it: a service account's email, or `token:{id}`.
        public var createdBy: String
        /// When the server begins to refuse it; nil for a token without an end.
        public var endTime: String?
        /// True for one that has ended, even if a wrong clock gave it a later `endTime`; otherwise absent.
        public var ended: Bool?
        /// The token itself, only in the answer that creates it.
        public var token: String?
        /// True in the answer to a revocation when the token had ended already.
        public var unchanged: Bool?
        /// In the answer to a revocation: how many shared links ended with the token; absent for none.
        public var endedLinks: Int?

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

    /// The properties of a new admin token.
    public struct CreateAdminTokenRequest: Codable, Sendable, KeyedBody {
        /// The token's name, for readers.
        public var name: String
        /// `owner`, `publisher` or `viewer`.
        public var role: String
        /// How many seconds the token is valid; nil for a token without an end.
        public var lifetimeSeconds: Int64?

        package enum CodingKeys: String, CodingKey, CaseIterable { case name, role, lifetimeSeconds }

        /// Makes one with these values.
        public init(name: String, role: String, lifetimeSeconds: Int64? = nil) {
            self.name = name
            self.role = role
            self.lifetimeSeconds = lifetimeSeconds
        }
    }
}
