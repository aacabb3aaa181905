import HearthCalls
import HearthWire

extension OperationDescription {
    private static let project = "hearth/v1/projects/{project}"
    private static let auditQuery =
        Query.pages + [
            Query(name: "actor", description: "An email, the part before its @, or the id or name of a token."),
            Query(name: "action", description: "Such as model.publish, or model for all of that kind."),
            Query(name: "model", description: "A display name, an id, or models/ID for that id only."),
            Query(name: "startTime", description: "Entries from this time on, RFC 3339."),
            Query(name: "endTime", description: "Entries before this time, RFC 3339."),
        ]

    static var keyOperations: [String: OperationDescription] {
        [
            "POST token": OperationDescription(
                tag: "keys", summary: "An access token of a service account, by a signed assertion or its secret.",
                access: .anyone,
                requestMedia: "application/x-www-form-urlencoded", response: TokenBodies.Response.self),
            "GET hearth/v1/projects": admin("projects", "List the projects of the caller.", ProjectBodies.List.self),
            "POST hearth/v1/projects": admin(
                "projects", "Create a project.", ProjectBodies.CreateResponse.self,
                body: ProjectBodies.CreateRequest.self),
            "GET \(project)": admin("projects", "Show a project.", ProjectBodies.Resource.self),
            "DELETE \(project)": admin("projects", "Delete a project without models."),
            "GET \(project)/overview": admin(
                "projects", "What people should know about a project now.", OverviewBodies.Overview.self),
            "GET \(project)/search": admin(
                "projects", "Find models, parameters, conditions, experiments and an installation.",
                SearchBodies.Results.self,
                query: [Query(name: "q", description: "1 to 100 characters, looked for as they are.")]),
            "GET \(project)/modelNames": admin(
                "projects", "List the ids and names of all models, of any number.", SearchBodies.ModelNames.self),
            "GET \(project)/serviceAccounts": admin(
                "keys", "List the service accounts.", KeyBodies.ServiceAccountList.self),
            "POST \(project)/serviceAccounts": admin(
                "keys", "Create a service account with a key, which is shown only here.", ServiceAccountKey.self,
                body: KeyBodies.CreateServiceAccountRequest.self),
            "PATCH \(project)/serviceAccounts/{email}": admin(
                "keys", "Change the role of a service account.", KeyBodies.ServiceAccount.self,
                body: KeyBodies.UpdateServiceAccountRequest.self),
            "DELETE \(project)/serviceAccounts/{email}": admin("keys", "Revoke a service account."),
            "POST \(project)/serviceAccounts/{email}/keys": admin(
                "keys", "Make a further key, which is shown only here.", ServiceAccountKey.self),
            "DELETE \(project)/serviceAccounts/{email}/keys/{key}": admin("keys", "Revoke a key of a service account."),
            "GET \(project)/apiKeys": admin("keys", "List the API keys of apps.", KeyBodies.APIKeyList.self),
            "POST \(project)/apiKeys": admin(
                "keys", "Create an API key, which is shown only here.", KeyBodies.APIKey.self,
                body: KeyBodies.CreateAPIKeyRequest.self),
            "POST \(project)/apiKeys:lookup": admin(
                "keys", "Find an API key by the key itself.", KeyBodies.APIKey.self,
                body: KeyBodies.LookUpAPIKeyRequest.self),
            "PATCH \(project)/apiKeys/{key}": admin(
                "keys", "Restrict an API key.", KeyBodies.APIKey.self, body: KeyBodies.UpdateAPIKeyRequest.self),
            "POST \(project)/apiKeys/{key}:rotate": admin(
                "keys", "Replace an API key; the old one ends later.", KeyBodies.APIKey.self,
                body: KeyBodies.RotateRequest.self),
            "DELETE \(project)/apiKeys/{key}": admin("keys", "Revoke an API key."),
            "GET \(project)/adminTokens": admin("keys", "List the admin tokens.", KeyBodies.AdminTokenList.self),
            "POST \(project)/adminTokens": admin(
                "keys", "Create an admin token, which is shown only here.", KeyBodies.AdminToken.self,
                body: KeyBodies.CreateAdminTokenRequest.self),
            "DELETE \(project)/adminTokens/{token}": admin("keys", "Revoke an admin token."),
            "GET \(project)/audit": admin(
                "keys", "The audit log, newest first.", AuditBodies.List.self, query: auditQuery),
            "GET hearth/v1/server": admin(
                "server", "Show the state of the server; all of it to operators.", ServerBodies.Status.self),
            "GET hearth/v1/server/signingKeys": admin(
                "server", "List the keys that sign tokens and links, without the secrets; for operators.",
                SigningKeyBodies.List.self),
            "POST hearth/v1/server/signingKeys": admin(
                "server", "Make a new key, which signs from then on; older keys stay valid.", SigningKeyBodies.Key.self),
            "POST hearth/v1/server/signingKeys/{key}:retire": admin(
                "server",
                """
                Retire a key that does not sign any more. The server then refuses all tokens and links that it signed: \
                devices register again, as new installations, and tools get new access tokens. The id `former` means the \
                keys of the main server that this server followed before it was promoted.
                """, SigningKeyBodies.Key.self),
            "GET hearth/v1/caller": admin("keys", "Show who the caller is.", ConsoleBodies.Caller.self),
            "POST hearth/v1/signInCodes": admin(
                "console", "Make a code that signs one browser in to the console, once, within a minute.",
                ConsoleBodies.SignInCode.self),
            "GET hearth/v1/consoleSessions": admin(
                "console", "List the browsers that are signed in.", ConsoleBodies.SessionList.self),
            "DELETE hearth/v1/consoleSessions/{session}": admin("console", "Sign a browser out."),
            "GET \(project)/sharedLinks": admin(
                "console", "List the links that show single pages.", ConsoleBodies.SharedLinkList.self),
            "POST \(project)/sharedLinks": admin(
                "console", "Make a link that shows a release or an experiment, which is shown only here.",
                ConsoleBodies.SharedLink.self, body: ConsoleBodies.CreateSharedLinkRequest.self),
            "DELETE \(project)/sharedLinks/{link}": admin(
                "console", "Revoke a link.", ConsoleBodies.SharedLink.self),
            "GET hearth/v1/adminTokens": admin(
                "keys", "List the admin tokens for all projects.", KeyBodies.AdminTokenList.self),
            "POST hearth/v1/adminTokens": admin(
                "keys", "Create an admin token for all projects.", KeyBodies.AdminToken.self,
                body: KeyBodies.CreateAdminTokenRequest.self),
            "DELETE hearth/v1/adminTokens/{token}": admin("keys", "Revoke an admin token for all projects."),
            "GET hearth/v1/audit": admin(
                "keys", "The audit log of all projects.", AuditBodies.List.self, query: auditQuery),
        ]
    }

