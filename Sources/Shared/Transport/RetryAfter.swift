/// How many seconds a busy server asks clients to wait. Pure.
package enum RetryAfter {
    /// Longer times are cut to a day, because a server cannot predict more.
    package static let maxSeconds: Double = 86_400

    /// Reads `Retry-After`: seconds, or a date. A date is compared with the answer's own `Date` if there is one,
    /// because the device's clock may be wrong. nil when the header is missing or not readable.
    ///
    /// - Parameter nowSeconds: The device's time of day, in seconds since 1970.
    package static func seconds(in headers: TransportHeaders, nowSeconds: Int64) -> Double? {
        guard let text = headers["retry-after"]?.trimmingPrefix(while: { $0 == " " }) else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return min(Double(text) ?? maxSeconds, maxSeconds)
        }
        guard let date = HTTPDate.seconds(String(text)) else { return nil }
        let answered = headers["date"].flatMap(HTTPDate.seconds) ?? nowSeconds
        return min(max(0, Double(date) - Double(answered)), maxSeconds)
    }
}
