public import HearthCatalog
import HearthCrypto

/// A service account's key at the moment when it is made: the record for the database, and the secrets for its key file.
public struct NewAccountKey: Sendable, Redacted {
    public let record: AccountKey
    /// PKCS#8 PEM.
    public let privateKeyPEM: String
    public let clientSecret: String

    /// Takes a fraction of a second: an RSA key is looked for.
    public init(email: String, nowMicroseconds: Int64) throws {
        let key = try RSAPrivateKey.generate(bits: 2048)
        privateKeyPEM = key.pem
        clientSecret = Base64URL.encode(SecureRandom.bytes(32))
        record = AccountKey(
            id: Hex.encode(SecureRandom.bytes(20)), email: email, clientID: Self.randomClientID(),
            publicKeyPEM: key.publicKey.pem, clientSecretHash: SecretHash.hex(of: clientSecret),
            createdMicroseconds: nowMicroseconds)
    }

    public var publicName: String { record.id }

    /// 21 decimal digits, as the ids of Google's clients.
    private static func randomClientID() -> String {
        "1" + SecureRandom.bytes(20).map { String($0 % 10) }.joined()
    }
}
