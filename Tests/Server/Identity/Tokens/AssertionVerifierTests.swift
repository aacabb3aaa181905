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
        try grant(assertion).key
    }

    private func grant(
        _ assertion: String, at moment: ServerClock.Moment = .init(microseconds: Sample.now * 1_000_000)
    ) throws -> AssertionVerifier.Grant {
        try AssertionVerifier.verify(assertion, moment: moment, isOwnAudience: { $0 == "https://hearth.example/token" })
        {
            email in
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

    @Test("The account that signed is found, and a second time as well")
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
            ("iat", 300, nil), ("iat", 301, future), ("iat", -100_000, nil), ("nbf", 300, nil), ("nbf", -100_000, nil),
            ("nbf", 301, "The assertion is not valid yet (nbf); check the clock."),
        ] as [(String, Int64, String?)])
    func times(claim: String, offset: Int64, message: String?) throws {
        #expect(refusal(try signed([claim: Sample.now + offset])) == message)
    }

    @Test("The audience is this server, under an address of its own or under one that stock clients name")
    func audience() throws {
        for audience in AssertionVerifier.stockAudiences + ["https://hearth.example/token"] {
            #expect(refusal(try signed(["aud": audience])) == nil)
            #expect(refusal(try signed(["aud": ["x", audience]])) == nil, "one of several")
        }
        let other = "The assertion is for another server (aud)."
        for audience in ["https://eve.example/token", "", "https://hearth.example/token/", "https://hearth.example"] {
            #expect(refusal(try signed(["aud": audience]))?.hasPrefix(other) == true, "\(audience)")
            #expect(refusal(try signed(["aud": [audience]]))?.hasPrefix(other) == true, "\(audience)")
        }
        let none = try Sample.json(["iss": Sample.email, "exp": Sample.now + 3600])
        #expect(
            refusal(try JWT.encodeRS256(payload: none, keyID: "k", key: Sample.key.get()))?.hasPrefix(other) == true)
    }

    @Test("To act as another is refused; to name oneself is not")
    func subject() throws {
        #expect(refusal(try signed(["sub": Sample.email])) == nil)
        #expect(refusal(try signed(["sub": "boss@example.test"]))?.contains("(sub)") == true)
    }

    @Test("Scopes that only read make a grant that only reads")
    func scopes() throws {
        #expect(try !grant(try signed()).isReadOnly)
        #expect(try grant(try signed(["scope": "https://www.googleapis.com/auth/devstorage.read_only"])).isReadOnly)
    }

    @Test("A clock that went back by less than a day makes no expired assertion good; one further off locks nobody out")
    func clockBack() throws {
        func moment(wall: Int64) -> ServerClock.Moment {
            .init(
                wallMicroseconds: (Sample.now + wall) * 1_000_000, expiryMicroseconds: (Sample.now + wall) * 1_000_000,
                signingMicroseconds: Sample.now * 1_000_000, monotonicMicroseconds: 0)
        }
        let fresh = try signed()
        let old = try signed(["iat": Sample.now - 7200, "exp": Sample.now - 3600])
        #expect(try grant(fresh, at: moment(wall: -7200)).key.id == "k")
        #expect(throws: AssertionVerifier.Refusal.self) { try grant(old, at: moment(wall: -7200)) }
        #expect(try grant(fresh, at: moment(wall: -400 * 86_400)).key.id == "k")
        let then = Sample.now - 400 * 86_400
        #expect(
            try grant(signed(["iat": then, "exp": then + 3600]), at: moment(wall: -400 * 86_400)).key.id == "k",
            "the clock had been ahead, and is right now")
    }

    @Test("The keys that may have signed are told without a look at the signature")
    func candidates() throws {
        func ids(_ assertion: String, of keys: [AccountKey]) -> [String] {
            AssertionVerifier.candidates(assertion, moment: .init(microseconds: Sample.now * 1_000_000)) { _ in keys }
        }
        let keys = [try Sample.accountKey(id: "other", of: Sample.otherKey), try Sample.accountKey()]
        #expect(ids(try signed(), of: keys) == ["k"])
        #expect(ids(try JWT.encodeRS256(payload: Self.claims(), key: Sample.otherKey.get()), of: keys).count == 2)
        #expect(ids("a.b.c", of: keys).isEmpty)
        #expect(ids(try signed(), of: []).isEmpty)
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
            try AssertionVerifier.verify(
                assertion, moment: .init(microseconds: Sample.now * 1_000_000), isOwnAudience: { _ in true }
            ) { _ in throw Failure() }
        }
    }

    private func signer(_ assertion: String, of keys: [AccountKey]) throws -> String {
        try AssertionVerifier.verify(
            assertion, moment: .init(microseconds: Sample.now * 1_000_000), isOwnAudience: { _ in true }
        ) { _ in keys }.key.id
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

@Suite("OAuthScopes") struct OAuthScopesTests {
    private static let google = "https://www.googleapis.com/auth/"

    @Test(
        "Scopes that only read are told by their end",
        arguments: [
            (["devstorage.read_only"], true), (["cloud-platform.read-only"], true), (["firebase.readonly"], true),
            (["firebase.readonly", "userinfo.email", "devstorage.read_only"], true),
            (["userinfo.email"], false), (["cloud-platform"], false), (["devstorage.read_write"], false),
            (["devstorage.read_only", "devstorage.read_write"], false), ([], false),
        ])
    func readOnly(names: [String], isReadOnly: Bool) {
        #expect(OAuthScopes.areReadOnly(names.map { Self.google + $0 }.joined(separator: " ")) == isReadOnly)
    }

    @Test("None at all ask for everything")
    func none() {
        #expect(
            !OAuthScopes.areReadOnly(nil) && !OAuthScopes.areReadOnly("   ") && !OAuthScopes.areReadOnly("openid email")
        )
    }
}
