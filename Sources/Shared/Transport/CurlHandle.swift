import CCurl
import HearthConcurrency
import HearthCrypto

/// Owns one curl easy handle, the multi handle that runs it, and its error buffer: created in `init`, freed once in
/// `deinit`. The multi handle keeps connections open between transfers. It is needed because another thread can wake
/// it.
///
/// `@unchecked Sendable`: curl allows a handle to change threads if only one uses it at a time, and `CurlPool` lends
/// each handle to one transfer at a time, under a lock.
final class CurlHandle: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer
    private let multi: UnsafeMutableRawPointer
    private let errorBuffer: UnsafeMutablePointer<CChar>

    /// curl requires its process-wide set-up once, before the first handle.
    private static let globalStatus = {
        CryptoLibrary.prepare()
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    }()

    init() throws(TransportError) {
        guard Self.globalStatus == CURLE_OK, let pointer = curl_easy_init() else { throw Self.noMemory }
        guard let multi = curl_multi_init() else {
            curl_easy_cleanup(pointer)
            throw Self.noMemory
        }
        self.pointer = pointer
        self.multi = multi
        errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    private static var noMemory: TransportError {
        TransportError(.other, "libcurl could not be set up; there may be no memory left")
    }

    /// Removes all options of the last transfer; connections stay open.
    func reset() throws(TransportError) {
        curl_easy_reset(pointer)
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        try check(hearth_set_error_buffer(pointer, errorBuffer))
    }

    func set(_ option: CURLoption, _ value: Int) throws(TransportError) {
        try check(hearth_set_long(pointer, option, value))
    }

    func set(_ option: CURLoption, offset value: UInt64) throws(TransportError) {
        try check(hearth_set_offset(pointer, option, Int(clamping: value)))
    }

    /// nil disables the option. Refuses a NUL, at which the string would end for curl, and line breaks.
    func set(_ option: CURLoption, _ value: String?) throws(TransportError) {
        guard value?.utf8.contains(where: { $0 == 0 || $0 == 0x0a || $0 == 0x0d }) != true else {
            throw TransportError(.badRequest, "a transport setting contains a line break or NUL character")
        }
        try check(hearth_set_string(pointer, option, value))
    }

    func check(_ status: CURLcode) throws(TransportError) {
        guard status == CURLE_OK else { throw .fromCurl(status, host: "libcurl") }
    }

    /// Runs the transfer that was set up, until it ends or `cancellation` stops it.
    func perform(host: String, scheme: String, cancellation: Cancellation?) throws(TransportError) {
        guard curl_multi_add_handle(multi, pointer) == CURLM_OK else { throw Self.noMemory }
        defer { curl_multi_remove_handle(multi, pointer) }
        // This is the only function of curl that another thread may call for a handle in use.
        let status =
            if let cancellation {
                cancellation.withHandler({ [self] in _ = curl_multi_wakeup(multi) }) { run(until: cancellation) }
            } else {
                run(until: nil)
            }
        guard let status else { throw .cancelled(host) }
        guard status == CURLE_OK else {
            // For curl, a tunnel that the proxy refuses is only an answer that ended early.
            throw .fromCurl(
                status == CURLE_RECV_ERROR && proxyStatus >= 300 ? CURLE_PROXY : status, host: host,
                scheme: scheme, detail: String(cString: errorBuffer))
        }
    }

    /// How the transfer ended; nil when it was cancelled. Wraps `curl_multi_perform` and `curl_multi_poll`.
    private func run(until cancellation: Cancellation?) -> CURLcode? {
        var running: Int32 = 1
        while true {
            guard cancellation?.isCancelled != true else { return nil }
            guard curl_multi_perform(multi, &running) == CURLM_OK else { return CURLE_FAILED_INIT }
            if running == 0 { break }
            // At most a second, so that the progress callback can notice a stalled transfer.
            guard curl_multi_poll(multi, nil, 0, 1000, nil) == CURLM_OK else { return CURLE_FAILED_INIT }
        }
        var remaining: Int32 = 0
        while let message = curl_multi_info_read(multi, &remaining) {
            if message.pointee.msg == CURLMSG_DONE { return message.pointee.data.result }
        }
        return CURLE_FAILED_INIT
    }

    /// The proxy's status for the tunnel request; 0 without one. Wraps `CURLINFO_HTTP_CONNECTCODE`.
    private var proxyStatus: Int {
        var status = 0
        return hearth_get_long(pointer, CURLINFO_HTTP_CONNECTCODE, &status) == CURLE_OK ? status : 0
    }

    /// Whether the running transfer has a connection. Wraps `CURLINFO_PRETRANSFER_TIME_T`.
    var isConnected: Bool {
        var microseconds = 0
        return hearth_get_offset(pointer, CURLINFO_PRETRANSFER_TIME_T, &microseconds) == CURLE_OK && microseconds > 0
    }

    /// The body length that the server announced. Wraps `CURLINFO_CONTENT_LENGTH_DOWNLOAD_T`.
    var announcedBodyBytes: UInt64? {
        var bytes = 0
        guard hearth_get_offset(pointer, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &bytes) == CURLE_OK else { return nil }
        return UInt64(exactly: bytes)
    }

    deinit {
        curl_easy_cleanup(pointer)
        curl_multi_cleanup(multi)
        errorBuffer.deallocate()
    }
}

/// Keeps idle curl handles, and with them open connections, for the next transfers.
final class CurlPool: Sendable {
    /// Further idle handles are closed, because each may have open connections.
    private static let idleLimit = 4

    private let idle = Lock<[CurlHandle]>([])

    /// Lends a handle to `body`: the one that was used last, because its connections are the newest.
    func withHandle<Result>(
        _ body: (CurlHandle) throws(TransportError) -> Result
    ) throws(TransportError) -> Result {
        let handle = if let last = idle.withLock({ $0.popLast() }) { last } else { try CurlHandle() }
        defer {
            idle.withLock { if $0.count < Self.idleLimit { $0.append(handle) } }
        }
        return try body(handle)
    }
}
