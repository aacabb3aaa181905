package import HearthConcurrency
package import HearthTransport
package import HearthWire

/// Sends an app's calls to its server, with address, key, token, deadline and cancellation. Blocks; any number of
/// threads may send at the same time.
package struct ServerClient: Sendable {
    package typealias HeadHandler = (TransportResponseHead) throws -> Void
    package typealias BodyHandler = (UnsafeRawBufferPointer) throws -> Void

    /// How long a call without a deadline waits for a token.
    private static let tokenSeconds = 60.0

    package let address: ServerAddress
    private let transport: any Transport
    private let clock: any DeviceClock

    package init(address: ServerAddress, transport: any Transport, clock: any DeviceClock) {
        self.address = address
        self.transport = transport
        self.clock = clock
    }

    /// Sends a call as an installation. When the server refuses the token, sends the call once more with a new one.
    ///
    /// - Parameters:
    ///   - deadline: For the token and all requests. Without one, the token may take a minute, and a request the call's
    ///     own limit.
    ///   - body: Called before each request, because the token may be part of the body.
    ///   - onHead, onBody: As for `Transport`; called for each request.
    package func send(
        _ call: ServerCall, as tokens: any TokenSource, deadline: Deadline? = nil, cancellation: Cancellation?,
        body: (InstallationIdentity) throws -> TransportRequest.Body = { _ in .none }, onHead: HeadHandler? = nil,
        onBody: BodyHandler? = nil
    ) throws(ClientError) -> TransportResponse {
        var isRenewed = false
        while true {
            let identity = try tokens.identity(
                renewing: isRenewed, deadline: deadline ?? Deadline(seconds: Self.tokenSeconds, clock: clock),
                cancellation: cancellation)
            let sent: TransportRequest.Body
            do {
                sent = try body(identity)
            } catch {
                throw .stopped(error)
            }
            let response = try send(
                call, headers: identity.headers, body: sent, deadline: deadline, cancellation: cancellation,
                onHead: onHead, onBody: onBody)
            guard response.status == 401, !isRenewed else { return response }
            isRenewed = true
        }
    }

    /// Sends a call once.
    ///
    /// - Parameter headers: The headers that prove who calls.
    package func send(
        _ call: ServerCall, headers: [(String, String)] = [], body: TransportRequest.Body = .none,
        deadline: Deadline? = nil, cancellation: Cancellation?, onHead: HeadHandler? = nil, onBody: BodyHandler? = nil
    ) throws(ClientError) -> TransportResponse {
        guard cancellation?.isCancelled != true else { throw .cancelled }
        let limits = [call.longestSeconds, deadline.map { max(0.001, $0.remainingSeconds) }].compactMap { $0 }
        let request = TransportRequest(
            method: call.method, url: address.url(call.interface, call.resource),
            headers: address.headers + headers + call.headers, body: body, totalTimeoutSeconds: limits.min(),
            stallTimeoutSeconds: call.stallSeconds, maxResponseBytes: call.maxResponseBytes,
            acceptsGzip: call.acceptsGzip, cancellation: cancellation)
        do {
            return try transport.send(request, onHead: onHead, onBody: onBody)
        } catch {
            throw ClientError(error)
        }
    }
}

extension TransportResponse {
    /// Whether the same call may succeed later: the server is busy or failed.
    package var isBusy: Bool { status == 408 || status == 429 || status >= 500 }

    /// The server's own text about its refusal; nil when another program between this device and the server answered.
    package var refusalReason: String? {
        try? WireJSON.decode(ErrorEnvelope.self, from: body).error.message
    }

    /// After how many seconds the server asks for another call; nil when it does not ask.
    package func retryAfterSeconds(now: Timestamp) -> Double? {
        RetryAfter.seconds(in: headers, nowSeconds: now.seconds)
    }
}
