import HearthCatalog
import HearthIdentity
import Testing

@Suite("Installation tokens") struct InstallationTokenTests {
    private static let fid = "cAAAAAAAAAAAAAAAAAAAA1"
    private static let app = "1:123456789012:ios:0123456789abcdef"
    private static let record = Installation(
        projectID: "demo-project", fid: fid, appID: app, createdMicroseconds: 1_800_000_000_000_000)
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
        #expect(tokens.verify(token, nowSeconds: Sample.now - 300) == claims)
        #expect(tokens.verify(token, nowSeconds: Sample.now - 301) == nil, "signed when the clock was ahead")
    }

    @Test(
        "Whatever an app calls itself, its token says it",
        arguments: [
            "", "a", #"quote " and \ and / "#, "line\nend\u{0}", "ünïcödé 🔥", #"","exp":9,"fid":""#, "}", "\u{2028}",
        ])
    func anyApp(app: String) throws {
        let token = try tokens.issue(fid: Self.fid, appID: app, projectNumber: .max, nowSeconds: Sample.now)
        let claims = try #require(tokens.verify(token, nowSeconds: Sample.now))
        #expect(claims.appId == app && claims.fid == Self.fid && claims.projectNumber == .max)
        #expect(claims.exp == Sample.now + 604_800)
    }

    @Test("Another server's token is worthless")
    func foreign() throws {
        let other = InstallationTokens(secret: try Sample.secret())
        #expect(other.verify(try issue(), nowSeconds: Sample.now) == nil)
        #expect(!other.verifyRefreshToken(tokens.refreshToken(of: Self.record), of: Self.record))
    }

    @Test("A refresh token belongs to one record of one installation, and ends with it")
    func refresh() {
        let token = tokens.refreshToken(of: Self.record)
        #expect(token.hasPrefix("3_"))
        #expect(tokens.verifyRefreshToken(token, of: Self.record))
        for change in [
            { $0.fid = "cAAAAAAAAAAAAAAAAAAAA2" }, { $0.projectID = "other-project" }, { $0.appID += "0" },
            { $0.createdMicroseconds += 1 },
        ] as [(inout Installation) -> Void] {
            var other = Self.record
            change(&other)
            #expect(!tokens.verifyRefreshToken(token, of: other), "\(other)")
        }
    }

    @Test("A refresh token says to which record it belongs, and one of an earlier version does not")
    func signedRefresh() throws {
        let token = tokens.refreshToken(of: Self.record)
        let (fid, project) = (Self.record.fid, Self.record.projectID)
        #expect(tokens.installation(ofRefreshToken: token, fid: fid, project: project) == Self.record)
        #expect(tokens.installation(ofRefreshToken: token, fid: fid, project: "other-project") == nil)
        #expect(tokens.installation(ofRefreshToken: token, fid: "cAAAAAAAAAAAAAAAAAAAA2", project: project) == nil)
        let earlier = "3_" + (try #require(token.split(separator: ".").last))
        #expect(tokens.verifyRefreshToken(earlier, of: Self.record))
        #expect(tokens.installation(ofRefreshToken: earlier, fid: fid, project: project) == nil)
    }

    @Test("Every altered character makes a refresh token worthless")
    func alteredRefresh() {
        let characters = Array(tokens.refreshToken(of: Self.record))
        for index in characters.indices {
            var altered = characters
            altered[index] = altered[index] == "A" ? "B" : "A"
            #expect(!tokens.verifyRefreshToken(String(altered), of: Self.record))
        }
    }

    @Test("Fields cannot run into each other")
    func framing() {
        let token = tokens.refreshToken(of: Installation(projectID: "a", fid: "b", appID: "c", createdMicroseconds: 1))
        for (project, fid, app) in [("a1 b", "", "c"), ("", "a1 b", "c"), ("a", "b1 c", ""), ("a", "", "b1 c")] {
            let other = Installation(projectID: project, fid: fid, appID: app, createdMicroseconds: 1)
            #expect(tokens.refreshToken(of: other) != token)
        }
    }

    @Test(
        "What is no refresh token is refused",
        arguments: [
            "", "3_", "3_.", "2_YQ", "3_YQ", "3_YQ.YQ", "3_!", "3_" + String(repeating: "A", count: 1_000_000),
        ])
    func garbage(text: String) {
        #expect(!tokens.verifyRefreshToken(text, of: Self.record))
    }

    @Test("A refresh token is no device token, nor the other way round")
    func kinds() throws {
        #expect(tokens.verify(tokens.refreshToken(of: Self.record), nowSeconds: Sample.now) == nil)
        #expect(!tokens.verifyRefreshToken(try issue(), of: Self.record))
    }
}
