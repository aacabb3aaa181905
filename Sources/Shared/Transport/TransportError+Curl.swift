import CCurl

extension TransportError {
    /// The one place where a `CURLcode` becomes an error.
    ///
    /// - Parameter detail: curl's own sentence. It is used for TLS failures only, where it says which check failed;
    ///   for others it may quote parts of the address.
    static func fromCurl(
        _ status: CURLcode, host: String, scheme: String = "", detail: String = ""
    ) -> TransportError {
        switch status {
        case CURLE_URL_MALFORMAT:
            TransportError(.badURL, "the address of \(host) is not a valid URL")
        case CURLE_COULDNT_RESOLVE_HOST:
            TransportError(.couldNotResolve, "\(host) could not be found; check the name and the network")
        case CURLE_COULDNT_RESOLVE_PROXY:
            TransportError(.couldNotResolve, "the proxy for \(host) could not be found; check the proxy setting")
        case CURLE_COULDNT_CONNECT:
            TransportError(
                .couldNotConnect,
                "\(host), or the proxy to it, does not accept connections; check the address, that it runs, and proxy settings"
            )
        case CURLE_PROXY:
            TransportError(.couldNotConnect, "the proxy refused to connect to \(host); check the proxy setting")
        case CURLE_OPERATION_TIMEDOUT:
            TransportError(.timedOut, "\(host) did not answer in the time allowed; try again or allow more")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE, CURLE_USE_SSL_FAILED,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ENGINE_INITFAILED:
            TransportError(
                .tls, "no secure connection to \(host): " + secureFailure(detail.isEmpty ? text(of: status) : detail))
        case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING:
            TransportError(.interrupted, "the connection to \(host) broke before the answer was complete; try again")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL:
            notHTTP(host, scheme: scheme)
        default:
            TransportError(.other, "the transfer with \(host) failed: \(text(of: status)) (curl \(status.rawValue))")
        }
    }

    /// Something else than HTTP came.
    static func notHTTP(_ host: String, scheme: String) -> TransportError {
        let remedy = scheme == "http" ? "check the address and port; where it speaks TLS, use https://" : nil
        return TransportError(
            .badResponse, "\(host) does not answer in HTTP; \(remedy ?? "check the address and port")")
    }

    /// What curl's TLS library says of a server that does not speak TLS helps nobody.
    private static func secureFailure(_ detail: String) -> String {
        let signs = ["wrong version number", "unexpected TLS packet", "packet length too long", "unknown protocol"]
        if signs.contains(where: detail.contains) {
            return "it does not speak TLS; check the port, and where it serves plain HTTP, use http://"
        }
        // A server of plain HTTP may also just hang up.
        if detail.contains("SSL_ERROR_SYSCALL") {
            return "it hung up instead of greeting; check the port, and where it serves plain HTTP, use http://"
        }
        return "\(detail); check the certificate, or name the file of its CA in HEARTH_CA_FILE"
    }

    private static func text(of status: CURLcode) -> String {
        String(cString: curl_easy_strerror(status))
    }
}