    private static let bucket = "storage/v1/b/{bucket}"

    /// The calls of Google's storage clients that upload a model, and those that they get a clear refusal for.
    static var storageOperations: [String: OperationDescription] {
        var table: [String: OperationDescription] = [
            "GET \(bucket)": admin("storage", "Show the project's bucket."),
            "GET \(bucket)/o": admin("storage", "List the uploaded files.", query: Query.pages),
            "GET \(bucket)/o/{object}": admin(
                "storage", "Show an uploaded file; alt=media answers its bytes.",
                query: [Query(name: "alt", description: "media for the bytes.")]),
            "GET download/\(bucket)/o/{object}": admin("storage", "The bytes of an uploaded file."),
            "DELETE \(bucket)/o/{object}": admin("storage", "Delete an uploaded file that no version uses."),
            "POST upload/\(bucket)/o": admin(
                "storage", "Upload a file.",
                query: [
                    Query(name: "uploadType", description: "media, multipart or resumable."),
                    Query(name: "name", description: "The name of the file."),
                ]),
            "PUT upload/\(bucket)/o": admin(
                "storage", "Send a part of an upload.",
                query: [Query(name: "upload_id", description: "The upload, from the answer that began it.")]),
            "DELETE upload/\(bucket)/o": admin(
                "storage", "Cancel an upload.",
                query: [Query(name: "upload_id", description: "The upload, from the answer that began it.")]),
        ]
        let refused = [
            "GET storage/v1/b", "POST storage/v1/b", "DELETE \(bucket)", "PATCH \(bucket)", "PUT \(bucket)",
            "PATCH \(bucket)/o/{object}", "PUT \(bucket)/o/{object}", "POST \(bucket)/o/{object}/compose",
            "POST \(bucket)/o/{object}/rewriteTo/b/{toBucket}/o/{toObject}",
            "POST \(bucket)/o/{object}/copyTo/b/{toBucket}/o/{toObject}", "POST batch/storage/v1",
        ]
        for name in refused { table[name] = admin("storage", "Not offered: always refused, with the reason.") }
        return table
    }
}
