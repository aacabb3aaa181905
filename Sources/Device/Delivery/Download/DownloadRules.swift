import HearthCrypto
import HearthTransport
import HearthWire

/// What the server's answers mean. Pure: status, headers and body in, the next step out.
enum DownloadRules {
    /// What to fetch, and how to know that it is right.
    struct Link: Sendable, Equatable {
        var url: String
        var digest: SHA256Digest
        var size: UInt64
        var expires: Timestamp
        var version: Int?
    }

    enum InfoStep: Sendable, Equatable {
        case keepInstalled
        case download(Link)
        /// The server does not take the installation's token, although its time is not up: ask for another one.
        case renewToken
        case fail(DownloadError)
    }

    /// After the call for `…:download`. `installedHash` is what was sent as `If-None-Match`.
    static func afterInfo(
        _ response: TransportResponse, installedHash: String?, serverURL: String, limitBytes: UInt64
    ) -> InfoStep {
        switch response.status {
        case 200:
            return link(in: response, serverURL: serverURL, limitBytes: limitBytes)
        case 304:
            guard let installedHash else { return failure("Model info was deleted unexpectedly.") }
            guard let etag = response.headers["etag"] else {
                return failure("Model hash missing in model info server response.")
            }
            return etag == installedHash ? .keepInstalled : failure("Unexpected model hash value.")
        case 400: return .fail(.invalidArgument)
        case 401: return .renewToken
        case 403: return .fail(.permissionDenied)
        case 404: return .fail(.notFound)
        case 429: return .fail(.resourceExhausted)
        default:
            let envelope = try? WireJSON.decode(ErrorEnvelope.self, from: response.body)
            return failure(
                envelope?.error.message ?? "Model info retrieval failed with HTTP error code: \(response.status)")
        }
    }

    private static func link(
        in response: TransportResponse, serverURL: String, limitBytes: UInt64
    ) -> InfoStep {
        guard let etag = response.headers["etag"] else {
            return failure("Model hash missing in model info server response.")
        }
        guard let info = try? WireJSON.decode(DownloadInfo.self, from: response.body),
            let size = UInt64(info.sizeBytes), let expires = Timestamp(rfc3339: info.expireTime)
        else { return failure("Failed to parse model info: a field is missing or not readable.") }
        guard let digest = SHA256Digest(hex: etag) else {
            return failure("Failed to parse model info: the model's hash is not a SHA-256.")
        }
        guard isAllowed(info.downloadUri, serverURL: serverURL) else {
            return failure(
                """
                Failed to parse model info: the download link is not http or https, or is less safe than the \
                server's own address.
                """)
        }
        guard size <= limitBytes else {
            return failure("The model has \(size) bytes; this app accepts up to \(limitBytes).")
        }
        let version = response.headers["x-hearth-model-version"].flatMap { Int($0) }
        return .download(Link(url: info.downloadUri, digest: digest, size: size, expires: expires, version: version))
    }

    /// A link may lead to another host (an object store), but never from https to http.
    private static func isAllowed(_ url: String, serverURL: String) -> Bool {
        let scheme = url.lowercased()
        return scheme.hasPrefix("https://")
            || (scheme.hasPrefix("http://") && !serverURL.lowercased().hasPrefix("https://"))
    }

    enum FileStep: Sendable, Equatable {
        case accept
        /// The link is too old: ask for a new one.
        case renewLink
        case fail(DownloadError)
    }

    /// After the status line of the file's answer.
    static func afterFileHead(status: Int, link: Link, now: Timestamp) -> FileStep {
        switch status {
        case 200...299: .accept
        case 400: link.expires < now ? .renewLink : .fail(.invalidArgument)
        case 401, 403: .fail(.permissionDenied)
        case 404: .fail(.notFound)
        default: .fail(.internalError(description: "Model download failed with HTTP error code: \(status)"))
        }
    }

    private static func failure(_ description: String) -> InfoStep {
        .fail(.internalError(description: description))
    }
}
