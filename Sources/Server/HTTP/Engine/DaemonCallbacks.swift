internal import CMicroHTTPD
internal import Glibc

// libmicrohttpd calls these on its threads. They are global functions and so bound to no actor: a closure that belongs
// to the main actor would stop the program when C calls it on another thread. `context` is the `ServerContext`, which
// outlives the daemon. Each connection owns a `ConnectionState` from its start to its end, and that owns the `Exchange`
// of the present request. `endRequest` alone would not be enough, because libmicrohttpd does not call it for a request
// that it refuses itself.

func acceptConnection(
    context: UnsafeMutableRawPointer?, address: UnsafePointer<sockaddr>?, length: socklen_t
) -> MHD_Result {
    guard let context else { return .NO }
    let service = Unmanaged<ServerContext>.fromOpaque(context).takeUnretainedValue()
    guard !service.isStopping else { return .NO }
    guard let address, let peer = SocketAddress.number(address) else { return .YES }
    let isTrustedProxy = service.trustedProxies.contains(peer)
    return service.openConnections.admits(peer.network, isTrustedProxy: isTrustedProxy) ? .YES : .NO
}

func changeConnection(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, change: MHD_ConnectionNotificationCode
) {
    guard let context, let connection, let slot else { return }
    let service = Unmanaged<ServerContext>.fromOpaque(context).takeUnretainedValue()
    let open = service.openConnections
    if change == .CONNECTION_NOTIFY_STARTED {
        let greeting = service.isTLS ? PlainHTTPDetector(socket: mhd_socket(connection), service: service) : nil
        let new = ConnectionState(connection: Connection(connection), greeting: greeting)
        slot.pointee = Unmanaged.passRetained(new).toOpaque()
        if let greeting {
            if let credentials = greeting.credentials { mhd_use_credentials(connection, credentials.handle) }
            mhd_receive_tls_through(connection, receiveTLS, Unmanaged.passUnretained(greeting).toOpaque())
        }
        open.opened(mhd_socket(connection), new)
    } else if let raw = slot.pointee {
        slot.pointee = nil
        let over = Unmanaged<ConnectionState>.fromOpaque(raw).takeRetainedValue()
        let unread = service.isTLS ? nil : over.entryOfUnreadRequest(id: service.nextRequestID())
        open.closed(mhd_socket(connection))
        if over.endReason == .slowHead {
            if !over.hasLoggedItsEnd { service.log(service.entryOfUnfinishedHead(over)) }
        } else if let unread {
            service.log(unread)
        }
    }
}

func beginRequest(
    context: UnsafeMutableRawPointer?, target: UnsafePointer<CChar>?, connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let context, let target, let connection, let slot = ConnectionState.of(connection) else { return nil }
    let service = Unmanaged<ServerContext>.fromOpaque(context).takeUnretainedValue()
    let exchange = Exchange(
        service: service, connection: Connection(connection), slot: slot, target: target)
    hideQuery(target)
    slot.exchange = exchange
    return Unmanaged.passUnretained(exchange).toOpaque()
}

/// Ends the target at its `?`. Otherwise libmicrohttpd parses the query into the connection's memory, and if that is
/// full (many short items) it does not answer and leaves the connection hanging. The text is in the connection's own
/// read buffer, where libmicrohttpd writes the same terminators.
private func hideQuery(_ target: UnsafePointer<CChar>) {
    guard let mark = strchr(target, Int32(UInt8(ascii: "?"))) else { return }
    if mark[1] != 0 { mark[1] = 0 }
}

func serveRequest(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?, url: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, upload: UnsafePointer<CChar>?,
    uploadSize: UnsafeMutablePointer<Int>?, requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let method, let version, let uploadSize, let raw = requestContext?.pointee else { return .NO }
    let exchange = Unmanaged<Exchange>.fromOpaque(raw).takeUnretainedValue()
    let verdict: Exchange.Verdict
    if exchange.isBeginning {
        verdict = exchange.begin(method: method, version: version)
    } else if let upload, uploadSize.pointee > 0 {
        verdict = exchange.receive(UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee))
        uploadSize.pointee = 0
    } else {
        verdict = exchange.finish()
    }
    return verdict == .proceed ? .YES : .NO
}

func endRequest(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, reason: MHD_RequestTerminationCode
) {
    guard let requestContext, let raw = requestContext.pointee else { return }
    requestContext.pointee = nil
    let exchange = Unmanaged<Exchange>.fromOpaque(raw).takeUnretainedValue()
    exchange.end(isComplete: reason == .REQUEST_TERMINATED_COMPLETED_OK)
    ConnectionState.of(connection)?.exchange = nil
    // The connection is idle from here on. A stop that began before skipped it, because it was busy then.
    guard let context, let connection else { return }
    if Unmanaged<ServerContext>.fromOpaque(context).takeUnretainedValue().isStopping {
        OpenConnections.endReading(mhd_socket(connection))
    }
}

/// GnuTLS receives through this function. `context` is the connection's `PlainHTTPDetector`, which its
/// `ConnectionState` keeps.
func receiveTLS(context: UnsafeMutableRawPointer?, data: UnsafeMutableRawPointer?, size: Int) -> Int {
    guard let context, let data else { return 0 }
    return Unmanaged<PlainHTTPDetector>.fromOpaque(context).takeUnretainedValue().receive(into: data, size)
}

/// How the log line of libmicrohttpd 0.9.75 begins when it refuses a request.
private let refusalLogPrefix = "Error processing request"

/// libmicrohttpd logs a refusal on the connection's thread, but the text does not name the connection. For a head that
/// has arrived, it calls no other function between this one and its answer. And among the connections of the thread,
/// only that one has a whole head and no handler yet.
func handleLibraryLog(context: UnsafeMutableRawPointer?, format: UnsafePointer<CChar>?) {
    // Other log lines, for example about peers that disconnected, return early and do not look at the connections.
    guard let context, let format, strncmp(format, refusalLogPrefix, refusalLogPrefix.utf8.count) == 0 else { return }
    let open = Unmanaged<ServerContext>.fromOpaque(context).takeUnretainedValue().openConnections
    for slot in open.connections(of: pthread_self()) { slot.refuseBeforeHandler() }
}

/// libmicrohttpd calls this for the next bytes of a stream; `context` is the `StreamedBody`, which the response keeps.
func readStream(
    context: UnsafeMutableRawPointer?, position: UInt64, buffer: UnsafeMutablePointer<CChar>?, size: Int
) -> Int {
    guard let context, let buffer else { return Int(mhd_end_with_error) }
    let body = Unmanaged<StreamedBody>.fromOpaque(context).takeUnretainedValue()
    switch body.next(into: UnsafeMutableRawBufferPointer(start: buffer, count: size)) {
    case .send(let count): return count
    case .wait: return 0
    case .end: return Int(mhd_end_of_stream)
    case .close: return Int(mhd_end_with_error)
    }
}

func releaseStream(context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<StreamedBody>.fromOpaque(context).release()
}
