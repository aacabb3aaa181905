import Foundation

/// JSON Web Tokens in compact form (RFC 7515, RFC 7519), signed with RS256 or HS256.
///
/// The payload's JSON belongs to the caller: this type passes on the bytes without checking or changing them.
package enum JWT {
    /// The supported signature algorithms.
    enum Algorithm: String {
        case rs256 = "RS256"
        case hs256 = "HS256"
    }

    /// A signed token whose header is `{"alg":"RS256","kid":keyID,"typ":"JWT"}`, without `kid` if `keyID` is nil.
    ///
    /// - Throws: `libraryFailure` if the key cannot sign.
    package static func encodeRS256(
        payload: [UInt8], keyID: String? = nil, key: RSAPrivateKey
    ) throws(CryptoError) -> String {
        let signedPart = signedPart(.rs256, keyID: keyID, payload: payload)
        return "\(signedPart).\(Base64URL.encode(try key.signSHA256(Array(signedPart.utf8))))"
    }

    /// A token whose header is `{"alg":"HS256","typ":"JWT"}`, signed with a key that the verifier shares.
    package static func encodeHS256(payload: [UInt8], key: HMACSHA256) -> String {
        let signedPart = signedPart(.hs256, keyID: nil, payload: payload)
        return "\(signedPart).\(Base64URL.encode(key.tag(for: Array(signedPart.utf8))))"
    }

    /// The payload of a token that `encodeHS256` made with one of the keys; `nil` for every other text.
    ///
    /// The content is read only after its tag was checked: the header must be, byte for byte, the one that
    /// `encodeHS256` writes.
    ///
    /// - Parameters:
    ///   - keys: the most frequent one first, because each further one costs another tag.
    ///   - limitBytes: the longest token accepted.
    package static func openHS256(_ token: String, keys: [HMACSHA256], limitBytes: Int = 8192) -> [UInt8]? {
        var token = token
        return token.withUTF8 { text in
            guard text.count <= limitBytes, text.starts(with: hs256Header),
                let dot = text.lastIndex(of: UInt8(ascii: ".")), dot >= hs256Header.count,
                let tag = Base64URL.decode(characters: UnsafeBufferPointer(rebasing: text[(dot + 1)...]))
            else { return nil }
            let signed = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[..<dot])
            guard keys.contains(where: { $0.isValid(tag, for: signed) }) else { return nil }
            return Base64URL.decode(characters: UnsafeBufferPointer(rebasing: text[hs256Header.count..<dot]))
        }
    }

    /// The beginning of each token of `encodeHS256`, up to its payload.
    private static let hs256Header = Array(signedPart(.hs256, keyID: nil, payload: []).utf8)

    private static func signedPart(_ algorithm: Algorithm, keyID: String?, payload: [UInt8]) -> String {
        let header = JWTHeader(alg: algorithm.rawValue, kid: keyID, typ: "JWT", crit: nil)
        return "\(Base64URL.encode(header.json)).\(Base64URL.encode(payload))"
    }
}

extension JWT {
    /// The parts of a token. Nothing in it can be trusted until `verifyRS256` or `verifyHS256` has returned `true`;
    /// before that, use `keyID` and `payload` only to find the key for the verification.
    package struct Parsed: Sendable {
        /// `alg` of the header, as the sender wrote it. The caller chooses how to verify the token, and this value does
        /// not.
        package let algorithm: String
        /// `kid` of the header.
        package let keyID: String?
        /// The payload's bytes, usually JSON.
        package let payload: [UInt8]
        /// The bytes that the signature covers: `header.payload` as they were sent.
        package let signedPart: [UInt8]
        /// The decoded signature.
        package let signature: [UInt8]

        /// Whether the token names RS256 and is signed by the owner of `key`.
        package func verifyRS256(with key: RSAPublicKey) -> Bool {
            algorithm == Algorithm.rs256.rawValue && key.isValidSHA256(signature: signature, for: signedPart)
        }

        /// Whether the token names HS256 and its tag was made with `key`.
        package func verifyHS256(with key: HMACSHA256) -> Bool {
            algorithm == Algorithm.hs256.rawValue && key.isValid(signature, for: signedPart)
        }
    }

    /// Splits `token` into its parts without verifying it.
    ///
    /// - Parameter limitBytes: the longest token accepted, so that no client can make the server parse megabytes.
    /// - Throws: `tooLarge`; or `malformedToken` if there are not three strict base64url parts, the header is not a
    ///   JSON object with `alg`, or it names critical extensions (`crit`), none of which are supported.
    package static func parse(_ token: String, limitBytes: Int = 8192) throws(CryptoError) -> Parsed {
        guard token.utf8.count <= limitBytes else {
            throw CryptoError(.tooLarge, "the token is longer than \(limitBytes) bytes")
        }
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            throw CryptoError(.malformedToken, "the token does not have three parts separated by dots")
        }
        guard let headerJSON = Base64URL.decode(characters: parts[0]),
            let payload = Base64URL.decode(characters: parts[1]),
            let signature = Base64URL.decode(characters: parts[2])
        else {
            throw CryptoError(.malformedToken, "a part of the token is not base64url without padding")
        }
        guard let header = JWTHeader(json: headerJSON), header.crit == nil else {
            throw CryptoError(
                .malformedToken, "the token's header must be a JSON object that has \"alg\" and has no \"crit\"")
        }
        return Parsed(
            algorithm: header.alg, keyID: header.kid, payload: payload,
            signedPart: Array(token.utf8.prefix(parts[0].count + 1 + parts[1].count)), signature: signature)
    }
}

/// The relevant members of a token's header; others are ignored, as RFC 7515 requires.
struct JWTHeader: Codable {
    let alg: String
    let kid: String?
    let typ: String?
    let crit: [String]?

    /// The header's JSON, with its members in alphabetical order.
    var json: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let json = try? encoder.encode(self) else {
            preconditionFailure("a header of plain strings is always valid JSON")
        }
        return json
    }

    init(alg: String, kid: String?, typ: String?, crit: [String]?) {
        self.alg = alg
        self.kid = kid
        self.typ = typ
        self.crit = crit
    }

    /// `nil` if `json` is not an object with a string `alg`.
    init?(json: [UInt8]) {
        guard let header = try? JSONDecoder().decode(JWTHeader.self, from: Data(json)) else { return nil }
        self = header
    }
}
