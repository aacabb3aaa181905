import HearthTransport

/// How a download goes on where an earlier one stopped: `Range` and `If-Range` of RFC 9110. Pure.
enum ResumeRules {
    /// What the head of the file's answer means for the bytes that are there.
    enum Step: Sendable, Equatable {
        /// The rest follows.
        case append
        /// The whole file follows, from its first byte. `validator` is to be kept with it.
        case startOver(validator: String?)
        /// The answer is of no use: forget what is there and ask for the whole file.
        case askAnew
    }

    /// Headers that ask for the rest of a file of which `size` bytes are there, provided that it is still the same; none when
    /// the answer they came from had no validator to tell that by.
    static func headers(size: UInt64, validator: String?) -> [(String, String)] {
        guard size > 0, let validator, isStrong(validator) else { return [] }
        return [("Range", "bytes=\(size)-"), ("If-Range", validator)]
    }

    /// - Parameters:
    ///   - status: 200...299 or 416.
    ///   - requested: what ``headers(size:validator:)`` gave for the request.
    ///   - size: how many bytes are there.
    ///   - total: how many the whole file has.
    static func afterHead(
        status: Int, headers: TransportHeaders, requested: [(String, String)], size: UInt64, total: UInt64
    ) -> Step {
        switch status {
        case 206:
            let validator = requested.first { $0.0 == "If-Range" }?.1
            let isSame = validator != nil && (headers["etag"] ?? validator) == validator
            return isSame && fits(headers["content-range"], size: size, total: total) ? .append : .askAnew
        case 416: return .askAnew
        default: return .startOver(validator: headers["etag"].flatMap { isStrong($0) ? $0 : nil })
        }
    }

    /// Whether `bytes first-last/total` continues `size` bytes of a file of `total`.
    private static func fits(_ contentRange: String?, size: UInt64, total: UInt64) -> Bool {
        guard let match = contentRange?.wholeMatch(of: /[Bb][Yy][Tt][Ee][Ss] ([0-9]+)-([0-9]+)\/([0-9]+|\*)/),
            let first = UInt64(match.1), let last = UInt64(match.2)
        else { return false }
        return first == size && first <= last && last < total && (match.3 == "*" || UInt64(match.3) == total)
    }

    /// A quoted entity tag that is not a weak one: equal tags mean equal bytes.
    private static func isStrong(_ tag: String) -> Bool {
        tag.utf8.count > 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"")
    }
}
