internal import CMicroHTTPD
internal import Glibc

/// A borrowed `MHD_Connection`: one TCP connection during one request.
///
/// `@unchecked Sendable`: all members except `resume` are called on the connection's own thread only, inside
/// libmicrohttpd's callbacks. `MHD_resume_connection` may be called from any thread while the connection is suspended,
/// and a suspended connection is never freed.
struct Connection: @unchecked Sendable {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    /// How many header fields the request has.
    var fieldCount: Int { Int(MHD_get_connection_values_n(handle, .HEADER_KIND, nil, nil)) }

    /// The request's fields in order: `count` of them, with at most `bytes` bytes.
    func fields(count: Int, bytes: Int, firstLine: HeadLayout) -> CollectedFields {
        var fields = CollectedFields(headers: HTTPHeaders(capacity: count, bytes: bytes), layout: firstLine)
        withUnsafeMutablePointer(to: &fields) { fields in
            _ = MHD_get_connection_values_n(handle, .HEADER_KIND, collectField, fields)
        }
        return fields
    }

    /// Whether the whole head of the present request has arrived.
    var hasWholeHead: Bool { mhd_has_whole_header(handle) }

    var headerBytes: Int { mhd_header_size(handle) }

    /// The status of the queued answer.
    var status: Int? {
        let status = mhd_status(handle)
        return status == 0 ? nil : Int(status)
    }

    /// Bytes received on the connection so far, including the framing of TLS.
    var receivedBytes: UInt64 { mhd_received_bytes(handle) }

    /// Bytes sent on the connection so far that the peer's machine has confirmed.
    var confirmedBytes: UInt64 { mhd_confirmed_bytes(handle) }

    /// The peer's numeric address; empty if unknown.
    var remoteAddress: String {
        guard let address = mhd_client_address(handle) else { return "" }
        return SocketAddress.text(address)
    }

    /// The peer's network; `nil` if its address is unknown.
    var network: IPAddress? { mhd_client_address(handle).flatMap(SocketAddress.number)?.network }

    /// Owned by libmicrohttpd.
    var socket: Int32 { mhd_socket(handle) }

    /// A second descriptor of the connection's socket, which the caller owns; -1 on failure.
    func duplicateSocket() -> Int32 { fcntl(socket, F_DUPFD_CLOEXEC, 0) }

    /// Lets the kernel end the connection if the peer's machine does not confirm sent bytes for that long: a peer that
    /// vanished does not close its connection. 0 leaves the time to the kernel.
    func setUnconfirmedTimeout(afterSecondsUnconfirmed seconds: Int) {
        var milliseconds = UInt32(clamping: seconds * 1000)
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, socklen_t(MemoryLayout<UInt32>.size))
    }

    /// Queues the answer; `false` if libmicrohttpd refuses it, and the connection must be closed.
    func queue(_ response: Response) -> Bool {
        guard let encoded = response.encoded ?? EncodedResponse(response) else { return false }
        return queue(encoded, status: response.status)
    }

    func queue(_ encoded: EncodedResponse, status: Int) -> Bool {
        withExtendedLifetime(encoded) { MHD_queue_response(handle, UInt32(status), encoded.handle) == .YES }
    }

    /// Sends bytes at once, without the queue; `false` if the socket did not take all of them.
    func sendNow(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { mhd_send_now(handle, $0.baseAddress, $0.count) }
    }

    /// Ends the sending side of the connection: all queued bytes fail.
    func endSending() { OpenConnections.endSending(socket) }

    func suspend() { MHD_suspend_connection(handle) }

    func resume() { MHD_resume_connection(handle) }
}

/// The fields of a request, and what is wrong with them.
struct CollectedFields {
    fileprivate(set) var headers: HTTPHeaders
    fileprivate(set) var layout: HeadLayout
    /// Whether each name is a token (RFC 9110, 5.6.2).
    fileprivate(set) var hasValidNames = true
    fileprivate(set) var hasControls = false
}

private func collectField(
    context: UnsafeMutableRawPointer?, kind: MHD_ValueKind, name: UnsafePointer<CChar>?, nameLength: Int,
    value: UnsafePointer<CChar>?, valueLength: Int
) -> MHD_Result {
    guard let context, let name else { return .NO }
    func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count).assumingMemoryBound(to: UInt8.self)
    }
    let fields = context.assumingMemoryBound(to: CollectedFields.self)
    let value = text(value, valueLength)
    fields.pointee.layout.add(
        name: HeadLayout.Part(start: UInt(bitPattern: name), length: nameLength),
        value: HeadLayout.Part(start: UInt(bitPattern: value.baseAddress), length: value.count))
    if hasForbiddenControls(value) { fields.pointee.hasControls = true }
    if !fields.pointee.headers.add(name: text(name, nameLength), value: value) {
        fields.pointee.hasValidNames = false
    }
    return .YES
}

/// Looks for control characters other than the tabulator. The loop has no branch, so that the compiler can vectorize
/// it.
private func hasForbiddenControls(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    var found: UInt8 = 0
    for byte in value { found |= ((byte < 0x20 ? 1 : 0) & (byte == 0x09 ? 0 : 1)) | (byte == 0x7F ? 1 : 0) }
    return found != 0
}
