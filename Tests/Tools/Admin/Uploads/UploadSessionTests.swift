import HearthAdminTestSupport
import HearthTransport
import Testing

@testable import HearthAdmin

@Suite struct UploadSessionTests {
    @Test func partsAreNamedByTheirFirstAndLastByte() {
        #expect(ContentRange.chunk(offset: 0, count: 1, total: 1) == "bytes 0-0/1")
        #expect(ContentRange.chunk(offset: 100, count: 50, total: 1000) == "bytes 100-149/1000")
        #expect(ContentRange.statusQuery(total: 7) == "bytes */7")
    }

    @Test(
        arguments: [
            (nil, 0), ("bytes=0-0", 1), ("bytes=0-99", 100), ("bytes=0-100", nil), ("bytes=1-9", nil),
            ("bytes=0-", nil),
            ("bytes=0--1", nil), ("0-9", nil), ("bytes=0-99999999999999999999", nil),
            ("bytes=0-18446744073709551615", nil),
        ] as [(String?, UInt64?)])
    func heldBytes(range: String?, held: UInt64?) {
        #expect(ContentRange.receivedBytes(range, total: 100) == held)
    }

    @Test func whatAnAnswerMeans() {
        func meaning(_ status: Int, _ headers: [(String, String)] = []) -> UploadSessionStatus {
            UploadSessionStatus(StubServer.empty(status, headers), total: 10, nowSeconds: 0)
        }
        #expect(meaning(200) == .finished && meaning(201) == .finished)
        #expect(meaning(308) == .received(0) && meaning(308, [("Range", "bytes=0-4")]) == .received(5))
        #expect(meaning(308, [("Range", "bytes=0-10")]) == .malformedResponse)
        #expect(meaning(404) == .gone && meaning(410) == .gone)
        #expect(meaning(503, [("Retry-After", "3")]) == .busy(seconds: 3) && meaning(500) == .busy(seconds: nil))
        #expect(meaning(400) == .refused && meaning(302) == .refused && meaning(507) == .refused)
    }

    @Test(
        arguments: [
            ("https://h:1/hearth/s?x=1", "/hearth/s?x=1"), ("https://other/s", "/s"), ("/s", "/s"), ("//evil/s", nil),
            ("s", nil), ("", nil), ("https://h:1", nil), ("https://h:1.evil/s", "/s"), ("/a b", nil), ("/é", nil),
        ] as [(String, String?)])
    func sessionsAreAskedForAtTheServerItself(location: String, path: String?) {
        #expect(UploadSessionPath.path(location: location, base: "https://h:1") == path)
    }

    @Test func aServerBelowAPathIsFound() {
        for location in ["https://h/base/s", "https://other/base/s", "/base/s", "/s"] {
            #expect(UploadSessionPath.path(location: location, base: "https://h/base") == "/s")
        }
    }
}
