import Testing

@testable import HearthApp

@Suite("What to do for a caller that wants a token")
struct InstallationStepTests {
    private static let now: Int64 = 1_800_000_000
    private static let refresh = InstallationStep.refresh(refreshToken: "r")

    private static func use(_ token: String, _ expires: Int64) -> InstallationStep {
        .use(InstallationToken(token: token, expires: expires))
    }

    @Test(
        "the whole table",
        arguments: [
            (nil, nil, nil, false, .register), (nil, nil, nil, true, .register),
            (nil, "a", now + 9999, false, .register),
            ("r", nil, nil, false, refresh), ("r", "a", nil, false, refresh), ("r", nil, now + 9999, false, refresh),
            ("r", "a", now + 3601, false, use("a", now + 3601)), ("r", "a", now + 3601, true, refresh),
            ("r", "a", now + 3600, false, refresh), ("r", "a", now - 1, false, refresh),
            ("r", "a", now + 31_536_000, false, use("a", now + 31_536_000)),
            ("r", "a", now + 31_536_001, false, refresh),
            ("r", "a", .min, false, refresh), ("r", "a", .max, false, refresh),
        ] as [(String?, String?, Int64?, Bool, InstallationStep)])
    func table(refresh: String?, token: String?, expires: Int64?, forcing: Bool, expected: InstallationStep) {
        let record = InstallationRecord(
            fid: "f", refreshToken: refresh, authToken: token, authTokenExpires: expires, authTokenObtained: Self.now)
        #expect(InstallationStep.next(record, forcingRefresh: forcing, nowSeconds: Self.now) == expected)
    }

    @Test(
        "a token that came while the clock was ahead is not believed",
        arguments: [
            (now - 600_000, true), (now, true), (now + 300, true), (now + 301, false), (now + 31_000_000, false),
            (.max, false), (.min, true), (nil, false),
        ] as [(Int64?, Bool)])
    func clockAhead(obtained: Int64?, isBelieved: Bool) {
        let record = InstallationRecord(
            fid: "f", refreshToken: "r", authToken: "a", authTokenExpires: Self.now + 604_800,
            authTokenObtained: obtained)
        let step = InstallationStep.next(record, forcingRefresh: false, nowSeconds: Self.now)
        #expect(step == (isBelieved ? Self.use("a", Self.now + 604_800) : Self.refresh))
    }

    @Test("new ids: 22 characters of base64url, 0111 in front, never twice")
    func identifiers() {
        let ids = (0..<500).map { _ in InstallationRecord.new().fid }
        #expect(Set(ids).count == 500)
        #expect(ids.allSatisfy { $0.count == 22 && "cdef".contains($0.prefix(1)) })
        #expect(ids.joined().allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
    }
}
