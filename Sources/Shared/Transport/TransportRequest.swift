package import HearthConcurrency

/// One HTTP request with its limits. Times are in seconds, sizes in bytes.
package struct TransportRequest: Sendable {
    /// The body of a request.
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// `length` bytes of a regular file from `offset` on; nil for all bytes to its end. It is read while it is sent,
        /// so memory use does not depend on its size.
        case file(path: String, offset: UInt64 = 0, length: UInt64? = nil)
    }

    /// What happens after a redirect (301, 302, 303, 307 or 308 with `Location`).
    package enum Redirects: Sendable, Hashable {
        /// The redirect is an error: `redirectRefused`, or `insecureRedirect` from https to plain http.
        case refuse
        /// Up to `max` redirects are followed, but never from https to http. Another origin (scheme, host or port) gets
        /// only headers about content and caching: no credentials and no body.
        case follow(max: Int)
        /// As `follow`, but only to the same host (with any port); another host is an error (`redirectRefused`).
        case followSameHost(max: Int)
    }

    /// Gets how many body bytes were sent, and of how many; nil when the total is unknown. Called on the sending
    /// thread, at most a few times per second. Begins again when a redirect makes the transport send the body again.
    package typealias UploadProgress = @Sendable (_ sent: UInt64, _ total: UInt64?) -> Void

    package var method: String
    /// An absolute http or https URL without user name and password.
    package var url: String
    /// Header fields in the order in which they are sent. The transport itself sets `Content-Length` and
    /// `Transfer-Encoding`; names and values with line breaks or NUL are refused.
    package var headers: [(String, String)]
    package var body: Body
    /// The time for name look-up, connection and TLS handshake together.
    package var connectTimeoutSeconds: Double
    /// The time for everything, including redirects; nil for no limit.
    package var totalTimeoutSeconds: Double?
    /// The transfer fails when no byte moves in either direction for this time; nil for no limit. Checked about once
    /// per second.
    package var stallTimeoutSeconds: Double?
    /// A longer answer is an error (`tooLarge`), streamed or not.
    package var maxResponseBytes: UInt64
    /// The rate limit for both directions; nil for no limit.
    package var maxBytesPerSecond: UInt64?
    /// Whether the answer may come compressed. The transport decompresses it piece by piece; `maxResponseBytes` holds for the
    /// decompressed bytes.
    package var acceptsGzip: Bool
    package var redirects: Redirects
    package var uploadProgress: UploadProgress?
    /// Lets another thread stop the transfer.
    package var cancellation: Cancellation?

    package init(
        method: String = "GET", url: String, headers: [(String, String)] = [], body: Body = .none,
        connectTimeoutSeconds: Double = 10, totalTimeoutSeconds: Double? = nil, stallTimeoutSeconds: Double? = 30,
        maxResponseBytes: UInt64 = 16 << 20, maxBytesPerSecond: UInt64? = nil,
        acceptsGzip: Bool = false, redirects: Redirects = .refuse,
        uploadProgress: UploadProgress? = nil, cancellation: Cancellation? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.connectTimeoutSeconds = connectTimeoutSeconds
        self.totalTimeoutSeconds = totalTimeoutSeconds
        self.stallTimeoutSeconds = stallTimeoutSeconds
        self.maxResponseBytes = maxResponseBytes
        self.maxBytesPerSecond = maxBytesPerSecond
        self.acceptsGzip = acceptsGzip
        self.redirects = redirects
        self.uploadProgress = uploadProgress
        self.cancellation = cancellation
    }
}

extension TransportRequest {
    /// The value of the first header with this name, in any case.
    package func header(_ name: String) -> String? {
        headers.first { $0.0.lowercased() == name.lowercased() }?.1
    }
}
