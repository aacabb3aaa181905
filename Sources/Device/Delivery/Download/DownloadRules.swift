import HearthClient
import HearthCrypto
import HearthTransport
import HearthWire

/// What the server's answers mean: takes status, headers and body, and returns the next step. Pure.
enum DownloadRules {
    /// The file to download, and the values that prove it is the right one.
    struct Link: Sendable, Equatable {
        var url: String
        var digest: SHA256Digest
        var size: UInt64
        var expires: Timestamp
        var version: Int?
        var experiments: [ModelExperiment] = []
    }

    /// What the reader of an answer about the model must know.
    struct InfoContext: Sendable {
        /// The value of the request's `If-None-Match`.
        var installedHash: String?
        var serverURL: String
        var limitBytes: UInt64
        var now: Timestamp
        /// The API key and the token, which no message may contain.
        var secrets: [String] = []
    }

    /// The next step after an answer about the model.
    enum InfoStep: Sendable, Equatable {
        /// The installed version is the newest.
        ///
        /// - Parameters:
        ///   - version: The number that the server now has for the installed bytes, if it sent one.
        ///   - experiments: The experiments for which the server now chose the version.
        case keepInstalled(version: Int?, experiments: [ModelExperiment])
        case download(Link)
    }

    /// The next step after the call `…:download`.
    static func afterInfo(
        _ response: TransportResponse, to context: InfoContext
    ) throws(DownloadFailure) -> InfoStep {
        switch response.status {
        case 200: return try link(in: response, context)
        case 304: return try afterNotModified(response, context)
        case 401: throw tokenRefused
        default: throw infoFailure(response, context)
        }
    }

    private static func afterNotModified(
        _ response: TransportResponse, _ context: InfoContext
    ) throws(DownloadFailure) -> InfoStep {
        guard let installedHash = context.installedHash else {
            throw DownloadFailure(.malformedResponse, internal: "Model info was deleted unexpectedly.")
        }
        guard let etag = response.headers["etag"] else { throw missingHash }
        guard etag == installedHash else {
            throw DownloadFailure(.malformedResponse, internal: "Unexpected model hash value.")
        }
        return keepInstalled(response)
    }

    private static func keepInstalled(_ response: TransportResponse) -> InfoStep {
        .keepInstalled(version: version(in: response), experiments: experiments(in: response))
    }

    private static func link(
        in response: TransportResponse, _ context: InfoContext
    ) throws(DownloadFailure) -> InfoStep {
        guard let etag = response.headers["etag"] else { throw missingHash }
        guard let info = try? WireJSON.decode(DownloadInfo.self, from: response.body),
            let size = UInt64(info.sizeBytes), let expires = Timestamp(rfc3339: info.expireTime)
        else { throw unreadable("a field is missing or not readable.") }
        guard let digest = SHA256Digest(hex: etag) else { throw unreadable("the model's hash is not a SHA-256.") }
        // A server or a proxy that ignores `If-None-Match` sends 200 for the installed version.
        guard digest.hex != context.installedHash else { return keepInstalled(response) }
        try check(url: info.downloadUri, serverURL: context.serverURL)
        guard size <= context.limitBytes else {
            throw DownloadFailure(
                .tooLarge, internal: "The model has \(size) bytes; this app accepts up to \(context.limitBytes).")
        }
        return .download(
            Link(
                url: info.downloadUri, digest: digest, size: size, expires: expires, version: version(in: response),
                experiments: experiments(in: response)))
    }

    private static func version(in response: TransportResponse) -> Int? {
        response.headers[WireHeader.modelVersion].flatMap { Int($0) }
    }

    private static func experiments(in response: TransportResponse) -> [ModelExperiment] {
        ModelExperiment.all(in: response.headers.all(WireHeader.experiment))
    }

    /// The link may name another host, such as an object store, but not http when the server's own address is https.
    private static func check(url: String, serverURL: String) throws(DownloadFailure) {
        let scheme = url.lowercased()
        let isPlain = scheme.hasPrefix("http://")
        let isLessSafe = isPlain && serverURL.lowercased().hasPrefix("https://")
        guard scheme.hasPrefix("https://") || isPlain, !isLessSafe else {
            throw unreadable(
                "the download link is not http or https, or is less safe than the server's own address.",
                isLessSafe ? .plainHTTP : .malformedResponse)
        }
    }

    private static var missingHash: DownloadFailure {
        DownloadFailure(.malformedResponse, internal: "Model hash missing in model info server response.")
    }

    private static func unreadable(_ reason: String, _ code: DownloadFailure.Code = .malformedResponse)
        -> DownloadFailure
    {
        DownloadFailure(code, internal: "Failed to parse model info: \(reason)")
    }
}

