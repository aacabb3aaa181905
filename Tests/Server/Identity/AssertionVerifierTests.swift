import HearthCatalog
import HearthCrypto
import HearthIdentity
import Testing

@Suite("Signed assertions of admin tools") struct AssertionVerifierTests {
    private static let unknown =
        "The service account or its key was revoked, or belongs to another server; get a new key from this one."
    private static let future = "The assertion's times are too far in the future; check the clock."

    /// As google-auth makes them.
    private static func claims(_ changes: [String: Any] = [:]) throws -> [UInt8] {
        let claims: [String: Any] = [
            "iss": Sample.email, "iat": Sample.now, "exp": Sample.now + 3600,
            "aud": "https://oauth2.googleapis.com/token", "scope": "https://www.googleapis.com/auth/cloud-platform",
        ]
        return try Sample.json(claims.merging(changes) { $1 })
    }

    private func verify(_ assertion: String) throws -> AccountKey {
        try AssertionVerifier.verify(assertion, nowMicroseconds: Sample.now * 1_000_000) { email in
            email == Sample.email ? [try Sample.accountKey()] : []
        }
    }

    private func refusal(_ assertion: String) -> String? {
        do {
            _ = try verify(assertion)
            return nil
        } catch {
            return (error as? AssertionVerifier.Refusal)?.message
        }
    }

    private func signed(_ changes: [String: Any] = [:]) throws -> String {
        try JWT.encodeRS256(payload: try Self.claims(changes), keyID: "k", key: try Sample.key.get())
    }

    @Test("The account that signed is found, whatever the audience, and a second time as well")
    func accepted() throws {
        let assertion = try signed()
        #expect(try verify(assertion).email == Sample.email)
        #expect(try verify(assertion).email == Sample.email)
        #expect(try verify(try signed(["aud": "https://hearth.example/token"])).email == Sample.email)
        #expect(try verify(try JWT.encodeRS256(payload: Self.claims(), key: Sample.key.get())).id == "k")
    }

    @Test(
        "Clocks may differ by five minutes, and assertions last an hour",
        arguments: [
            ("exp", 3900, nil), ("exp", 3901, future), ("exp", -299, nil), ("exp", -300, "The assertion has expired."),
            ("iat", 300, nil), ("iat", 301, future), ("iat", -100_000, nil),
        ] as [(String, Int64, String?)])
    func times(claim: String, offset: Int64, message: String?) throws {
        #expect(refusal(try signed([claim: Sample.now + offset])) == message)
    }

    @Test("Absurd times are refused, not trapped")
    func absurdTimes() throws {
        for value in [1e300, -1e300, Double(Int64.max)] {
            #expect(refusal(try signed(["exp": value])) != nil)
        }
        #expect(refusal(try signed(["iat": 1e300])) == Self.future)
        #expect(refusal(try signed(["iat": -1e300])) == nil)
    }

    @Test("An unknown issuer, or somebody else's key, is refused with the same words")
    func strangers() throws {
        #expect(refusal(try signed(["iss": "eve@example.test"])) == Self.unknown)
        let forged = try JWT.encodeRS256(payload: try Self.claims(), key: try Sample.otherKey.get())
        #expect(refusal(forged) == Self.unknown)
    }

    @Test("Neither no algorithm nor the public key as a shared secret opens the door")
    func algorithms() throws {
        let pem = try Sample.key.get().publicKey.pem
        let claims = try Self.claims()
        let hmac = HMACSHA256(key: Array(pem.utf8))
        #expect(refusal(JWT.encodeHS256(payload: claims, key: hmac)) == Self.unknown)
        for header in [#"{"alg":"none","typ":"JWT"}"#, #"{"alg":"NONE"}"#, #"{"alg":""}"#, #"{"alg":"RS512"}"#] {
            #expect(refusal(Sample.token(header: header, payload: claims) { _ in [] }) == Self.unknown)
        }
        let key = try Sample.key.get()
        let lying = try Sample.token(header: #"{"alg":"HS256"}"#, payload: claims) { text in
            try key.signSHA256(Array(text.utf8))
        }
        #expect(refusal(lying) == Self.unknown, "a good signature under another name")
    }

    @Test("Changed claims do not pass under an old signature")
    func alteredClaims() throws {
        let parts = try signed().split(separator: ".")
        let claims = Base64URL.encode(try Self.claims(["exp": Sample.now + 3601]))
        #expect(refusal("\(parts[0]).\(claims).\(parts[2])") == Self.unknown)
    }

    @Test(
        "What is no assertion is refused",
        arguments: ["", "a.b.c", "..", "e30.e30.e30", "e30.bnVsbA.", String(repeating: "A", count: 100_000)])
    func garbage(text: String) {
        #expect(refusal(text) == "The assertion is not a JSON Web Token.")
    }

    @Test("A failing look-up is not mistaken for an unknown account")
    func failingLookUp() throws {
        struct Failure: Error {}
        let assertion = try signed()
        #expect(throws: Failure.self) {
            try AssertionVerifier.verify(assertion, nowMicroseconds: Sample.now * 1_000_000) { _ in throw Failure() }
        }
    }

    private func signer(_ assertion: String, of keys: [AccountKey]) throws -> String {
        try AssertionVerifier.verify(assertion, nowMicroseconds: Sample.now * 1_000_000) { _ in keys }.id
    }

    @Test("The key that the assertion names is the only one that counts; without a name, each active one does")
    func keyNames() throws {
        let keys = [try Sample.accountKey(id: "other", of: Sample.otherKey), try Sample.accountKey()]
        #expect(try signer(signed(), of: keys) == "k")
        let unnamed = try JWT.encodeRS256(payload: Self.claims(), key: Sample.key.get())
        #expect(try signer(unnamed, of: keys) == "k")
        for name in ["other", "unknown", ""] {
            let misnamed = try JWT.encodeRS256(payload: Self.claims(), keyID: name, key: Sample.key.get())
            #expect(throws: AssertionVerifier.Refusal.self) { try signer(misnamed, of: keys) }
        }
    }

    @Test("A key that has ended is refused from that microsecond on, named or not", arguments: [true, false])
    func endedKey(isNamed: Bool) throws {
        let assertion = try JWT.encodeRS256(
            payload: Self.claims(), keyID: isNamed ? "k" : nil, key: Sample.key.get())
        let now = Sample.now * 1_000_000
        #expect(try signer(assertion, of: [Sample.accountKey(ends: now + 1)]) == "k")
        #expect(throws: AssertionVerifier.Refusal.self) {
            try signer(assertion, of: [Sample.accountKey(ends: now)])
        }
    }
}
