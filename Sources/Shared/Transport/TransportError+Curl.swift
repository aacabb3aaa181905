import CCurl

extension TransportError {
    /// The one place where a `CURLcode` becomes an error.
    ///
    /// - Parameter detail: curl's own sentence. It is used for TLS failures only, where it says which check failed;
    ///   for others it may quote parts of the address.
    static func fromCurl(_ status: CURLcode, host: String, detail: String = "") -> TransportError {
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
                .tls,
                "no secure connection to \(host): \(detail.isEmpty ? text(of: status) : detail); check the certificate or the CA file"
            )
        case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING:
            TransportError(.interrupted, "the connection to \(host) broke before the answer was complete; try again")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL:
            TransportError(.badResponse, "\(host) does not answer in HTTP; check the address and port")
        default:
            TransportError(.other, "the transfer with \(host) failed: \(text(of: status)) (curl \(status.rawValue))")
        }
    }

    private static func text(of status: CURLcode) -> String {
        String(cString: curl_easy_strerror(status))
    }
}
