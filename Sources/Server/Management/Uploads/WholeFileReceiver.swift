import HearthCatalog
import HearthHTTP
import HearthRouting
import HearthStorage
import HearthWire

/// An upload in one request: the bytes go to quarantine while they arrive.
final class WholeFileReceiver: BodyReceiver {
    let limitBytes: UInt64?
    /// Present until a worker takes it, or the upload is aborted.
    private var blob: (any IncomingBlob)?
    private let uploads: UploadService
    private var watch: DiskReserveMonitor
    private let head: RequestHead
    private let responder: UploadResponder
    private let complete: @Sendable (any IncomingBlob) throws -> UploadedObject

    /// - Parameter complete: called by a worker after all bytes have arrived.
    init(
        _ uploads: UploadService, _ head: RequestHead, _ responder: UploadResponder,
        complete: @escaping @Sendable (any IncomingBlob) throws -> UploadedObject
    ) throws {
        let limit = uploads.services.limits.uploadBytes
        if let length = head.contentLength, length > limit {
            throw APIError(.invalidArgument, "The file is larger than \(limit) bytes.", httpStatus: 413)
        }
        try uploads.diskReserve.check(for: head.contentLength ?? 0)
        limitBytes = limit
        blob = try uploads.services.blobs.begin(limitBytes: limit)
        self.uploads = uploads
        watch = DiskReserveMonitor(uploads.diskReserve)
        self.head = head
        self.responder = responder
        self.complete = complete
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws(RequestRefusal) {
        do {
            try watch.add(bytes.count)
            try blob?.write(bytes)
        } catch {
            throw RequestRefusal(responder.failure(head, error))
        }
    }

    func finish() -> Outcome {
        uploads.deferred(head, responder, SendableBox(blob.take())) { [complete] in .complete(try complete($0)) }
    }

    /// Releasing the blob deletes the quarantined bytes.
    func abandon() { blob = nil }
}
