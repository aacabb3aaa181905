import HearthWire

/// Times in the bodies about projects, keys and tokens.
enum WireTime {
    static func text(_ microseconds: Int64) -> String {
        Timestamp(microseconds: microseconds).rfc3339(fractionDigits: 6)
    }
}
