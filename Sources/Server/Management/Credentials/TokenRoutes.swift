import Foundation
import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthRouting
import HearthServing
import HearthWire

/// The OAuth 2 token endpoint: it issues an access token for a signed assertion (what SDKs send) or for a client id and
/// secret (what curl can send). The account's role decides what the token may do; with scopes that only read, the token
/// only reads.
///
/// A caller over the rate limit of its address still gets a token for correct credentials: a stranger at the same
/// address must not be able to lock others out. Such a call costs the hash of a secret. It costs the check of a
/// signature only if it names a known key, and a rate limiter of its own bounds those checks.
struct TokenRoutes {
    private let context: RouteContext

    init(_ context: RouteContext) { self.context = context }

    private static let bodyLimitBytes = 65_536
    /// Enough for a client id and secret, or for an assertion.
    private static let bodyLimitBytesOverLimit = 10_240
    private static let assertionGrant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    private static let clientGrant = "client_credentials"

    /// An error answer of OAuth 2 (RFC 6749, 5.2).
    private struct Refusal: Error {
        var kind: String
        var text: String
        var status = 400
    }

    var routes: [CallRoute] {
        [
            CallRoute(GoogleTokenCalls.create) { head, _ in
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

    /// - Parameter tooMany: the refusal of a call over the rate limit, unless its credentials are correct.
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
        let snapshot = try context.serving.forAdmins()
        do {
            return try grant(head, form, snapshot.admins, ifWrong: tooMany)
        } catch {
            // Another server may have made the key a moment ago.
            guard let newer = context.serving.newer(than: snapshot) else { throw error }
            return try grant(head, form, newer.admins, ifWrong: tooMany)
        }
    }

    private func grant(
        _ head: RequestHead, _ form: [String: String], _ admins: AdminDirectory, ifWrong tooMany: RateLimiter.Refusal?
    ) throws -> AssertionVerifier.Grant {
        let moment = context.services.clock.moment
        switch form["grant_type"] {
        case Self.assertionGrant:
            let assertion = form["assertion"] ?? ""
            if let tooMany {
                let candidates = AssertionVerifier.candidates(assertion, moment: moment, keys: admins.keys)
                guard candidates.count == 1 else { throw tooMany }
                // Per key and network: a flood from one network must not use up the limit of others.
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
                    return AssertionVerifier.Grant(key: key, isReadOnly: OAuthScopes.areReadOnly(form["scope"]))
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

    /// From HTTP basic authentication, otherwise from the form.
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
        // A request target has the same syntax after its question mark.
        guard let text = String(validating: bytes, as: UTF8.self),
            let head = try? RequestHead(method: .post, target: "/?" + text)
        else { throw Refusal(kind: "invalid_request", text: "The body is not a form.") }
        return Dictionary(head.query.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}

/// Decides which audiences of a signed assertion name this server.
///
/// An attacker who holds an assertion for another server can write that server's name into the `Host` field. So a name
/// does not count merely because the request asked for it.
enum TokenAudience {
    private static let path = "/token"

    /// Whether the audience is `/token` under one of these addresses: `--public-url`, or otherwise the address that a
    /// trusted proxy was asked for; the address that the server listens on; or, for a client on this machine, any name
    /// of the machine itself.
    static func isOwnAudience(_ audience: String, _ head: RequestHead, _ services: Services) -> Bool {
        guard audience.hasSuffix(path) else { return false }
        let base = String(audience.dropLast(path.count))
        let own = [PublicAddress.adminBase(head, services), services.localAdminURL() ?? services.localURL()]
        if own.contains(base) { return true }
        guard let mark = base.firstRange(of: "://") else { return false }
        let (scheme, host) = (base[..<mark.lowerBound].lowercased(), base[mark.upperBound...].lowercased())
        guard scheme == "https" || scheme == "http" else { return false }
        if head.isLoopback { return LoopbackHost.matches(host) }
        // Many proxies forward the name without the scheme.
        let url = services.localAdminURL() == nil ? services.publicURL : services.adminURL
        return url == nil && head.forwarded?.host?.lowercased() == host
    }
}
