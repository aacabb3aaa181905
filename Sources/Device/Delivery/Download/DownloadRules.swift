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
    struct InfoQuestion: Sendable {
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
        /// The server does not take the installation's token, although its time is not up: ask for another one.
        case renewToken
    }

    /// After the call for `…:download`.
    static func afterInfo(
        _ response: TransportResponse, to question: InfoQuestion
    ) throws(DownloadFailure) -> InfoStep {
        switch response.status {
        case 200: return try link(in: response, question)
        case 304: return try afterNotModified(response, question)
        case 401: return .renewToken
        default: throw infoFailure(response, question)
        }
    }

    private static func afterNotModified(
        _ response: TransportResponse, _ question: InfoQuestion
    ) throws(DownloadFailure) -> InfoStep {
        guard let installedHash = question.installedHash else {
            throw DownloadFailure(.nonsense, internal: "Model info was deleted unexpectedly.")
        }
        guard let etag = response.headers["etag"] else { throw missingHash }
        guard etag == installedHash else {
            throw DownloadFailure(.nonsense, internal: "Unexpected model hash value.")
        }
        return keepInstalled(response)
    }

    private static func keepInstalled(_ response: TransportResponse) -> InfoStep {
        .keepInstalled(version: version(in: response), experiments: experiments(in: response))
    }

    private static func link(
        in response: TransportResponse, _ question: InfoQuestion
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
        response.headers["x-hearth-model-version"].flatMap { Int($0) }
    }

    private static func experiments(in response: TransportResponse) -> [ModelExperiment] {
        ModelExperiment.all(in: response.headers.all("x-hearth-experiment"))
    }

    /// A link may lead to another host (an object store), but never from https to http.
    private static func check(url: String, serverURL: String) throws(DownloadFailure) {
        let scheme = url.lowercased()
        let isPlain = scheme.hasPrefix("http://")
        let isLessSafe = isPlain && serverURL.lowercased().hasPrefix("https://")
        guard scheme.hasPrefix("https://") || isPlain, !isLessSafe else {
            throw unreadable(
                "the download link is not http or https, or is less safe than the server's own address.",
                isLessSafe ? .plainHTTP : .nonsense)
        }
    }

    private static var missingHash: DownloadFailure {
        DownloadFailure(.nonsense, internal: "Model hash missing in model info server response.")
    }

    private static func unreadable(_ reason: String, _ code: DownloadFailure.Code = .nonsense) -> DownloadFailure {
        DownloadFailure(code, internal: "Failed to parse model info: \(reason)")
    }
}
