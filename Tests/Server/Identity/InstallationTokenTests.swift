import HearthIdentity
import Testing

@Suite("Installation tokens") struct InstallationTokenTests {
    private static let fid = "cAAAAAAAAAAAAAAAAAAAA1"
    private static let app = "1:123456789012:ios:0123456789abcdef"
    private let tokens: InstallationTokens

    init() throws { tokens = InstallationTokens(secret: try Sample.secret()) }

    private func issue() throws -> String {
        try tokens.issue(fid: Self.fid, appID: Self.app, projectNumber: 7, nowSeconds: Sample.now)
    }

    @Test("A device's token says what clients expect, for seven days")
    func claims() throws {
        let token = try issue()
        let claims = InstallationTokens.Claims(
            appId: Self.app, exp: Sample.now + 604_800, fid: Self.fid, projectNumber: 7)
        #expect(tokens.verify(token, nowSeconds: Sample.now) == claims)
        #expect(tokens.verify(token, nowSeconds: Sample.now + 604_799) == claims)
        #expect(tokens.verify(token, nowSeconds: Sample.now + 604_800) == nil)
    }

    @Test("Another server's token is worthless")
    func foreign() throws {
        let other = InstallationTokens(secret: try Sample.secret())
        #expect(other.verify(try issue(), nowSeconds: Sample.now) == nil)
        let refresh = tokens.refreshToken(fid: Self.fid, appID: Self.app, projectNumber: 7)
        #expect(other.verifyRefreshToken(refresh, fid: Self.fid, projectNumber: 7) == nil)
    }

    @Test("A refresh token belongs to one installation of one project, and remembers the app")
    func refresh() {
        let token = tokens.refreshToken(fid: Self.fid, appID: Self.app, projectNumber: 7)
        #expect(token.hasPrefix("3_"))
        #expect(tokens.verifyRefreshToken(token, fid: Self.fid, projectNumber: 7) == Self.app)
        #expect(tokens.verifyRefreshToken(token, fid: "cAAAAAAAAAAAAAAAAAAAA2", projectNumber: 7) == nil)
        #expect(tokens.verifyRefreshToken(token, fid: Self.fid, projectNumber: 8) == nil)
    }

    @Test("Every altered character makes a refresh token worthless")
    func alteredRefresh() {
        let characters = Array(tokens.refreshToken(fid: Self.fid, appID: Self.app, projectNumber: 7))
        for index in characters.indices {
            var altered = characters
            altered[index] = altered[index] == "A" ? "B" : "A"
            #expect(tokens.verifyRefreshToken(String(altered), fid: Self.fid, projectNumber: 7) == nil)
        }
    }

    @Test("Fields cannot run into each other")
    func framing() {
        let token = tokens.refreshToken(fid: "ab", appID: "c|d", projectNumber: 1)
        for (fid, app, number) in [("ab|c", "d", 1), ("a", "b|c|d", 1), ("ab", "c|d", 11)] as [(String, String, Int64)]
        {
            #expect(tokens.refreshToken(fid: fid, appID: app, projectNumber: number) != token)
            #expect(tokens.verifyRefreshToken(token, fid: fid, projectNumber: number) == nil)
        }
    }

    @Test(
        "What is no refresh token is refused",
        arguments: [
            "", "3_", "3_.", "3_..", "2_YQ.YQ", "3_YQ", "3_YQ.!", "3_" + String(repeating: "A", count: 1_000_000),
        ])
    func garbage(text: String) {
        #expect(tokens.verifyRefreshToken(text, fid: Self.fid, projectNumber: 7) == nil)
    }

    @Test("A refresh token is no device token, nor the other way round")
    func kinds() throws {
        let refresh = tokens.refreshToken(fid: Self.fid, appID: Self.app, projectNumber: 7)
        #expect(tokens.verify(refresh, nowSeconds: Sample.now) == nil)
        #expect(tokens.verifyRefreshToken(try issue(), fid: Self.fid, projectNumber: 7) == nil)
    }
}
