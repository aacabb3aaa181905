import CCurl
import HearthConcurrency

/// `Transport` over libcurl: http and https in HTTP/1.1, TLS 1.2 or newer with checked certificates.
///
/// Threads may share it; each transfer borrows a curl handle, and idle connections are kept for the next transfers. It
/// sends no request twice, with one exception that HTTP allows: if a kept connection ends before any byte of the
/// answer, curl sends an idempotent request again on a new one. POST and PATCH always get a new connection.
package final class CurlTransport: Transport {
    /// The proxy for requests.
    package enum Proxy: Sendable, Hashable {
        /// The proxy that `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` name.
        case environment
        case none
        /// The proxy at this address, such as `http://proxy.example:3128`.
        case url(String)
    }

    package struct Configuration: Sendable {
        /// A PEM file of the certificates to trust instead of the system's.
        package var caFile: String?
        package var proxy: Proxy
        package var userAgent: String

        package init(caFile: String? = nil, proxy: Proxy = .environment, userAgent: String = "hearth") {
            self.caFile = caFile
            self.proxy = proxy
            self.userAgent = userAgent
        }
    }

    private let configuration: Configuration
    private let pool = CurlPool()

    package init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    package func send(
        _ request: TransportRequest, onHead: HeadHandler?, onBody: BodyHandler?
    ) throws(TransportError) -> TransportResponse {
        let limits = try TransportLimits(request, now: .now)
        let redirects = RedirectRule(policy: request.redirects)
        var hop = try OutgoingRequest(request)
        return try pool.withHandle { handle throws(TransportError) in
            var followed = 0
            while true {
                let transfer = try CurlTransfer(
                    hop, caller: request, limits: limits, handle: handle, onHead: onHead, onBody: onBody)
                let response = try run(transfer, on: handle, limits: limits, cancellation: request.cancellation)
                let head = TransportResponseHead(status: response.status, headers: response.headers)
                guard RedirectRule.isRedirect(head) else { return response }
                hop = try redirects.next(after: hop, head: head, followed: followed)
                followed += 1
            }
        }
    }

    private func run(
        _ transfer: CurlTransfer, on handle: CurlHandle, limits: TransportLimits, cancellation: Cancellation?
    ) throws(TransportError) -> TransportResponse {
        let url = transfer.request.url
        let host = url.authority
        try handle.reset()
        try configuration.apply(to: handle)
        try limits.apply(to: handle, host: host)
        let headers = try CurlHeaderList(transfer.request.headers, bodyBytes: transfer.upload?.length)
        try transfer.request.apply(to: handle, headers: headers, bodyBytes: transfer.upload?.length)
        // curl decompresses each piece as it arrives, before the transfer counts its bytes.
        if transfer.acceptsGzip { try handle.set(CURLOPT_ACCEPT_ENCODING, "gzip") }
        try transfer.installCallbacks(on: handle)
        do {
            try withExtendedLifetime((headers, transfer)) { () throws(TransportError) in
                try handle.perform(host: host, scheme: url.scheme, cancellation: cancellation)
            }
        } catch {
            throw transfer.failure ?? error
        }
        guard let response = transfer.response else {
            throw TransportError.notHTTP(host, scheme: url.scheme)
        }
        return response
    }
}
