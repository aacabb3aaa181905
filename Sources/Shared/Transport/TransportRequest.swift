package import HearthConcurrency

/// One HTTP request with its limits. Times are in seconds, sizes in bytes.
package struct TransportRequest: Sendable {
    /// What is sent after the headers.
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// A regular file from `offset` to its end, read while it is sent: memory use does not depend on its size.
        case file(path: String, offset: UInt64 = 0)
    }

    /// What happens when the server answers with a redirect (301, 302, 303, 307 or 308 with `Location`).
    package enum Redirects: Sendable, Hashable {
        /// It is an error (`redirectRefused`, or `insecureRedirect` when it would lead from https to plain http).
        case refuse
        /// It is followed up to `max` times, never from https to http. Another origin (scheme, host or port) gets
        /// none of the credentials: only headers about content and caching go along, and no body.
        case follow(max: Int)
        /// The same, but only to the host that was asked (whatever its port); elsewhere it is an error
        /// (`redirectRefused`).
        case followSameHost(max: Int)
    }

    /// Told how many body bytes were sent, and of how many; `nil` when the total is unknown. Called on the sending
    /// thread, at most a few times per second; starts over when a redirect makes the body go out again.
    package typealias UploadProgress = @Sendable (_ sent: UInt64, _ total: UInt64?) -> Void

    package var method: String
    /// An absolute http or https URL without user name and password.
    package var url: String
    /// Header fields in the order in which they are sent. `Content-Length` and `Transfer-Encoding` belong to the
    /// transport; names and values with line breaks or NUL are refused.
    package var headers: [(String, String)]
    package var body: Body
    /// Time for name look-up, connection and TLS handshake together.
    package var connectTimeoutSeconds: Double
    /// Time for everything, redirects included; `nil` for no limit.
    package var totalTimeoutSeconds: Double?
    /// The transfer is given up when no byte moves in either direction for so long; `nil` for no limit. Checked about
    /// once per second.
    package var stallTimeoutSeconds: Double?
    /// A longer answer is an error (`tooLarge`), streamed or not.
    package var maxResponseBytes: UInt64
    /// Rate cap for both directions; `nil` for none.
    package var maxBytesPerSecond: UInt64?
    package var redirects: Redirects
    package var uploadProgress: UploadProgress?
    /// Lets another thread stop the transfer.
    package var cancellation: Cancellation?

    package init(
        method: String = "GET", url: String, headers: [(String, String)] = [], body: Body = .none,
        connectTimeoutSeconds: Double = 10, totalTimeoutSeconds: Double? = nil, stallTimeoutSeconds: Double? = 30,
        maxResponseBytes: UInt64 = 16 << 20, maxBytesPerSecond: UInt64? = nil, redirects: Redirects = .refuse,
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
        self.redirects = redirects
        self.uploadProgress = uploadProgress
        self.cancellation = cancellation
    }
}
