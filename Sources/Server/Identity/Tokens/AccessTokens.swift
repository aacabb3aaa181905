import Foundation
package import HearthCatalog
import HearthCrypto

/// Admin access tokens: signed by the server, valid for an hour at most. They say whose key they were traded for; what that
/// may do, and whether it still may, is in the server's records.
package struct AccessTokens: Sendable {
    /// What a valid token says.
    package struct Claims: Codable, Sendable, Equatable {
        /// The service account's email.
        package var subject: String
        /// The account's key that was shown for it.
        package var keyID: String
        /// Seconds since 1970.
        package var expires: Int64
        /// It was asked for with scopes that only read.
        package var readOnly: Bool?

        package init(subject: String, keyID: String, expires: Int64, readOnly: Bool? = nil) {
            self.subject = subject
            self.keyID = keyID
            self.expires = expires
            self.readOnly = readOnly
        }
    }

    /// A token was right once.
    package struct Expired: Error {}

    package static let lifetimeSeconds: Int64 = 3600

    private let key: HMACSHA256

    package init(secret: ServerSecret) { key = secret.key(for: "admin access token 2") }

    /// - Parameter isReadOnly: whether it is to allow reading only, whatever the account may do.
    package func issue(for accountKey: AccountKey, isReadOnly: Bool = false, nowSeconds: Int64) throws -> String {
        let claims = Claims(
            subject: accountKey.email, keyID: accountKey.id, expires: nowSeconds + Self.lifetimeSeconds,
            readOnly: isReadOnly ? true : nil)
        return JWT.encodeHS256(payload: Array(try JSONEncoder().encode(claims)), key: key)
    }

    /// The claims, or nil when the token is not ours or altered.
    ///
    /// - Throws: for one of ours whose time is over.
    package func verify(_ token: String, nowSeconds: Int64) throws(Expired) -> Claims? {
        guard let parsed = try? JWT.parse(token), parsed.verifyHS256(with: key),
            let claims = try? JSONDecoder().decode(Claims.self, from: Data(parsed.payload))
        else { return nil }
        guard SignedTime.isAhead(claims.expires, lifetimeSeconds: Self.lifetimeSeconds, nowSeconds: nowSeconds) else {
            throw Expired()
        }
        return claims
    }
}
