/// Bodies of the calls that make, list, change and end keys and tokens of a project.
///
/// `serviceAccounts`, `apiKeys` and `adminTokens` below `/hearth/v1/projects/{project}`; tokens for the whole server at
/// `/hearth/v1/adminTokens`. `DELETE …/{id}` ends one (of an account: `…/{email}/keys/{id}`, or `…/{email}` for all of its
/// keys; with `?endTokens=true` also the admin tokens that it made) and answers with it as it is then. Secrets are in the answer that makes them and in no other. Times are RFC 3339.
package enum KeyBodies {
    package struct ServiceAccount: Codable, Sendable, Equatable {
        package var email: String
        /// `owner`, `publisher` or `viewer`.
        package var role: String
        /// May also make projects and act in all of them; left out when false.
        package var `operator`: Bool?
        package var createTime: String
        /// Oldest first; ended ones too.
        package var keys: [AccountKey]?
        /// In the answer to a revocation: the admin tokens that the account made and that were active before. They go on,
        /// unless the call had `endTokens=true`.
        package var adminTokens: [AdminToken]?

        package init(email: String, role: String, operator: Bool?, createTime: String, keys: [AccountKey]?) {
            self.email = email
            self.role = role
            self.operator = `operator`
            self.createTime = createTime
            self.keys = keys
        }
    }

    package struct AccountKey: Codable, Sendable, Equatable {
        package var id: String
        package var createTime: String
        /// From then on it is refused.
        package var endTime: String?
        /// As in `ServiceAccount`.
        package var adminTokens: [AdminToken]?

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
    package struct CreateServiceAccountRequest: Codable, Sendable, KeyedBody {
        /// The part of the email before the `@`: `[a-z][a-z0-9-]{0,29}`.
        package var name: String
        package var role: String
        /// May also make projects and act in all of them. Operators may ask for that; the role must be `owner`.
        package var `operator`: Bool?

        package enum CodingKeys: String, CodingKey, CaseIterable { case name, role, `operator` }

        package init(name: String, role: String, operator: Bool? = nil) {
            self.name = name
            self.role = role
            self.operator = `operator`
        }
    }

    /// `PATCH …/serviceAccounts/{email}`.
    package struct UpdateServiceAccountRequest: Codable, Sendable, KeyedBody {
        package var role: String

        package enum CodingKeys: String, CodingKey, CaseIterable { case role }

        package init(role: String) { self.role = role }
    }

    package struct APIKey: Codable, Sendable, Equatable {
        package var id: String
        package var name: String
        package var appId: String
        /// Bundle ids or package names that may use it; left out for any.
        package var bundleIds: [String]?
        package var createTime: String
        package var endTime: String?
        /// True for one that has ended, also where a clock that was wrong gave it a later `endTime`; else absent.
        package var ended: Bool?
        /// The key itself, in the answer that makes it only.
        package var key: String?
        /// In the answer to the end of a key that had ended already: true.
        package var unchanged: Bool?

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

    package struct CreateAPIKeyRequest: Codable, Sendable, KeyedBody {
        package var name: String
        /// `ios`, `android` or `web`; it becomes part of the app id. Default: `ios`.
        package var platform: String?
        /// An app that has a key already; nil makes a new app id.
        package var appId: String?
        package var bundleIds: [String]?

        package enum CodingKeys: String, CodingKey, CaseIterable { case name, platform, appId, bundleIds }

        package init(name: String, platform: String? = nil, appId: String? = nil, bundleIds: [String]? = nil) {
            self.name = name
            self.platform = platform
            self.appId = appId
            self.bundleIds = bundleIds
        }
    }

    /// `PATCH …/apiKeys/{id}`; what is nil stays, an empty list lifts the restriction.
    package struct UpdateAPIKeyRequest: Codable, Sendable, KeyedBody {
        package var name: String?
        package var bundleIds: [String]?

        package enum CodingKeys: String, CodingKey, CaseIterable { case name, bundleIds }

        package init(name: String? = nil, bundleIds: [String]? = nil) {
            self.name = name
            self.bundleIds = bundleIds
        }
    }

    /// `POST …/apiKeys/{id}:rotate`: makes a new key for the same app; the old one is refused after the grace time.
    package struct RotateRequest: Codable, Sendable, KeyedBody {
        /// Default: 30 days, in which installed apps can be updated.
        package var graceSeconds: Int64?

        package enum CodingKeys: String, CodingKey, CaseIterable { case graceSeconds }

        package init(graceSeconds: Int64? = nil) { self.graceSeconds = graceSeconds }
    }

    /// `POST …/apiKeys:lookup`: which key this is. The answer does not repeat it.
    package struct LookUpAPIKeyRequest: Codable, Sendable, KeyedBody {
        package var key: String

        package enum CodingKeys: String, CodingKey, CaseIterable { case key }

        package init(key: String) { self.key = key }
    }

    package struct AdminToken: Codable, Sendable, Equatable {
        package var id: String
        package var name: String
        package var role: String
        /// Absent for one that acts in all projects.
        package var projectId: String?
        package var createTime: String
        package var createdBy: String
        package var endTime: String?
        /// True for one that has ended, also where a clock that was wrong gave it a later `endTime`; else absent.
        package var ended: Bool?
        /// The token itself, in the answer that makes it only.
        package var token: String?
        /// In the answer to the end of a token that had ended already: true.
        package var unchanged: Bool?

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

    package struct CreateAdminTokenRequest: Codable, Sendable, KeyedBody {
        package var name: String
        package var role: String
        /// Nil for one without end.
        package var lifetimeSeconds: Int64?

        package enum CodingKeys: String, CodingKey, CaseIterable { case name, role, lifetimeSeconds }

        package init(name: String, role: String, lifetimeSeconds: Int64? = nil) {
            self.name = name
            self.role = role
            self.lifetimeSeconds = lifetimeSeconds
        }
    }
}
