public import HearthCalls
public import HearthWire

/// Service accounts, API keys and admin tokens of a project.
///
/// An account may be named by its name, such as `ci`, or by its email address.
extension AdminClient {
    /// The service accounts and their keys.
    ///
    /// - Throws: ``AdminError``.
    public func serviceAccounts() throws(AdminError) -> [KeyBodies.ServiceAccount] {
        try call(KeyBodies.ServiceAccountList.self, .get(projectPath("serviceAccounts"))).serviceAccounts ?? []
    }

    /// Makes a service account.
    ///
    /// - Returns: its first key, a secret that the server shows only once.
    /// - Throws: ``AdminError``.
    public func createServiceAccount(
        _ body: KeyBodies.CreateServiceAccountRequest
    ) throws(AdminError) -> ServiceAccountKey {
        try call(.change("POST", projectPath("serviceAccounts"), body: body))
    }

    /// Changes what a service account may do, from its next call on.
    ///
    /// - Throws: ``AdminError``.
    public func updateServiceAccount(
        _ account: String, _ body: KeyBodies.UpdateServiceAccountRequest
    ) throws(AdminError) -> KeyBodies.ServiceAccount {
        try call(.change("PATCH", accountPath(account), body: body))
    }

    /// Makes another key for a service account.
    ///
    /// - Returns: the key, a secret that the server shows only once.
    /// - Throws: ``AdminError``.
    public func addKey(to account: String) throws(AdminError) -> ServiceAccountKey {
        try call(.change("POST", accountPath(account) + "/keys"))
    }

    /// Revokes one key of a service account.
    ///
    /// - Parameter revokesTokens: whether to revoke also the admin tokens that the account made.
    /// - Returns: what the account made before.
    /// - Throws: ``AdminError``.
    public func revokeKey(
        _ id: String, of account: String, revokesTokens: Bool
    ) throws(AdminError) -> AccountRevocation {
        let path = try accountPath(account) + "/keys/" + AdminRequest.encoded(id) + Self.ending(revokesTokens)
        let key = try call(KeyBodies.AccountKey.self, .change("DELETE", path))
        return AccountRevocation(adminTokens: key.adminTokens ?? [], endedLinks: key.endedLinks ?? 0)
    }

    /// Revokes a service account with all its keys.
    ///
    /// - Parameter revokesTokens: as in `revokeKey`.
    /// - Returns: as for `revokeKey`.
    /// - Throws: ``AdminError``.
    public func revokeServiceAccount(
        _ account: String, revokesTokens: Bool
    ) throws(AdminError) -> AccountRevocation {
        let path = try accountPath(account) + Self.ending(revokesTokens)
        let left = try call(KeyBodies.ServiceAccount.self, .change("DELETE", path))
        return AccountRevocation(adminTokens: left.adminTokens ?? [], endedLinks: left.endedLinks ?? 0)
    }

    private static func ending(_ revokesTokens: Bool) -> String { revokesTokens ? "?endTokens=true" : "" }

    private func accountPath(_ account: String) throws(AdminError) -> String {
        try projectPath("serviceAccounts", ServiceAccountName.email(account, project: project()))
    }

    /// The API keys of apps, including revoked ones, without the secrets.
    ///
    /// - Throws: ``AdminError``.
    public func apiKeys() throws(AdminError) -> [KeyBodies.APIKey] {
        try call(KeyBodies.APIKeyList.self, .get(projectPath("apiKeys"))).apiKeys ?? []
    }

    /// Makes an API key for an app.
    ///
    /// - Returns: the key, a secret that the server shows only once.
    /// - Throws: ``AdminError``.
    public func createAPIKey(_ body: KeyBodies.CreateAPIKeyRequest) throws(AdminError) -> KeyBodies.APIKey {
        try call(.change("POST", projectPath("apiKeys"), body: body))
    }

    /// The API key with this id; nil if the project has none.
    ///
    /// - Throws: ``AdminError``.
    public func apiKey(_ id: String) throws(AdminError) -> KeyBodies.APIKey? { try apiKeys().first { $0.id == id } }

    /// Which of the project's API keys this secret is.
    ///
    /// - Throws: ``AdminError``.
    public func lookUpAPIKey(_ key: String) throws(AdminError) -> KeyBodies.APIKey {
        try call(.change("POST", projectPath("apiKeys") + ":lookup", body: KeyBodies.LookUpAPIKeyRequest(key: key)))
    }

    /// Changes an API key's name, or which apps may use it.
    ///
    /// - Throws: ``AdminError``.
    public func updateAPIKey(
        _ id: String, _ body: KeyBodies.UpdateAPIKeyRequest
    ) throws(AdminError) -> KeyBodies.APIKey {
        try call(.change("PATCH", projectPath("apiKeys", id), body: body))
    }

    /// Makes a new API key for the same app. The old one stays valid until the grace time is over.
    ///
    /// - Returns: the new key, a secret that the server shows only once.
    /// - Throws: ``AdminError``.
    public func rotateAPIKey(_ id: String, _ body: KeyBodies.RotateRequest) throws(AdminError) -> KeyBodies.APIKey {
        try call(.change("POST", projectPath("apiKeys", id) + ":rotate", body: body))
    }

    /// Revokes an API key: apps that were built with it get no models any more.
    ///
    /// - Throws: ``AdminError``.
    public func revokeAPIKey(_ id: String) throws(AdminError) -> KeyBodies.APIKey {
        try call(.change("DELETE", projectPath("apiKeys", id)))
    }

    /// Admin tokens of the project, or of the server as a whole.
    ///
    /// - Throws: ``AdminError``.
    public func adminTokens(ofServer: Bool) throws(AdminError) -> [KeyBodies.AdminToken] {
        try call(KeyBodies.AdminTokenList.self, .get(tokensPath(ofServer))).adminTokens ?? []
    }

    /// Makes an admin token for the project, or for the server as a whole.
    ///
    /// - Returns: the token, a secret that the server shows only once.
    /// - Throws: ``AdminError``.
    public func createAdminToken(
        _ body: KeyBodies.CreateAdminTokenRequest, ofServer: Bool
    ) throws(AdminError) -> KeyBodies.AdminToken {
        try call(.change("POST", tokensPath(ofServer), body: body))
    }

    /// Revokes an admin token: the server refuses it from then on.
    ///
    /// - Throws: ``AdminError``.
    public func revokeAdminToken(_ id: String, ofServer: Bool) throws(AdminError) -> KeyBodies.AdminToken {
        try call(.change("DELETE", tokensPath(ofServer) + "/" + AdminRequest.encoded(id)))
    }

    private func tokensPath(_ ofServer: Bool) throws(AdminError) -> String {
        ofServer ? "/hearth/v1/adminTokens" : try projectPath("adminTokens")
    }
}

/// What became of things that an account had made when it, or one of its keys, was revoked.
public struct AccountRevocation: Sendable, Equatable {
    /// The admin tokens that the account made and that were valid until now. They are revoked only if the call asked for that.
    public var adminTokens: [KeyBodies.AdminToken]
    /// How many shared links of the account, and of the tokens that were revoked, have ended.
    public var endedLinks: Int
}
