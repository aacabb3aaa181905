import HearthWire

/// Times in answers.
enum WireTime {
    /// Six fraction digits: the Python client parses nothing else.
    static func text(_ microseconds: Int64) -> String {
        Timestamp(microseconds: microseconds).rfc3339(fractionDigits: 6)
    }
}
