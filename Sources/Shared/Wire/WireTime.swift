/// Times in answers.
package enum WireTime {
    /// With six fraction digits: the Python client parses no other form.
    package static func text(_ microseconds: Int64) -> String {
        Timestamp(microseconds: microseconds).rfc3339(fractionDigits: 6)
    }
}
