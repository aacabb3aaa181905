import HearthClient
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
        var experiments: [ModelExperiment] = []
    }

    /// The facts that an answer about the model is read with.
    struct InfoContext: Sendable {
        /// What was sent as `If-None-Match`.
        var installedHash: String?
        var serverURL: String
        var limitBytes: UInt64
        var now: Timestamp
        /// What no text for people may hold: the API key, the token.
        var secrets: [String] = []
    }

    enum InfoStep: Sendable, Equatable {
        /// - Parameters:
        ///   - version: the number that the server knows the installed bytes by now, if it tells one.
        ///   - experiments: those for which the server chose it now.
        case keepInstalled(version: Int?, experiments: [ModelExperiment])
        case download(Link)
    }

    /// After the call for `…:download`.
    static func afterInfo(
        _ response: TransportResponse, to question: InfoContext
    ) throws(DownloadFailure) -> InfoStep {
        switch response.status {
        case 200: return try link(in: response, question)
        case 304: return try afterNotModified(response, question)
        case 401: throw tokenRefused
        default: throw infoFailure(response, question)
        }
    }

    private static func afterNotModified(
        _ response: TransportResponse, _ question: InfoContext
    ) throws(DownloadFailure) -> InfoStep {
        guard let installedHash = question.installedHash else {
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
        in response: TransportResponse, _ question: InfoContext
    ) throws(DownloadFailure) -> InfoStep {
        guard let etag = response.headers["etag"] else { throw missingHash }
        guard let info = try? WireJSON.decode(DownloadInfo.self, from: response.body),
            let size = UInt64(info.sizeBytes), let expires = Timestamp(rfc3339: info.expireTime)
        else { throw unreadable("a field is missing or not readable.") }
        guard let digest = SHA256Digest(hex: etag) else { throw unreadable("the model's hash is not a SHA-256.") }
        // A server, or a proxy before it, that knows no conditions.
        guard digest.hex != question.installedHash else { return keepInstalled(response) }
        try check(url: info.downloadUri, serverURL: question.serverURL)
        guard size <= question.limitBytes else {
            throw DownloadFailure(
                .tooLarge, internal: "The model has \(size) bytes; this app accepts up to \(question.limitBytes).")
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

    /// A link may lead to another host (an object store), but never from https to http.
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
    /// What an error status of the call about the model means.
    static func infoFailure(_ response: TransportResponse, _ question: InfoContext) -> DownloadFailure {
        let status = response.status
        let reason = reason(response, without: question.secrets)
        let text = reason ?? "Model info retrieval failed with HTTP error code: \(status)"
        let pause = response.retryAfterSeconds(now: question.now)
        return switch status {
        case 400: DownloadFailure(.invalidArgument, text, error: .invalidArgument)
        case 403:
            DownloadFailure(
                .permissionDenied,
                reason ?? "\(text). Check the API key in the app's configuration, and a proxy on the way.",
                error: .permissionDenied)
        case 404: DownloadFailure(.notFound, text, error: .notFound)
        case 429:
            DownloadFailure(
                .serverBusy, text, error: .resourceExhausted, isTemporary: true, retryAfterSeconds: pause)
        default: failure(status: status, text, pause)
        }
    }

    /// What an error status in the place of the file means.
    static func fileFailure(_ head: TransportResponseHead, now: Timestamp) -> DownloadFailure {
        let text = "Model download failed with HTTP error code: \(head.status)"
        return switch head.status {
        case 400: DownloadFailure(.invalidArgument, text, error: .invalidArgument)
        case 401, 403:
            DownloadFailure(
                .permissionDenied,
                "\(text). The link to the file was refused by the server, or by a proxy that may not read its model files.",
                error: .permissionDenied)
        case 404: DownloadFailure(.notFound, text, error: .notFound)
        default: failure(status: head.status, text, RetryAfter.seconds(in: head.headers, nowSeconds: now.seconds))
        }
    }

    private static func failure(status: Int, _ text: String, _ pause: Double?) -> DownloadFailure {
        DownloadFailure(
            [429, 503].contains(status) ? .serverBusy : .serverFailed, internal: text,
            isTemporary: status == 429 || status >= 500, retryAfterSeconds: pause)
    }

    /// The server's own words.
    private static func reason(_ response: TransportResponse, without secrets: [String]) -> String? {
        guard let text = response.refusalReason else { return nil }
        let line = DownloadFailure.singleLine(text, without: secrets)
        return line.isEmpty ? nil : line
    }

    /// - Throws: `malformedResponse` for a page for people, such as a network's login, unless it has the announced length: then its
    ///   bytes decide, as some servers take every file for a page.
    static func checkType(_ head: TransportResponseHead, of link: Link) throws(DownloadFailure) {
        guard head.headers["content-type"]?.lowercased().hasPrefix("text/html") == true,
            head.headers["content-length"].flatMap({ UInt64($0) }) != link.size
        else { return }
        throw DownloadFailure(
            .malformedResponse,
            internal: "A web page came in the place of the model's file: log in to this network, or use another one.",
            isTemporary: true)
    }

    /// - Throws: `wrongLength` when the answer announces another length than the server did.
    static func checkLength(_ head: TransportResponseHead, of link: Link) throws(DownloadFailure) {
        guard let text = head.headers["content-length"], let length = UInt64(text), length != link.size else { return }
        throw .notPublished(.wrongLength, "The file has \(length) bytes, but \(link.size) were announced")
    }

    /// Whether a link that was answered with 400 is to be replaced by a new one.
    enum LinkState: Sendable, Equatable {
        /// Its time is up.
        case expired
        /// Only our own clock says that it is still good, and that clock may be wrong: one new link may help.
        case doubtful
        /// The host that refused it says itself that its time is not up.
        case fresh
    }

    /// The host's own time, in the answer's `Date`, decides where there is one: the device's clock may be a year off.
    static func state(of link: Link, refusedBy head: TransportResponseHead, now: Timestamp) -> LinkState {
        if let date = head.headers["date"].flatMap(HTTPDate.seconds).map(Timestamp.init(seconds:)) {
            // The date has whole seconds.
            return link.expires <= date.adding(seconds: 1) ? .expired : .fresh
        }
        return link.expires <= now ? .expired : .doubtful
    }

    static var tokenRefused: DownloadFailure {
        DownloadFailure(
            .permissionDenied,
            "The server refused this installation's token, and the one asked for afterwards as well.",
            error: .permissionDenied)
    }

    static var linkRefused: DownloadFailure {
        DownloadFailure(
            .invalidArgument,
            "The server refused the link to the model's file, and the one asked for afterwards as well.",
            error: .invalidArgument)
    }

    static var linkExpired: DownloadFailure {
        DownloadFailure(.linkExpired, internal: "Unable to update expired model info.")
    }
}
