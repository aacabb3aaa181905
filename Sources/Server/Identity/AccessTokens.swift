import Foundation
import HearthCrypto

/// Admin access tokens: signed by the server and checked without the database, valid for an hour.
public struct AccessTokens: Sendable {
    /// What a valid token says.
    public struct Claims: Codable, Sendable, Equatable {
        /// The service account's email.
        public var subject: String
        public var project: String
        /// Seconds since 1970.
        public var expires: Int64

        public init(subject: String, project: String, expires: Int64) {
            self.subject = subject
            self.project = project
            self.expires = expires
        }
    }

    public static let lifetimeSeconds: Int64 = 3600

    private let key: HMACSHA256

    public init(secret: ServerSecret) { key = secret.key(for: "admin access token 1") }

    public func issue(subject: String, project: String, nowSeconds: Int64) throws -> String {
        let claims = Claims(subject: subject, project: project, expires: nowSeconds + Self.lifetimeSeconds)
        return JWT.encodeHS256(payload: Array(try JSONEncoder().encode(claims)), key: key)
    }

    /// The claims, or nil when the token is not ours, altered or expired.
    public func verify(_ token: String, nowSeconds: Int64) -> Claims? {
        guard let parsed = try? JWT.parse(token), parsed.verifyHS256(with: key),
            let claims = try? JSONDecoder().decode(Claims.self, from: Data(parsed.payload)),
            claims.expires > nowSeconds
        else { return nil }
        return claims
    }
}
