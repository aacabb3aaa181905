import HearthTransport

/// What part of a file a request asks for, by `Range` and `If-Range`. Pure.
struct FilePart {
    private enum Extent {
        case whole
        case part(Range<Int>)
        case outside
    }

    private let extent: Extent
    private let etag: String
    private let length: Int

    /// - Parameter length: Of the whole file, in bytes.
    init(_ request: TransportRequest, hash: String, length: Int) {
        etag = "\"\(hash)\""
        self.length = length
        let condition = request.header("if-range")
        // Whoever holds bytes of another file gets all of this one.
        let isValid = condition == nil || condition == etag
        extent = isValid ? Self.extent(request.header("range"), length) : .whole
    }

    func answer(_ bytes: [UInt8]) -> HostAnswer {
        var answer: HostAnswer
        switch extent {
        case .whole:
            answer = HostAnswer(body: bytes)
        case .part(let range):
            answer = HostAnswer(
                status: 206,
                headers: [("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)")],
                body: Array(bytes[range]))
            answer.bodyOffset = range.lowerBound
        case .outside:
            answer = HostAnswer(status: 416, headers: [("Content-Range", "bytes */\(length)")])
        }
        answer.headers += [("ETag", etag), ("Accept-Ranges", "bytes")]
        return answer
    }

    /// One range of bytes; everything else means the whole file, as RFC 9110 allows.
    private static func extent(_ header: String?, _ length: Int) -> Extent {
        guard let match = header?.wholeMatch(of: /bytes=(\d*)-(\d*)/) else { return .whole }
        // Numbers too large for an `Int` lie behind every end.
        let (first, last) = (position(match.1), position(match.2))
        guard let first else {
            guard let last else { return .whole }
            return last == 0 || length == 0 ? .outside : .part(max(0, length - last)..<length)
        }
        if let last, last < first { return .whole }
        return first >= length ? .outside : .part(first..<min(last ?? .max, length - 1) + 1)
    }

    private static func position(_ digits: Substring) -> Int? { digits.isEmpty ? nil : Int(digits) ?? .max }
}
