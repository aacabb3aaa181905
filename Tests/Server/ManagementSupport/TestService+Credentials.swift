import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthStorage
import HearthWire
import Testing

extension RateLimits {
    static var unlimited: RateLimits {
        var limits = RateLimits()
        limits.address.requestsPerMinute = 0
        limits.installation.requestsPerMinute = 0
        return limits
    }
}

/// Keys and tokens made behind the service's back, and calls with them.
extension TestService {
    /// A token for `project`, nil for the server as a whole.
    func adminToken(_ role: Role, in project: String? = "project-a", ends: Int64? = nil) throws -> String {
        let made = NewAdminToken(
            projectID: project, name: "test", role: role, createdBy: "test", nowMicroseconds: 0, endsMicroseconds: ends)
        try services.metadata.write { try $0.insert(made.record) }
        return made.token
    }

    /// An account with a key; its RSA key is that of the project's first account.
    func addAccount(
        _ name: String, _ role: Role, isOperator: Bool = false, of start: NewProject? = nil
    ) throws -> AccountKey {
        let start = start ?? a
        let account = ServiceAccount(
            email: ServiceAccountName.email(name, project: start.project.id), projectID: start.project.id,
            role: role, isOperator: isOperator, createdMicroseconds: 0)
        return try services.metadata.write { store in
            try store.insert(account)
            return try addKey(to: account.email, like: start.accountKey, store)
        }
    }

    /// A further key of an account.
    func addKey(to email: String) throws -> AccountKey {
        try services.metadata.write { try addKey(to: email, like: a.accountKey, $0) }
    }

    private func addKey(to email: String, like other: AccountKey, _ store: any MetadataWriter) throws -> AccountKey {
        var key = other
        key.id = "key\(try store.accountKeys().count)"
        (key.email, key.clientID) = (email, "client-\(key.id)")
        try store.insert(key)
        return key
    }

    func accessToken(_ key: AccountKey) throws -> String {
        try services.accessTokens.issue(for: key, nowSeconds: time.now.seconds)
    }

    /// A call to `/hearth/v1/{path}`; without a token by project a's own account.
    func hearth(_ method: HTTPMethod, _ path: String, _ json: String = "", token: String? = nil) throws -> TestResponse
    {
        let token = try token ?? accessToken(a)
        return try call(
            method, "/hearth/v1/\(path)", headers: ["Authorization": "Bearer \(token)"], body: Array(json.utf8))
    }

    func audit(_ project: String? = "project-a") throws -> [AuditEntry] {
        try services.metadata.read { try $0.audit(project: project, before: nil, limit: 1000) }
    }

    /// `action subject` of the newest entries, oldest first.
    func auditLines(_ project: String? = "project-a") throws -> [String] {
        try audit(project).reversed().map { "\($0.actor) \($0.action) \($0.subject)" }
    }
}
