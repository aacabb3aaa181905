/// How long a busy server asks to be left alone. Pure.
package enum RetryAfter {
    /// Longer times are cut to a day: no server knows more about its future.
    package static let longestSeconds: Double = 86_400

    /// Reads `Retry-After`: seconds, or a date. A date is compared with the answer's own `Date` where there is one, as the
    /// device's clock may be wrong. nil without one, and when it is not readable.
    ///
    /// - Parameter nowSeconds: the device's time of day, in seconds since 1970.
    package static func seconds(in headers: TransportHeaders, nowSeconds: Int64) -> Double? {
        guard let text = headers["retry-after"]?.trimmingPrefix(while: { $0 == " " }) else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return min(Double(text) ?? longestSeconds, longestSeconds)
        }
        guard let date = HTTPDate.seconds(String(text)) else { return nil }
        let asked = headers["date"].flatMap(HTTPDate.seconds) ?? nowSeconds
        return min(max(0, Double(date) - Double(asked)), longestSeconds)
    }
}
