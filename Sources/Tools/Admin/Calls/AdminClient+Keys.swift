import HearthLocalCommands
import HearthWire

/// Service accounts, API keys and admin tokens of a project.
extension AdminClient {
    private func path(_ collection: String, _ rest: String...) throws -> String {
        let segments = [try project(), collection] + rest
        return "/hearth/v1/projects/" + segments.map(AdminRequest.encoded).joined(separator: "/")
    }

    /// The email address of an account that may be named shortly.
    private func account(_ name: String) throws -> String { ServiceAccountName.email(name, project: try project()) }

    func serviceAccounts() throws -> [KeyBodies.ServiceAccount] {
        try call(KeyBodies.ServiceAccountList.self, .get(path("serviceAccounts"))).serviceAccounts ?? []
    }

    func createServiceAccount(_ body: KeyBodies.CreateServiceAccountRequest) throws -> ServiceAccountKey {
        try call(.change("POST", path("serviceAccounts"), body: body))
    }

    func updateServiceAccount(
        _ email: String, _ body: KeyBodies.UpdateServiceAccountRequest
    ) throws -> KeyBodies.ServiceAccount {
        try call(.change("PATCH", path("serviceAccounts", account(email)), body: body))
    }

    func addKey(to email: String) throws -> ServiceAccountKey {
        try call(.change("POST", path("serviceAccounts", account(email), "keys")))
    }

    /// - Returns: the admin tokens that the account made: those that go on, or with `revokesTokens` those that were ended.
    func revokeKey(_ id: String, of email: String, revokesTokens: Bool) throws -> [KeyBodies.AdminToken] {
        let path = try path("serviceAccounts", account(email), "keys", id) + Self.ending(revokesTokens)
        return try call(KeyBodies.AccountKey.self, .change("DELETE", path)).adminTokens ?? []
    }

    /// With all its keys; the same.
    func revokeServiceAccount(_ email: String, revokesTokens: Bool) throws -> [KeyBodies.AdminToken] {
        let path = try path("serviceAccounts", account(email)) + Self.ending(revokesTokens)
        return try call(KeyBodies.ServiceAccount.self, .change("DELETE", path)).adminTokens ?? []
    }

    private static func ending(_ revokesTokens: Bool) -> String { revokesTokens ? "?endTokens=true" : "" }

    func apiKeys() throws -> [KeyBodies.APIKey] {
        try call(KeyBodies.APIKeyList.self, .get(path("apiKeys"))).apiKeys ?? []
    }

    func createAPIKey(_ body: KeyBodies.CreateAPIKeyRequest) throws -> KeyBodies.APIKey {
        try call(.change("POST", path("apiKeys"), body: body))
    }

    func apiKey(_ id: String) throws -> KeyBodies.APIKey {
        guard let key = try apiKeys().first(where: { $0.id == id }) else {
            throw CommandFailure("There is no API key '\(id)' in this project. `hearth keys api list` shows them.")
        }
        return key
    }

    /// Which of the project's keys this is.
    func lookUpAPIKey(_ key: String) throws -> KeyBodies.APIKey {
        try call(.change("POST", path("apiKeys") + ":lookup", body: KeyBodies.LookUpAPIKeyRequest(key: key)))
    }

    func updateAPIKey(_ id: String, _ body: KeyBodies.UpdateAPIKeyRequest) throws -> KeyBodies.APIKey {
        try call(.change("PATCH", path("apiKeys", id), body: body))
    }

    func rotateAPIKey(_ id: String, _ body: KeyBodies.RotateRequest) throws -> KeyBodies.APIKey {
        try call(.change("POST", path("apiKeys", id) + ":rotate", body: body))
    }

    func revokeAPIKey(_ id: String) throws -> KeyBodies.APIKey {
        try call(.change("DELETE", path("apiKeys", id)))
    }

    /// Of the project, or of the server as a whole.
    func adminTokens(ofServer: Bool) throws -> [KeyBodies.AdminToken] {
        try call(KeyBodies.AdminTokenList.self, .get(tokensPath(ofServer))).adminTokens ?? []
    }

    func createAdminToken(
        _ body: KeyBodies.CreateAdminTokenRequest, ofServer: Bool
    ) throws -> KeyBodies.AdminToken {
        try call(.change("POST", tokensPath(ofServer), body: body))
    }

    func revokeAdminToken(_ id: String, ofServer: Bool) throws -> KeyBodies.AdminToken {
        try call(.change("DELETE", tokensPath(ofServer) + "/" + AdminRequest.encoded(id)))
    }

    private func tokensPath(_ ofServer: Bool) throws -> String {
        ofServer ? "/hearth/v1/adminTokens" : try path("adminTokens")
    }
}
