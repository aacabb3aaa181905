package import HearthWire

/// One call to the server, without what all calls carry.
package struct ServerCall: Sendable {
    package var method: String
    package var interface: WirePath.Interface
    /// The resource below the project; encoded already.
    package var resource: String
    package var headers: [(String, String)]
    /// The longest time for one request; nil for no limit but the deadline.
    package var longestSeconds: Double?
    /// The call fails when no byte moves for this time.
    package var stallSeconds: Double
    package var maxResponseBytes: UInt64
    /// Whether the answer may come compressed; `maxResponseBytes` holds for the decompressed bytes.
    package var acceptsGzip: Bool

    package init(
        _ method: String, _ interface: WirePath.Interface, _ resource: String, headers: [(String, String)] = [],
        longestSeconds: Double? = nil, stallSeconds: Double = 30, maxResponseBytes: UInt64,
        acceptsGzip: Bool = false
    ) {
        self.method = method
        self.interface = interface
        self.resource = resource
        self.headers = headers
        self.longestSeconds = longestSeconds
        self.stallSeconds = stallSeconds
        self.maxResponseBytes = maxResponseBytes
        self.acceptsGzip = acceptsGzip
    }
}
