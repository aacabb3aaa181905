internal import Glibc
import HearthConcurrency
import HearthErrors

/// An HTTP/1.1 server on one address: `threads` threads with an epoll loop each, which also run the handlers.
///
/// Start it once; a stopped server cannot start again. All members may be used from any thread, with one exception: a
/// handler must not call `stop()`, because that waits for the handlers.
package final class HTTPServer: Sendable {
    private enum State {
        case new
        case listening(ListeningSocket)
        case running(Daemon)
        case stopped
    }

    private let configuration: HTTPServerConfiguration
    private let service: ServerContext
    private let state = Lock(State.new)

    /// - Parameters:
    ///   - handler: decides about every request; called on the server's threads.
    ///   - errors: makes the answers to requests that no handler gets (malformed, too large), and to requests without
    ///     an answer from their handler. The HTTP library itself answers a few malformed requests, with its own short
    ///     page.
    ///   - log: gets every finished request.
    package init(
        configuration: HTTPServerConfiguration, handler: any RequestHandler,
        errors: @escaping ErrorRenderer = HTTPFault.plainText, log: @escaping AccessLog = { _ in }
    ) {
        self.configuration = configuration
        service = ServerContext(configuration: configuration, handler: handler, errors: errors, log: log)
    }

    deinit { stop(graceSeconds: 0) }

    /// Takes ownership of a port that was bound before the server was created. Otherwise `start()` binds one itself.
    package func listen(on port: BoundPort) throws(HTTPServerError) {
        try state.withLock { state throws(HTTPServerError) in
            guard case .new = state, let socket = port.take() else { throw Self.startedBefore }
            state = .listening(socket)
        }
    }

    /// Begins to serve, on the port of the configuration if `listen(on:)` was not called.
    package func start() throws(HTTPServerError) {
        try configuration.limits.validate()
        try state.withLock { state throws(HTTPServerError) in
            let socket: ListeningSocket
            switch state {
            case .new: socket = try ListeningSocket(address: configuration.address, port: configuration.port)
            case .listening(let open): socket = open
            case .running, .stopped: throw Self.startedBefore
            }
            // The daemon owns the socket from here on, even if it fails.
            state = .new
            state = .running(try Daemon(configuration: configuration, socket: socket, service: service))
        }
    }

    private static var startedBefore: HTTPServerError {
        HTTPServerError(
            code: .alreadyStarted, message: "The server was started before; make a new one to start again.")
    }

    /// The port that the server listens on; 0 if there is none.
    package var port: UInt16 {
        state.withLock { state in
            switch state {
            case .listening(let socket): socket.port
            case .running(let daemon): daemon.port
            case .new, .stopped: 0
            }
        }
    }

    /// Connections open at this moment, idle ones included.
    package var openConnections: Int { service.openConnections.count }

    /// How many connections the server ended for that reason so far.
    package func connectionsEnded(_ reason: DisconnectReason) -> UInt64 { service.sweeper.count(reason) }

    /// How many connections were closed without an answer so far because their network held too many.
    package var refusedConnections: UInt64 { service.openConnections.refusals }

    /// How many requests behind trusted proxies were refused so far because their client had too many in progress.
    package var refusedClientRequests: UInt64 { service.clients.refusals }

    /// Uses another certificate for new connections; open ones keep theirs. Versions and ciphers stay the same.
    ///
    /// - Throws: `.invalidTLS` if certificate and key cannot be used, or the server was created without TLS. Then
    ///   nothing has changed.
    package func replaceTLS(with tls: HTTPServerConfiguration.TLS) throws(HTTPServerError) {
        guard configuration.tls != nil else {
            throw HTTPServerError(code: .invalidTLS, message: "The server was started without TLS; restart it with it.")
        }
        service.credentials = try TLSCredentials(tls)
    }

    /// Ends all streams, and answers requests for new ones with 503; all else continues. For a server that will be
    /// stopped.
    package func endStreams() { service.streams.close() }

    /// Ends all streams, refuses new connections, closes idle ones, and lets running requests end within
    /// `stopGraceSeconds`. Then it answers suspended requests with 503, closes the other connections (their receivers
    /// are abandoned), and returns when no handler runs any more.
    package func stop() { stop(graceSeconds: configuration.limits.stopGraceSeconds) }

    private func stop(graceSeconds: Double) {
        let daemon = state.withLock { state -> Daemon? in
            defer { state = .stopped }
            switch state {
            case .listening(let socket): socket.close()
            case .running(let daemon): return daemon
            case .new, .stopped: break
            }
            return nil
        }
        daemon?.stop(graceSeconds: graceSeconds)
    }
}

/// An address and port that were bound before the server exists: clients that connect wait. It is closed with this
/// object, unless a server has taken it.
package final class BoundPort: Sendable {
    /// The port's number; if 0 was asked for, the number of the free port that was chosen.
    package let number: UInt16
    private let socket: Lock<ListeningSocket?>

    /// - Parameters:
    ///   - address: as in `HTTPServerConfiguration`.
    ///   - port: as there.
    package init(address: String, port: UInt16) throws(HTTPServerError) {
        let opened = try ListeningSocket(address: address, port: port)
        number = opened.port
        socket = Lock(opened)
    }

    deinit { take()?.close() }

    /// The socket, which the caller then owns; nil from the second call on.
    func take() -> ListeningSocket? {
        socket.withLock { socket in
            defer { socket = nil }
            return socket
        }
    }
}
