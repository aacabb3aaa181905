package import HearthCatalog
import HearthCrypto

/// A new key of a service account: the record for the database, and the secrets for its key file.
package struct NewAccountKey: Sendable, Redacted {
    package let record: AccountKey
    /// PKCS#8 PEM.
    package let privateKeyPEM: String
    package let clientSecret: String

    /// Takes a fraction of a second, because it searches for an RSA key.
    package init(email: String, nowMicroseconds: Int64) throws {
        let key = try RSAPrivateKey.generate(bits: 2048)
        privateKeyPEM = key.pem
        clientSecret = Base64URL.encode(SecureRandom.bytes(32))
        record = AccountKey(
            id: Hex.encode(SecureRandom.bytes(20)), email: email, clientID: Self.randomClientID(),
            publicKeyPEM: key.publicKey.pem, clientSecretHash: SecretHash.hex(of: clientSecret),
            createdMicroseconds: nowMicroseconds)
    }

    package var publicName: String { record.id }

    /// 21 decimal digits, like the ids of Google's clients.
    private static func randomClientID() -> String {
        "1" + SecureRandom.bytes(20).map { String($0 % 10) }.joined()
    }
}
