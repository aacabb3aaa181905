import CCurl
import Foundation
import HearthConcurrency

/// One request and its answer on one curl handle: all of curl's callbacks. Each of them returns whether the transfer
/// continues. Used by one thread.
final class CurlTransfer {
    let request: OutgoingRequest
    let upload: (any UploadSource)?
    private let caller: TransportRequest
    private let limits: TransportLimits
    private let handle: CurlHandle
    private let onHead: ((TransportResponseHead) throws -> Void)?
    private let onBody: ((UnsafeRawBufferPointer) throws -> Void)?

    private var parser = ResponseHeadParser()
    private var body: [UInt8] = []
    private var received: UInt64 = 0
    private var uploadPosition: UInt64 = 0
    private var reportedSent: UInt64 = 0
    private var stallDetector: StallDetector
    private var pacer: RatePacer

    /// Why a callback stopped the transfer, which curl itself does not know.
    private(set) var failure: TransportError?

    /// A redirect's page may have this many bytes even if the caller expects a shorter answer. It is not kept.
    private static let redirectBodyLimit: UInt64 = 64 << 10

    init(
        _ request: OutgoingRequest, caller: TransportRequest, limits: TransportLimits, handle: CurlHandle,
        onHead: ((TransportResponseHead) throws -> Void)?, onBody: ((UnsafeRawBufferPointer) throws -> Void)?
    ) throws(TransportError) {
        self.request = request
        self.caller = caller
        self.limits = limits
        self.handle = handle
        self.onHead = onHead
        self.onBody = onBody
        stallDetector = StallDetector(limit: limits.stall, now: .now)
        pacer = RatePacer(bytesPerSecond: limits.bytesPerSecond, now: .now)
        upload =
            switch request.body {
            // Servers expect a length with these methods even when the body is empty.
            case .none: ["POST", "PUT", "PATCH"].contains(request.method) ? BytesUpload(bytes: []) : nil
            case .bytes(let bytes): BytesUpload(bytes: bytes)
            case .file(let path, let offset, let length): try FileUpload(path: path, offset: offset, length: length)
            }
    }

    var acceptsGzip: Bool { caller.acceptsGzip }

    /// The head of the answer when it has arrived; also a redirect's.
    var head: TransportResponseHead? { parser.head }

    var response: TransportResponse? {
        head.map { TransportResponse(status: $0.status, headers: $0.headers, body: body) }
    }

