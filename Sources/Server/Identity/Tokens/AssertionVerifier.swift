import Foundation
public import HearthCatalog
import HearthCrypto

/// Checks the signed assertion that an admin tool trades for an access token (RFC 7523).
public enum AssertionVerifier {
    public struct Refusal: Error, Sendable, CustomStringConvertible {
        public let message: String
        public var description: String { message }
    }

    private struct Claims: Decodable {
        var iss: String
        var iat: Double?
        var exp: Double
        var aud: String?
    }

    /// Which of the two it is, a stranger is not told.
    private static let unknownKey =
        "The service account or its key was revoked, or belongs to another server; get a new key from this one."

    /// Clocks may differ by this much.
    private static let leewaySeconds: Double = 300

    /// The key that signed. `keys` gives the issuer's; of these the active ones count, and where the assertion names a key,
    /// only that one. The same assertion may come twice: clients send it from two threads. The audience is a constant of
    /// Google's libraries even when the token address points elsewhere, so it is not compared.
    public static func verify(
        _ assertion: String, nowMicroseconds: Int64, keys: (_ email: String) throws -> [AccountKey]
    ) throws -> AccountKey {
        guard let parsed = try? JWT.parse(assertion),
            let claims = try? JSONDecoder().decode(Claims.self, from: Data(parsed.payload))
        else { throw Refusal(message: "The assertion is not a JSON Web Token.") }
        let candidates = try keys(claims.iss).filter { key in
            key.isActive(atMicroseconds: nowMicroseconds) && (parsed.keyID == nil || parsed.keyID == key.id)
        }
        let signer = candidates.first { (try? RSAPublicKey(pem: $0.publicKeyPEM)).map(parsed.verifyRS256) ?? false }
        guard let signer else { throw Refusal(message: Self.unknownKey) }
        let now = Double(nowMicroseconds) / 1_000_000
        guard claims.exp > now - leewaySeconds else { throw Refusal(message: "The assertion has expired.") }
        guard claims.exp <= now + 3600 + leewaySeconds, (claims.iat ?? now) <= now + leewaySeconds else {
            throw Refusal(message: "The assertion's times are too far in the future; check the clock.")
        }
        return signer
    }
}
