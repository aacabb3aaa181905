internal import CMicroHTTPD
internal import Dispatch
internal import Glibc
import HearthConcurrency
internal import Synchronization

/// Owns one `MHD_Daemon`: `init` starts it, and `stop`, which `HTTPServer` always calls, stops it once.
///
/// `@unchecked Sendable`: the fields are constants. `HTTPServer` calls `stop` once, because it moves the daemon out of
/// its lock only once, and libmicrohttpd allows `MHD_stop_daemon` on any thread except its own.
final class Daemon: @unchecked Sendable {
    let port: UInt16
    private let service: ServerContext
    private let handle: OpaquePointer
    /// libmicrohttpd reads the PEM texts when it starts, and does not promise to copy them.
    private let certificate: TLSMaterial?
    private let log: LibraryLog

    /// Takes ownership of the socket, and closes it if the daemon does not start.
    init(
        configuration: HTTPServerConfiguration, socket: ListeningSocket, service: ServerContext
    ) throws(HTTPServerError) {
        let certificate = configuration.tls.map(TLSMaterial.init)
        let log = LibraryLog(service)
        let limits = configuration.limits
        var settings = mhd_settings()
        settings.listen_socket = socket.descriptor
        settings.threads = UInt32(limits.threads)
        settings.connection_limit = UInt32(limits.connections)
        settings.idle_seconds = UInt32(limits.idleSeconds)
        settings.connection_memory_bytes = limits.connectionMemoryBytes
        settings.certificate_pem = certificate?.certificate
        settings.key_pem = certificate?.key
        settings.tls_priorities = certificate?.priorities
        settings.context = Unmanaged.passUnretained(service).toOpaque()
        settings.accept = acceptConnection
        settings.target = beginRequest
        settings.access = serveRequest
        settings.completed = endRequest
        settings.connection = changeConnection
        settings.log = log.receiver
        guard let handle = mhd_start(&settings) else {
            socket.closeAfterFailedStart()
            throw Self.startFailure(isTLS: certificate != nil)
        }
        self.handle = handle
        self.service = service
        self.certificate = certificate
        self.log = log
        port = socket.port
        service.sweeper.start()
    }

    /// The accept policy refuses new connections. `MHD_quiesce_daemon` is not used: in 0.9.75 it races with the
    /// library's own worker threads and may abort the process.
    func stop(graceSeconds: Double) {
        service.beginStopping()
        service.sweeper.beginStopping()
        service.streams.close()
        service.openConnections.closeIdle()
        // A stream may last for ever, and so may its end if the peer does not read. So streams get less time.
        let streamGrace = min(graceSeconds, 1)
        if service.running.wait(timeout: .now() + streamGrace) == .timedOut { service.streams.cut() }
        if service.running.wait(timeout: .now() + graceSeconds - streamGrace) == .timedOut {
            service.suspensions.close(answering: .stopping)
            _ = service.running.wait(timeout: .now() + min(graceSeconds, 1))
        }
        // Not before: a peer that is too slow, or has left, must not hold up the stop.
        service.sweeper.stop()
        // libmicrohttpd aborts the process if it is stopped while a connection is suspended.
        service.suspensions.close(answering: .stopping)
        service.streams.cut()
        // If a malformed head arrives while the daemon stops, 0.9.75 reads a response that it did not queue, and
        // crashes. So all connections end first.
        service.openConnections.hangUp(withinSeconds: 2)
        MHD_stop_daemon(handle)
    }

    private static func startFailure(isTLS: Bool) -> HTTPServerError {
        isTLS
            ? HTTPServerError(
                code: .invalidTLS,
                message: "The TLS certificate or key was refused; give a PEM chain and its unencrypted PEM key.")
            : HTTPServerError(
                code: .resourcesExhausted,
                message: "The server's threads could not be started; free descriptors or memory, or lower `threads`.")
    }
}

/// PEM texts as C strings. The pointers never change; `deinit` frees them once.
private final class TLSMaterial {
    let certificate: UnsafePointer<CChar>?
    let key: UnsafePointer<CChar>?
    let priorities: UnsafePointer<CChar>?

    init(_ tls: HTTPServerConfiguration.TLS) {
        certificate = UnsafePointer(strdup(tls.certificatePEM))
        key = UnsafePointer(strdup(tls.privateKeyPEM))
        priorities = UnsafePointer(strdup(tls.minimumVersion.priorities))
    }

    deinit {
        free(UnsafeMutablePointer(mutating: certificate))
        free(UnsafeMutablePointer(mutating: key))
        free(UnsafeMutablePointer(mutating: priorities))
    }
}

/// Receives libmicrohttpd's log lines for a service, which it does not keep. The pointer never changes; `deinit` frees it once.
private final class LibraryLog {
    let receiver = UnsafeMutablePointer<mhd_log>.allocate(capacity: 1)

    init(_ service: ServerContext) {
        receiver.initialize(
            to: mhd_log(line: handleLibraryLog, context: Unmanaged.passUnretained(service).toOpaque()))
    }

    deinit { receiver.deallocate() }
}

extension ServerLimits {
    /// Twice the header bytes, because libmicrohttpd keeps parsed fields and a copy of the cookies in addition to the
    /// text, and space for answers and bodies. Not more, because libmicrohttpd fills all of it with zeros after each
    /// request.
    var connectionMemoryBytes: Int { 2 * headerBytes + 64 * headerFields + 4 * 1024 }

    /// Checks the ranges. The C library takes unsigned numbers, and fails silently on some values.
    func validate() throws(HTTPServerError) {
        func require(_ holds: Bool, _ rule: String) throws(HTTPServerError) {
            guard holds else { throw HTTPServerError(code: .invalidLimits, message: "Server limit: \(rule).") }
        }
        try require((1...1024).contains(threads), "`threads` must be 1 to 1024")
        try require((threads...1_000_000).contains(connections), "`connections` must be `threads` to 1,000,000")
        try require((0...1_000_000).contains(connectionsPerAddress), "`connectionsPerAddress` must be 0 to 1,000,000")
        try require((0...86_400).contains(idleSeconds), "`idleSeconds` must be 0 to 86,400")
        try require((0...86_400).contains(headSeconds), "`headSeconds` must be 0 to 86,400")
        try require(
            (0...1_000_000_000).contains(leastBytesPerSecond), "`leastBytesPerSecond` must be 0 to 1,000,000,000")
        try require((1...3600).contains(rateWindowSeconds), "`rateWindowSeconds` must be 1 to 3600")
        try require((0...1_000_000).contains(clientRequests), "`clientRequests` must be 0 to 1,000,000")
        try require((256...1_048_576).contains(headerBytes), "`headerBytes` must be 256 to 1,048,576")
        try require((1...10_000).contains(headerFields), "`headerFields` must be 1 to 10,000")
        try require((0...3600).contains(stopGraceSeconds), "`stopGraceSeconds` must be 0 to 3600")
        try require((0...3600).contains(lingerSeconds), "`lingerSeconds` must be 0 to 3600")
    }
}
