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
        try call(AccountCalls.list, project()).serviceAccounts ?? []
    }

    /// Makes a service account.
    ///
    /// - Returns: its first key, a secret that the server shows only once.
    /// - Throws: ``AdminError``.
    public func createServiceAccount(
        _ body: KeyBodies.CreateServiceAccountRequest
    ) throws(AdminError) -> ServiceAccountKey {
        try call(AccountCalls.create, project(), body: body)
    }

    /// Changes what a service account may do, from its next call on.
    ///
    /// - Throws: ``AdminError``.
    public func updateServiceAccount(
        _ account: String, _ body: KeyBodies.UpdateServiceAccountRequest
    ) throws(AdminError) -> KeyBodies.ServiceAccount {
        try call(AccountCalls.update, project(), email(account), body: body)
    }

    /// Makes another key for a service account.
    ///
    /// - Returns: the key, a secret that the server shows only once.
    /// - Throws: ``AdminError``.
    public func addKey(to account: String) throws(AdminError) -> ServiceAccountKey {
        try call(AccountCalls.addKey, project(), email(account))
    }

    /// Revokes one key of a service account.
    ///
    /// - Parameter revokesTokens: whether to revoke also the admin tokens that the account made.
    /// - Returns: what the account made before.
    /// - Throws: ``AdminError``.
    public func revokeKey(
        _ id: String, of account: String, revokesTokens: Bool
    ) throws(AdminError) -> AccountRevocation {
        let key = try call(
            AccountCalls.revokeKey, project(), email(account), id, query: Self.ending(revokesTokens))
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
        let left = try call(AccountCalls.delete, project(), email(account), query: Self.ending(revokesTokens))
        return AccountRevocation(adminTokens: left.adminTokens ?? [], endedLinks: left.endedLinks ?? 0)
    }

    private static func ending(_ revokesTokens: Bool) -> [(String, String?)] {
        [("endTokens", revokesTokens ? "true" : nil)]
    }

    private func email(_ account: String) throws(AdminError) -> String {
        ServiceAccountName.email(account, project: try project())
    }

    /// The API keys of apps, including revoked ones, without the secrets.
    ///
    /// - Throws: ``AdminError``.
    public func apiKeys() throws(AdminError) -> [KeyBodies.APIKey] {
        try call(APIKeyCalls.list, project()).apiKeys ?? []
    }

    /// Makes an API key for an app.
    ///
    /// - Returns: the key, a secret that the server shows only once.
    /// - Throws: ``AdminError``.
    public func createAPIKey(_ body: KeyBodies.CreateAPIKeyRequest) throws(AdminError) -> KeyBodies.APIKey {
        try call(APIKeyCalls.create, project(), body: body)
    }

    /// The API key with this id; nil if the project has none.
    ///
    /// - Throws: ``AdminError``.
    public func apiKey(_ id: String) throws(AdminError) -> KeyBodies.APIKey? { try apiKeys().first { $0.id == id } }

    /// Which of the project's API keys this secret is.
    ///
    /// - Throws: ``AdminError``.
    public func lookUpAPIKey(_ key: String) throws(AdminError) -> KeyBodies.APIKey {
        try call(APIKeyCalls.lookUp, project(), body: KeyBodies.LookUpAPIKeyRequest(key: key))
    }

    /// Changes an API key's name, or which apps may use it.
    ///
    /// - Throws: ``AdminError``.
    public func updateAPIKey(
        _ id: String, _ body: KeyBodies.UpdateAPIKeyRequest
    ) throws(AdminError) -> KeyBodies.APIKey {
        try call(APIKeyCalls.update, project(), id, body: body)
    }

    /// Makes a new API key for the same app. The old one stays valid until the grace time is over.
    ///
    /// - Returns: the new key, a secret that the server shows only once.
    /// - Throws: ``AdminError``.
    public func rotateAPIKey(_ id: String, _ body: KeyBodies.RotateRequest) throws(AdminError) -> KeyBodies.APIKey {
        try call(APIKeyCalls.rotate, project(), id, body: body)
    }

    /// Revokes an API key: apps that were built with it get no models any more.
    ///
    /// - Throws: ``AdminError``.
    public func revokeAPIKey(_ id: String) throws(AdminError) -> KeyBodies.APIKey {
        try call(APIKeyCalls.revoke, project(), id)
    }

    /// Admin tokens of the project, or of the server as a whole.
    ///
    /// - Throws: ``AdminError``.
    public func adminTokens(ofServer: Bool) throws(AdminError) -> [KeyBodies.AdminToken] {
        let list =
            ofServer ? try call(AdminTokenCalls.ofServer.list) : try call(AdminTokenCalls.ofProject.list, project())
        return list.adminTokens ?? []
    }

    /// Makes an admin token for the project, or for the server as a whole.
    ///
    /// - Returns: the token, a secret that the server shows only once.
    /// - Throws: ``AdminError``.
    public func createAdminToken(
        _ body: KeyBodies.CreateAdminTokenRequest, ofServer: Bool
    ) throws(AdminError) -> KeyBodies.AdminToken {
        guard ofServer else { return try call(AdminTokenCalls.ofProject.create, project(), body: body) }
        return try call(AdminTokenCalls.ofServer.create, body: body)
    }

    /// Revokes an admin token: the server refuses it from then on.
    ///
    /// - Throws: ``AdminError``.
    public func revokeAdminToken(_ id: String, ofServer: Bool) throws(AdminError) -> KeyBodies.AdminToken {
        guard ofServer else { return try call(AdminTokenCalls.ofProject.revoke, project(), id) }
        return try call(AdminTokenCalls.ofServer.revoke, id)
    }
}

/// What became of things that an account had made when it, or one of its keys, was revoked.
public struct AccountRevocation: Sendable, Equatable {
    /// The admin tokens that the account made and that were valid until now. They are revoked only if the call asked for that.
    public var adminTokens: [KeyBodies.AdminToken]
    /// How many shared links of the account, and of the tokens that were revoked, have ended.
    public var endedLinks: Int
}
