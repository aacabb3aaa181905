import HearthApp
import HearthCrypto
import HearthTransport
import HearthWire

/// The published models, and every file that was ever published: links can outlive their versions. Pure: callers pass
/// the time.
struct ModelCatalog: Sendable {
    private struct Release: Sendable {
        var hash: String
        var version: Int
        var matches: DeviceFilter
    }

    /// The releases of each model, oldest first.
    private var releases: [String: [Release]] = [:]
    private var versionCounts: [String: Int] = [:]
    private var files: [String: [UInt8]] = [:]

    mutating func publish(_ bytes: [UInt8], as name: String, matches: @escaping DeviceFilter) {
        let hash = SHA256Hasher.hash(bytes).hex
        files[hash] = bytes
        versionCounts[name, default: 0] += 1
        releases[name, default: []].append(
            Release(hash: hash, version: versionCounts[name] ?? 1, matches: matches))
    }

    mutating func unpublish(_ name: String) { releases[name] = nil }

    /// Removes the newest release: the one before it applies again.
    mutating func rollBack(_ name: String) { _ = releases[name]?.popLast() }

    /// The newest release for a device.
    private func release(of name: String, for device: DeviceDescription) -> Release? {
        releases[name]?.last { $0.matches(device) }
    }

    /// The answer to the call for `…:download`.
    func info(_ request: TransportRequest, linkURL: String, expires: Timestamp) -> HostAnswer {
        let device = DeviceDescription(header: request.header)
        guard let name = HostRoute(request.url).segments.first, let release = release(of: name, for: device),
            let bytes = files[release.hash]
        else { return .error(.notFound, "Requested entity was not found.") }
        var answer = HostAnswer(status: 304)
        if request.header("if-none-match") != release.hash {
            let link = FileLink(baseURL: linkURL, hash: release.hash, expires: expires)
            answer = .json(
                DownloadInfo(
                    downloadUri: link.url, expireTime: expires.rfc3339(fractionDigits: 3),
                    sizeBytes: String(bytes.count)))
        }
        // Unquoted: clients keep it as an opaque string and send it back as it is.
        answer.headers += [("ETag", release.hash), (WireHeader.modelVersion, String(release.version))]
        return answer
    }

    /// The answer to a request for a link.
    func file(_ request: TransportRequest, link: FileLink, now: Timestamp) -> HostAnswer {
        guard let bytes = files[link.hash] else { return .error(.notFound, "Requested entity was not found.") }
        guard let expires = link.expires else {
            return .error(.permissionDenied, "The link is incomplete or altered.")
        }
        guard now < expires else { return .error(.invalidArgument, "The link has expired; ask for a new one.") }
        return FilePart(request, hash: link.hash, length: bytes.count).answer(bytes)
    }
}

/// The part of a file that a request asks for, by `Range` and `If-Range`. Pure.
struct FilePart {
    private enum Extent {
        case whole
        case part(Range<Int>)
        case unsatisfiable
    }

    private let extent: Extent
    private let etag: String
    private let length: Int

    /// Reads a request.
    ///
    /// - Parameter length: The length of the whole file in bytes.
    init(_ request: TransportRequest, hash: String, length: Int) {
        etag = "\"\(hash)\""
        self.length = length
        let condition = request.header("if-range")
        // A device with bytes of another file gets this whole file.
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
        case .unsatisfiable:
            answer = HostAnswer(status: 416, headers: [("Content-Range", "bytes */\(length)")])
        }
        answer.headers += [("ETag", etag), ("Accept-Ranges", "bytes")]
        return answer
    }

    /// Reads one range of bytes; other headers mean the whole file, as RFC 9110 allows.
    private static func extent(_ header: String?, _ length: Int) -> Extent {
        guard let match = header?.wholeMatch(of: /bytes=(\d*)-(\d*)/) else { return .whole }
        // Numbers that are too large for an `Int` are after every end.
        let (first, last) = (position(match.1), position(match.2))
        guard let first else {
            guard let last else { return .whole }
            return last == 0 || length == 0 ? .unsatisfiable : .part(max(0, length - last)..<length)
        }
        if let last, last < first { return .whole }
        return first >= length ? .unsatisfiable : .part(first..<min(last ?? .max, length - 1) + 1)
    }

    private static func position(_ digits: Substring) -> Int? { digits.isEmpty ? nil : Int(digits) ?? .max }
}
