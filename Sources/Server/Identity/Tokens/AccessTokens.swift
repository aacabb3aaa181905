import Foundation
public import HearthCatalog
import HearthCrypto

/// Admin access tokens: signed by the server, valid for an hour at most. They say whose key they were traded for; what that
/// may do, and whether it still may, is in the server's records.
public struct AccessTokens: Sendable {
    /// What a valid token says.
    public struct Claims: Codable, Sendable, Equatable {
        /// The service account's email.
        public var subject: String
        /// The account's key that was shown for it.
        public var keyID: String
        /// Seconds since 1970.
        public var expires: Int64
        /// It was asked for with scopes that only read.
        public var readOnly: Bool?

        public init(subject: String, keyID: String, expires: Int64, readOnly: Bool? = nil) {
            self.subject = subject
            self.keyID = keyID
            self.expires = expires
            self.readOnly = readOnly
        }
    }

    /// A token was right once.
    public struct Expired: Error {}

    public static let lifetimeSeconds: Int64 = 3600

    private let key: HMACSHA256

    public init(secret: ServerSecret) { key = secret.key(for: "admin access token 2") }

    /// - Parameter isReadOnly: whether it is to allow reading only, whatever the account may do.
    public func issue(for accountKey: AccountKey, isReadOnly: Bool = false, nowSeconds: Int64) throws -> String {
        let claims = Claims(
            subject: accountKey.email, keyID: accountKey.id, expires: nowSeconds + Self.lifetimeSeconds,
            readOnly: isReadOnly ? true : nil)
        return JWT.encodeHS256(payload: Array(try JSONEncoder().encode(claims)), key: key)
    }

    /// The claims, or nil when the token is not ours or altered.
    ///
    /// - Throws: for one of ours whose time is over.
    public func verify(_ token: String, nowSeconds: Int64) throws(Expired) -> Claims? {
        guard let parsed = try? JWT.parse(token), parsed.verifyHS256(with: key),
            let claims = try? JSONDecoder().decode(Claims.self, from: Data(parsed.payload))
        else { return nil }
        guard SignedTime.isAhead(claims.expires, lifetimeSeconds: Self.lifetimeSeconds, nowSeconds: nowSeconds) else {
            throw Expired()
        }
        return claims
    }
}
