import Glibc

/// Finds the line break and boundary that end a part of a multipart body, in bytes that come in pieces cut anywhere.
///
/// Bytes that may be the beginning of a delimiter are held back until more is known; they need no storage, because they
/// are the delimiter's own.
struct DelimiterSearch {
    /// CR LF, two hyphens, the boundary. CR occurs at its beginning only, so a failed match leaves nothing to reconsider.
    private let delimiter: [UInt8]
    private var matched: Int

    /// Set to go as if a line break had just come: a boundary may stand at the very beginning.
    init(boundary: [UInt8]) {
        delimiter = Array("\r\n--".utf8) + boundary
        matched = 2
    }

    /// Passes what surely belongs to the part to `content`, in order and without copying.
    ///
    /// - Returns: how many of the `bytes` were taken. When that is not all of them, or `isFound` is set, the delimiter
    ///   ends there, and the search begins anew behind it.
    mutating func scan(
        _ bytes: UnsafeRawBufferPointer, content: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> (taken: Int, isFound: Bool) {
        var position = 0
        while position < bytes.count {
            if matched == 0 {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
                let plain = Self.lengthBeforeReturn(rest)
                if plain > 0 { try content(UnsafeRawBufferPointer(rebasing: rest[..<plain])) }
                position += plain
                guard position < bytes.count else { break }
            }
            if bytes[position] == delimiter[matched] {
                matched += 1
                position += 1
                if matched == delimiter.count {
                    matched = 0
                    return (position, true)
                }
            } else {
                try delimiter.withUnsafeBytes { held in
                    try content(UnsafeRawBufferPointer(rebasing: held[..<matched]))
                }
                matched = 0
            }
        }
        return (position, false)
    }

    private static func lengthBeforeReturn(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let start = bytes.baseAddress, let found = memchr(start, 0x0D, bytes.count) else { return bytes.count }
        return UnsafeRawPointer(found) - start
    }
}
