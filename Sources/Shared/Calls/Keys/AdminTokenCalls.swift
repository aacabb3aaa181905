/// Admin tokens: those of a project, and those of the whole server.
package struct AdminTokenCalls: Sendable {
    package static let ofProject = AdminTokenCalls(
        "hearth/v1/projects/{project}/adminTokens", .owner, "List the admin tokens.",
        "Create an admin token, which is shown only here.", "Revoke an admin token.")
    package static let ofServer = AdminTokenCalls(
        "hearth/v1/adminTokens", .serverOperator, "List the admin tokens for all projects.",
        "Create an admin token for all projects.", "Revoke an admin token for all projects.")

    package let list: Call<Lane.LookUp, NoBody, KeyBodies.AdminTokenList>
    package let create: Call<Lane.Change, KeyBodies.CreateAdminTokenRequest, KeyBodies.AdminToken>
    package let revoke: Call<Lane.Change, NoBody, KeyBodies.AdminToken>

    private init(_ collection: String, _ access: CallAccess, _ list: String, _ create: String, _ revoke: String) {
        self.list = Call(.get, collection, access, .keys, list)
        self.create = Call(.post, collection, access, .keys, create)
        self.revoke = Call(.delete, collection + "/{token}", access, .keys, revoke)
    }
}
