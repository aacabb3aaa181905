/// The header fields that say which part of a file goes out, and which part has arrived. Pure.
enum ContentRange {
    /// `bytes 0-99/1000`: bytes `offset` to `offset + count - 1`; `count` is at least 1.
    static func part(offset: UInt64, count: Int, total: UInt64) -> String {
        "bytes \(offset)-\(offset + UInt64(count) - 1)/\(total)"
    }

    /// `bytes */1000`: a question how much has arrived.
    static func question(total: UInt64) -> String { "bytes */\(total)" }

    /// How many bytes from the start on a `Range: bytes=0-99` says are there; none without the field.
    ///
    /// - Returns: nil when the field is not readable, or tells of more than `total`.
    static func heldBytes(_ range: String?, total: UInt64) -> UInt64? {
        guard let range else { return 0 }
        guard range.hasPrefix("bytes=0-"), let last = UInt64(range.dropFirst(8)), last < total else { return nil }
        return last + 1
    }
}
