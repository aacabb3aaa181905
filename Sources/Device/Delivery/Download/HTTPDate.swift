import HearthWire

/// Reads the dates of HTTP headers. Pure.
enum HTTPDate {
    private static let months = [
        "Jan": "01", "Feb": "02", "Mar": "03", "Apr": "04", "May": "05", "Jun": "06", "Jul": "07", "Aug": "08",
        "Sep": "09", "Oct": "10", "Nov": "11", "Dec": "12",
    ]

    /// `Sun, 06 Nov 1994 08:49:37 GMT`, the only form that RFC 9110 allows to be sent.
    static func read(_ text: String) -> Timestamp? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 6, words[0].hasSuffix(","), words[1].utf8.count == 2, let month = months[String(words[2])],
            words[3].utf8.count == 4, words[4].utf8.count == 8, words[5] == "GMT"
        else { return nil }
        return Timestamp(rfc3339: "\(words[3])-\(month)-\(words[1])T\(words[4])Z")
    }
}
