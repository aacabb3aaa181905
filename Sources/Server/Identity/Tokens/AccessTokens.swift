import Foundation
package import HearthCatalog
import HearthCrypto

/// Admin access tokens: signed by the server, valid for at most an hour. A token names the key that it was issued for;
/// the server's records decide what that key may do, and whether it is still active.
package struct AccessTokens: Sendable {
    /// The content of a valid token.
    package struct Claims: Codable, Sendable, Equatable {
        /// The service account's email.
        package var subject: String
        /// The key of the account that it was issued for.
        package var keyID: String
        /// Seconds since 1970.
        package var expires: Int64
        /// Whether it was issued for scopes that only read.
        package var readOnly: Bool?

        package init(subject: String, keyID: String, expires: Int64, readOnly: Bool? = nil) {
            self.subject = subject
            self.keyID = keyID
            self.expires = expires
            self.readOnly = readOnly
        }
    }

    /// The token was issued by this server, and has expired.
    package struct Expired: Error {}

    package static let lifetimeSeconds: Int64 = 3600

    private let secret: ServerSecret

    package init(secret: ServerSecret) { self.secret = secret }

    /// - Parameter isReadOnly: whether the token only allows reading, whatever the account may do.
    package func issue(for accountKey: AccountKey, isReadOnly: Bool = false, nowSeconds: Int64) throws -> String {
        let claims = Claims(
            subject: accountKey.email, keyID: accountKey.id, expires: nowSeconds + Self.lifetimeSeconds,
            readOnly: isReadOnly ? true : nil)
        return JWT.encodeHS256(
            payload: Array(try JSONEncoder().encode(claims)), key: secret.derived.accessTokens[0])
    }

    /// The claims; nil if the token was not issued by this server or was altered.
    ///
    /// - Throws: if the token was issued by this server and has expired.
    package func verify(_ token: String, nowSeconds: Int64) throws(Expired) -> Claims? {
        guard let parsed = try? JWT.parse(token), secret.derived.accessTokens.contains(where: parsed.verifyHS256),
            let claims = try? JSONDecoder().decode(Claims.self, from: Data(parsed.payload))
        else { return nil }
        guard SignedTime.isAhead(claims.expires, lifetimeSeconds: Self.lifetimeSeconds, nowSeconds: nowSeconds) else {
            throw Expired()
        }
        return claims
    }
}
