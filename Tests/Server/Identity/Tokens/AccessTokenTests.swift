import HearthCrypto
import HearthIdentity
import Testing

@Suite("Access tokens") struct AccessTokenTests {
    private let tokens: AccessTokens
    private let token: String

    init() throws {
        tokens = AccessTokens(secret: try Sample.secret())
        token = try tokens.issue(for: try Sample.accountKey(), nowSeconds: Sample.now)
    }

    @Test("A token says who, by which key, until when")
    func claims() throws {
        let claims = AccessTokens.Claims(
            subject: Sample.email, keyID: "k", expires: Sample.now + 3600)
        #expect(try tokens.verify(token, nowSeconds: Sample.now) == claims)
    }

    @Test("It is good for an hour and not a second more", arguments: [(3599, true), (3600, false), (-10, true)])
    func expiry(seconds: Int64, isValid: Bool) {
        let claims = Result { try tokens.verify(token, nowSeconds: Sample.now + seconds) }
        #expect(((try? claims.get()) != nil) == isValid)
        if !isValid { #expect(throws: AccessTokens.Expired.self, "it was right once") { try claims.get() } }
    }

    @Test("One that was signed when the clock was ahead is good for as long as any, and no longer")
    func signedAhead() throws {
        #expect(try tokens.verify(token, nowSeconds: Sample.now - 300) != nil)
        #expect(throws: AccessTokens.Expired.self) { try tokens.verify(token, nowSeconds: Sample.now - 301) }
        let reading = try tokens.issue(for: try Sample.accountKey(), isReadOnly: true, nowSeconds: Sample.now)
        #expect(try tokens.verify(reading, nowSeconds: Sample.now)?.readOnly == true)
    }

    @Test("Every altered character makes it worthless")
    func altered() throws {
        let characters = Array(token)
        for index in characters.indices {
            var altered = characters
            altered[index] = altered[index] == "A" ? "B" : "A"
            #expect(try tokens.verify(String(altered), nowSeconds: Sample.now) == nil, "character \(index)")
        }
    }

    @Test(
        "What is no token is refused",
        arguments: [
            "", ".", "..", "a.b.c", "Bearer x", String(repeating: "a", count: 100_000), "e30.e30.", "\0", "🔥.🔥.🔥",
        ])
    func garbage(text: String) throws {
        #expect(try tokens.verify(text, nowSeconds: Sample.now) == nil)
    }

    @Test("Another server's token, and one without a signature, are worthless")
    func foreign() throws {
        let other = AccessTokens(secret: try Sample.secret())
        #expect(try other.verify(token, nowSeconds: Sample.now) == nil)
        let payload = try Sample.json(["subject": "a", "keyID": "k", "expires": Sample.now + 100])
        for header in [#"{"alg":"none","typ":"JWT"}"#, #"{"alg":"HS256","typ":"JWT"}"#, #"{"typ":"JWT"}"#] {
            #expect(try tokens.verify(Sample.token(header: header, payload: payload) { _ in [] }, nowSeconds: 0) == nil)
        }
    }

    @Test("A key for another purpose never makes an access token")
    func otherPurpose() throws {
        let secret = try Sample.secret()
        let installations = InstallationTokens(secret: secret)
        let device = try installations.issue(fid: "f", appID: "a", projectNumber: 1, nowSeconds: Sample.now)
        let access = AccessTokens(secret: secret)
        #expect(try access.verify(device, nowSeconds: Sample.now) == nil)
        let admin = try access.issue(for: try Sample.accountKey(), nowSeconds: Sample.now)
        #expect(installations.verify(admin, nowSeconds: Sample.now) == nil)
        #expect(try access.verify(admin, nowSeconds: Sample.now) != nil)
    }
}
