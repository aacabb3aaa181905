import Foundation
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthStorage
import HearthWire

/// The OAuth 2 token endpoint: a signed assertion (what SDKs send) or a client id and secret (what curl can send)
/// for an access token. Scopes are ignored: what the token may do is its account's role.
struct TokenRoutes {
    private let context: RouteContext

    init(_ context: RouteContext) { self.context = context }

    private static let bodyLimitBytes = 65_536
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
                do {
                    try context.countUnproven(head)
                } catch {
                    return .answer(context.failure(head, error))
                }
                return .buffered(limitBytes: Self.bodyLimitBytes) { head, bytes in
                    .respond(context.respond(head) { try answer(head, bytes) })
                }
            }
        ]
    }

    private func answer(_ head: RequestHead, _ bytes: [UInt8]) throws -> Response {
        var response: Response
        do {
            response = try token(for: key(head, Self.form(bytes)))
        } catch let refusal as Refusal {
            response = try answer(to: refusal)
        } catch let refusal as AssertionVerifier.Refusal {
            response = try answer(to: Refusal(kind: "invalid_grant", text: refusal.message))
        }
        response.headers["Cache-Control"] = "no-store"
        return response
    }

    private func token(for key: AccountKey) throws -> Response {
        let token = try context.services.accessTokens.issue(for: key, nowSeconds: context.nowSeconds)
        return try context.confidential(
            TokenBodies.Response(accessToken: token, expiresIn: AccessTokens.lifetimeSeconds))
    }

    private func answer(to refusal: Refusal) throws -> Response {
        var response = try context.json(
            TokenBodies.Failure(error: refusal.kind, errorDescription: refusal.text), status: refusal.status)
        if refusal.status == 401 { response.headers["WWW-Authenticate"] = "Basic realm=\"hearth\"" }
        return response
    }

    private func key(_ head: RequestHead, _ form: [String: String]) throws -> AccountKey {
        let admins = try context.serving.current().admins
        switch form["grant_type"] {
        case Self.assertionGrant:
            return try AssertionVerifier.verify(
                form["assertion"] ?? "", nowMicroseconds: context.nowMicroseconds, keys: admins.keys)
        case Self.clientGrant:
            let (id, secret) = Self.clientCredentials(head, form)
            var refusal = "The client id or secret is not known here."
            do throws(EndedCredential) {
                let now = context.nowMicroseconds
                if let key = try admins.key(clientID: id, secret: secret, nowMicroseconds: now) { return key }
            } catch {
                refusal = error.message
            }
            throw Refusal(kind: "invalid_client", text: refusal, status: 401)
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
