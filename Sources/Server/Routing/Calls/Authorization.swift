package import HearthCatalog
package import HearthHTTP
package import HearthIdentity
package import HearthServing
package import HearthWire

/// A checked admin call for a project.
package struct AdminCall: Sendable {
    package let project: Project
    package let principal: Principal

    /// The service account's email, or `token:{id}`.
    package var actor: String { principal.actor }
}

/// A call with one of a project's API keys.
package struct KeyedCall: Sendable {
    package let part: ServingSnapshot.ProjectPart
    fileprivate let served: ServingSnapshot.ServedKey

    package var key: APIKey { served.record }
}

/// A device's call: the API key and the installation's token.
package struct DeviceCall: Sendable {
    package var part: ServingSnapshot.ProjectPart
    package let installation: InstallationTokens.Claims
    /// When the call was checked.
    package let now: Timestamp
    /// When the call was checked, on the clock that links are signed with.
    package let signingSeconds: Int64
}

/// The table of calls says which role a call needs. Viewers may read models, versions and releases. Publishers may
/// upload, change and release them. Owners may read and change keys and tokens, and read the audit log. Operators may
/// create projects, and make changes to the whole server.
///
/// A refusal reveals nothing to an outsider: a missing project looks like one that the caller has no access to.
extension RouteContext {
    /// An admin call for a project: `Authorization: Bearer …` with an access token or an admin token.
    ///
    /// - Parameter name: of the project: its id or its number. Refusals repeat it as it is, so that nobody learns the id that
    ///   goes with a number.
    package func adminCall(_ head: RequestHead, project name: String, atLeast role: Role) throws -> AdminCall {
        try countingFailure(head) {
            try found { snapshot in
                let principal = try identified(head, snapshot)
                let part = snapshot.project(named: name)
                guard principal.isMember(of: part?.project.id ?? name) else {
                    throw APIError(.permissionDenied, "The caller does not have permission for the project '\(name)'.")
                }
                guard let part else { throw APIError(.notFound, "There is no project '\(name)'.") }
                guard principal.role >= role else {
                    throw APIError(.permissionDenied, Self.lacking(role, principal))
                }
                return AdminCall(project: part.project, principal: principal)
            }
        }
    }

    /// An admin call about the whole server.
    package func operatorCall(_ head: RequestHead) throws -> Principal {
        let principal = try authenticated(head)
        guard principal.isOperator else {
            throw APIError(
                .permissionDenied,
                "This call requires an operator of the server." + (principal.isReadOnly ? " " + Self.readOnlyToken : "")
            )
        }
        return principal
    }

    private static func lacking(_ role: Role, _ principal: Principal) -> String {
        guard !principal.isReadOnly else { return "This call needs the role \(role.rawValue). \(readOnlyToken)" }
        return "This call needs the role \(role.rawValue); the caller is \(principal.role.rawValue)."
    }

    private static let readOnlyToken =
        "The access token has read-only scopes and therefore the role viewer."

    /// The principal that makes the admin call.
    ///
    /// - Parameter allowsMirror: whether a token of a follower may make it.
    package func authenticated(_ head: RequestHead, allowsMirror: Bool = false) throws -> Principal {
        let principal = try countingFailure(head) { try found { try identified(head, $0) } }
        guard allowsMirror || principal.role != .mirror else {
            throw APIError(.permissionDenied, "A token of the role mirror only copies the server to a follower.")
        }
        return principal
    }

    /// A call of a follower: with a token of the role mirror, or of an operator.
    package func mirrorCall(_ head: RequestHead) throws -> Principal {
        let principal = try authenticated(head, allowsMirror: true)
        guard principal.projectID == nil, principal.role == .mirror || principal.isOperator else {
            throw APIError(
                .permissionDenied,
                "This call requires a token of the role mirror: hearth keys token create NAME --server --role mirror")
        }
        return principal
    }

