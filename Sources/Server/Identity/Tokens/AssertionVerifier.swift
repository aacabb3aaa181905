import Foundation
package import HearthCatalog
import HearthCrypto

/// Checks the signed assertion that an admin tool exchanges for an access token (RFC 7523).
package enum AssertionVerifier {
    /// Why an assertion is refused.
    package struct Refusal: Error, Sendable, CustomStringConvertible {
        package let message: String
        package var description: String { message }
    }

    /// What a valid assertion allows.
    package struct Grant: Sendable, Hashable {
        /// The key that signed.
        package var key: AccountKey
        /// Whether the requested scopes only read.
        package var isReadOnly: Bool

        package init(key: AccountKey, isReadOnly: Bool) {
            self.key = key
            self.isReadOnly = isReadOnly
        }
    }

    /// The audiences that stock clients name, whatever address they send the assertion to: constants of their
    /// libraries.
    package static let stockAudiences = [
        "https://oauth2.googleapis.com/token", "https://www.googleapis.com/oauth2/v4/token",
        "https://www.googleapis.com/oauth2/v3/token", "https://accounts.google.com/o/oauth2/token",
    ]

    /// The claims of an assertion.
    private struct Claims: Decodable {
        var iss: String
        var sub: String?
        var iat: Double?
        var nbf: Double?
        var exp: Double
        var aud: Audience?
        var scope: String?
    }

    /// A single audience or a list.
    private struct Audience: Decodable {
        let all: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            all = try (try? container.decode(String.self)).map { [$0] } ?? container.decode([String].self)
        }
    }

    /// One text for both cases, so that outsiders do not learn which one applies.
    private static let unknownKey =
        "The service account or its key was revoked, or belongs to another server; get a new key from this one."

    /// The clocks of client and server may differ by this much.
    private static let leewaySeconds: Double = 300

    /// The ids of the keys that could have signed the assertion, without a check of the signature: the active keys of
    /// the issuer, and if the assertion names a key, only that one. Empty for a text that is not an assertion.
    package static func candidates(
        _ assertion: String, moment: ServerClock.Moment, keys: (_ email: String) throws -> [AccountKey]
    ) rethrows -> [String] {
        guard let parsed = try? JWT.parse(assertion),
            let claims = try? JSONDecoder().decode(Claims.self, from: Data(parsed.payload))
        else { return [] }
        return try Self.candidates(parsed, claims, moment, keys).map(\.id)
    }

    /// The key that signed, and what the assertion allows. `keys` returns the issuer's keys. Only active keys count,
    /// and if the assertion names a key, only that one. The same assertion may arrive twice, because clients send it
    /// from two threads.
    ///
    /// - Parameter isOwnAudience: whether an audience that is not a stock client's names this server.
    package static func verify(
        _ assertion: String, moment: ServerClock.Moment, isOwnAudience: (_ audience: String) -> Bool,
        keys: (_ email: String) throws -> [AccountKey]
    ) throws -> Grant {
        guard let parsed = try? JWT.parse(assertion),
            let claims = try? JSONDecoder().decode(Claims.self, from: Data(parsed.payload))
        else { throw Refusal(message: "The assertion is not a JSON Web Token.") }
        let candidates = try candidates(parsed, claims, moment, keys)
        let signer = candidates.first { (try? RSAPublicKey(pem: $0.publicKeyPEM)).map(parsed.verifyRS256) ?? false }
        guard let signer else { throw Refusal(message: Self.unknownKey) }
        if let refusal = timeRefusal(claims, moment) { throw Refusal(message: refusal) }
        guard claims.sub ?? claims.iss == claims.iss else {
            throw Refusal(
                message:
                    "The assertion asks to act as another (sub). That is not supported: leave sub out, or name the issuer."
            )
        }
        let audiences = claims.aud?.all ?? []
        guard audiences.contains(where: { stockAudiences.contains($0) || isOwnAudience($0) }) else {
            throw Refusal(
                message: """
                    The assertion is for another server (aud). Name this server's /token address (its public-url with \
                    /token behind it, as token_uri in the key file has it), or https://oauth2.googleapis.com/token.
                    """)
        }
        return Grant(key: signer, isReadOnly: OAuthScopes.areReadOnly(claims.scope))
    }

    private static func candidates(
        _ parsed: JWT.Parsed, _ claims: Claims, _ moment: ServerClock.Moment,
        _ keys: (_ email: String) throws -> [AccountKey]
    ) rethrows -> [AccountKey] {
        try keys(claims.iss).filter { key in
            key.isActive(atMicroseconds: moment.expiryMicroseconds) && (parsed.keyID == nil || parsed.keyID == key.id)
        }
    }

    /// Compares the times, which are from the signer's clock, with the clock that never goes back. If that clock is
    /// over a day ahead of the time of day, one of the two is wrong, and the server cannot know which. Then the times
    /// need to fit one of them.
    private static func timeRefusal(_ claims: Claims, _ moment: ServerClock.Moment) -> String? {
        let refusal = timeRefusal(claims, nowMicroseconds: moment.signingMicroseconds)
        let ahead = moment.signingMicroseconds.subtractingReportingOverflow(moment.wallMicroseconds).partialValue
        guard refusal != nil, ahead > 86_400_000_000 else { return refusal }
        return timeRefusal(claims, nowMicroseconds: moment.wallMicroseconds)
    }

    private static func timeRefusal(_ claims: Claims, nowMicroseconds: Int64) -> String? {
        let now = Double(nowMicroseconds) / 1_000_000
        guard claims.exp > now - leewaySeconds else { return "The assertion has expired." }
        guard claims.exp <= now + 3600 + leewaySeconds, (claims.iat ?? now) <= now + leewaySeconds else {
            return "The assertion's times are too far in the future; check the clock."
        }
        guard (claims.nbf ?? now) <= now + leewaySeconds else {
            return "The assertion is not valid yet (nbf); check the clock."
        }
        return nil
    }
}
