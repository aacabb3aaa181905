/// JSON Web Tokens in compact form (RFC 7515, RFC 7519), signed with RS256 or HS256.
///
/// The payload's JSON belongs to the caller: it is carried as bytes, neither checked nor rewritten.
public enum JWT {
    /// The signature algorithms that this library makes and checks.
    enum Algorithm: String {
        case rs256 = "RS256"
        case hs256 = "HS256"
    }

    /// A signed token whose header is `{"alg":"RS256","kid":keyID,"typ":"JWT"}`, without `kid` when `keyID` is nil.
    ///
    /// - Throws: `libraryFailure` when the key cannot sign.
    public static func encodeRS256(
        payload: [UInt8], keyID: String? = nil, key: RSAPrivateKey
    ) throws(CryptoError) -> String {
        let signedPart = signedPart(.rs256, keyID: keyID, payload: payload)
        return "\(signedPart).\(Base64URL.encode(try key.signSHA256(Array(signedPart.utf8))))"
    }

    /// A token whose header is `{"alg":"HS256","typ":"JWT"}`, signed with a key that the verifier shares.
    public static func encodeHS256(payload: [UInt8], key: HMACSHA256) -> String {
        let signedPart = signedPart(.hs256, keyID: nil, payload: payload)
        return "\(signedPart).\(Base64URL.encode(key.tag(for: Array(signedPart.utf8))))"
    }

    /// The payload of a token that `encodeHS256` made with `key`; `nil` for every other text.
    ///
    /// Nothing that a stranger wrote is looked into before its tag is checked: the header must be, byte for byte, the
    /// one that `encodeHS256` writes.
    ///
    /// - Parameter limitBytes: the longest token accepted.
    public static func openHS256(_ token: String, key: HMACSHA256, limitBytes: Int = 8192) -> [UInt8]? {
        var token = token
        return token.withUTF8 { text in
            guard text.count <= limitBytes, text.starts(with: hs256Header),
                let dot = text.lastIndex(of: UInt8(ascii: ".")), dot >= hs256Header.count,
                let tag = Base64URL.decode(characters: UnsafeBufferPointer(rebasing: text[(dot + 1)...])),
                key.isValid(tag, for: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[..<dot]))
            else { return nil }
            return Base64URL.decode(characters: UnsafeBufferPointer(rebasing: text[hs256Header.count..<dot]))
        }
    }

    /// How each token of `encodeHS256` begins, up to its payload.
    private static let hs256Header = Array(signedPart(.hs256, keyID: nil, payload: []).utf8)

    private static func signedPart(_ algorithm: Algorithm, keyID: String?, payload: [UInt8]) -> String {
        let header = JWTHeader(alg: algorithm.rawValue, kid: keyID, typ: "JWT", crit: nil)
        return "\(Base64URL.encode(header.json)).\(Base64URL.encode(payload))"
    }
}
