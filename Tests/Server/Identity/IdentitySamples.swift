import Foundation
import HearthCatalog
import HearthCrypto
import HearthIdentity
import HearthTestSupport

enum Sample {
    static let now: Int64 = 1_800_000_000

    /// Made once: a key takes a while.
    static let key = Result { try RSAPrivateKey.generate(bits: 2048) }
    static let otherKey = Result { try RSAPrivateKey.generate(bits: 2048) }

    static let email = "admin@demo-project.iam.hearth.invalid"

    static func accountKey(
        id: String = "k", of key: Result<RSAPrivateKey, any Error> = key, ends: Int64? = nil
    ) throws -> AccountKey {
        AccountKey(
            id: id, email: email, clientID: "client-\(id)", publicKeyPEM: try key.get().publicKey.pem,
            clientSecretHash: "", createdMicroseconds: 0, endsMicroseconds: ends)
    }

    /// A secret from a file of its own; two calls, two secrets.
    static func secret() throws -> ServerSecret {
        let folder = try TemporaryFolder()
        return try ServerSecret(path: folder.path + "/secret")
    }

    static func json(_ object: [String: Any]) throws -> [UInt8] {
        Array(try JSONSerialization.data(withJSONObject: object))
    }

    /// A token of any header and signature.
    static func token(header: String, payload: [UInt8], sign: (String) throws -> [UInt8]) rethrows -> String {
        let signed = "\(Base64URL.encode(Array(header.utf8))).\(Base64URL.encode(payload))"
        return "\(signed).\(Base64URL.encode(try sign(signed)))"
    }
}
