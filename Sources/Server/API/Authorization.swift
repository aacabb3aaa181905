import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthStorage
import HearthWire

/// A checked admin call.
struct AdminCall: Sendable {
    let project: Project
    /// The service account's email.
    let actor: String
}

extension RouteContext {
    /// An admin call for a project: `Authorization: Bearer …` with a token made for it.
    func admin(_ head: RequestHead, project id: String) throws -> AdminCall {
        guard let header = head.headers["Authorization"], let token = Self.credentials(header, scheme: "Bearer"),
            let claims = services.accessTokens.verify(token, nowSeconds: nowSeconds)
        else {
            throw APIError(
                .unauthenticated,
                "Request had invalid authentication credentials. Expected an OAuth 2 access token of this server.")
        }
        guard claims.project == id, let project = try serving.current().projects[id]?.project else {
            throw APIError(.permissionDenied, "The caller does not have permission for the project '\(id)'.")
        }
        return AdminCall(project: project, actor: claims.subject)
    }

    /// A call with the project's API key, in the header `x-goog-api-key` or the query item `key`.
    func keyed(_ head: RequestHead, project id: String) throws -> ServingSnapshot.ProjectPart {
        guard let key = head.headers["x-goog-api-key"] ?? head.query.first("key") else {
            throw APIError(.permissionDenied, "The request is missing a valid API key.")
        }
        guard let part = try serving.current().projects[id], part.apiKeys[SecretHash.hex(of: key)] != nil else {
            throw APIError(.permissionDenied, "API key not valid. Please pass the API key of this project.")
        }
        return part
    }

    /// A device's call: the API key and the installation's token.
    func device(
        _ head: RequestHead, project id: String
    ) throws -> (part: ServingSnapshot.ProjectPart, installation: InstallationTokens.Claims) {
        let part = try keyed(head, project: id)
        guard let token = head.headers["x-goog-firebase-installations-auth"],
            let claims = services.installationTokens.verify(token, nowSeconds: nowSeconds),
            claims.projectNumber == part.project.number
        else {
            throw APIError(.unauthenticated, "The request is missing a valid installation token.")
        }
        return (part, claims)
    }

    /// What follows the scheme in an `Authorization` header.
    static func credentials(_ header: String, scheme: String) -> String? {
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == scheme.lowercased() else { return nil }
        return String(parts[1])
    }
}
