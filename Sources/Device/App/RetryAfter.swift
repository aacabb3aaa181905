package import HearthTransport
package import HearthWire

/// How long a busy server asks its clients to stay away.
package enum RetryAfter {
    /// The header `Retry-After`, given in seconds or as a date; nil when there is none or it is not readable. Never negative,
    /// and as long as the server likes: the caller sets a limit.
    package static func seconds(_ headers: TransportHeaders, now: Timestamp) -> Double? {
        guard let text = headers["retry-after"]?.trimmingPrefix(while: { $0 == " " }) else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return Double(text) }
        guard let date = date(String(text)) else { return nil }
        return max(0, Double(date.seconds) - Double(now.seconds))
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func date(_ text: String) -> Timestamp? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[1].utf8.count == 2, parts[3].utf8.count == 4, parts[4].utf8.count == 8,
            parts[5] == "GMT", let month = months.firstIndex(of: parts[2])
        else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return Timestamp(rfc3339: "\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
    }

    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
