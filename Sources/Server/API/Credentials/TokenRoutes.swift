import Foundation
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthStorage
import HearthWire

/// The OAuth 2 token endpoint: a signed assertion (what SDKs send) or a client id and secret (what curl can send)
/// for an access token. What the token may do is its account's role; with scopes that only read, it reads.
///
/// Whoever is over the limit of its address is still let in with what is right: a stranger at the same address must not be
/// able to lock others out. That costs the hash of a secret; a signature is checked then for a known key only, and so often.
struct TokenRoutes {
    private let context: RouteContext

    init(_ context: RouteContext) { self.context = context }

    private static let bodyLimitBytes = 65_536
    /// A client id and secret, or an assertion, and not much else.
    private static let bodyLimitBytesOverLimit = 10_240
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
                var refusal: RateLimiter.Refusal?
                do throws(RateLimiter.Refusal) {
                    try context.countUnauthenticated(head)
                } catch {
                    refusal = error
                }
                let limit = refusal == nil ? Self.bodyLimitBytes : Self.bodyLimitBytesOverLimit
                return .buffered(limitBytes: limit) { [refusal] head, bytes in
                    .respond(context.respond(head) { try answer(head, bytes, ifWrong: refusal) })
                }
            }
        ]
    }

    /// - Parameter tooMany: what to refuse the call with unless it shows what is right.
    private func answer(_ head: RequestHead, _ bytes: [UInt8], ifWrong tooMany: RateLimiter.Refusal?) throws -> Response
    {
        var response: Response
        do {
            response = try token(for: grant(head, Self.form(bytes), ifWrong: tooMany))
        } catch let refusal as Refusal {
            if let tooMany { throw tooMany }
            response = try answer(to: refusal)
        } catch let refusal as AssertionVerifier.Refusal {
            if let tooMany { throw tooMany }
            response = try answer(to: Refusal(kind: "invalid_grant", text: refusal.message))
        }
        response.headers["Cache-Control"] = "no-store"
        return response
    }

    private func token(for grant: AssertionVerifier.Grant) throws -> Response {
        let token = try context.services.accessTokens.issue(
            for: grant.key, isReadOnly: grant.isReadOnly, nowSeconds: context.signingSeconds)
        return try context.confidential(
            TokenBodies.Response(accessToken: token, expiresIn: AccessTokens.lifetimeSeconds))
    }

    private func answer(to refusal: Refusal) throws -> Response {
        var response = try context.json(
            TokenBodies.Failure(error: refusal.kind, errorDescription: refusal.text), status: refusal.status)
        if refusal.status == 401 { response.headers["WWW-Authenticate"] = "Basic realm=\"hearth\"" }
        return response
    }

    private func grant(
        _ head: RequestHead, _ form: [String: String], ifWrong tooMany: RateLimiter.Refusal?
    ) throws -> AssertionVerifier.Grant {
        let admins = try context.serving.current().admins
        let moment = context.services.clock.moment
        switch form["grant_type"] {
        case Self.assertionGrant:
            let assertion = form["assertion"] ?? ""
            if let tooMany {
                let candidates = AssertionVerifier.candidates(assertion, moment: moment, keys: admins.keys)
                guard candidates.count == 1 else { throw tooMany }
                // A flood from one address must not use up what others have.
                try context.limiter.signature.admit(
                    "\(candidates[0]) \(ClientNetwork.name(of: head.remoteAddress))",
                    nowMicroseconds: moment.monotonicMicroseconds)
            }
            return try AssertionVerifier.verify(
                assertion, moment: moment, isOwnAudience: { TokenAudience.isOwnAudience($0, head, context.services) },
                keys: admins.keys)
        case Self.clientGrant:
            let (id, secret) = Self.clientCredentials(head, form)
            var refusal = "The client id or secret is not known here."
            do throws(InactiveCredential) {
                let key = try admins.key(
                    clientID: id, secret: secret, nowMicroseconds: moment.expiryMicroseconds)
                if let key {
                    return AssertionVerifier.Grant(key: key, isReadOnly: Scopes.areReadOnly(form["scope"]))
                }
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

/// Which audiences of a signed assertion name this server.
///
/// Whoever gets hold of an assertion for another server may write that server's name into the `Host` field: so no name counts
/// for being asked for.
enum TokenAudience {
    private static let path = "/token"

    /// Whether it is `/token` under `--public-url`, else under what a trusted proxy was asked for; under the address
    /// listened on; or, for a program on this machine, under any name of the machine itself.
    static func isOwnAudience(_ audience: String, _ head: RequestHead, _ services: Services) -> Bool {
        guard audience.hasSuffix(path) else { return false }
        let base = String(audience.dropLast(path.count))
        if base == PublicAddress.base(head, services) || base == services.localURL() { return true }
        guard let mark = base.firstRange(of: "://") else { return false }
        let (scheme, host) = (base[..<mark.lowerBound].lowercased(), base[mark.upperBound...].lowercased())
        guard scheme == "https" || scheme == "http" else { return false }
        if head.isLoopback { return LoopbackHost.matches(host) }
        // Many proxies tell the name without the scheme.
        return services.publicURL == nil && head.forwarded?.host?.lowercased() == host
    }
}
