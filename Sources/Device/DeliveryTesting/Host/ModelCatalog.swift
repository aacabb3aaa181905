import HearthApp
import HearthCrypto
import HearthTransport
import HearthWire

/// What is published, and every file that ever was: links outlive what they were made for. Pure: it is told the time.
struct ModelCatalog: Sendable {
    private struct Release: Sendable {
        var hash: String
        var version: Int
        var isMeantFor: DeviceCondition
    }

    /// By name, oldest first.
    private var releases: [String: [Release]] = [:]
    private var versionCounts: [String: Int] = [:]
    private var files: [String: [UInt8]] = [:]

    mutating func publish(_ bytes: [UInt8], as name: String, isMeantFor: @escaping DeviceCondition) {
        let hash = SHA256Hasher.hash(bytes).hex
        files[hash] = bytes
        versionCounts[name, default: 0] += 1
        releases[name, default: []].append(
            Release(hash: hash, version: versionCounts[name] ?? 1, isMeantFor: isMeantFor))
    }

    mutating func withdraw(_ name: String) { releases[name] = nil }

    /// The newest release is taken back: what came before it counts again.
    mutating func rollBack(_ name: String) { _ = releases[name]?.popLast() }

    /// The newest release for a device.
    private func release(of name: String, for device: DeviceDescription) -> Release? {
        releases[name]?.last { $0.isMeantFor(device) }
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
        answer.headers += [("ETag", release.hash), ("X-Hearth-Model-Version", String(release.version))]
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
