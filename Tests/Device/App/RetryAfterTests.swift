import HearthTransport
import HearthWire
import Testing

@testable import HearthApp

@Suite("How long a server asks to be left alone")
struct RetryAfterTests {
    @Test(
        "seconds or a date; anything else does not count",
        arguments: [
            ("120", 120), ("0", 0), (" 7", 7), ("99999999999999999999", 1e20), ("Thu, 01 Jan 2026 00:01:30 GMT", 90),
            ("Wed, 31 Dec 2025 23:59:00 GMT", 0), ("", nil), ("-1", nil), ("1.5", nil), ("soon", nil), ("٣", nil),
            ("Thu, 01 Foo 2026 00:01:30 GMT", nil), ("Thu, 01 Jan 2026 00:01:30", nil),
            ("Thu, 1 Jan 2026 00:01:30 GMT", nil), ("Thu, 41 Jan 2026 00:01:30 GMT", nil),
        ] as [(String, Double?)])
    func table(text: String, expected: Double?) throws {
        let now = try #require(Timestamp(rfc3339: "2026-01-01T00:00:00Z"))
        #expect(RetryAfter.seconds(TransportHeaders([("Retry-After", text)]), now: now) == expected)
    }

    @Test("no header, no wish")
    func absent() { #expect(RetryAfter.seconds(TransportHeaders(), now: Timestamp(seconds: 0)) == nil) }
}
