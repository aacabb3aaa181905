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

    /// Passes what surely belongs to the part to `content`, in order, in slices as long as the pieces, without copying.
    ///
    /// - Returns: how many of the `bytes` were taken, and whether the delimiter ends there; the search begins anew
    ///   behind it.
    mutating func scan(
        _ bytes: UnsafeRawBufferPointer, content: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> (taken: Int, isFound: Bool) {
        /// How much of the match that is under way came in earlier pieces.
        var held = matched
        var position = 0
        while position < bytes.count {
            if matched == 0 {
                position += Self.lengthBeforeReturn(UnsafeRawBufferPointer(rebasing: bytes[position...]))
                guard position < bytes.count else { break }
            }
            guard bytes[position] == delimiter[matched] else {
                try delimiter.withUnsafeBytes { try Self.pass($0[..<held], to: content) }
                (held, matched) = (0, 0)
                continue
            }
            matched += 1
            position += 1
            if matched == delimiter.count {
                matched = 0
                try Self.pass(bytes[..<max(0, position - delimiter.count)], to: content)
                return (position, true)
            }
        }
        try Self.pass(bytes[..<(bytes.count - (matched - held))], to: content)
        return (bytes.count, false)
    }

    private static func pass(
        _ bytes: Slice<UnsafeRawBufferPointer>, to content: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        if !bytes.isEmpty { try content(UnsafeRawBufferPointer(rebasing: bytes)) }
    }

    private static func lengthBeforeReturn(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let start = bytes.baseAddress, let found = memchr(start, 0x0D, bytes.count) else { return bytes.count }
        return UnsafeRawPointer(found) - start
    }
}