    /// What `body` finds in the newest snapshot. If it refuses the caller, another server may have changed something a
    /// moment ago; so it looks once more in a snapshot with that change.
    package func found<Result>(_ body: (ServingSnapshot) throws -> Result) throws -> Result {
        let snapshot = try serving.forAdmins()
        do {
            return try body(snapshot)
        } catch let refusal as APIError
            where [.unauthenticated, .permissionDenied, .notFound].contains(refusal.status)
        {
            guard let newer = serving.newer(than: snapshot) else { throw refusal }
            return try body(newer)
        }
    }

    /// Counts a call that proves no identity.
    private func countingFailure<Result>(_ head: RequestHead, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let refusal as APIError where refusal.status == .unauthenticated && head.checkedCaller == nil {
            throw unauthenticated(head, refusal)
        }
    }

    /// - Throws: 401 for a caller whom the snapshot does not know.
    private func identified(_ head: RequestHead, _ snapshot: ServingSnapshot) throws(APIError) -> Principal {
        if let caller = head.checkedCaller as? CheckedCaller {
            let principal = try principal(caller, snapshot.admins)
            // So that the logs name the person whose call is refused.
            head.notes.actor = principal.actor
            return principal
        }
        let token = head.headers["Authorization"].flatMap { Self.credentials($0, scheme: "Bearer") }
        var refusal =
            "Request had invalid authentication credentials. Expected an OAuth 2 access token of this server."
        do throws(InactiveCredential) {
            if let token, let principal = try principal(token, snapshot.admins) {
                head.notes.actor = principal.actor
                return principal
            }
        } catch {
            refusal = error.message
        }
        throw APIError(.unauthenticated, refusal)
    }

    /// - Throws: 401 if the caller's key or token has ended.
    package func principal(_ caller: CheckedCaller, _ admins: AdminDirectory) throws(APIError) -> Principal {
        switch caller {
        case .sharedLink(let link):
            return Principal(link)
        case .signedIn(let credential):
            do throws(InactiveCredential) {
                let now = services.clock.moment.expiryMicroseconds
                guard let principal = try admins.principal(of: credential, nowMicroseconds: now) else {
                    throw InactiveCredential.removed
                }
                return principal
            } catch {
                throw APIError(.unauthenticated, error.message)
            }
        }
    }

    private func principal(_ token: String, _ admins: AdminDirectory) throws(InactiveCredential) -> Principal? {
        let now = services.clock.moment
        if token.hasPrefix(NewAdminToken.prefix) {
            return try admins.principal(ofAdminToken: token, nowMicroseconds: now.expiryMicroseconds)
        }
        let claims: AccessTokens.Claims?
        do throws(AccessTokens.Expired) {
            claims = try services.accessTokens.verify(token, nowSeconds: now.signingSeconds)
        } catch {
            throw .accessToken
        }
        return try claims.flatMap { claims throws(InactiveCredential) in
            try admins.principal(of: claims, nowMicroseconds: now.expiryMicroseconds)
        }
    }

    /// A call with one of the project's API keys, in the header `x-goog-api-key` or the query item `key`.
    ///
    /// - Parameter name: of the project: its id or its number.
    package func apiKeyCall(_ head: RequestHead, project name: String) throws -> KeyedCall {
        try apiKeyCall(head, project: name, services.clock.moment)
    }

    private func apiKeyCall(_ head: RequestHead, project name: String, _ now: ServerClock.Moment) throws -> KeyedCall {
        guard let text = head.headers[WireHeader.apiKey] ?? head.query.first("key") else {
            throw unauthenticated(head, APIError(.permissionDenied, "The request is missing a valid API key."))
        }
        guard let (part, key) = try servedKey(text, project: name, now) else {
            throw unauthenticated(
                head, APIError(.permissionDenied, "API key not valid. Please pass the API key of this project."))
        }
        guard key.isActive(atMicroseconds: now.expiryMicroseconds) else {
            throw unauthenticated(head, APIError(.permissionDenied, "API key expired. Please renew the API key."))
        }
        if let refusal = AppRestriction.refusal(of: head, allowing: key.record.bundleIDs) {
            throw unauthenticated(head, refusal)
        }
        head.notes.actor = key.record.id
        try limiter.key.admit(key.record.id, nowMicroseconds: now.monotonicMicroseconds)
        return KeyedCall(part: part, served: key)
    }

