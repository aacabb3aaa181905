import HearthTransport
import HearthWire

/// How long a busy server asks to be left alone. Pure.
enum RetryAfter {
    /// Longer times are cut to a day: no server knows more about its future.
    static let longestSeconds: Double = 86_400

    /// Reads `Retry-After`: seconds, or a date. A date is compared with the answer's own `Date` where there is one, as the
    /// device's clock may be wrong. nil without one, and when it is not readable.
    static func seconds(in headers: TransportHeaders, now: Timestamp) -> Double? {
        guard let text = headers["retry-after"] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return min(Double(text) ?? longestSeconds, longestSeconds)
        }
        guard let date = HTTPDate.read(text) else { return nil }
        let asked = headers["date"].flatMap(HTTPDate.read) ?? now
        return min(max(0, Double(date.seconds) - Double(asked.seconds)), longestSeconds)
    }
}
