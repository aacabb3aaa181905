import Foundation
import HearthTestSupport
import HearthWire
import Testing

@Suite("Times on the wire")
struct TimestampTests {
    @Test(
        "known moments in both directions",
        arguments: [
            ("1970-01-01T00:00:00Z", Int64(0)), ("1969-12-31T23:59:59Z", -1), ("2000-02-29T12:00:00Z", 951_825_600),
            ("2000-03-01T00:00:00Z", 951_868_800), ("1900-03-01T00:00:00Z", -2_203_891_200),
            ("2024-12-31T23:59:59Z", 1_735_689_599), ("2038-01-19T03:14:08Z", 2_147_483_648),
            ("9999-12-31T23:59:59Z", 253_402_300_799), ("0000-01-01T00:00:00Z", -62_167_219_200),
        ])
    func known(text: String, seconds: Int64) {
        #expect(Timestamp(rfc3339: text) == Timestamp(seconds: seconds))
        #expect(Timestamp(seconds: seconds).rfc3339(fractionDigits: 0) == text)
        #expect(Timestamp(rfc3339: text)?.seconds == seconds)
    }

    @Test(
        "fractions of one to nine digits; what is finer than a microsecond is dropped",
        arguments: [
            (".1", Int64(100_000)), (".12", 120_000), (".123", 123_000), (".1234", 123_400), (".12345", 123_450),
            (".123456", 123_456), (".1234567", 123_456), (".12345678", 123_456), (".123456789", 123_456),
            (".000001", 1), (".0000009", 0), (".999999999", 999_999),
        ])
    func fractions(fraction: String, microseconds: Int64) {
        #expect(
            Timestamp(rfc3339: "2021-01-20T04:20:10\(fraction)Z")
                == Timestamp(microseconds: 1_611_116_410_000_000 + microseconds))
    }

    @Test("exactly as many digits as asked for, never rounded up")
    func digits() {
        let time = Timestamp(microseconds: 1_611_116_410_220_999)
        #expect(time.rfc3339(fractionDigits: 6) == "2021-01-20T04:20:10.220999Z")
        #expect(time.rfc3339(fractionDigits: 3) == "2021-01-20T04:20:10.220Z")
        #expect(time.rfc3339(fractionDigits: 0) == "2021-01-20T04:20:10Z")
        #expect(Timestamp(seconds: 5).rfc3339(fractionDigits: 6) == "1970-01-01T00:00:05.000000Z")
        #expect(Timestamp(microseconds: -1).rfc3339(fractionDigits: 6) == "1969-12-31T23:59:59.999999Z")
    }

    @Test("a leap second is the next minute's first")
    func leapSecond() {
        #expect(Timestamp(rfc3339: "2016-12-31T23:59:60Z") == Timestamp(rfc3339: "2017-01-01T00:00:00Z"))
    }

    @Test(
        "what is no time is none",
        arguments: [
            "", "Z", "2021-01-20", "2021-01-20T04:20:10", "2021-01-20 04:20:10Z", "2021-01-20T04:20:10z",
            "2021-01-20t04:20:10Z", "2021-1-20T04:20:10Z", "21-01-20T04:20:10Z", "2021-01-20T04:20:10.Z",
            "2021-01-20T04:20:10.1234567890Z", "2021-01-20T04:20:10,5Z", "2021-01-20T04:20:10.5 Z",
            "2021-01-20T04:20:10+00:00", "2021-13-01T00:00:00Z", "2021-00-01T00:00:00Z", "2021-01-00T00:00:00Z",
            "2021-01-32T00:00:00Z", "2021-04-31T00:00:00Z", "2021-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
            "2021-01-20T24:00:00Z", "2021-01-20T23:60:00Z", "2021-01-20T23:59:61Z", "-021-01-20T04:20:10Z",
            "2021-01-20T04:20:1OZ", "2021-01-20T04:20:10Z\n", " 2021-01-20T04:20:10Z", "２021-01-20T04:20:10Z",
            "2021-01-20T04:20:10.\u{0}Z", "2021-01-20T04:20:10ZZ", String(repeating: "9", count: 100_000) + "Z",
        ])
    func garbage(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test("the last day of every month, leap years and others", arguments: [1900, 2000, 2023, 2024])
    func monthEnds(year: Int) {
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        for (month, days) in zip(1...12, [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
            func text(_ day: Int) -> String {
                "\(year)-\(month < 10 ? "0" : "")\(month)-\(day)T00:00:00Z"
            }
            #expect(Timestamp(rfc3339: text(days)) != nil)
            #expect(Timestamp(rfc3339: text(days + 1)) == nil)
        }
    }

    @Test("ten thousand random times are the same to Foundation, and come back")
    func roundTrips() {
        var random = SeededGenerator(seed: 20_240_229)
        let formatter = ISO8601DateFormatter()
        for _ in 0..<10_000 {
            let time = Timestamp(
                microseconds: Int64.random(in: -11_644_473_600_000_000...253_402_300_799_999_999, using: &random))
            let text = time.rfc3339(fractionDigits: 6)
            #expect(Timestamp(rfc3339: text) == time)
            let date = Date(timeIntervalSince1970: Double(time.seconds))
            #expect(time.rfc3339(fractionDigits: 0) == formatter.string(from: date))
        }
    }

    @Test("no 64-bit number stops the formatter", arguments: [Int64.min, .min + 1, -1, .max - 1, .max] as [Int64])
    func extremes(microseconds: Int64) {
        #expect(Timestamp(microseconds: microseconds).rfc3339(fractionDigits: 6).hasSuffix("Z"))
    }

    @Test("random bytes never stop the parser")
    func noise() {
        var random = SeededGenerator(seed: 7)
        let alphabet = Array("0123456789-:.TZ+ é\u{0}")
        for _ in 0..<20_000 {
            let text = String(
                (0..<Int.random(in: 0...40, using: &random)).map { _ in alphabet.randomElement(using: &random)! })
            guard let time = Timestamp(rfc3339: text) else { continue }
            #expect(Timestamp(rfc3339: time.rfc3339(fractionDigits: 6)) == time)
        }
    }
}