    /// Receives one header line, including its line end.
    func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        attempt { () throws(TransportError) in
            guard let head = try parser.take(line, host: request.url.host), !RedirectRule.isRedirect(head) else {
                return
            }
            try callOut { try onHead?(head) }
        }
    }

    /// Receives the next piece of the body.
    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        attempt { () throws(TransportError) in
            let isRedirect = head.map(RedirectRule.isRedirect) ?? false
            try count(
                bytes,
                limit: isRedirect ? max(caller.maxResponseBytes, Self.redirectBodyLimit) : caller.maxResponseBytes)
            guard !isRedirect else { return }
            if let onBody {
                try callOut { try onBody(bytes) }
            } else {
                body.append(contentsOf: bytes)
            }
            try pace(bytes.count)
        }
    }

    /// Refuses an answer that is too long; if its head announces the length, before its first byte.
    private func count(_ bytes: UnsafeRawBufferPointer, limit: UInt64) throws(TransportError) {
        let announced = received == 0 ? handle.announcedBodyBytes ?? 0 : 0
        received += UInt64(bytes.count)
        guard max(received, announced) <= limit else {
            throw .tooLarge(request.url.host, limitBytes: limit)
        }
    }

    /// Fills `buffer` with the next piece of the request's body; nil stops the transfer.
    func provideBody(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        var count = 0
        let isFine = attempt { () throws(TransportError) in
            count = try upload?.read(at: uploadPosition, into: buffer) ?? 0
            uploadPosition += UInt64(count)
            try pace(count)
        }
        return isFine ? count : nil
    }

    /// curl sends the body again from `position`.
    func seekBody(to position: UInt64) -> Bool {
        guard let upload, position <= upload.length else { return false }
        uploadPosition = position
        return true
    }

    /// Reports the moved bytes. curl calls it at least about once per second.
    func progress(downloaded: UInt64, uploaded: UInt64) -> Bool {
        attempt { () throws(TransportError) in
            if let upload, uploaded != reportedSent {
                reportedSent = uploaded
                caller.uploadProgress?(uploaded, upload.length)
            }
            let isStalled = stallDetector.isStalled(
                bytesMoved: downloaded &+ uploaded, isConnected: handle.isConnected, now: .now)
            guard !isStalled else {
                throw .stalled(request.url.host)
            }
        }
    }

    /// Delays curl, and with it the peer, after `count` bytes. A cancellation ends the wait.
    private func pace(_ count: Int) throws(TransportError) {
        let delay = pacer.pause(after: count, now: .now)
        guard delay > .zero else { return }
        let remaining = try limits.remainingMilliseconds(now: .now, host: request.url.host).map { Double($0) / 1000 }
        let seconds = min(delay / .seconds(1), remaining ?? .infinity)
        let cancellation = caller.cancellation ?? Cancellation()
        cancellation.wait(seconds: seconds)
        guard !cancellation.isCancelled else {
            throw .cancelled(request.url.host)
        }
        _ = try limits.remainingMilliseconds(now: .now, host: request.url.host)
    }

    private func callOut(_ body: () throws -> Void) throws(TransportError) {
        do {
            try body()
        } catch {
            throw .aborted(request.url.host, cause: error)
        }
    }

    private func attempt(_ body: () throws(TransportError) -> Void) -> Bool {
        do {
            try body()
            return true
        } catch {
            failure = error
            return false
        }
    }
}

extension CurlTransfer {
    /// Makes curl call back into this object, which must stay alive until the transfer has ended.
    func installCallbacks(on handle: CurlHandle) throws(TransportError) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        try handle.check(hearth_set_header_function(handle.pointer, receiveHeaderLine, context))
        try handle.check(hearth_set_write_function(handle.pointer, receiveBodyPiece, context))
        try handle.check(hearth_set_progress_function(handle.pointer, reportProgress, context))
        try handle.set(CURLOPT_NOPROGRESS, 0)
        guard upload != nil else { return }
        try handle.check(hearth_set_read_function(handle.pointer, provideBodyPiece, context))
        try handle.check(hearth_set_seek_function(handle.pointer, seekInBody, context))
    }

    fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
        context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// For curl, every number except that of all bytes means "stop".
private func receiveHeaderLine(
    bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return CurlTransfer.from(context)?.receiveHeader(line) == true ? line.count : -1
}

private func receiveBodyPiece(
    bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return CurlTransfer.from(context)?.receiveBody(piece) == true ? piece.count : -1
}

private func provideBodyPiece(
    buffer: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    let space = UnsafeMutableRawBufferPointer(start: buffer, count: size * count)
    return CurlTransfer.from(context)?.provideBody(into: space) ?? Int(CURL_READFUNC_ABORT)
}

private func seekInBody(context: UnsafeMutableRawPointer?, offset: curl_off_t, origin: Int32) -> Int32 {
    // curl seeks from the start only.
    guard origin == SEEK_SET, let position = UInt64(exactly: offset) else { return CURL_SEEKFUNC_FAIL }
    return CurlTransfer.from(context)?.seekBody(to: position) == true ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
}

private func reportProgress(
    context: UnsafeMutableRawPointer?, downloadTotal: curl_off_t, downloaded: curl_off_t, uploadTotal: curl_off_t,
    uploaded: curl_off_t
) -> Int32 {
    let continues = CurlTransfer.from(context)?.progress(
        downloaded: UInt64(clamping: downloaded), uploaded: UInt64(clamping: uploaded))
    return continues == true ? 0 : 1
}
