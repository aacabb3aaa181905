extension JWT {
    /// A token taken apart. Nothing in it can be trusted until `verifyRS256` or `verifyHS256` said `true`;
    /// until then `keyID` and `payload` serve only to find the key to verify with.
    public struct Parsed: Sendable {
        /// `alg` of the header, as the sender wrote it. It never chooses how the token is verified: the caller does.
        public let algorithm: String
        /// `kid` of the header.
        public let keyID: String?
        /// The payload's bytes, by agreement JSON.
        public let payload: [UInt8]
        /// The bytes that the signature covers: `header.payload` as they were sent.
        public let signedPart: [UInt8]
        /// The decoded signature.
        public let signature: [UInt8]

        /// Whether the token says RS256 and its signature is by the owner of `key`.
        public func verifyRS256(with key: RSAPublicKey) -> Bool {
            algorithm == Algorithm.rs256.rawValue && key.isValidSHA256(signature: signature, for: signedPart)
        }

        /// Whether the token says HS256 and its tag was made with `key`.
        public func verifyHS256(with key: HMACSHA256) -> Bool {
            algorithm == Algorithm.hs256.rawValue && key.isValid(signature, for: signedPart)
        }
    }

    /// Takes `token` apart without verifying it.
    ///
    /// - Parameter limitBytes: the longest token accepted, so that a stranger cannot make the server parse megabytes.
    /// - Throws: `tooLarge`, or `malformedToken` when there are not three strict base64url parts, the header is not a
    ///   JSON object with `alg`, or it names critical extensions (`crit`), none of which exist here.
    public static func parse(_ token: String, limitBytes: Int = 8192) throws(CryptoError) -> Parsed {
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
                .malformedToken, "the token's header is not a JSON object with \"alg\" and without \"crit\"")
        }
        return Parsed(
            algorithm: header.alg, keyID: header.kid, payload: payload,
            signedPart: Array(token.utf8.prefix(parts[0].count + 1 + parts[1].count)), signature: signature)
    }
}
