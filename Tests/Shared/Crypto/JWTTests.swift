import HearthCrypto
import Testing

@Suite("JSON Web Tokens") struct JWTTests {
    let payload = Array(#"{"iss":"hearth","exp":1300819380}"#.utf8)
    let sharedKey = HMACSHA256(key: [UInt8](repeating: 7, count: 32))

    /// Header and payload of RFC 7515, appendix A.1.1, with its tag.
    static let rfcHS256 =
        "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt"
        + "cGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    static let rfcHS256Key =
        "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"

    /// RFC 7515, appendix A.2.
    static let rfcRS256 =
        "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290"
        + "Ijp0cnVlfQ.cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5ju"
        + "jGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRm"
        + "B_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5A"
        + "XLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"

    @Test("The HS256 example of RFC 7515 verifies")
    func rfcHMACExample() throws {
        let key = HMACSHA256(key: try #require(Base64URL.decode(Self.rfcHS256Key)))
        let token = try JWT.parse(Self.rfcHS256)
        #expect(token.algorithm == "HS256")
        #expect(token.verifyHS256(with: key))
        #expect(String(decoding: token.payload, as: UTF8.self).contains("\"joe\""))
        #expect(!token.verifyHS256(with: sharedKey))
    }

    @Test("The RS256 example of RFC 7515 verifies")
    func rfcRSAExample() throws {
        let token = try JWT.parse(Self.rfcRS256)
        #expect(token.verifyRS256(with: try RSAPublicKey(pem: SampleKeys.rfc7515)))
        #expect(!token.verifyRS256(with: try SampleKeys.first().publicKey))
    }

    @Test("What is encoded comes back, key id included", arguments: [nil, "key-1", "quote\" back\\slash \u{1F525}\n"])
    func roundTrip(keyID: String?) throws {
        let key = try SampleKeys.first()
        let token = try JWT.parse(try JWT.encodeRS256(payload: payload, keyID: keyID, key: key))
        #expect(token.algorithm == "RS256")
        #expect(token.keyID == keyID)
        #expect(token.payload == payload)
        #expect(token.verifyRS256(with: key.publicKey))
        let shared = try JWT.parse(JWT.encodeHS256(payload: payload, key: sharedKey))
        #expect(shared.payload == payload && shared.keyID == nil && shared.verifyHS256(with: sharedKey))
    }

    @Test("A token of one's own opens, and no other text does")
    func open() throws {
        let token = JWT.encodeHS256(payload: payload, key: sharedKey)
        #expect(JWT.openHS256(token, keys: [sharedKey]) == payload)
        let other = HMACSHA256(key: [1])
        #expect(JWT.openHS256(token, keys: [other]) == nil && JWT.openHS256(token, keys: []) == nil)
        #expect(JWT.openHS256(token, keys: [other, sharedKey]) == payload)
        #expect(JWT.openHS256(token, keys: [other, other]) == nil)
        #expect(JWT.openHS256(token, keys: [sharedKey], limitBytes: token.utf8.count) == payload)
        #expect(JWT.openHS256(token, keys: [sharedKey], limitBytes: token.utf8.count - 1) == nil)
        let characters = Array(token)
        for index in characters.indices {
            var altered = characters
            altered[index] = altered[index] == "A" ? "B" : "A"
            #expect(JWT.openHS256(String(altered), keys: [sharedKey]) == nil)
            #expect(JWT.openHS256(String(characters[..<index]), keys: [sharedKey]) == nil)
        }
        for text in [
            "", ".", "..", "a.b.c", token + ".", "." + token, token + "A", token + "=", String(token.dropFirst()),
        ] {
            #expect(JWT.openHS256(text, keys: [sharedKey]) == nil, "\(text)")
        }
        // Signed with the right key, but under another header.
        let key = HMACSHA256(key: try #require(Base64URL.decode(Self.rfcHS256Key)))
        #expect(JWT.openHS256(Self.rfcHS256, keys: [key]) == nil)
    }

    @Test("A public key used as an HMAC key fools nobody")
    func algorithmSwap() throws {
        let publicKey = try SampleKeys.first().publicKey
        let forger = HMACSHA256(key: Array(publicKey.pem.utf8))
        let forged = try JWT.parse(JWT.encodeHS256(payload: payload, key: forger))
        #expect(!forged.verifyRS256(with: publicKey))
        let genuine = try JWT.parse(try JWT.encodeRS256(payload: payload, key: try SampleKeys.first()))
        #expect(!genuine.verifyHS256(with: sharedKey))
        #expect(!genuine.verifyHS256(with: forger))
    }

    @Test(
        "A right signature under the wrong algorithm name does not verify",
        arguments: ["none", "None", "hs256", "RS256", ""])
    func algorithmNames(name: String) throws {
        let signedPart = "\(Base64URL.encode(#"{"alg":"\#(name)"}"#.utf8)).\(Base64URL.encode(payload))"
        let tag = sharedKey.tag(for: Array(signedPart.utf8))
        let token = try JWT.parse("\(signedPart).\(Base64URL.encode(tag))")
        #expect(!token.verifyHS256(with: sharedKey))
        #expect(!token.verifyRS256(with: try SampleKeys.first().publicKey))
    }

    @Test("An unsigned token never verifies")
    func unsigned() throws {
        let token = try JWT.parse("\(Base64URL.encode(#"{"alg":"none"}"#.utf8)).\(Base64URL.encode(payload)).")
        #expect(token.signature.isEmpty)
        #expect(!token.verifyHS256(with: sharedKey))
        #expect(!token.verifyRS256(with: try SampleKeys.first().publicKey))
    }

    @Test("No single changed character leaves a valid token")
    func everyCharacterCounts() throws {
        let token = JWT.encodeHS256(payload: payload, key: sharedKey)
        for index in token.indices {
            var changed = token
            changed.replaceSubrange(index...index, with: token[index] == "A" ? "B" : "A")
            let isValid = (try? JWT.parse(changed))?.verifyHS256(with: sharedKey) ?? false
            #expect(!isValid, "changed at \(index)")
        }
    }

    @Test(
        "Texts that are no token are refused",
        arguments: [
            "", ".", "..", "a.b", "a.b.c", "....", "eyJhbGciOiJIUzI1NiJ9.e30", "eyJhbGciOiJIUzI1NiJ9.e30.AA.AA",
            "eyJhbGciOiJIUzI1NiJ9.e30=.AA", "eyJhbGciOiJIUzI1NiJ9 .e30.AA", "e30.e30.AA", "W10.e30.AA",
            "bnVsbA.e30.AA", "\0.\0.\0",
        ])
    func malformed(text: String) {
        let error = #expect(throws: CryptoError.self) { try JWT.parse(text) }
        #expect(error?.code == .malformedToken)
    }

    @Test("Headers of the wrong shape and critical extensions are refused")
    func hostileHeaders() {
        let nested = String(repeating: "[", count: 5000)
        for header in [#"{"alg":5}"#, #"{"alg":"HS256","crit":["exp"]}"#, #"{"alg":"HS256","kid":{}}"#, nested] {
            let text = "\(Base64URL.encode(header.utf8)).e30.AA"
            #expect(throws: CryptoError.self) { try JWT.parse(text) }
        }
    }

    @Test("The limit holds at n and n + 1")
    func limit() throws {
        let token = JWT.encodeHS256(payload: payload, key: sharedKey)
        _ = try JWT.parse(token, limitBytes: token.utf8.count)
        let error = #expect(throws: CryptoError.self) { try JWT.parse(token, limitBytes: token.utf8.count - 1) }
        #expect(error?.code == .tooLarge)
    }

    @Test("Errors never quote the token")
    func errorsAreSilent() {
        let secret = "c2VjcmV0LXRva2Vu"
        let error = #expect(throws: CryptoError.self) { try JWT.parse("\(secret).\(secret).!") }
        #expect(error.map { "\($0)".contains(secret) } == false)
    }
}