extension DownloadRules {
    /// The failure for an error status of the call about the model.
    static func infoFailure(_ response: TransportResponse, _ context: InfoContext) -> DownloadFailure {
        let status = response.status
        let reason = reason(response, without: context.secrets)
        let text = reason ?? "Model info retrieval failed with HTTP error code: \(status)"
        let retryAfterSeconds = response.retryAfterSeconds(now: context.now)
        return switch status {
        case 400: DownloadFailure(.invalidArgument, text, error: .invalidArgument)
        case 403:
            DownloadFailure(
                .permissionDenied,
                reason ?? "\(text). Check the API key in the app's options, and the proxy, if there is one.",
                error: .permissionDenied)
        case 404: DownloadFailure(.notFound, text, error: .notFound)
        case 429:
            DownloadFailure(
                .serverBusy, text, error: .resourceExhausted, isTemporary: true, retryAfterSeconds: retryAfterSeconds)
        default: failure(status: status, text, retryAfterSeconds)
        }
    }

    /// The failure for an error status of the request for the file.
    static func fileFailure(_ head: TransportResponseHead, now: Timestamp) -> DownloadFailure {
        let text = "Model download failed with HTTP error code: \(head.status)"
        return switch head.status {
        case 400: DownloadFailure(.invalidArgument, text, error: .invalidArgument)
        case 401, 403:
            DownloadFailure(
                .permissionDenied,
                "\(text). The link to the file was refused by the server, or by a proxy that may not read its model files.",
                error: .permissionDenied)
        case 404:
            DownloadFailure(
                .fileMissing, "\(text). The server does not have the model's file any more.", error: .notFound)
        default: failure(status: head.status, text, RetryAfter.seconds(in: head.headers, nowSeconds: now.seconds))
        }
    }

    private static func failure(status: Int, _ text: String, _ retryAfterSeconds: Double?) -> DownloadFailure {
        DownloadFailure(
            [429, 503].contains(status) ? .serverBusy : .serverFailed, internal: text,
            isTemporary: status == 429 || status >= 500, retryAfterSeconds: retryAfterSeconds)
    }

    /// The server's own text about the failure.
    private static func reason(_ response: TransportResponse, without secrets: [String]) -> String? {
        guard let text = response.refusalReason else { return nil }
        let line = DownloadFailure.singleLine(text, without: secrets)
        return line.isEmpty ? nil : line
    }

    /// Refuses a web page, such as the login page of a network.
    ///
    /// A page of the announced length passes, because some servers send every file as `text/html`: its hash decides
    /// then.
    /// - Throws: `malformedResponse` for a web page.
    static func checkType(_ head: TransportResponseHead, of link: Link) throws(DownloadFailure) {
        guard head.headers["content-type"]?.lowercased().hasPrefix("text/html") == true,
            head.headers["content-length"].flatMap({ UInt64($0) }) != link.size
        else { return }
        throw DownloadFailure(
            .malformedResponse,
            internal: "The answer was a web page, not the model's file: log in to this network, or use another one.",
            isTemporary: true)
    }

    /// Checks the length that the answer announces.
    ///
    /// - Throws: `wrongLength` when it is not the length that the server announced before.
    static func checkLength(_ head: TransportResponseHead, of link: Link) throws(DownloadFailure) {
        guard let text = head.headers["content-length"], let length = UInt64(text), length != link.size else { return }
        throw .notPublished(.wrongLength, "The file has \(length) bytes, but \(link.size) were announced")
    }

    /// Whether a new link may help after the answer 400.
    enum LinkState: Sendable, Equatable {
        /// The link has expired.
        case expired
        /// Only the device's clock says that the link is valid, and that clock may be wrong: one new link may help.
        case doubtful
        /// By the clock of the host that refused it, the link is valid.
        case fresh
    }

    /// The host's own time, in the answer's `Date`, decides if it is present: the device's clock may be wrong by a
    /// year.
    static func state(of link: Link, refusedBy head: TransportResponseHead, now: Timestamp) -> LinkState {
        if let date = head.headers["date"].flatMap(HTTPDate.seconds).map(Timestamp.init(seconds:)) {
            // `Date` has whole seconds.
            return link.expires <= date.adding(seconds: 1) ? .expired : .fresh
        }
        return link.expires <= now ? .expired : .doubtful
    }

    /// The failure when the server refused two tokens in a row.
    static var tokenRefused: DownloadFailure {
        DownloadFailure(
            .permissionDenied,
            "The server refused this installation's token, and then a new token as well.",
            error: .permissionDenied)
    }

    /// The failure when the host refused two links in a row.
    static var linkRefused: DownloadFailure {
        DownloadFailure(
            .invalidArgument,
            "The server refused the link to the model's file, and then a new link as well.",
            error: .invalidArgument)
    }

    /// The failure when two links in a row had expired: the original's words.
    static var linkExpired: DownloadFailure {
        DownloadFailure(.linkExpired, internal: "Unable to update expired model info.")
    }
}
