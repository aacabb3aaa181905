import HearthTransport
import HearthWire

extension DownloadRules {
    /// What an error status of the call about the model means, 401 aside.
    static func infoFailure(_ response: TransportResponse, _ question: InfoQuestion) -> DownloadFailure {
        let status = response.status
        let reason = reason(in: response.body, without: question.secrets)
        let text = reason ?? "Model info retrieval failed with HTTP error code: \(status)"
        let pause = RetryAfter.seconds(in: response.headers, nowSeconds: question.now.seconds)
        return switch status {
        case 400: DownloadFailure(.invalidArgument, text, error: .invalidArgument)
        case 401, 403:
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
    private static func reason(in body: [UInt8], without secrets: [String]) -> String? {
        guard let text = try? WireJSON.decode(ErrorEnvelope.self, from: body).error.message else { return nil }
        let line = DownloadFailure.line(text, without: secrets)
        return line.isEmpty ? nil : line
    }

    /// - Throws: `nonsense` for a page for people, such as a network's login, unless it has the announced length: then its
    ///   bytes decide, as some servers take every file for a page.
    static func checkType(_ head: TransportResponseHead, of link: Link) throws(DownloadFailure) {
        guard head.headers["content-type"]?.lowercased().hasPrefix("text/html") == true,
            head.headers["content-length"].flatMap({ UInt64($0) }) != link.size
        else { return }
        throw DownloadFailure(
            .nonsense,
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
