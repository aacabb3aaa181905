/// Comparison of BCP 47 tags, whatever their case.
enum LanguageTag {
    /// Whether the first subtags of `tag` are those of `range`: `de` is a prefix of `de-CH`, not of `den`. A low line
    /// separates as a hyphen does, since some systems write `de_CH`.
    static func isPrefix(_ range: String, of tag: String) -> Bool {
        var rest = tag.utf8.makeIterator()
        for byte in range.utf8 {
            guard let next = rest.next(), folded(next) == folded(byte) else { return false }
        }
        return rest.next().map { folded($0) == UInt8(ascii: "-") } ?? true
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
        case UInt8(ascii: "_"): UInt8(ascii: "-")
        default: byte
        }
    }
}
