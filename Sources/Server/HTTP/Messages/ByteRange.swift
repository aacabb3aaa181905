/// Which part of a representation a request asks for: single byte ranges of RFC 9110, section 14.
package enum ByteRange: Equatable, Sendable {
    /// All of it: no range, several ranges, another unit, or one that does not parse.
    case full
    /// `length` bytes (at least 1) from `offset`; inside the representation.
    case partial(offset: UInt64, length: UInt64)
    /// A well-formed range that starts beyond the end.
    case unsatisfiable

    /// Parses a `Range` value for a representation of `length` bytes.
    package init(header: String?, length: UInt64) {
        guard let header, let bounds = Self.singleRange(header) else {
            self = .full
            return
        }
        switch bounds {
        case (nil, let suffix?):
            let count = min(suffix, length)
            self = count == 0 ? .unsatisfiable : .partial(offset: length - count, length: count)
        case (let first?, let last):
            if let last, last < first {
                self = .full
            } else if first >= length {
                self = .unsatisfiable
            } else {
                self = .partial(offset: first, length: min(last ?? .max, length - 1) - first + 1)
            }
        case (nil, nil):
            self = .full
        }
    }

    /// What `head` asks for. Only GET has ranges. An `If-Range` that differs from `etag` (without quotes) disables the
    /// range, because the peer has other bytes.
    package init(requestedBy head: RequestHead, length: UInt64, etag: String?) {
        guard head.method == .get, Self.validatorHolds(head.headers["If-Range"], etag: etag) else {
            self = .full
            return
        }
        let values = head.headers.values("Range")
        self.init(header: values.count == 1 ? values[0] : nil, length: length)
    }

    private static func validatorHolds(_ condition: String?, etag: String?) -> Bool {
        guard let condition else { return true }
        guard let etag, !etag.hasPrefix("W/") else { return false }
        return unquoted(condition) == unquoted(etag)
    }

    private static func unquoted(_ tag: String) -> Substring {
        tag.count >= 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"") ? tag.dropFirst().dropLast() : tag[...]
    }

    private static func singleRange(_ header: String) -> (first: UInt64?, last: UInt64?)? {
        let parts = header.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let bounds = parts[1].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard bounds.count == 2, let first = position(bounds[0]), let last = position(bounds[1]) else { return nil }
        return (first, last)
    }

    /// `.some(nil)` for a missing number, `nil` for text that is not a number. Numbers that do not fit into 64 bits are
    /// beyond any end.
    private static func position(_ text: Substring) -> UInt64?? {
        let digits = text.utf8.filter { $0 != UInt8(ascii: " ") }
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        guard !digits.isEmpty else { return .some(nil) }
        return .some(UInt64(String(decoding: digits, as: UTF8.self)) ?? .max)
    }
}
