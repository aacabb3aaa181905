import HearthTransport
import Testing

@Suite("How long a server asks to be left alone")
struct RetryAfterTests {
    /// 2026-01-01T00:00:00Z
    private static let now: Int64 = 1_767_225_600

    @Test(
        "Retry-After in all its forms",
        arguments: [
            ("120", 120), ("0", 0), (" 7", 7), ("86400", 86_400), ("86401", 86_400),
            ("99999999999999999999999", 86_400),
            ("Thu, 01 Jan 2026 00:02:00 GMT", 120), ("Wed, 31 Dec 2025 23:00:00 GMT", 0),
            ("Fri, 01 Jan 2100 00:00:00 GMT", 86_400), ("", nil), ("-1", nil), ("1.5", nil), ("soon", nil),
            ("Thu, 01 Jan 2026", nil), ("Thu, 32 Jan 2026 00:02:00 GMT", nil), ("+5", nil), ("٣", nil),
        ] as [(String, Double?)])
    func forms(text: String, expected: Double?) {
        #expect(RetryAfter.seconds(in: TransportHeaders([("Retry-After", text)]), nowSeconds: Self.now) == expected)
    }

    @Test("a date is compared with the server's own, whatever our clock says", arguments: [0, now, .max, .min])
    func wrongClock(now: Int64) {
        let headers = TransportHeaders([
            ("retry-after", "Thu, 01 Jan 2026 00:00:30 GMT"), ("date", "Thu, 01 Jan 2026 00:00:10 GMT"),
        ])
        #expect(RetryAfter.seconds(in: headers, nowSeconds: now) == 20)
        #expect(RetryAfter.seconds(in: TransportHeaders(), nowSeconds: now) == nil)
    }

    @Test(
        "dates of HTTP",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 29 Feb 2023 23:59:59 GMT", nil),
            ("Sunday, 06-Nov-94 08:49:37 GMT", nil), ("Sun Nov  6 08:49:37 1994", nil), ("", nil),
            ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("Sun, 6 Nov 1994 08:49:37 GMT", nil),
            ("Sun, 06 nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 25:49:37 GMT", nil), ("     ", nil),
            ("Sun, 06 Nov 1994 08:60:37 GMT", nil), ("Sun, 06 Nov 1994 +8:49:37 GMT", nil),
        ] as [(String, Int64?)])
    func dates(text: String, expected: Int64?) {
        #expect(HTTPDate.seconds(text) == expected)
    }
}
