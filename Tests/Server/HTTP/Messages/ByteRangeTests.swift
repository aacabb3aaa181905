import HearthHTTP
import Testing

struct ByteRangeTests {
    @Test(arguments: [
        ("bytes=0-0", ByteRange.partial(offset: 0, length: 1)), ("bytes=0-9", .partial(offset: 0, length: 10)),
        ("bytes=3-", .partial(offset: 3, length: 7)), ("bytes=-3", .partial(offset: 7, length: 3)),
        ("bytes=-30", .partial(offset: 0, length: 10)), ("bytes=5-500", .partial(offset: 5, length: 5)),
        ("bytes=9-9", .partial(offset: 9, length: 1)), ("BYTES=1-2", .partial(offset: 1, length: 2)),
        ("bytes= 1-2", .partial(offset: 1, length: 2)), ("bytes=10-", .unsatisfiable), ("bytes=10-11", .unsatisfiable),
        ("bytes=-0", .unsatisfiable), ("bytes=99999999999999999999-", .unsatisfiable),
        ("bytes=0-99999999999999999999", .partial(offset: 0, length: 10)),
        ("bytes=18446744073709551615-", .unsatisfiable), ("bytes=2-1", .full), ("bytes=0-1,3-4", .full),
        ("bytes=", .full), ("bytes=-", .full), ("bytes=a-b", .full), ("bytes=1", .full), ("lines=0-1", .full),
        ("", .full), ("bytes=--1", .full), ("bytes=+1-2", .full),
    ])
    func aRangeIsReadAgainstTenBytes(header: String, expected: ByteRange) {
        #expect(ByteRange(header: header, length: 10) == expected)
    }

    @Test func nothingOfAnEmptyFileSatisfiesARange() {
        #expect(ByteRange(header: "bytes=0-", length: 0) == .unsatisfiable)
        #expect(ByteRange(header: "bytes=-1", length: 0) == .unsatisfiable)
        #expect(ByteRange(header: nil, length: 0) == .full)
    }

    @Test func theLargestFileDoesNotOverflow() {
        #expect(ByteRange(header: "bytes=0-", length: .max) == .partial(offset: 0, length: .max))
        #expect(ByteRange(header: "bytes=1-", length: .max) == .partial(offset: 1, length: .max - 1))
    }

    @Test(arguments: [
        ("abc", "abc", true), ("\"abc\"", "abc", true), ("abc", "\"abc\"", true), ("abd", "abc", false),
        ("W/\"abc\"", "W/\"abc\"", false), ("Sat, 01 Aug 2026 00:00:00 GMT", "abc", false), ("", "abc", false),
    ])
    func aRangeHoldsOnlyForTheBytesThePeerHas(condition: String, etag: String, holds: Bool) throws {
        let head = try RequestHead(method: .get, target: "/", headers: ["Range": "bytes=1-", "If-Range": condition])
        let range = ByteRange(requestedBy: head, length: 10, etag: etag)
        #expect(range == (holds ? .partial(offset: 1, length: 9) : .full))
    }

    @Test func onlyGetHasRanges() throws {
        let head = try RequestHead(method: .head, target: "/", headers: ["Range": "bytes=1-"])
        #expect(ByteRange(requestedBy: head, length: 10, etag: nil) == .full)
    }
}
