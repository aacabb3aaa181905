import Foundation

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

/// Reads the dates of HTTP headers. Pure.
package enum HTTPDate {
    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Seconds since 1970. Reads `Sun, 06 Nov 1994 08:49:37 GMT`, the only form that RFC 9110 allows senders; nil for
    /// other forms.
    package static func seconds(_ text: String) -> Int64? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 6, words[0].hasSuffix(","), words[5] == "GMT",
            let day = number(words[1], digits: 2), let month = months.firstIndex(of: words[2]),
            let year = number(words[3], digits: 4)
        else { return nil }
        let time = words[4].split(separator: ":", omittingEmptySubsequences: false)
        guard time.count == 3, let hour = number(time[0], digits: 2), let minute = number(time[1], digits: 2),
            let second = number(time[2], digits: 2)
        else { return nil }
        let date = DateComponents(
            calendar: Calendar(identifier: .gregorian), timeZone: .gmt, year: year, month: month + 1, day: day,
            hour: hour, minute: minute, second: second)
        guard date.isValidDate, let moment = date.date else { return nil }
        return Int64(moment.timeIntervalSince1970)
    }

    private static func number(_ text: Substring, digits: Int) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}