    private func servedKey(
        _ text: String, project name: String, _ now: ServerClock.Moment
    ) throws -> (ServingSnapshot.ProjectPart, ServingSnapshot.ServedKey)? {
        let snapshot = try serving.forDevices(monotonicMicroseconds: now.monotonicMicroseconds)
        if let part = snapshot.project(named: name), let key = part.apiKey(text) { return (part, key) }
        guard let part = serving.newer(than: snapshot)?.project(named: name) else { return nil }
        return part.apiKey(text).map { (part, $0) }
    }

    /// A device's call: the API key and the installation's token.
    package func deviceCall(_ head: RequestHead, project name: String) throws -> DeviceCall {
        let now = services.clock.moment
        let keyed = try apiKeyCall(head, project: name, now)
        return try deviceCall(head, keyed, token: head.headers[WireHeader.installationToken], now)
    }

    /// A device's call whose API key was checked before. Its token may be in another place than the header.
    package func deviceCall(_ head: RequestHead, _ keyed: KeyedCall, token: String?) throws -> DeviceCall {
        try deviceCall(head, keyed, token: token, services.clock.moment)
    }

    private func deviceCall(
        _ head: RequestHead, _ keyed: KeyedCall, token: String?, _ now: ServerClock.Moment
    ) throws -> DeviceCall {
        let part = keyed.part
        guard let token, let claims = services.installationTokens.verify(token, nowSeconds: now.signingSeconds),
            claims.projectNumber == part.project.number
        else {
            throw unauthenticated(
                head, APIError(.unauthenticated, "The request is missing a valid installation token."))
        }
        head.notes.actor = InstallationLogName(id: claims.fid)
        try limiter.installation.admit(claims.fid, of: claims.projectNumber, nowMicroseconds: now.monotonicMicroseconds)
        return DeviceCall(
            part: part, installation: claims, now: Timestamp(microseconds: now.wallMicroseconds),
            signingSeconds: now.signingSeconds)
    }

    /// Counts a call that proves no identity.
    package func countUnauthenticated(_ head: RequestHead) throws(RateLimiter.Refusal) {
        try limiter.address.admit(ClientNetwork.name(of: head.remoteAddress), nowMicroseconds: monotonicMicroseconds)
    }

    /// How to refuse a call that proves no identity: with `error`, or because there were too many such calls.
    package func unauthenticated(_ head: RequestHead, _ error: APIError) -> APIError {
        do throws(RateLimiter.Refusal) {
            try countUnauthenticated(head)
            return error
        } catch let refusal {
            return APIError(refusal)
        }
    }

    /// What follows the scheme in an `Authorization` header.
    package static func credentials(_ header: String, scheme: String) -> String? {
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == scheme.lowercased() else { return nil }
        return String(parts[1])
    }
}

/// Whether the caller's app may use an API key. Apps can lie about their name, so this prevents only honest mistakes.
enum AppRestriction {
    /// Nil if a key with these bundle ids may be used.
    static func refusal(of head: RequestHead, allowing bundleIDs: [String]) -> APIError? {
        guard !bundleIDs.isEmpty else { return nil }
        let android = head.headers["X-Android-Package"]
        let shown = head.headers[WireHeader.bundleID] ?? android
        if let shown, bundleIDs.contains(shown) { return nil }
        let name = shown.map { String($0.prefix(128)) } ?? ""
        return APIError(
            .permissionDenied,
            "Requests from this \(android == nil ? "iOS" : "Android") client application"
                + " \(name.isEmpty ? "<empty>" : name) are blocked.")
    }
}
