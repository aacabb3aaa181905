import HearthCatalog
import HearthHTTP
import HearthRouting
import HearthStorage
import HearthWire

/// An upload in one request whose body contains JSON about the file, and then the file.
final class MultipartReceiver: BodyReceiver {
    let limitBytes: UInt64?
    private var blob: (any IncomingBlob)?
    private var parts: MultipartRelated
    private let uploads: UploadService
    private var watch: DiskReserveMonitor
    private let head: RequestHead
    private let responder: UploadResponder
    private let complete: @Sendable (any IncomingBlob, MultipartRelated) throws -> UploadedObject

    /// - Parameter complete: called by a worker after all bytes have arrived, with what the body says about them.
    init(
        _ uploads: UploadService, _ head: RequestHead, _ responder: UploadResponder,
        complete: @escaping @Sendable (any IncomingBlob, MultipartRelated) throws -> UploadedObject
    ) throws {
        let limits = uploads.services.limits
        parts = try MultipartRelated(
            contentType: head.headers["Content-Type"] ?? "", metadataLimitBytes: limits.uploadMetadataBytes)
        try uploads.diskReserve.check(for: head.contentLength ?? 0)
        // The parts' boundaries and headers come in addition.
        limitBytes = limits.uploadBytes + UInt64(limits.uploadMetadataBytes) + 65_536
        blob = try uploads.services.blobs.begin(limitBytes: limits.uploadBytes)
        self.uploads = uploads
        watch = DiskReserveMonitor(uploads.diskReserve)
        self.head = head
        self.responder = responder
        self.complete = complete
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws(RequestRefusal) {
        do {
            try watch.add(bytes.count)
            try parts.consume(bytes) { try blob?.write($0) }
        } catch {
            throw RequestRefusal(responder.failure(head, error))
        }
    }

    func finish() -> Outcome {
        uploads.deferred(head, responder, SendableBox(blob.take())) { [parts, complete] blob in
            try parts.finish()
            return .complete(try complete(blob, parts))
        }
    }

    func abandon() { blob = nil }
}
