import CCurl
import HearthErrors

/// Why there is no complete answer. The text names the host, but no path, query, header or credential.
package struct TransportError: DescribedError {
    /// The kind of failure, for callers that branch on it.
    package enum Code {
        /// Not an absolute http or https URL, or one with a user name or password.
        case badURL
        /// A method, header or limit that is malformed.
        case badRequest
        /// The file to send cannot be read, or changed while it was sent.
        case bodyUnreadable
        /// The host's or the proxy's name cannot be resolved.
        case couldNotResolve
        /// The host or the proxy does not accept connections.
        case couldNotConnect
        /// A secure connection is impossible: an untrusted certificate, a wrong name, no common protocol, a bad CA
        /// file.
        case tls
        /// The connect timeout or the total timeout has passed.
        case timedOut
        /// No byte moved during the stall timeout.
        case stalled
        /// The answer has more bytes than `maxResponseBytes`, or too many header bytes.
        case tooLarge
        /// The connection broke before the answer was complete.
        case interrupted
        /// The answer is not HTTP.
        case badResponse
        /// The caller cancelled the transfer.
        case cancelled
        /// `onHead` or `onBody` threw; `cause` is what they threw.
        case aborted
        /// A redirect that the request's policy does not allow.
        case redirectRefused
        /// A redirect from https to plain http, which no policy allows.
        case insecureRedirect
        /// Any other failure.
        case other
    }

    package let code: Code
    /// One line: what is wrong and what to do.
    package let message: String
    /// The caller's own error when a closure threw (`aborted`).
    package let cause: (any Error)?

    /// Whether the same request may succeed later. The caller must know whether it may be sent twice.
    package var isRetryable: Bool {
        [.couldNotResolve, .couldNotConnect, .timedOut, .stalled, .interrupted].contains(code)
    }

    package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}

/// What went wrong with `host`, in the same words whichever transport says it.
extension TransportError {
    package static func couldNotResolve(_ host: String) -> TransportError {
        TransportError(.couldNotResolve, "\(host) could not be found; check the name and the network")
    }

    package static func couldNotConnect(_ host: String) -> TransportError {
        TransportError(
            .couldNotConnect,
            "\(host), or the proxy to it, does not accept connections; check the address, that it runs, and proxy settings"
        )
    }

    /// - Parameter detail: Which check failed.
    package static func notSecure(_ host: String, _ detail: String) -> TransportError {
        TransportError(
            .tls,
            "no secure connection to \(host): \(detail); check the certificate, or name the file of its CA in HEARTH_CA_FILE"
        )
    }

    package static func timedOut(_ host: String) -> TransportError {
        TransportError(.timedOut, "\(host) did not answer in the time allowed; try again or allow more")
    }

    package static func stalled(_ host: String) -> TransportError {
        TransportError(.stalled, "nothing came from \(host) for too long; try again")
    }

    package static func tooLarge(_ host: String, limitBytes: UInt64) -> TransportError {
        TransportError(.tooLarge, "\(host) sent an answer longer than the limit of \(limitBytes) bytes")
    }

    package static func interrupted(_ host: String) -> TransportError {
        TransportError(.interrupted, "the connection to \(host) broke before the answer was complete; try again")
    }

    package static func cancelled(_ host: String) -> TransportError {
        TransportError(.cancelled, "the transfer with \(host) was cancelled")
    }

    /// - Parameter cause: What the caller's closure threw.
    package static func aborted(_ host: String, cause: any Error) -> TransportError {
        TransportError(.aborted, "the receiver stopped the transfer from \(host)", cause: cause)
    }
}

extension TransportError {
    /// Makes an error from a `CURLcode`. No other code does.
    ///
    /// - Parameter detail: curl's own sentence. Used for TLS failures only, where it names the failed check; for other
    ///   failures it may contain parts of the address.
    static func fromCurl(
        _ status: CURLcode, host: String, scheme: String = "", detail: String = ""
    ) -> TransportError {
        switch status {
        case CURLE_URL_MALFORMAT:
            TransportError(.badURL, "the address of \(host) is not a valid URL")
        case CURLE_COULDNT_RESOLVE_HOST:
            couldNotResolve(host)
        case CURLE_COULDNT_RESOLVE_PROXY:
            TransportError(.couldNotResolve, "the proxy for \(host) could not be found; check the proxy setting")
        case CURLE_COULDNT_CONNECT:
            couldNotConnect(host)
        case CURLE_PROXY:
            TransportError(.couldNotConnect, "the proxy refused to connect to \(host); check the proxy setting")
        case CURLE_OPERATION_TIMEDOUT:
            timedOut(host)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE, CURLE_USE_SSL_FAILED,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ENGINE_INITFAILED:
            secureFailure(host, detail.isEmpty ? text(of: status) : detail)
        case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING:
            interrupted(host)
        case CURLE_BAD_CONTENT_ENCODING:
            TransportError(
                .badResponse, "\(host) sent an answer that cannot be decompressed; check the proxies on the way")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL:
            notHTTP(host, scheme: scheme)
        default:
            TransportError(.other, "the transfer with \(host) failed: \(text(of: status)) (curl \(status.rawValue))")
        }
    }

    /// The host answered with something other than HTTP.
    static func notHTTP(_ host: String, scheme: String) -> TransportError {
        let remedy = scheme == "http" ? "check the address and port; where it speaks TLS, use https://" : nil
        return TransportError(
            .badResponse, "\(host) does not answer in HTTP; \(remedy ?? "check the address and port")")
    }

    /// Replaces the text of curl's TLS library about a server that does not speak TLS, which would not help readers.
    private static func secureFailure(_ host: String, _ detail: String) -> TransportError {
        let signs = ["wrong version number", "unexpected TLS packet", "packet length too long", "unknown protocol"]
        if signs.contains(where: detail.contains) {
            return TransportError(
                .tls,
                "no secure connection to \(host): it does not speak TLS; check the port, and where it serves plain HTTP, use http://"
            )
        }
        // A server of plain HTTP may also close the connection immediately.
        if detail.contains("SSL_ERROR_SYSCALL") {
            return TransportError(
                .tls,
                """
                no secure connection to \(host): it closed the connection during the TLS handshake; check the port, \
                and where it serves plain HTTP, use http://
                """
            )
        }
        return notSecure(host, detail)
    }

    private static func text(of status: CURLcode) -> String {
        String(cString: curl_easy_strerror(status))
    }
}
