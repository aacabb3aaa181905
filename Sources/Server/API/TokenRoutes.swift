import Foundation
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthStorage
import HearthWire

/// The OAuth 2 token endpoint: a signed assertion (what SDKs send) or a client id and secret (what curl can send)
/// for an access token.
struct TokenRoutes {
    private let context: RouteContext

    init(_ context: RouteContext) { self.context = context }

    private static let assertionGrant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    private static let clientGrant = "client_credentials"

    private struct Refusal: Error {
        var kind: String
        var text: String
        var status = 400
    }

    var routes: [Route] {
        [
            Route(.post, "token") { head, _ in
                .buffered(limitBytes: 65_536) { head, bytes in
                    .respond(context.respond(head) { try answer(head, bytes) })
                }
            }
        ]
    }

    private func answer(_ head: RequestHead, _ bytes: [UInt8]) throws -> Response {
        var response: Response
        do {
            response = try token(for: account(head, Self.form(bytes)))
        } catch let refusal as Refusal {
            response = try answer(to: refusal)
        } catch let refusal as AssertionVerifier.Refusal {
            response = try answer(to: Refusal(kind: "invalid_grant", text: refusal.message))
        }
        response.headers["Cache-Control"] = "no-store"
        return response
    }

    private func token(for account: ServiceAccount) throws -> Response {
        let token = try context.services.accessTokens.issue(
            subject: account.email, project: account.projectID, nowSeconds: context.nowSeconds)
        return try context.json(
            TokenBodies.Response(accessToken: token, expiresIn: AccessTokens.lifetimeSeconds))
    }

    private func answer(to refusal: Refusal) throws -> Response {
        var response = try context.json(
            TokenBodies.Failure(error: refusal.kind, errorDescription: refusal.text), status: refusal.status)
        if refusal.status == 401 { response.headers["WWW-Authenticate"] = "Basic realm=\"hearth\"" }
        return response
    }

    private func account(_ head: RequestHead, _ form: [String: String]) throws -> ServiceAccount {
        let snapshot = try context.serving.current()
        let key = try accountKey(head, form, snapshot)
        guard let account = snapshot.accounts[key.email] else { throw APIError(.internal, "A key without its account") }
        return account
    }

    private func accountKey(
        _ head: RequestHead, _ form: [String: String], _ snapshot: ServingSnapshot
    ) throws -> AccountKey {
        switch form["grant_type"] {
        case Self.assertionGrant:
            return try AssertionVerifier.verify(form["assertion"] ?? "", nowSeconds: context.nowSeconds) { email in
                snapshot.accountKeys.values.filter { $0.email == email }
            }
        case Self.clientGrant:
            let (id, secret) = Self.clientCredentials(head, form)
            guard let key = snapshot.accountKeys.values.first(where: { $0.clientID == id }),
                SecretHash.matches(secret, hex: key.clientSecretHash)
            else {
                throw Refusal(kind: "invalid_client", text: "The client id or secret is not known here.", status: 401)
            }
            return key
        case nil:
            throw Refusal(kind: "invalid_request", text: "The form has no grant_type.")
        default:
            throw Refusal(kind: "unsupported_grant_type", text: "Use \(Self.assertionGrant) or \(Self.clientGrant).")
        }
    }

    /// From HTTP basic authentication, else from the form.
    private static func clientCredentials(
        _ head: RequestHead, _ form: [String: String]
    ) -> (id: String, secret: String) {
        if let header = head.headers["Authorization"],
            let encoded = RouteContext.credentials(header, scheme: "Basic"),
            let data = Data(base64Encoded: encoded), let text = String(data: data, encoding: .utf8),
            let colon = text.firstIndex(of: ":")
        {
            return (String(text[..<colon]), String(text[text.index(after: colon)...]))
        }
        return (form["client_id"] ?? "", form["client_secret"] ?? "")
    }

    /// `application/x-www-form-urlencoded`; the first of equal names counts.
    private static func form(_ bytes: [UInt8]) throws -> [String: String] {
        // A request target has the same syntax behind its question mark.
        guard let text = String(validating: bytes, as: UTF8.self),
            let head = try? RequestHead(method: .post, target: "/?" + text)
        else { throw Refusal(kind: "invalid_request", text: "The body is not a form.") }
        return Dictionary(head.query.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}
