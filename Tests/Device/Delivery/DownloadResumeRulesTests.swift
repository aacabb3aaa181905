import HearthTransport
import Testing

@testable import HearthDelivery

@Suite("How a download goes on where it stopped")
struct DownloadResumeRulesTests {
    private let range = [("Range", "bytes=400-"), ("If-Range", #""v1""#)]

    private func step(
        _ status: Int, _ headers: [(String, String)] = [], requested: [(String, String)]? = nil, size: UInt64 = 400
    ) -> ResumeRules.Step {
        ResumeRules.afterHead(
            status: status, headers: TransportHeaders(headers), requested: requested ?? range, size: size, total: 1000)
    }

    @Test(
        "the rest is asked for only where a strong validator can tell that the file is the same",
        arguments: [
            (400, #""v1""#, true), (0, #""v1""#, false), (400, nil, false), (400, #"W/"v1""#, false),
            (400, "v1", false),
            (400, #""""#, false), (400, #"""#, false), (400, "", false), (UInt64.max, #""v1""#, true),
        ] as [(UInt64, String?, Bool)])
    func requests(size: UInt64, validator: String?, asksForRest: Bool) {
        let headers = ResumeRules.headers(size: size, validator: validator)
        #expect(headers.map(\.0) == (asksForRest ? ["Range", "If-Range"] : []))
        #expect(headers.map(\.1) == (asksForRest ? ["bytes=\(size)-", validator ?? ""] : []))
    }

    @Test(
        "206 continues only what it fits",
        arguments: [
            ("bytes 400-999/1000", true), ("bytes 400-999/*", true), ("bytes 400-500/1000", true),
            ("BYTES 400-999/1000", true), ("bytes 399-999/1000", false), ("bytes 401-999/1000", false),
            ("bytes 0-999/1000", false), ("bytes 400-999/1001", false), ("bytes 400-1000/1000", false),
            ("bytes 400-399/1000", false), ("bytes */1000", false), ("bytes 400-/1000", false), ("400-999/1000", false),
            ("bytes -400-999/1000", false), ("", false),
            ("bytes 400-99999999999999999999999999/1000", false),
            ("bytes 99999999999999999999999999-999/1000", false), ("bytes=400-999/1000", false),
            ("items 400-999/1000", false),
        ])
    func contentRanges(text: String, isContinued: Bool) {
        #expect(step(206, [("Content-Range", text)]) == (isContinued ? .append : .askAnew))
    }

    @Test("206 without a range, of another file, or unasked for, is of no use")
    func strangePart() {
        #expect(step(206) == .askAnew)
        let fitting = ("Content-Range", "bytes 400-999/1000")
        #expect(step(206, [fitting, ("ETag", #""v1""#)]) == .append)
        #expect(step(206, [fitting, ("ETag", #""v2""#)]) == .askAnew)
        #expect(step(206, [("Content-Range", "bytes 0-999/1000")], requested: [], size: 0) == .askAnew)
    }

    @Test("416 means to forget what is there")
    func notSatisfiable() {
        #expect(step(416, [("Content-Range", "bytes */1000")]) == .askAnew)
        #expect(step(416) == .askAnew)
    }

    @Test(
        "200 brings the whole file, and its validator if that is a strong one",
        arguments: [
            (#""v2""#, #""v2""#), (#"W/"v2""#, nil), ("v2", nil), (nil, nil),
        ] as [(String?, String?)])
    func wholeFile(etag: String?, kept: String?) {
        for status in [200, 203, 299] {
            #expect(step(status, etag.map { [("ETag", $0)] } ?? []) == .startOver(validator: kept))
        }
    }
}
